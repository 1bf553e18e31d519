"""Writes the agendas of one pass over a stream, block by block."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from streamgauge._support.clock import time_text
from streamgauge._support.errors import InputError
from streamgauge._support.growing import grown
from streamgauge._support.types import NEVER, Block, Clock, Longs, Mask, Updates
from streamgauge.prequential._label_queue import NO_LABEL, LabelQueue
from streamgauge.prequential.agenda import (
    Agenda,
    Arrivals,
    FeatureUpdates,
    HeldOutSet,
    WaitingRows,
    merge,
)
from streamgauge.prequential.labels import LabelPolicy, Timetable, is_timed, needs_reveal_times
from streamgauge.prequential.protocols import Prequential, RowRoles
from streamgauge.prequential.timetables import timetable_of
from streamgauge.prequential.waiting_room import WaitingRoom

_PIECE = 1 << 16  # minimum events per agenda, when a block may need several agendas


class AgendaWriter:
    """Writes the agendas of one pass, block by block, and keeps the labels not yet revealed.

    Parameters
    ----------
    policy
        When labels are revealed.
    room
        Where rows wait for their labels.
    every
        Predict a waiting row again after every `every` learned labels; 0 means never.
    protocol
        Which rows are scored, which are learned, and which are held out for testing.
    clock
        What the times of the policy count, for error messages.
    """

    def __init__(
        self,
        policy: LabelPolicy,
        room: WaitingRoom,
        every: int = 0,
        protocol: RowRoles = Prequential(),  # noqa: B008 - it is immutable
        clock: Clock = "integers",
    ) -> None:
        self._policy, self._room, self._every, self._protocol = policy, room, every, protocol
        self._queue = LabelQueue.empty(0)
        self._queued = 0
        none = np.empty(0, np.int64)
        self._waiting = WaitingRows(
            every, none, none, none, none, none, none, none, none, none, np.zeros(3, np.int64)
        )
        self._updates = FeatureUpdates(none, none, none, none)
        self._held_out = HeldOutSet(protocol.test_every, none, none)
        self._evolving = False
        # Reused for every agenda: fresh memory costs more than writing the events.
        self._agenda = Agenda.empty(0)
        self._freed = none
        self._clock, self._now = clock, -NEVER
        self.arrived = 0
        self.unlabelled = 0  # rows whose label is never revealed
        self.end = -NEVER  # the last arrival or label, or what the caller knows to come later
        self._forever = 0  # rows without a label that wait as long as the stream lasts
        self._leaves = none  # when others that still wait will leave
        self.keeps_leaves = False  # so that a pass may stop at any label
        self._unlabelled_rows: list[tuple[Longs, Longs]] = []  # … and when each of them leaves
        self._still_awaited: int | None = None  # once stopped

    @property
    def waiting(self) -> int:
        """Number of labels still to be revealed, and of rows that wait only to be predicted."""
        return self._queued

    @property
    def awaited(self) -> int:
        """Number of rows without a label that still wait for it at the last arrival or label."""
        if self._still_awaited is not None:
            return self._still_awaited
        return self._forever + int((self._leaves > self.end).sum())

    @property
    def never_labelled(self) -> int:
        """Number of rows that have waited until now, under re-evaluation, and get no label."""
        if self._still_awaited is not None:  # unknown for every row
            return 0
        return int((self._queue.weight[: self._queued] == NO_LABEL).sum())

    @property
    def left(self) -> tuple[Longs, Longs]:
        """Homes of the rows that left without a label during the last agenda, and when.

        The time is the number of events of the agenda before it. Such rows wait only under
        re-evaluation.
        """
        count = int(self._waiting.counts[2])
        return self._waiting.left[:count], self._waiting.left_at[:count]

    def write(self, block: Block) -> Iterator[Agenda]:
        """Let a block's rows arrive; yield the events up to its last arrival in agendas.

        Play each agenda before you ask for the next one: the next one reuses its memory, and the
        slots of learned rows are freed.
        """
        if block.start < self._protocol.held_out:
            tests = min(len(block), self._protocol.held_out - block.start)
            self.hold_out(block.cut(0, tests))
            self.arrived = block.start + tests
            block = block.cut(tests, len(block))
        times, known = timetable_of(self._policy, block), block.known
        revealed = np.where(known, times.revealed, NEVER)
        self._check_reveals(block.start, times.arrives, revealed)
        leaves = times.revealed if times.leaves is None else times.leaves
        if times.leaves is not None:
            revealed[times.revealed > leaves] = NEVER
        self._check_waits(block.start, times.arrives, revealed)
        self._check_order(block.start, times.arrives)  # last: it moves the clock
        # Copies: kernels are compiled for writeable arrays only.
        arrives = np.array(times.arrives)
        may_leave = np.array(leaves) if self._every else arrives
        rows = np.arange(block.start, block.start + len(block))
        learned, scored = self._protocol.learned(rows), self._protocol.scored(rows)
        weight = times.weight if learned is True else np.where(learned, times.weight, 0.0)
        slots = self._room.admit(block, arrives, revealed, scored)
        self._count_unlabelled(known, times, revealed)
        if self.keeps_leaves:
            never = revealed == NEVER
            self._unlabelled_rows.append((rows[never], leaves[never]))
        if self._queued + len(block) > len(self._queue.time):
            capacity = self._queued + max(len(block), self._queued)
            self._queue = self._queue.grown(capacity, self._queued)
        if block.updates is not None:
            self._store_updates(block.updates, block.start, slots)
        until = int(arrives[-1]) + self._policy.labels_first if len(block) else -NEVER
        arrivals = Arrivals(arrives, revealed, may_leave, weight, slots)
        yield from self._agendas(arrivals, block.start, until)

    def _count_unlabelled(self, known: Mask, times: Timetable, revealed: Longs) -> None:
        never = revealed == NEVER
        self.unlabelled += int(np.count_nonzero(never))
        if times.leaves is None or not len(revealed):
            return
        came = revealed
        if needs_reveal_times(self._policy):  # a label after the time-out is an event, too
            came = np.where(known, times.revealed, NEVER)
        latest = int(came[came != NEVER].max(initial=-NEVER))
        self.end = max(self.end, int(times.arrives[-1]), latest)
        declared = known & (times.revealed == NEVER)  # a label, but no time when it comes
        leaves = np.concatenate([self._leaves, times.leaves[never & ~declared]])
        self._forever += int((leaves == NEVER).sum())
        self._leaves = leaves[(leaves > self.end) & (leaves != NEVER)]

    def stop(self, arrived: int, time: int, labels: int) -> None:
        """End the pass after this many labels, at the last label's time, before further rows."""
        self.arrived, self.unlabelled = arrived, arrived - labels
        left = sum(
            int(((rows < arrived) & (leaves <= time)).sum())
            for rows, leaves in self._unlabelled_rows
        )
        self._still_awaited = self.unlabelled - left

    def hold_out(self, block: Block) -> None:
        """Add rows to the held-out set; rows without a label cannot be scored."""
        known = np.flatnonzero(block.known)
        self.unlabelled += len(block) - len(known)
        rows = block.start + known
        kept = Block(block.start, block.X[known], block.y[known])
        slots = self._room.admit(kept, rows, rows, True)
        self._held_out = HeldOutSet(
            self._held_out.every,
            np.concatenate([self._held_out.row_ids, slots]),
            np.concatenate([self._held_out.rows, rows]),
        )

    def finish(self) -> Iterator[Agenda]:
        """After the last row: reveal all labels still queued, at their times."""
        none = np.empty(0, np.int64)
        nothing = Arrivals(none, none, none, np.empty(0), none)
        yield from self._agendas(nothing, self.arrived, NEVER)

    def _agendas(self, arrivals: Arrivals, first_row: int, until: int) -> Iterator[Agenda]:
        if self._every or self._evolving:
            self._grow_waiting(self._queued + len(arrivals.arrives))
        position, complete = 0, False
        while not complete:
            ahead = self._queued + len(arrivals.arrives) - position
            tests = 2 * len(self._held_out.row_ids)
            several = self._every or tests
            events = ahead + tests + (_PIECE if several else len(arrivals.arrives) - position)
            if events > len(self._agenda.ops) or (self._evolving and not self._agenda.evolving):
                self._agenda = Agenda.empty(events, self._evolving)
            agenda = self._agenda.first(events)
            if (most := 2 * events + len(self._updates.time)) > len(self._freed):
                self._freed = np.empty(most, np.int64)
            self._waiting.counts[2] = 0
            position, self._queued, count, n_freed, complete = merge(
                arrivals, position, first_row, until, int(self._policy.labels_first), self._queue,
                self._queued, self._waiting, self._updates, self._held_out, self._room.scored,
                agenda, self._freed,
            )  # fmt: skip
            self.arrived = first_row + position
            yield agenda.first(count)
            self._room.release(self._freed[:n_freed])

    def _grow_waiting(self, labels: int) -> None:
        """Room for as many row ids as the room has slots, and for the rounds of more labels."""
        rounds = int(self._waiting.counts[0]) + labels + 1
        self._waiting = self._waiting._replace(
            first=grown(self._waiting.first, rounds, self._every, -1),
            last=grown(self._waiting.last, rounds, self._every, -1),
        )
        missing = self._room.capacity - len(self._waiting.row)
        if missing > 0:
            fields = ("next", "previous", "since", "row", "current", "left", "left_at")
            unused = np.full(missing, -1, np.int64)
            longer: dict[str, Any] = {
                each: np.concatenate([getattr(self._waiting, each), unused]) for each in fields
            }
            self._waiting = self._waiting._replace(**longer)

    def _store_updates(self, updates: Updates, start: int, slots: Longs) -> None:
        """Keep the updates of rows that wait, after the earlier ones not applied yet."""
        self._evolving = True
        moments = updates.times if is_timed(self._policy) else updates.after
        rows = np.concatenate([self._queue.row[: self._queued], start + np.arange(len(slots))])
        row_ids = np.concatenate([self._queue.row_id[: self._queued], slots])
        order = np.argsort(rows)
        place = np.minimum(np.searchsorted(rows, updates.rows, sorter=order), len(rows) - 1)
        found = order[place]
        waits = rows[found] == updates.rows
        row_ids = row_ids[found[waits]]
        new_updates = FeatureUpdates(
            moments[waits],
            updates.rows[waits],
            row_ids,
            self._room.admit_updates(row_ids, updates.X[waits]),
        )
        applied = int(self._waiting.counts[1])
        self._waiting.counts[1] = 0
        self._updates = FeatureUpdates(
            *(np.concatenate([old[applied:], new])
              for old, new in zip(self._updates, new_updates, strict=True))
        )  # fmt: skip

    def _check_order(self, start: int, arrives: Longs) -> None:
        if not len(arrives):
            return
        back = arrives[1:] < arrives[:-1]
        if arrives[0] < self._now or back.any():
            i = 0 if arrives[0] < self._now else int(back.argmax()) + 1
            before = arrives[i - 1] if i else self._now
            raise InputError(
                f"row {start + i}: arrives at {self._text(arrives[i])}, earlier than the row "
                f"before it ({self._text(before)}); expected arrival times in ascending order: "
                "sort the data by arrival and keep the order of equal times",
                row=start + i,
            )
        self._now = int(arrives[-1])

    def _check_reveals(self, start: int, arrives: Longs, revealed: Longs) -> None:
        early = revealed < arrives
        if early.any():
            i = int(early.argmax())
            raise InputError(
                f"row {start + i}: its label is revealed at {self._text(revealed[i])}, before the "
                f"row arrives at {self._text(arrives[i])}; expected a reveal time at or after the "
                "arrival: check that the columns are not swapped and share one unit and time zone",
                row=start + i,
            )

    def _check_waits(self, start: int, arrives: Longs, revealed: Longs) -> None:
        """Raise an error for a wait that does not fit in 64 bits."""
        with np.errstate(over="ignore"):
            too_long = np.flatnonzero((revealed != NEVER) & (revealed - arrives < 0))
        if len(too_long):
            i = int(too_long[0])
            raise InputError(
                f"row {start + i}: arrives at {self._text(arrives[i])} and its label is revealed "
                f"at {self._text(revealed[i])}; the wait does not fit in 64 bits; use a coarser "
                "time unit",
                row=start + i,
            )

    def _text(self, time: int) -> str:
        return time_text(time, self._clock)
