"""Resetting: a learner that is reset when a drift detector alarms."""

from __future__ import annotations

from typing import Any

import numpy as np

from streamgauge._support.jit import kernel
from streamgauge._support.seeding import is_random
from streamgauge._support.types import LEARN, PREDICT, Codes, Flags, Floats, Longs, Schema
from streamgauge.detectors.adapters import as_detector
from streamgauge.detectors.base import next_alarm
from streamgauge.learners._snapshot import Snapshot, in_arrays
from streamgauge.learners.adapters.coerce import fresh_copy
from streamgauge.learners.base import (
    EventFailed,
    Events,
    Learner,
    Player,
    unseeded_in,
)
from streamgauge.learners.model_size import Measured, bytes_of, measured_by_of
from streamgauge.learners.run_events import run_events
from streamgauge.learners.wrappers._base import Wrapper

_SPAN = 32  # labels played per detector update at first; doubled after each one without an alarm
_LONGEST = 1 << 20  # the longest span


class Resetting(Wrapper):
    """Resetting classifier: resets the base learner when a drift detector alarms.

    When a row is learned, the detector gets the error, 0 or 1, of its first prediction; an
    abstention is an error. The detector does not get rows that are scored but not learned, because
    the learner must not see their labels.

    On an alarm the learner is replaced before it learns the row that raised the alarm. Its
    replacement is a fresh learner or, with a detector that warns (DDM), a background learner that
    has learned the rows since the warning began. This is MOA's DriftDetectionMethodClassifier with
    two exceptions: MOA predicts the row again when its label arrives, where here the first
    prediction counts; and when an alarm comes after a warning has passed, MOA uses the background
    learner of that old warning.

    `resets` lists the alarms, each as the number of errors fed before it. Learners restart with the
    seed of the run.

    Parameters
    ----------
    base
        The classifier to wrap.
    detector
        The drift detector: ours, or River's.

    References
    ----------
    gama2004 (docs/bibliography.md)

    Examples
    --------
    >>> import streamgauge as sg
    >>> concepts = [sg.STAGGER(1000, seed=1), sg.STAGGER(1000, seed=2, classification_function=2)]
    >>> stream = sg.splice(concepts, at=[1000])
    >>> for run in sg.evaluate(stream, ["NaiveBayes", sg.Resetting("NaiveBayes", sg.DDM())]):
    ...     print(f"{run.name}: {run.summary['accuracy']:.3f}")
    NaiveBayes: 0.716
    Resetting(NaiveBayes(), DDM()): 0.989
    >>> run.learner.resets  # the alarms
    array([1010])
    """

    def __init__(self, base: Any, detector: Any) -> None:
        super().__init__(base)
        self.detector = as_detector(detector)

    def start(self, schema: Schema, seed: int) -> None:
        self._start_with = (schema, seed)
        self._start_base(schema, schema, seed)
        self.detector.start(seed)
        self._warns = bool(getattr(self.detector, "warns", False))
        self._blind = bool(getattr(self.detector, "blind", False))
        # Foreign models run from label to label and are never copied once they have learned, so the
        # background learner is a second one that is started on its own.
        self._background = fresh_copy(self.base) if self._warns else self.base
        self._warned = False  # has the background learner learned since a warning that still holds?
        self._fresh = Snapshot(self.base) if in_arrays(self.base) else None
        self._span = _SPAN if self._fresh is not None else 1
        self._first = np.empty(0, np.int32)  # [row_id]: the first prediction of its row
        self._fed = 0
        self._resets: list[int] = []

    @property
    def resets(self) -> Longs:
        """The alarms, each as the number of errors fed before it."""
        return np.array(self._resets, np.int64)

    @property
    def random(self) -> bool:
        """Whether the numbers may depend on the seed: those of the base or the detector do."""
        return is_random(self.base) or is_random(self.detector)

    @property
    def unseeded(self) -> tuple[str, ...]:
        return (*super().unseeded, *unseeded_in(self.detector))

    @property
    def nbytes(self) -> int | None:
        sizes = [bytes_of(self.base), bytes_of(self.detector)]
        if self._warned:
            sizes.append(bytes_of(self._background))
        reported = [size for size in sizes if size is not None]
        return sum(reported) if len(reported) == len(sizes) else None

    @property
    def measured_by(self) -> Measured:
        """How the size is measured: as those of the base and of the detector are."""
        return measured_by_of(self.base, self.detector)

    def play(self, events: Events) -> None:
        """Play from label to label, many at a time where the state can be restored.

        `place` is the next event to play. If it is a label, the detector has already been fed its
        error, and the current learner is the one that learns it.
        """
        if len(self._first) < len(events.y):
            more = np.full(len(events.y) - len(self._first), -1, np.int32)
            self._first = np.concatenate([self._first, more])
        updates = np.flatnonzero((events.ops == LEARN) & (events.weight > 0))
        errors, place, done = np.zeros(len(updates)), 0, 0
        if not len(updates):
            next_alarm(self.detector, errors)  # compile it before it is timed
        advance = self._to_alarm if self._blind else self._try
        while done < len(updates):
            place, done = advance(events, updates, errors, place, done)
        self._play(events, place, len(events.ops))
        if not self._blind:
            _mistakes(events.cut(place, len(events.ops)), done > 0, self._first, errors[done:])

    def _to_alarm(
        self, events: Events, updates: Longs, errors: Floats, place: int, done: int
    ) -> tuple[int, int]:
        """Find the next alarm of a blind detector, which ignores the errors, then play up to it.

        It does not get all updates at once, because its input is checked again after each alarm.
        """
        until = min(done + self._span, len(updates))
        alarm = next_alarm(self.detector, errors[done:until])
        if alarm < 0:
            self._fed += until - done
            self._span = min(2 * self._span, _LONGEST)
            return place, until
        last = done + alarm
        self._play(events, place, int(updates[last]))
        self._reset(alarm)
        return int(updates[last]), last + 1

    def _try(
        self, events: Events, updates: Longs, errors: Floats, place: int, done: int
    ) -> tuple[int, int]:
        """Play up to a label some way ahead and feed the errors up to it.

        If the detector alarms before that label, restore the state and play only up to the alarm.
        """
        until = min(done + self._span, len(updates))
        stop = int(updates[until - 1])
        before = Snapshot(self.base) if until - done > 1 else None
        self._play(events, place, stop)
        _mistakes(events.cut(place, stop + 1), done > 0, self._first, errors[done:until])
        warned = np.zeros(until - done if self._warns else 0, np.uint8)
        alarm = next_alarm(self.detector, errors[done:until], warned if self._warns else None)
        fed = updates[done:until] if alarm < 0 else updates[done : done + alarm]
        if self._warns:
            self._update_background(events, fed, warned[: len(fed)])
        if alarm < 0:
            self._fed += until - done
            if self._fresh is not None:
                self._span = min(2 * self._span, _LONGEST)
            return stop, until
        at = int(updates[done + alarm])
        if at < stop and before is not None:
            before.restore(self.base)
            self._play(events, place, at)
        self._reset(alarm)
        return at, done + alarm + 1

    def _play(self, events: Events, start: int, stop: int) -> None:
        if start == stop and len(events.ops):  # no events at all: a call to compile it
            return
        try:
            run_events(self.base, events.cut(start, stop))
        except EventFailed as failed:
            raise EventFailed(start + failed.event) from failed.__cause__

    def _update_background(self, events: Events, updates: Longs, warned: Flags) -> None:
        """Train the background learner with the rows since the current warning began, if any."""
        calm = np.flatnonzero(warned == 0)
        if len(calm):
            self._warned = False
        under = updates[calm[-1] + 1 if len(calm) else 0 :]
        if not len(under):
            return
        if not self._warned:
            self._restart(self._background)
            self._warned = True
        X, y, ops, slots, row_ids, weight, label, proba = events
        unused = np.empty(len(under), label.dtype)
        learned = Events(
            X, y, ops[under], slots[under], row_ids[under], weight[under], unused, proba[:0]
        )
        try:
            run_events(self._background, learned)
        except EventFailed as failed:
            raise EventFailed(int(under[failed.event])) from failed.__cause__

    def _reset(self, silent: int) -> None:
        """An alarm after `silent` errors without one: replace the learner."""
        self._resets.append(self._fed + silent)
        self._fed += silent + 1
        if self._warned:
            self.base, self._background = self._background, self.base
            self._warned = False
        else:
            self._restart(self.base)
        if self._fresh is not None:
            self._span = _SPAN

    def _restart(self, learner: Learner | Player) -> None:
        if self._fresh is not None:
            self._fresh.restore(learner)
        else:
            learner.start(*self._start_with)


@kernel
def _mistakes(events: Events, fed: bool, first: Codes, errors: Floats) -> None:
    """Record first predictions, and for each update whether its first prediction was wrong.

    If `fed`, skip an update at the first event, whose error has been fed already.
    """
    _, y, ops, slots, row_ids, weight, label, _ = events
    count = 0
    for e in range(len(ops)):
        if ops[e] == PREDICT:
            first[row_ids[e]] = label[e]
        elif ops[e] == LEARN and weight[e] > 0 and (e > 0 or not fed):
            errors[count] = first[row_ids[e]] != y[slots[e]]
            count += 1
