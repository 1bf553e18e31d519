"""From arrivals and reveal times to an ordered list of events (semantics §1, §8).

Every protocol is a way to write agendas; what plays them never changes. An agenda depends on times
alone, never on predictions.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from streamgauge.compiled import kernel
from streamgauge.errors import InputError
from streamgauge.prequential.due import Due, drop_first, push
from streamgauge.prequential.labels import FromStream, LabelPolicy
from streamgauge.prequential.pending import WaitingRoom
from streamgauge.prequential.protocols import Prequential, Rows
from streamgauge.types import (
    AGAIN,
    FINAL,
    LEARN,
    NEVER,
    PREDICT,
    Block,
    Flags,
    Floats,
    Longs,
    Updates,
)

_PIECE = 1 << 16  # events at least, before an agenda of re-evaluation is handed out


class Agenda(NamedTuple):
    """Events in the order they happen: what, on which slot of the room, of the row that has which
    home there, which row, its weight, when, and of a label whether its row is scored with it."""

    ops: Flags
    slots: Longs
    homes: Longs
    ids: Longs
    weight: Floats
    times: Longs
    scored: Flags

    def first(self, events: int) -> Agenda:
        """The first so many events."""
        part = slice(events)
        return Agenda(
            self.ops[part],
            self.slots[part],
            self.homes[part],
            self.ids[part],
            self.weight[part],
            self.times[part],
            self.scored[part],
        )

    @staticmethod
    def empty(events: int, evolving: bool = False) -> Agenda:
        """Room for so many events. Only evolving rows are ever found elsewhere than at home."""
        slots = np.empty(events, np.int64)
        return Agenda(
            np.empty(events, np.uint8),
            slots,
            np.empty(events, np.int64) if evolving else slots,
            np.empty(events, np.int64),
            np.empty(events),
            np.empty(events, np.int64),
            np.empty(events, np.uint8),
        )


class _Arrivals(NamedTuple):
    """Rows of a block: when they come, when their labels do, their weights and slots."""

    arrives: Longs
    revealed: Longs
    weight: Floats
    slots: Longs


class _Tests(NamedTuple):
    """A held-out set, asked after every so many learned labels: homes and rows. None = no set."""

    every: int
    homes: Longs
    rows: Longs


class _Waiting(NamedTuple):
    """Rows that wait, by home. Every `every` learned labels a row is asked again, so rows are kept
    in as many rounds, linked lists in order of arrival: those due at a label are one round."""

    first: Longs  # of each round, -1 = none
    last: Longs
    next: Longs  # of each home
    previous: Longs
    since: Longs  # how many labels had been learned when it arrived
    row: Longs  # -1 = nobody waits here
    current: Longs  # the slot of its newest features
    counts: Longs  # [labels learned, updates applied]


class _Changes(NamedTuple):
    """Updates still to come, in order: when, of which row, its home, the slot they are in."""

    time: Longs
    row: Longs
    home: Longs
    slot: Longs


@kernel
def _write(
    agenda: Agenda, event: int, op: int, slot: int, home: int, row: int, weight: float, time: int,
    scored: int,
) -> int:  # fmt: skip
    agenda.ops[event] = op
    agenda.slots[event] = slot
    agenda.homes[event] = home
    agenda.ids[event] = row
    agenda.weight[event] = weight
    agenda.times[event] = time
    agenda.scored[event] = scored
    return event + 1


@kernel
def _link(waiting: _Waiting, home: int) -> None:
    """A row arrives: last of its round."""
    learned = waiting.counts[0]
    round_ = learned % len(waiting.first)
    end = waiting.last[round_]
    waiting.since[home] = learned
    waiting.previous[home] = end
    waiting.next[home] = -1
    waiting.last[round_] = home
    if end >= 0:
        waiting.next[end] = home
    else:
        waiting.first[round_] = home


@kernel
def _unlink(waiting: _Waiting, home: int) -> None:
    """A row's label has come."""
    round_ = waiting.since[home] % len(waiting.first)
    before, after = waiting.previous[home], waiting.next[home]
    if before >= 0:
        waiting.next[before] = after
    else:
        waiting.first[round_] = after
    if after >= 0:
        waiting.previous[after] = before
    else:
        waiting.last[round_] = before


