"""The statistic of a detector along the errors, and the error curve."""

from __future__ import annotations

import numpy as np
import pytest

import streamgauge as sg
from streamgauge.comparison._trace import error_curve, watched
from tests.detectors.error_streams import errors_of


@pytest.mark.parametrize("detector", [sg.DDM(5, 0.5, 1.0), sg.ADWIN(0.5), sg.PageHinkley(0.01, 3)])
def test_alarms_are_those_of_one_pass(detector: sg.DDM) -> None:
    errors = errors_of(1)
    trace = watched(detector, errors, 3 * np.arange(len(errors)), 1)
    assert trace.alarms.tolist() == detector.detect(errors).tolist()
    assert len(trace.alarms) > 1


def test_statistic_is_read_along_the_way_and_just_before_each_alarm() -> None:
    errors = (np.random.default_rng(1).random(4000) < np.repeat([0.1, 0.6], 2000)).astype(float)
    rows = 10 * np.arange(4000)
    trace = watched(sg.DDM(), errors, rows, 1)
    for place in (0, 100, 250, len(trace.rows) - 1):
        fresh, until = sg.DDM(), int(trace.rows[place]) // 10
        done = 0
        while done <= until and (alarm := fresh.update(errors[done : until + 1])) >= 0:
            done += alarm + 1
        expected = (trace.values[place], trace.thresholds[place])
        assert fresh.statistic[:2] == pytest.approx(expected, nan_ok=True)
    assert {int(rows[alarm - 1]) for alarm in trace.alarms} <= set(trace.rows.tolist())
    assert len(trace.rows) <= 500 + len(trace.alarms)


class EverySecond:
    def start(self, seed: int) -> None: ...

    def update(self, errors: np.ndarray, warned: object = None) -> int:
        return 1 if len(errors) > 1 else -1


class Longest:
    """Alarms at five ones in a row."""

    alarms_below = False

    def start(self, seed: int) -> None:
        self.run = 0

    def update(self, errors: np.ndarray, warned: object = None) -> int:
        for i, error in enumerate(errors):
            self.run = self.run + 1 if error else 0
            if self.run == 5:
                self.run = 0
                return i
        return -1

    @property
    def statistic(self) -> tuple[float, float]:
        return self.run, 5


def test_detector_of_a_user_has_a_statistic_if_it_says_so() -> None:
    errors = np.array([0, 1, 1, 0, 1, 1, 1, 1, 1, 1], float)
    trace = watched(Longest(), errors, np.arange(10), 1)
    assert trace.alarms.tolist() == [8]
    assert trace.rows.tolist() == [0, 1, 2, 3, 4, 5, 6, 7, 9]
    assert trace.values.tolist() == [0, 1, 2, 0, 1, 2, 3, 4, 1]
    assert set(trace.thresholds.tolist()) == {5}


def test_statistic_that_is_no_pair_is_refused() -> None:
    class Odd(EverySecond):
        statistic = 7

    with pytest.raises(sg.UsageError, match="got 7 as its statistic; expected a pair of numbers"):
        watched(Odd(), np.zeros(10), np.arange(10), 1)


def test_detectors_of_others_have_no_statistic() -> None:
    trace = watched(EverySecond(), np.zeros(10), np.arange(10), 1)
    assert trace.alarms.tolist() == [1, 3, 5, 7, 9]
    assert len(trace.rows) == 0


def test_error_curve_is_the_mean_of_the_last_errors() -> None:
    errors = np.arange(2000.0)
    table = error_curve(errors, np.arange(2000) + 7)
    (window,) = set(table["window"].to_pylist())
    assert window == 100
    assert table["row"].to_pylist()[-1] == 2006
    assert table["error"].to_pylist()[-1] == errors[-100:].mean()
    assert table["error"].to_pylist()[0] == errors[:4].mean()
    assert len(error_curve(np.empty(0), np.empty(0, np.int64))) == 0
