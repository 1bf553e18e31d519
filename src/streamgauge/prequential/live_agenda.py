"""Writes agendas of rows whose labels are unknown when they arrive.

An `AgendaWriter` gets each row with its label and the time of its reveal. In a live log the label
comes later, or never: rows and labels are handed in as they become known, in order of time.
"""

from __future__ import annotations

import numpy as np

from streamgauge._support.jit import lean_kernel
from streamgauge._support.types import NEVER, Block, Floats, Longs, Targets
from streamgauge.prequential._label_queue import LabelQueue, push
from streamgauge.prequential.agenda import (
    Agenda,
    Arrivals,
    FeatureUpdates,
    HeldOutSet,
    WaitingRows,
    merge,
)
from streamgauge.prequential.waiting_room import Empty, WaitingRoom

_NONE = np.empty(0, np.int64)
_NO_ROWS = WaitingRows(
    0, _NONE, _NONE, _NONE, _NONE, _NONE, _NONE, _NONE, _NONE, _NONE, np.zeros(3, np.int64)
)
_NO_UPDATES = FeatureUpdates(_NONE, _NONE, _NONE, _NONE)
_MARGIN = 2  # events for which `merge` wants room before it writes one
_NO_TESTS = HeldOutSet(0, _NONE, _NONE)


class LiveAgenda:
    """Writes one agenda per batch of arrivals and labels.

    Rows are numbered in the order of their arrival. Rows that arrive at the time of a label come
    before it, labels of one time in the order of their rows, as under `FromStream()`. The caller
    takes slots from the room and releases them: it knows how long a label may still come.
    """

    state_fields = ("arrived", "row")

    def __init__(self, room: WaitingRoom, empty: Empty = np.empty) -> None:
        self._room, self._empty = room, empty
        self.arrived = 0
        self.row = np.empty(0, np.int64)  # [slot]: row number

    def write(
        self,
        slots: Longs,
        X: Floats,
        arrives: Longs,
        revealed: Longs,
        y: Targets,
        times: Longs,
    ) -> Agenda:
        """Let rows arrive and labels be revealed; return the events in order.

        Parameters
        ----------
        slots, X, arrives
            Arrivals in order of time: their slots, features and times.
        revealed, y, times
            Slots of rows that arrive now or have arrived, their labels, and when they are revealed.
        """
        room, first = self._room, self.arrived
        if len(self.row) < room.capacity:
            longer = self._empty((room.capacity,), np.int64)
            longer[: len(self.row)] = self.row
            self.row = longer
        unknown = np.full(len(slots), -1 if room.y.dtype == np.int32 else np.nan, room.y.dtype)
        never = np.full(len(slots), NEVER)
        room.put(slots, Block(first, X, unknown), arrives, never, True)
        self.row[slots] = np.arange(first, first + len(slots))
        self.arrived += len(slots)
        room.y[revealed], room.revealed[revealed] = y, times
        queue = LabelQueue.empty(len(revealed))
        _push_all(queue, times, self.row[revealed], revealed)
        most = len(slots) + len(revealed) + _MARGIN
        agenda = Agenda.empty(most)
        arrivals = Arrivals(arrives, never, arrives, np.ones(len(slots)), slots)
        _, _, events, _, _ = merge(
            arrivals, 0, first, NEVER, 0, queue, len(revealed), _NO_ROWS, _NO_UPDATES, _NO_TESTS,
            room.scored, agenda, np.empty(most, np.int64),
        )  # fmt: skip
        return agenda.first(events)


@lean_kernel
def _push_all(queue: LabelQueue, times: Longs, rows: Longs, row_ids: Longs) -> None:
    for i in range(len(times)):
        push(queue, i, times[i], rows[i], row_ids[i], 1.0)