@kernel
def _ask_again(waiting: _Waiting, agenda: Agenda, event: int, time: int) -> int:
    """Ask the rows since whose arrival a multiple of `every` labels, not zero, was learned."""
    learned = waiting.counts[0]
    home = waiting.first[learned % len(waiting.first)]
    while home >= 0 and waiting.since[home] < learned:
        slot = waiting.current[home]
        event = _write(agenda, event, AGAIN, slot, home, waiting.row[home], 1.0, time, 0)
        home = waiting.next[home]
    return event


@kernel
def _update(changes: _Changes, waiting: _Waiting, until: int, leaving: Longs, gone: int) -> int:
    """Let features change that do so by a moment; slots that are no longer used leave."""
    change = waiting.counts[1]
    while change < len(changes.time) and changes.time[change] <= until:
        home = changes.home[change]
        if waiting.row[home] == changes.row[change]:
            old = waiting.current[home]
            if old != home:
                leaving[gone] = old
                gone += 1
            waiting.current[home] = changes.slot[change]
        else:  # its label came first
            leaving[gone] = changes.slot[change]
            gone += 1
        change += 1
    waiting.counts[1] = change
    return gone


@kernel
def _test(tests: _Tests, learned: int, agenda: Agenda, event: int, time: int) -> int:
    """Ask and score the held-out set if it is due; a weight of 0 teaches nothing."""
    if len(tests.homes) and learned % tests.every == 0:
        for i in range(len(tests.homes)):
            home, row = tests.homes[i], tests.rows[i]
            event = _write(agenda, event, PREDICT, home, home, row, 1.0, time, 0)
            event = _write(agenda, event, LEARN, home, home, row, 0.0, time, 1)
    return event


@kernel
def _merge(
    rows: _Arrivals,
    position: int,
    first_row: int,
    until: int,
    labels_first: int,
    heap: Due,
    size: int,
    waiting: _Waiting,
    changes: _Changes,
    tests: _Tests,
    scored: Flags,
    agenda: Agenda,
    leaving: Longs,
) -> tuple[int, int, int, int, bool]:
    """Arrivals from `position` on, each after the labels that come before it, then labels due
    before `until`, as far as the agenda has room; the new (position, size), how many events, how
    many slots leave, and whether that is all.

    With labels first, `until` lies behind the last arrival's own moment: rows yet to come arrive at
    that moment or later, so a label due then precedes them all.
    """
    arrives, revealed, weights, slots = rows
    again, known = len(waiting.first) > 0, len(waiting.row) > 0
    most = 2 * len(tests.homes)  # events that one label may bring about, beside those of its row
    event, gone = 0, 0
    while True:
        at_end = position == len(arrives)
        moment = until if at_end else arrives[position] + labels_first
        while size > 0 and heap.time[0] < moment:
            if event + most + (size + 1 if again else 1) > len(agenda.ops):
                return position, size, event, gone, False
            time, row, home, weight = heap.time[0], heap.row[0], heap.slot[0], heap.weight[0]
            drop_first(heap, size)
            size -= 1
            slot = home
            if known:
                gone = _update(changes, waiting, time - labels_first, leaving, gone)
                slot = waiting.current[home]
            if again:
                _unlink(waiting, home)
                event = _write(agenda, event, FINAL, slot, home, row, 1.0, time, 0)
                if weight > 0:
                    event = _ask_again(waiting, agenda, event, time)
            event = _write(agenda, event, LEARN, slot, home, row, weight, time, scored[home])
            if weight > 0:
                waiting.counts[0] += 1
                event = _test(tests, waiting.counts[0], agenda, event, time)
            leaving[gone] = home
            gone += 1
            if known:
                waiting.row[home] = -1
                if slot != home:
                    leaving[gone] = slot
                    gone += 1
        if at_end:
            return position, size, event, gone, True
        if event + most + (3 if again else 2) > len(agenda.ops):
            return position, size, event, gone, False
        time, due = arrives[position], revealed[position]
        row, home, weight = first_row + position, slots[position], weights[position]
        event = _write(agenda, event, PREDICT, home, home, row, 1.0, time, 0)
        if due == NEVER or (size == 0 and labels_first and due == time):
            if known:
                waiting.row[home] = -1
            leaving[gone] = home
            gone += 1
            if due != NEVER:  # nobody waits and the label comes at once: no need to queue
                if again:
                    event = _write(agenda, event, FINAL, home, home, row, 1.0, time, 0)
                event = _write(agenda, event, LEARN, home, home, row, weight, time, scored[home])
                if weight > 0:
                    waiting.counts[0] += 1
                    event = _test(tests, waiting.counts[0], agenda, event, time)
        else:
            push(heap, size, due, row, home, weight)
            size += 1
            if known:
                waiting.row[home] = row
                waiting.current[home] = home
            if again:
                _link(waiting, home)
        position += 1


