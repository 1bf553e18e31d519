"""A participant: one learner of a run, its predictions, its time, and where it failed."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from streamgauge._support.cpu_clock import cpu_seconds
from streamgauge._support.jit import kernel
from streamgauge._support.seeding import GlobalRandom
from streamgauge._support.types import LEARN, PREDICT, Flags, Floats, Longs, Schema, Targets
from streamgauge.learners.base import EventFailed, Events, Learner, Player, context_of, is_own
from streamgauge.learners.run_events import check_labels, check_probabilities, run_events
from streamgauge.prequential.agenda import Agenda
from streamgauge.prequential.reevaluation.outcomes import OutcomeTracker
from streamgauge.prequential.visible_events import VisibleEvents, check_returned
from streamgauge.prequential.waiting_room import Empty, WaitingRoom


def events_of(
    agenda: Agenda, room: WaitingRoom, label: Targets, proba: Floats, context: int = 1
) -> Events:
    """An agenda for one of our own learners: no copies."""
    ops, slots, row_ids, _, weight, _, _ = agenda
    return Events(room.rows(context), room.y, ops, slots, row_ids, weight, label, proba)


class Predictions(NamedTuple):
    """A learner's predictions for the rows scored: labels, probabilities, outcomes per bin.

    After a failure there are fewer predictions than rows, or none.
    """

    first: Targets
    proba: Floats
    bins: Targets | None


@dataclass
class Participant:
    """One learner of a run. It keeps each row's first prediction until its label is revealed."""

    state_fields = ("learner", "seconds", "_first", "_first_proba")

    learner: Learner | Player
    probabilities: bool = False
    seconds: float = 0.0
    failure: tuple[int, BaseException] | None = None  # the row, and what was raised
    outcomes: OutcomeTracker | None = None  # under re-evaluation
    _random: GlobalRandom | None = field(default=None, repr=False)  # of learners not our own
    _visible: VisibleEvents | None = field(default=None, repr=False)  # … and what they see
    empty: Empty = field(default=np.empty, repr=False)  # makes the arrays by row id
    _first: Targets = field(default_factory=lambda: np.empty(0), repr=False)  # by row id
    _first_proba: Floats = field(default_factory=lambda: np.empty((0, 0)), repr=False)

    @property
    def context(self) -> int:
        """How many rows the learner gets per row: the row itself and those before it."""
        return context_of(self.learner)

    def start(self, schema: Schema, seed: int) -> None:
        """Start the learner, and compile its kernels by playing an empty agenda."""
        own = is_own(self.learner)
        self._random = None if own else GlobalRandom(seed)
        self._visible = None if own else VisibleEvents()
        with self._own_random():
            self.learner.start(schema, seed)
        k = len(schema.classes)
        self._first = np.empty(0, np.int32 if k else np.float64)
        self._first_proba = np.empty((0, k))
        self.play(*_nothing(len(schema.features), schema.regression, self.context))
        self.seconds = 0.0

    def play(self, room: WaitingRoom, agenda: Agenda) -> Predictions:
        """Play an agenda; return the predictions for the rows it scores.

        If the learner fails, these are the rows scored before the failure.
        """
        events = len(agenda.ops)
        label = np.empty(events, self._first.dtype)
        proba = np.empty((events if self.probabilities else 0, self._first_proba.shape[1]))
        began = cpu_seconds()
        try:
            with self._own_random():
                self._run_events(room, agenda, label, proba)
            self._check(agenda.ops, label, proba)
        except EventFailed as failed:
            agenda = self._fail(agenda, failed, label, proba)
        except (Exception, SystemExit) as error:  # at an unknown event: keep no predictions
            self.failure = (int(agenda.ids[0]) if events else 0, error)
            agenda = agenda.first(0)
        self.seconds += cpu_seconds() - began
        return self._of_scored_rows(room, agenda, label, proba)

    def _run_events(self, room: WaitingRoom, agenda: Agenda, label: Targets, proba: Floats) -> None:
        if self._visible is None:
            run_events(self.learner, events_of(agenda, room, label, proba, self.context))
            return
        abstains = -1 if label.dtype == np.int32 else np.nan  # where the learner writes nothing
        handed = np.full_like(label, abstains), np.full_like(proba, np.nan)
        events = self._visible.events(agenda, room, *handed, self.context)
        try:
            run_events(self.learner, events)
        finally:  # predictions before a failure count
            check_returned(events, label, proba)
            label[:], proba[:] = handed

    def _fail(self, agenda: Agenda, failed: EventFailed, label: Targets, proba: Floats) -> Agenda:
        """Note the failure; return the events before it, all of whose predictions are valid."""
        event = failed.event if 0 <= failed.event < len(agenda.ops) else 0
        self.failure = (int(agenda.ids[event]), failed.__cause__ or failed)
        before = agenda.first(event)
        try:
            self._check(before.ops, label[:event], proba[:event])
        except EventFailed as earlier:
            return self._fail(before, earlier, label, proba)
        return before

    def _own_random(self) -> AbstractContextManager[None]:
        return nullcontext() if self._random is None else self._random.in_use()

    def no_predictions(self) -> Predictions:
        """The predictions of a learner that has failed: none."""
        return Predictions(self._first[:0], self._first_proba[:0], None)

    def _check(self, ops: Flags, label: Targets, proba: Floats) -> None:
        k = self._first_proba.shape[1]
        if not k:
            return
        check_labels(ops, label, k)
        if self.probabilities:
            check_probabilities(ops, proba)

    def _of_scored_rows(
        self, room: WaitingRoom, agenda: Agenda, label: Targets, proba: Floats
    ) -> Predictions:
        ops, row_ids = agenda.ops, agenda.row_ids
        self._first = self._grown(self._first, room.capacity)
        first = np.empty(len(ops), self._first.dtype)
        scored = _collect_first(ops, row_ids, agenda.scored, label, self._first, first)
        if self.probabilities:
            self._first_proba = self._grown(self._first_proba, room.capacity)
            first_proba = np.empty((scored, proba.shape[1]))
            _collect_first(ops, row_ids, agenda.scored, proba, self._first_proba, first_proba)
            proba = first_proba[:scored]
        bins = None
        if self.outcomes is not None:
            bins = self.outcomes.collect(agenda, label[: len(ops)], room)
            first = bins[:, 0].astype(first.dtype)  # compat="moa-fork" has no abstentions in bin 0
        return Predictions(first[:scored], proba, bins)

    def _grown(self, array: Targets, length: int) -> Targets:
        if len(array) >= length:
            return array
        grown = self.empty((length, *array.shape[1:]), array.dtype)
        grown[: len(array)] = array
        return grown


@lru_cache(8)
def _nothing(width: int, regression: bool, context: int) -> tuple[WaitingRoom, Agenda]:
    """An empty waiting room and an empty agenda."""
    return WaitingRoom(width, regression, context), Agenda.empty(0)


@kernel
def _collect_first(
    ops: Flags, row_ids: Longs, scored: Flags,
    predicted: Targets, first: Targets, out: Targets,
) -> int:  # fmt: skip
    """Store first predictions by row id; copy those of scored rows to `out`; return how many."""
    row = 0
    for e in range(len(ops)):
        row_id = np.uint64(
            row_ids[e]
        )  # unsigned: numba need not ask whether it counts from the end
        if ops[e] == PREDICT:
            first[row_id] = predicted[e]
        elif ops[e] == LEARN and scored[e]:
            out[np.uint64(row)] = first[row_id]
            row += 1
    return row
