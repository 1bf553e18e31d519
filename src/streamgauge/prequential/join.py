"""The join of predictions and labels by id, in order of time.

`score` joins a whole log at once and remembers every id, a monitor joins batch by batch.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from streamgauge._support.types import Longs, Targets
from streamgauge.prequential.id_table import (
    COUNTS,
    Entries,
    EventBatch,
    IdTable,
    JoinedBatch,
    RetentionRules,
    count_waiting,
    join,
    sweep,
)
from streamgauge.prequential.waiting_room import Empty, WaitingRoom

_SLOTS = 1 << 10  # taken for labels without a prediction, at least
_SWEEP_AFTER = 1 << 16  # arrivals, at least


class Matches(NamedTuple):
    """What happens in one batch."""

    arrivals: Longs  # places of the predictions that arrive
    slots: Longs
    revealed: Longs  # slots of the rows whose label is revealed
    labels: Longs  # … places of the labels; -1: it came before its prediction
    y: Targets
    times: Longs
    corrected: Longs  # slots of scored rows that get another label
    correction_times: Longs
    old: Targets
    new: Targets


class Joiner:
    """Keeps the ids of one model: rows that wait, rows that were scored, labels that came early."""

    state_fields = ("table", "counts", "_since_sweep")

    def __init__(self, room: WaitingRoom, rules: RetentionRules, empty: Empty = np.empty) -> None:
        self._room, self._rules = room, rules
        self.table = IdTable(room.y.dtype, empty)
        self.counts = np.zeros(COUNTS, np.int64)
        self._since_sweep = 0

    def join(self, asked: EventBatch, answered: EventBatch, labels: Targets) -> Matches:
        """Join a batch; both are in order of time, and later than all before."""
        n, m = len(asked.times), len(answered.times)
        wide = bool(asked.second.any() or answered.second.any())
        both = n + m
        longs = [np.empty(size, np.int64) for size in (n, n, both, both, both, both, both, both)]
        out = JoinedBatch(*longs, *(np.empty(both, self._room.y.dtype) for _ in range(2)))
        done, sizes = np.zeros(2, np.int64), np.zeros(4, np.int64)
        while done[0] < n or done[1] < m:
            slots = self._room.take(n - int(done[0]) + min(max(_SLOTS, m // 8), m - int(done[1])))
            self.table.make_room(self._room.capacity, len(slots), wide)
            entries = self._entries()
            used = join(
                entries, self._rules, asked, answered, labels, done, slots, self.counts, out,
                sizes,
            )  # fmt: skip
            self._room.release(slots[used:])
            self.table.used += used
        arrived, revealed, corrected, freed = sizes.tolist()
        places = out.labels[:revealed]
        slots = out.revealed[:revealed]
        kept = self._room.y[slots]  # labels that came before their prediction are in the room
        y = np.where(places < 0, kept, labels[places] if m else kept).astype(self._room.y.dtype)
        self._leaving = out.freed[:freed]
        self._since_sweep += arrived
        return Matches(
            out.arrivals[:arrived], out.arrival_slots[:arrived], slots, places, y,
            out.reveal_times[:revealed], out.corrected[:corrected],
            out.correction_times[:corrected], out.old[:corrected], out.new[:corrected],
        )  # fmt: skip

    def leave(self, now: int) -> Longs:
        """After a batch has been played: free the slots of what is no longer needed."""
        freed = self._leaving
        if self._since_sweep > max(_SWEEP_AFTER, self._room.capacity // 4):
            swept = np.empty(self.table.used - len(freed), np.int64)
            count = sweep(self._entries(), self._rules, now, self.counts, swept)
            freed = np.concatenate([freed, swept[:count]])
            self._since_sweep = 0
        self.table.used -= len(freed)
        self._room.release(freed)
        return freed

    def waiting(self, now: int) -> tuple[int, int, int, int]:
        """Rows that wait for their label, rows past the time-out; labels that wait for their
        prediction, labels that have waited too long."""
        return count_waiting(self._entries(), self._rules, now)

    def _entries(self) -> Entries:
        room = self._room
        return self.table.entries(room.arrives, room.revealed, room.y)
