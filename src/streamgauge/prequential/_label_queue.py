"""Labels still to come, as a binary heap ordered by (time, row)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from streamgauge._support.jit import inlined
from streamgauge._support.types import Floats, Longs


class Due(NamedTuple):
    """The heap's arrays; how much of them is in use is the caller's to know."""

    time: Longs
    row: Longs
    slot: Longs
    weight: Floats

    @staticmethod
    def empty(capacity: int) -> Due:
        """Room for so many labels."""
        return Due(
            np.empty(capacity, np.int64),
            np.empty(capacity, np.int64),
            np.empty(capacity, np.int64),
            np.empty(capacity),
        )

    def larger(self, capacity: int, used: int) -> Due:
        """The same labels with more room."""
        larger = Due.empty(capacity)
        for new, old in zip(larger, self, strict=True):
            new[:used] = old[:used]
        return larger


@inlined
def _move(heap: Due, place: int, to: int) -> None:
    heap.time[to] = heap.time[place]
    heap.row[to] = heap.row[place]
    heap.slot[to] = heap.slot[place]
    heap.weight[to] = heap.weight[place]


@inlined
def push(heap: Due, size: int, time: int, row: int, slot: int, weight: float) -> None:
    """Add a label to a heap of `size`."""
    child = size
    while child > 0:
        parent = (child - 1) >> 1
        if heap.time[parent] < time or (heap.time[parent] == time and heap.row[parent] < row):
            break
        _move(heap, parent, child)
        child = parent
    heap.time[child] = time
    heap.row[child] = row
    heap.slot[child] = slot
    heap.weight[child] = weight


@inlined
def drop_first(heap: Due, size: int) -> None:
    """Remove the root of a heap of `size`: sift its last entry down from the top."""
    last = size - 1
    time, row = heap.time[last], heap.row[last]
    hole = 0
    while True:
        child = 2 * hole + 1
        if child >= last:
            break
        right = child + 1
        if right < last and (
            heap.time[right] < heap.time[child]
            or (heap.time[right] == heap.time[child] and heap.row[right] < heap.row[child])
        ):
            child = right
        if time < heap.time[child] or (time == heap.time[child] and row < heap.row[child]):
            break
        _move(heap, child, hole)
        hole = child
    _move(heap, last, hole)