class AgendaWriter:
    """Writes the agendas of one pass, block by block; keeps the labels that are still to come.

    `every`: rows that wait are asked again whenever so many labels were learned; 0 = never.
    `protocol`: which rows are scored, which learned, and what is held out to be tested on.
    """

    def __init__(
        self,
        policy: LabelPolicy,
        room: WaitingRoom,
        every: int = 0,
        protocol: Rows = Prequential(),  # noqa: B008 - it never changes
    ) -> None:
        self._policy, self._room, self._every, self._protocol = policy, room, every, protocol
        self._heap = Due.empty(0)
        self._due = 0
        none = np.empty(0, np.int64)
        rounds = np.full(every, -1, np.int64)
        self._waiting = _Waiting(
            rounds, rounds.copy(), none, none, none, none, none, np.zeros(2, np.int64)
        )
        self._changes = _Changes(none, none, none, none)
        self._tests = _Tests(protocol.test_every, none, none)
        self._evolving = False
        self._clock: int | None = None
        self.arrived = 0
        self.unlabelled = 0  # rows whose label never comes

    @property
    def waiting(self) -> int:
        """How many labels are due later."""
        return self._due

    def write(self, block: Block) -> Iterator[Agenda]:
        """Let a block's rows arrive; the events up to its last arrival, in one agenda or several.

        Each must have been played before the next is asked for: rows that were learned then leave
        the room.
        """
        if block.start < self._protocol.held_out:
            tests = min(len(block), self._protocol.held_out - block.start)
            self.hold_out(block.cut(0, tests))
            self.arrived = block.start + tests
            block = block.cut(tests, len(block))
        times = self._policy.timetable(block)
        self._check_clock(block, times.arrives)
        revealed = np.where(block.known, times.revealed, NEVER)
        if self._every:
            _check_waits(block.start, times.arrives, revealed)
        arrives = np.array(times.arrives)  # a copy: kernels are compiled for writeable arrays only
        numbers = np.arange(block.start, block.start + len(block))
        learned, scored = self._protocol.learned(numbers), self._protocol.scored(numbers)
        weight = times.weight if learned is True else np.where(learned, times.weight, 0.0)
        slots = self._room.admit(block, arrives, revealed, scored)
        self.unlabelled += int((revealed == NEVER).sum())
        if self._due + len(block) > len(self._heap.time):
            self._heap = self._heap.larger(self._due + max(len(block), self._due), self._due)
        if block.updates is not None:
            self._expect(block.updates, block.start, slots)
        until = int(arrives[-1]) + self._policy.labels_first if len(block) else -NEVER
        yield from self._pieces(_Arrivals(arrives, revealed, weight, slots), block.start, until)

    def hold_out(self, block: Block) -> None:
        """Add rows to the test set; those without a label cannot be scored."""
        known = np.flatnonzero(block.known)
        self.unlabelled += len(block) - len(known)
        rows = block.start + known
        kept = Block(block.start, block.X[known], block.y[known])
        slots = self._room.admit(kept, rows, rows, True)
        self._tests = _Tests(
            self._tests.every,
            np.concatenate([self._tests.homes, slots]),
            np.concatenate([self._tests.rows, rows]),
        )

    def finish(self) -> Iterator[Agenda]:
        """The rows have ended: all labels still due, at their times."""
        none = np.empty(0, np.int64)
        yield from self._pieces(_Arrivals(none, none, np.empty(0), none), self.arrived, NEVER)

    def _pieces(self, rows: _Arrivals, first_row: int, until: int) -> Iterator[Agenda]:
        if self._every or self._evolving:
            self._follow_room()
        position, complete = 0, False
        while not complete:
            ahead = self._due + len(rows.arrives) - position
            tests = 2 * len(self._tests.homes)
            in_pieces = self._every or tests
            events = ahead + tests + (_PIECE if in_pieces else len(rows.arrives) - position)
            agenda = Agenda.empty(events, self._evolving)
            leaving = np.empty(2 * events + len(self._changes.time), np.int64)
            position, self._due, count, gone, complete = _merge(
                rows, position, first_row, until, int(self._policy.labels_first), self._heap,
                self._due, self._waiting, self._changes, self._tests, self._room.scored, agenda,
                leaving,
            )  # fmt: skip
            self.arrived = first_row + position
            yield agenda.first(count)
            self._room.release(leaving[:gone])

    def _follow_room(self) -> None:
        """As much is known of each slot as the room has slots."""
        missing = self._room.capacity - len(self._waiting.row)
        if missing > 0:
            fields = ("next", "previous", "since", "row", "current")
            unused = np.full(missing, -1, np.int64)
            longer = {f: np.concatenate([getattr(self._waiting, f), unused]) for f in fields}
            self._waiting = self._waiting._replace(**longer)

    def _expect(self, updates: Updates, start: int, slots: Longs) -> None:
        """Store updates of rows that wait; what remains of earlier ones comes first."""
        self._evolving = True
        timed = isinstance(self._policy, FromStream)
        moments = updates.times if timed else updates.after
        rows = np.concatenate([self._heap.row[: self._due], start + np.arange(len(slots))])
        homes = np.concatenate([self._heap.slot[: self._due], slots])
        order = np.argsort(rows)
        place = np.minimum(np.searchsorted(rows, updates.rows, sorter=order), len(rows) - 1)
        found = order[place]
        there = rows[found] == updates.rows
        homes = homes[found[there]]
        fresh = _Changes(
            moments[there],
            updates.rows[there],
            homes,
            self._room.admit_updates(homes, updates.X[there]),
        )
        applied = int(self._waiting.counts[1])
        self._waiting.counts[1] = 0
        self._changes = _Changes(
            *(np.concatenate([old[applied:], new])
              for old, new in zip(self._changes, fresh, strict=True))
        )  # fmt: skip

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


def _check_waits(start: int, arrives: Longs, revealed: Longs) -> None:
    """A wait longer than 64 bits can tell is no wait: bins divide it."""
    with np.errstate(over="ignore"):
        wrong = np.flatnonzero((revealed != NEVER) & (revealed - arrives < 0))
    if len(wrong):
        i = int(wrong[0])
        raise InputError(
            f"row {start + i}: arrives at {arrives[i]} and is labelled at {revealed[i]}, longer "
            "than 64 bits can count; expected times of a coarser unit or nearer to each other",
            row=start + i,
        )
