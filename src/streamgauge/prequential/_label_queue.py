"""Labels not yet revealed: a binary heap ordered by (time, row).

It also holds the rows without a label, under re-evaluation, until they leave.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from streamgauge._support.jit import inlined
from streamgauge._support.types import Floats, Longs

NO_LABEL: Final = -1.0  # the weight of a row that leaves without a label


class LabelQueue(NamedTuple):
    """The arrays of the heap. The caller keeps count of how many entries are in use."""

    time: Longs  # when the label is revealed, or the row leaves without one
    row: Longs
    row_id: Longs  # the row's first slot in the waiting room
    weight: Floats  # or NO_LABEL

    @staticmethod
    def empty(capacity: int) -> LabelQueue:
        """Room for `capacity` labels."""
        return LabelQueue(
            np.empty(capacity, np.int64),
            np.empty(capacity, np.int64),
            np.empty(capacity, np.int64),
            np.empty(capacity),
        )

    def grown(self, capacity: int, used: int) -> LabelQueue:
        """A copy with room for `capacity` labels, of which the first `used` are copied."""
        grown = LabelQueue.empty(capacity)
        for new, old in zip(grown, self, strict=True):
            new[:used] = old[:used]
        return grown


@inlined
def _move(queue: LabelQueue, place: int, to: int) -> None:
    queue.time[to] = queue.time[place]
    queue.row[to] = queue.row[place]
    queue.row_id[to] = queue.row_id[place]
    queue.weight[to] = queue.weight[place]


@inlined
def push(queue: LabelQueue, size: int, time: int, row: int, row_id: int, weight: float) -> None:
    """Add a label to a queue of `size` labels."""
    child = size
    while child > 0:
        parent = (child - 1) >> 1
        if queue.time[parent] < time or (queue.time[parent] == time and queue.row[parent] < row):
            break
        _move(queue, parent, child)
        child = parent
    queue.time[child] = time
    queue.row[child] = row
    queue.row_id[child] = row_id
    queue.weight[child] = weight


@inlined
def drop_first(queue: LabelQueue, size: int) -> None:
    """Remove the first label of a queue of `size` labels: sift the last one down from the root."""
    last = size - 1
    time, row = queue.time[last], queue.row[last]
    hole = 0
    while True:
        child = 2 * hole + 1
        if child >= last:
            break
        right = child + 1
        if right < last and (
            queue.time[right] < queue.time[child]
            or (queue.time[right] == queue.time[child] and queue.row[right] < queue.row[child])
        ):
            child = right
        if time < queue.time[child] or (time == queue.time[child] and row < queue.row[child]):
            break
        _move(queue, child, hole)
        hole = child
    _move(queue, last, hole)
