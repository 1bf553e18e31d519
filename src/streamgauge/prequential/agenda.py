"""From arrivals and reveal times to an ordered list of events (semantics §1).

Every protocol is a way to write agendas; what plays them never changes. An agenda depends on times
alone, never on predictions.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from streamgauge.compiled import kernel
from streamgauge.errors import InputError
from streamgauge.prequential.labels import LabelPolicy
from streamgauge.prequential.pending import WaitingRoom
from streamgauge.types import NEVER, Block, Flags, Floats, Longs

PREDICT: Final = 0
LEARN: Final = 1


class Agenda(NamedTuple):
    """Events in the order they happen: what, on which slot of the room, which row, its weight."""

    ops: Flags
    slots: Longs
    ids: Longs
    weight: Floats

    def first(self, events: int) -> Agenda:
        """The first so many events."""
        return Agenda(
            self.ops[:events], self.slots[:events], self.ids[:events], self.weight[:events]
        )

    @staticmethod
    def empty(events: int) -> Agenda:
        """Room for so many events."""
        return Agenda(
            np.empty(events, np.uint8),
            np.empty(events, np.int64),
            np.empty(events, np.int64),
            np.empty(events),
        )


class _Heap(NamedTuple):
    """Labels still to come, as a binary heap ordered by (time, row)."""

    time: Longs
    row: Longs
    slot: Longs
    weight: Floats


def _new_heap(capacity: int) -> _Heap:
    return _Heap(
        np.empty(capacity, np.int64),
        np.empty(capacity, np.int64),
        np.empty(capacity, np.int64),
        np.empty(capacity),
    )


@kernel
def _push(heap: _Heap, size: int, time: int, row: int, slot: int, weight: float) -> None:
    child = size
    while child > 0:
        parent = (child - 1) >> 1
        if heap.time[parent] < time or (heap.time[parent] == time and heap.row[parent] < row):
            break
        heap.time[child] = heap.time[parent]
        heap.row[child] = heap.row[parent]
        heap.slot[child] = heap.slot[parent]
        heap.weight[child] = heap.weight[parent]
        child = parent
    heap.time[child] = time
    heap.row[child] = row
    heap.slot[child] = slot
    heap.weight[child] = weight


@kernel
def _drop_first(heap: _Heap, size: int) -> None:
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
        heap.time[hole] = heap.time[child]
        heap.row[hole] = heap.row[child]
        heap.slot[hole] = heap.slot[child]
        heap.weight[hole] = heap.weight[child]
        hole = child
    heap.time[hole] = time
    heap.row[hole] = row
    heap.slot[hole] = heap.slot[last]
    heap.weight[hole] = heap.weight[last]


@kernel
def _reveal(heap: _Heap, size: int, agenda: Agenda, event: int, before: int) -> tuple[int, int]:
    """Write LEARN events for all labels due before a moment; the new (size, event)."""
    while size > 0 and heap.time[0] < before:
        agenda.ops[event] = LEARN
        agenda.slots[event] = heap.slot[0]
        agenda.ids[event] = heap.row[0]
        agenda.weight[event] = heap.weight[0]
        event += 1
        _drop_first(heap, size)
        size -= 1
    return size, event


@kernel
def _merge(
    arrives: Longs,
    revealed: Longs,
    weight: Floats,
    slots: Longs,
    first_row: int,
    labels_first: int,
    heap: _Heap,
    size: int,
    agenda: Agenda,
) -> tuple[int, int]:
    """One block's arrivals, each after the labels that come before it; the new (size, event).

    With labels first, a label due at the last arrival's own moment is written too: rows yet to
    come arrive at that moment or later, so it precedes them all.
    """
    event = 0
    for i in range(len(arrives)):
        if size:
            size, event = _reveal(heap, size, agenda, event, arrives[i] + labels_first)
        agenda.ops[event] = PREDICT
        agenda.slots[event] = slots[i]
        agenda.ids[event] = first_row + i
        agenda.weight[event] = 1.0
        event += 1
        if size == 0 and labels_first and revealed[i] == arrives[i]:
            # Nobody waits and the label comes at once: no need to queue.
            agenda.ops[event] = LEARN
            agenda.slots[event] = slots[i]
            agenda.ids[event] = first_row + i
            agenda.weight[event] = weight[i]
            event += 1
        elif revealed[i] != NEVER:
            _push(heap, size, revealed[i], first_row + i, slots[i], weight[i])
            size += 1
    if labels_first and len(arrives):
        size, event = _reveal(heap, size, agenda, event, arrives[-1] + 1)
    return size, event


@kernel
def _learned_slots(ops: Flags, slots: Longs, out: Longs) -> int:
    count = 0
    for e in range(len(ops)):
        if ops[e] == LEARN:
            out[count] = slots[e]
            count += 1
    return count


class AgendaWriter:
    """Writes the agenda of one pass, block by block; keeps the labels that are still to come."""

    def __init__(self, policy: LabelPolicy, room: WaitingRoom) -> None:
        self._policy = policy
        self._room = room
        self._heap = _new_heap(0)
        self._waiting = 0
        self._clock: int | None = None
        self._leaving: Longs = np.empty(0, np.int64)
        self.unlabelled = 0  # rows whose label never comes

    @property
    def waiting(self) -> int:
        """How many labels are due later."""
        return self._waiting

    def write(self, block: Block) -> Agenda:
        """Let a block's rows arrive; the events up to its last arrival."""
        times = self._policy.timetable(block)
        self._check_clock(block, times.arrives)
        revealed = np.where(block.known, times.revealed, NEVER)
        slots = self._room.admit(block)
        never = revealed == NEVER
        self.unlabelled += int(never.sum())
        self._reserve(len(block))
        agenda = Agenda.empty(self._waiting + 2 * len(block))
        labels_first = int(self._policy.labels_first)
        arrives = np.array(times.arrives)  # a copy: kernels are compiled for writeable arrays only
        self._waiting, events = _merge(
            arrives, revealed, times.weight, slots, block.start, labels_first,
            self._heap, self._waiting, agenda,
        )  # fmt: skip
        return self._done(agenda.first(events), slots[never])

    def finish(self) -> Agenda:
        """The rows have ended: all labels still due, at their times."""
        agenda = Agenda.empty(self._waiting)
        self._waiting, _ = _reveal(self._heap, self._waiting, agenda, 0, NEVER)
        return self._done(agenda, np.empty(0, np.int64))

    def settled(self) -> None:
        """The last agenda has been played: rows that were learned leave the room."""
        self._room.release(self._leaving)
        self._leaving = np.empty(0, np.int64)

    def _done(self, agenda: Agenda, never: Longs) -> Agenda:
        learned = np.empty(len(agenda.ops), np.int64)
        learned = learned[: _learned_slots(agenda.ops, agenda.slots, learned)]
        self._leaving = np.concatenate([learned, never]) if len(never) else learned
        return agenda

    def _reserve(self, arriving: int) -> None:
        needed = self._waiting + arriving
        if needed > len(self._heap.time):
            larger = _new_heap(max(needed, 2 * self._waiting))
            for new, old in zip(larger, self._heap, strict=True):
                new[: self._waiting] = old[: self._waiting]
            self._heap = larger

    def _check_clock(self, block: Block, arrives: Longs) -> None:
        if not len(arrives):
            return
        before = int(arrives[0]) if self._clock is None else self._clock
        back = arrives[1:] < arrives[:-1]
        if arrives[0] < before or back.any():
            i = 0 if arrives[0] < before else int(np.argmax(back)) + 1
            raise InputError(
                f"row {block.start + i}: arrives at {arrives[i]}, earlier than the row before it "
                f"({arrives[i - 1] if i else before}); expected arrival times that never run "
                "backwards: sort the data by arrival (keep the order of equal times)",
                row=block.start + i,
            )
        self._clock = int(arrives[-1])
