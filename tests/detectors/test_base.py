"""What all detectors have in common: pieces, copies, bad parameters, bad errors."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest

import streamgauge as sg
from streamgauge.detectors.adapters import RiverDetector, as_detector
from streamgauge.detectors.base import Detector
from tests.detectors.error_streams import (
    errors_of,
)

OURS: list[Any] = [
    sg.DDM(), sg.DDM(5, 0.5, 1.0), sg.DDM(compat="moa"), sg.ADWIN(), sg.ADWIN(0.5, 1, 2, 1, 0),
    sg.PageHinkley(),
    sg.PageHinkley(0.005, 4.0), sg.PageHinkley(0.01, 2, sg.Cumulative()),
    sg.PageHinkley(0.01, 2, sg.Window(30)), sg.PageHinkley(0.01, 2, on=sg.Fading(0.95)),
    sg.RatioPageHinkley(threshold=5), sg.RatioPageHinkley(sg.Window(10), sg.Window(90), 0.01, 9),
    sg.EDDM(), sg.EDDM(3, 0.99, 0.98), sg.RandomAlarm(0.1), sg.RandomAlarm(1), sg.RandomAlarm(0, 3),
    sg.PeriodicAlarm(13), sg.NeverAlarm(), sg.EDetector(0.3, guarantee=1000),
    sg.EDetector(below=0.6, guarantee=1500, block=110, low=-0.5, high=1.5),
]  # fmt: skip


@pytest.mark.parametrize("detector", OURS, ids=repr)
def test_pieces_copies_and_pickles_raise_the_same_alarms(detector: Any) -> None:
    """The same alarms for every way to cut the errors, and on copies."""
    errors = errors_of(7, segments=20)
    whole = detector.detect(errors)
    assert detector.detect(errors).tolist() == whole.tolist()
    other = copy.deepcopy(detector)
    other.start(1)
    found, done = [], 0
    for size in np.random.default_rng(1).integers(0, 40, len(errors)).tolist():
        stop = min(done + size, len(errors))
        while done < stop:
            alarm = other.update(errors[done:stop])
            done = stop if alarm < 0 else done + alarm + 1
            if alarm >= 0:
                found.append(done - 1)
        other = pickle.loads(pickle.dumps(other)) if size % 2 else copy.deepcopy(other)
    assert found == whole.tolist()
    assert other.nbytes > 0
    assert isinstance(other, Detector)


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: sg.DDM(30, 3, 2), lambda: sg.DDM(warm_start=-1), lambda: sg.DDM(warm_start=1.5),  # type: ignore[arg-type]
        lambda: sg.DDM(compat="MOA"),  # type: ignore[arg-type]
        lambda: sg.ADWIN(0), lambda: sg.ADWIN(clock=0), lambda: sg.ADWIN(max_buckets=1),
        lambda: sg.PageHinkley(-1), lambda: sg.PageHinkley(threshold=0),
        lambda: sg.RandomAlarm(1.1), lambda: sg.RandomAlarm(0.1, warm_start=0),
        lambda: sg.PageHinkley(np.nan), lambda: sg.PageHinkley(threshold=np.inf),
        lambda: sg.PageHinkley(on=sg.TimeWindow(9)), lambda: sg.PageHinkley(on=0.997),  # type: ignore[arg-type]
        lambda: sg.PageHinkley(on=sg.Fading(0.9, "zliobaite2015")),
        lambda: sg.PageHinkley(on=sg.Cumulative),  # type: ignore[arg-type]
        lambda: sg.RatioPageHinkley(sg.Fading(0.99), sg.Fading(0.99)),
        lambda: sg.RatioPageHinkley(sg.Window(900), sg.Window(90)),
        lambda: sg.RatioPageHinkley(sg.Cumulative(), sg.Window(90)),
        lambda: sg.RatioPageHinkley(threshold=0), lambda: sg.RatioPageHinkley(long=5),  # type: ignore[arg-type]
        lambda: sg.EDDM(30, 0.9, 0.95), lambda: sg.EDDM(30, 0.9, 0), lambda: sg.EDDM(warm_start=-1),
        sg.EDetector, lambda: sg.EDetector(0.1, 0.2), lambda: sg.EDetector(1),
        lambda: sg.EDetector(0.1, block=99), lambda: sg.EDetector(0.1, guarantee=999),
        lambda: sg.EDetector(0.1, high=np.inf), lambda: sg.EDetector(0.1, low=0.1),
        lambda: sg.PeriodicAlarm(0), lambda: as_detector(sg.DDM), lambda: as_detector("DDM"),
    ],
)  # fmt: skip
def test_parameters_out_of_range_are_refused(wrong: Any) -> None:
    with pytest.raises(sg.UsageError, match="expected"):
        wrong()


@pytest.mark.parametrize("detector", [*OURS, "river"], ids=repr)
@pytest.mark.parametrize("wrong", [np.nan, np.inf])
def test_missing_and_infinite_errors_are_refused(detector: Any, wrong: float) -> None:
    from river import drift

    watcher = RiverDetector(drift.ADWIN()) if detector == "river" else copy.deepcopy(detector)
    errors = np.zeros(20_000)
    errors[17_123] = wrong
    with pytest.raises(sg.InputError, match=r"error 17,123 is (nan|inf).*expected"):
        watcher.detect(errors)
    with pytest.raises(sg.InputError, match="error 3 is") as raised:
        watcher.update(np.array([0, 1, 0, wrong]))
    assert raised.value.row == 3


class Answers:
    """A user's detector that writes into the errors and returns what it was given."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def start(self, seed: int) -> None: ...

    def update(self, errors: Any, warned: Any = None) -> Any:
        errors[:] = 0
        return self.answer


def test_detector_cannot_change_the_errors_of_others() -> None:
    errors = np.ones(9)
    assert len(sg.detect(errors, [Answers(-1)]).alarms) == 1
    assert errors.all()


@pytest.mark.parametrize("wrong", [10**9, 5, -2, None, 1.5, float("nan"), "0"])
def test_answer_that_is_no_alarm_is_refused(wrong: Any) -> None:
    with pytest.raises(sg.UsageError, match="expected the index of the error that raised an alarm"):
        sg.detect(np.ones(5), [Answers(wrong)])
