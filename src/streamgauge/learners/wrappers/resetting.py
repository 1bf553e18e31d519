"""Resetting: a learner that starts anew when a detector finds that its errors have changed."""

from __future__ import annotations

from typing import Any

import numpy as np

from streamgauge._support.jit import kernel
from streamgauge._support.types import LEARN, PREDICT, Codes, Flags, Floats, Longs, Schema
from streamgauge.detectors.adapters import as_detector
from streamgauge.learners._snapshot import Snapshot, in_arrays
from streamgauge.learners.adapters.coerce import fresh_copy
from streamgauge.learners.base import EventFailed, Events, Learner, Player, bytes_of, shown_as
from streamgauge.learners.run_events import go_through
from streamgauge.learners.wrappers._base import Wrapper

_SPAN = 32  # labels played before the detector is asked; doubled while it is silent, up to
_LONGEST = 1 << 20


class Resetting(Wrapper):
    """The detector is fed the error, 0 or 1, of a row's first prediction when the row is learned;
    an abstention is an error. A row that is scored but not learned feeds nothing: its label is not
    the learner's to know.

    At an alarm the learner is replaced before it learns the alarming row: that row is the first
    lesson of a fresh one, or, with a detector that warns (DDM), the next lesson of the one that was
    taught alongside since the warning began. That is MOA's DriftDetectionMethodClassifier, but for
    two things: MOA asks again at the label where here the first prediction counts, and where a
    warning passes and an alarm comes without another, MOA takes what the old warning had left.

    `resets` are the alarms, each by the number of errors fed before it. Learners start anew with
    the run's seed.

    >>> from streamgauge import DDM
    >>> Resetting("NaiveBayes", DDM())
    Resetting(NaiveBayes(), DDM())
    """

    def __init__(self, base: Any, detector: Any) -> None:
        super().__init__(base)
        self.detector = as_detector(detector)

    def start(self, schema: Schema, seed: int) -> None:
        self._begin = (schema, seed)
        self._start_base(schema, schema, seed)
        self.detector.start(seed)
        self._warns = bool(getattr(self.detector, "warns", False))
        self._blind = bool(getattr(self.detector, "blind", False))
        # Foreign models are stepped from label to label: they are never copied once they know
        # something, and this second one starts itself.
        self._heir = fresh_copy(self.base) if self._warns else self.base
        self._warned = False  # has the heir been taught since a warning that still stands?
        self._fresh = Snapshot(self.base) if in_arrays(self.base) else None
        self._span = _SPAN if self._fresh is not None else 1
        self._first = np.empty(0, np.int32)  # of each home in the room: its first prediction
        self._fed = 0
        self._resets: list[int] = []

    @property
    def resets(self) -> Longs:
        """The alarms: how many errors had been fed before each."""
        return np.array(self._resets, np.int64)

    @property
    def nbytes(self) -> int | None:
        sizes = [bytes_of(self.base), bytes_of(self.detector)]
        if self._warned:
            sizes.append(bytes_of(self._heir))
        known = [size for size in sizes if size is not None]
        return sum(known) if len(known) == len(sizes) else None

    def play(self, events: Events) -> None:
        """From label to label, many at a time where a state can be put back.

        `place` is the next event to play. If it is a label, the detector has been fed it already
        and the learner is the one that is to learn it.
        """
        if len(self._first) < len(events.y):
            more = np.full(len(events.y) - len(self._first), -1, np.int32)
            self._first = np.concatenate([self._first, more])
        lessons = np.flatnonzero((events.ops == LEARN) & (events.weight > 0))
        errors, place, done = np.zeros(len(lessons)), 0, 0
        if not len(lessons):
            self.detector.update(errors)  # compiled before it is timed
        go_on = self._to_alarm if self._blind else self._try
        while done < len(lessons):
            place, done = go_on(events, lessons, errors, place, done)
        self._play(events, place, len(events.ops))
        if not self._blind:
            _mistakes(events.cut(place, len(events.ops)), done > 0, self._first, errors[done:])

    def _to_alarm(
        self, events: Events, lessons: Longs, errors: Floats, place: int, done: int
    ) -> tuple[int, int]:
        """The detector looks at no error: it may be asked first. Not for all at once: what it is
        given is checked, and that again after each alarm."""
        until = min(done + self._span, len(lessons))
        alarm = self.detector.update(errors[done:until])
        if alarm < 0:
            self._fed += until - done
            self._span = min(2 * self._span, _LONGEST)
            return place, until
        last = done + alarm
        self._play(events, place, int(lessons[last]))
        self._reset(alarm)
        return int(lessons[last]), last + 1

    def _try(
        self, events: Events, lessons: Longs, errors: Floats, place: int, done: int
    ) -> tuple[int, int]:
        """Play up to a label some way ahead, and feed the labels up to it; after an alarm before
        it, back to where we were and again up to the alarm."""
        until = min(done + self._span, len(lessons))
        stop = int(lessons[until - 1])
        before = Snapshot(self.base) if until - done > 1 else None
        self._play(events, place, stop)
        _mistakes(events.cut(place, stop + 1), done > 0, self._first, errors[done:until])
        warned = np.zeros(until - done if self._warns else 0, np.uint8)
        alarm = self.detector.update(errors[done:until], warned if self._warns else None)
        fed = lessons[done:until] if alarm < 0 else lessons[done : done + alarm]
        if self._warns:
            self._teach_heir(events, fed, warned[: len(fed)])
        if alarm < 0:
            self._fed += until - done
            if self._fresh is not None:
                self._span = min(2 * self._span, _LONGEST)
            return stop, until
        at = int(lessons[done + alarm])
        if at < stop and before is not None:
            before.put_back(self.base)
            self._play(events, place, at)
        self._reset(alarm)
        return at, done + alarm + 1

    def _play(self, events: Events, start: int, stop: int) -> None:
        if start == stop and len(events.ops):  # without any events it is there to be compiled
            return
        try:
            go_through(self.base, events.cut(start, stop))
        except EventFailed as failed:
            raise EventFailed(start + failed.event) from failed.__cause__

    def _teach_heir(self, events: Events, lessons: Longs, warned: Flags) -> None:
        """Lessons under a warning are the heir's too; a warning that passed leaves nothing."""
        calm = np.flatnonzero(warned == 0)
        if len(calm):
            self._warned = False
        under = lessons[calm[-1] + 1 if len(calm) else 0 :]
        if not len(under):
            return
        if not self._warned:
            self._begin_anew(self._heir)
            self._warned = True
        X, y, ops, slots, homes, weight, label, proba = events
        unasked = np.empty(len(under), label.dtype)
        taught = Events(
            X, y, ops[under], slots[under], homes[under], weight[under], unasked, proba[:0]
        )
        try:
            go_through(self._heir, taught)
        except EventFailed as failed:
            raise EventFailed(int(under[failed.event])) from failed.__cause__

    def _reset(self, silent: int) -> None:
        """An alarm, after so many errors without one: another learner takes over."""
        self._resets.append(self._fed + silent)
        self._fed += silent + 1
        if self._warned:
            self.base, self._heir = self._heir, self.base
            self._warned = False
        else:
            self._begin_anew(self.base)
        if self._fresh is not None:
            self._span = _SPAN

    def _begin_anew(self, learner: Learner | Player) -> None:
        if self._fresh is not None:
            self._fresh.put_back(learner)
        else:
            learner.start(*self._begin)

    def __repr__(self) -> str:
        return f"Resetting({shown_as(self.base)}, {shown_as(self.detector)})"


@kernel
def _mistakes(events: Events, fed: bool, first: Codes, errors: Floats) -> None:
    """Remember first predictions; of each lesson, but for one these events begin with that has been
    fed before, was the first prediction wrong?"""
    _, y, ops, slots, homes, weight, label, _ = events
    count = 0
    for e in range(len(ops)):
        if ops[e] == PREDICT:
            first[homes[e]] = label[e]
        elif ops[e] == LEARN and weight[e] > 0 and (e > 0 or not fed):
            errors[count] = first[homes[e]] != y[slots[e]]
            count += 1
