"""Writes the agendas of one pass, block by block, and keeps what is still to come."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from streamgauge._support.errors import InputError
from streamgauge._support.types import NEVER, Block, Longs, Updates
from streamgauge.prequential._label_queue import Due
from streamgauge.prequential.agenda import Agenda, Arrivals, Changes, Tests, Waiting, merge
from streamgauge.prequential.labels import FromStream, LabelPolicy
from streamgauge.prequential.protocols import Prequential, Rows
from streamgauge.prequential.waiting_room import WaitingRoom

_PIECE = 1 << 16  # events at least, before an agenda of re-evaluation is handed out


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
        self._waiting = Waiting(
            rounds, rounds.copy(), none, none, none, none, none, np.zeros(2, np.int64)
        )
        self._changes = Changes(none, none, none, none)
        self._tests = Tests(protocol.test_every, none, none)
        self._evolving = False
        # The same memory for every agenda: new memory costs more than what is written there.
        self._agenda = Agenda.empty(0)
        self._leaving = none
        self._clock: int | None = None
        self.arrived = 0
        self.unlabelled = 0  # rows whose label never comes

    @property
    def waiting(self) -> int:
        """How many labels are due later."""
        return self._due

    def write(self, block: Block) -> Iterator[Agenda]:
        """Let a block's rows arrive; the events up to its last arrival, in one agenda or several.

        Each must have been played before the next is asked for, and is gone then: rows that were
        learned leave the room, and the next is written where it stood.
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
        yield from self._pieces(Arrivals(arrives, revealed, weight, slots), block.start, until)

    def hold_out(self, block: Block) -> None:
        """Add rows to the test set; those without a label cannot be scored."""
        known = np.flatnonzero(block.known)
        self.unlabelled += len(block) - len(known)
        rows = block.start + known
        kept = Block(block.start, block.X[known], block.y[known])
        slots = self._room.admit(kept, rows, rows, True)
        self._tests = Tests(
            self._tests.every,
            np.concatenate([self._tests.homes, slots]),
            np.concatenate([self._tests.rows, rows]),
        )

    def finish(self) -> Iterator[Agenda]:
        """The rows have ended: all labels still due, at their times."""
        none = np.empty(0, np.int64)
        yield from self._pieces(Arrivals(none, none, np.empty(0), none), self.arrived, NEVER)

    def _pieces(self, rows: Arrivals, first_row: int, until: int) -> Iterator[Agenda]:
        if self._every or self._evolving:
            self._follow_room()
        position, complete = 0, False
        while not complete:
            ahead = self._due + len(rows.arrives) - position
            tests = 2 * len(self._tests.homes)
            in_pieces = self._every or tests
            events = ahead + tests + (_PIECE if in_pieces else len(rows.arrives) - position)
            if events > len(self._agenda.ops) or (self._evolving and not self._agenda.apart):
                self._agenda = Agenda.empty(events, self._evolving)
            agenda = self._agenda.first(events)
            if (most := 2 * events + len(self._changes.time)) > len(self._leaving):
                self._leaving = np.empty(most, np.int64)
            position, self._due, count, gone, complete = merge(
                rows, position, first_row, until, int(self._policy.labels_first), self._heap,
                self._due, self._waiting, self._changes, self._tests, self._room.scored, agenda,
                self._leaving,
            )  # fmt: skip
            self.arrived = first_row + position
            yield agenda.first(count)
            self._room.release(self._leaving[:gone])

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
        fresh = Changes(
            moments[there],
            updates.rows[there],
            homes,
            self._room.admit_updates(homes, updates.X[there]),
        )
        applied = int(self._waiting.counts[1])
        self._waiting.counts[1] = 0
        self._changes = Changes(
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
