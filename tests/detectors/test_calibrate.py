"""`calibrate`: the promise on new data, what is refused, and what it says."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import streamgauge as sg
from streamgauge._support.types import Floats

PROMISED = 2000
DETECTORS: list[Any] = [
    sg.PageHinkley(delta=0.01), sg.PageHinkley(delta=0.01, on=sg.Window(200)),
    sg.RatioPageHinkley(), sg.ADWIN(clock=16), sg.RandomAlarm(0.5),
]  # fmt: skip


def in_runs(n: int, run: int, seed: int = 1) -> Floats:
    """Errors in runs of random lengths; a fifth of them are wrong."""
    random = np.random.default_rng(seed)
    lengths = random.geometric(1 / run, 2 * n // run + 50)
    return np.repeat(random.random(len(lengths)) < 0.2, lengths)[:n].astype(float)


@pytest.mark.parametrize("detector", DETECTORS, ids=repr)
def test_the_promise_is_kept_on_new_data_within_a_factor_of_one_and_a_half(detector: Any) -> None:
    found = sg.calibrate(detector, in_runs(20_000, 5), PROMISED)
    assert found.rows_per_false_alarm >= PROMISED
    assert found.low < found.rows_per_false_alarm < found.high
    rows = 400_000
    alarms = len(next(iter(sg.detect(in_runs(rows, 5, 2), [found.detector]).alarms.values())))
    assert alarms <= 1.5 * rows / PROMISED
    others = detector.get_params()
    assert found.detector.get_params() == others | {found.parameter: found.value}  # type: ignore[attr-defined]


@pytest.mark.parametrize("detector", [sg.DDM(), sg.ADWIN()], ids=repr)
def test_a_promise_that_no_threshold_keeps_is_refused(detector: Any) -> None:
    with pytest.raises(sg.UsageError, match=r"least sensitive value.*expected another detector"):
        sg.calibrate(detector, in_runs(20_000, 20))


def test_dependent_errors_need_a_higher_threshold() -> None:
    calm, runs = (sg.calibrate(sg.PageHinkley(), in_runs(20_000, run), PROMISED) for run in (1, 20))
    assert runs.value > 3 * calm.value
    rows_shuffled = sg.calibrate(sg.PageHinkley(), in_runs(20_000, 20), PROMISED, block=1)
    assert runs.value > 2 * rows_shuffled.value


def test_it_is_said_when_a_baseline_is_short_and_refused_when_it_is_too_short() -> None:
    errors = in_runs(20_000, 1)
    enough, few = (sg.calibrate(sg.PageHinkley(), errors[:n], PROMISED) for n in (20_000, 6000))
    assert enough.enough
    assert not few.enough
    assert "20,000" in str(few)
    with pytest.raises(sg.InputError, match=r"expected 20,000 or more, at the very least 5,000"):
        sg.calibrate(sg.PageHinkley(), errors[:4999], PROMISED)
    with pytest.raises(sg.InputError, match="expected 200,000 or more"):
        sg.calibrate(sg.PageHinkley(), errors, 100_000)


def test_same_seed_same_threshold_and_the_detector_given_stays() -> None:
    detector, errors = sg.PageHinkley(), in_runs(5000, 1)
    one, two = (sg.calibrate(detector, errors, PROMISED, seed=3) for _ in range(2))
    assert one.value == two.value
    assert repr(detector) == "PageHinkley()"
    assert repr(one.detector) in str(one)


class Streak:
    """A user's detector: an alarm after `length` errors in a row."""

    def __init__(self, length: float = 3) -> None:
        self.length = length

    def get_params(self) -> dict[str, float]:
        return {"length": self.length}

    def start(self, seed: int) -> None:
        self.streak = 0

    def update(self, errors: Floats, warned: Any = None) -> int:
        for i, error in enumerate(errors):
            self.streak = self.streak + 1 if error else 0
            if self.streak >= self.length:
                self.streak = 0
                return i
        return -1


def test_a_detector_of_ones_own_names_its_parameter() -> None:
    errors = in_runs(5000, 1)
    found = sg.calibrate(Streak(), errors, 500, parameter="length", between=(1, 12))
    assert 3 < found.value <= 6  # 5⁴ = 625 rows or so to four errors in a row
    for given in ({}, {"parameter": "length"}, {"parameter": "size", "between": (1, 9)}):
        with pytest.raises(sg.UsageError, match="no threshold"):
            sg.calibrate(Streak(), errors, 500, **given)


@pytest.mark.parametrize(
    ("detector", "given"),
    [
        (sg.NeverAlarm(), {}),
        (sg.EDetector(0.3), {}),
        ("PageHinkley", {}),
        (sg.PageHinkley(), {"block": 0}),
        (sg.PageHinkley(), {"between": (0, 9)}),
        (sg.PageHinkley(), {"rows_per_false_alarm": 1.5}),
        (sg.PageHinkley(), {"rows_per_false_alarm": 0}),
    ],
)
def test_wrong_arguments_are_refused(detector: Any, given: dict[str, Any]) -> None:
    with pytest.raises((sg.UsageError, sg.InputError), match="expected"):
        sg.calibrate(detector, in_runs(20_000, 1), **given)


def test_without_any_alarm_the_rate_has_no_upper_end() -> None:
    found = sg.calibrate(sg.PageHinkley(), in_runs(5000, 1), PROMISED, between=(1e6, 1e7))
    assert found.rows_per_false_alarm == found.high == math.inf
    assert "no false alarm" in str(found)
