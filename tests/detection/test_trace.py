"""The statistic of a detector along the errors, and the error curve."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow.compute as pc
import pytest

import streamgauge as sg
from streamgauge.detection._trace import Trace, error_curve, traced
from streamgauge.detectors.base import all_alarms


def trace_of(detector: Any, errors: np.ndarray, rows: np.ndarray) -> Trace:
    return traced(detector, all_alarms(detector, errors, 1), errors, rows, 1, (0, len(errors)))


def test_statistic_is_read_along_the_way_and_just_before_each_alarm() -> None:
    errors = (np.random.default_rng(1).random(4000) < np.repeat([0.1, 0.6], 2000)).astype(float)
    rows = 10 * np.arange(4000)
    alarms = sg.DDM().detect(errors)
    trace = trace_of(sg.DDM(), errors, rows)
    for place in (0, 100, 250, len(trace.rows) - 1):
        fresh, until = sg.DDM(), int(trace.rows[place]) // 10
        done = 0
        while done <= until and (alarm := fresh.update(errors[done : until + 1])) >= 0:
            done += alarm + 1
        expected = (trace.values[place], trace.thresholds[place])
        assert fresh.statistic[:2] == pytest.approx(expected, nan_ok=True)
    assert len(alarms) > 0
    assert {int(rows[alarm - 1]) for alarm in alarms} <= set(trace.rows.tolist())
    assert len(trace.rows) <= 500 + len(alarms)


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
    trace = trace_of(Longest(), errors, np.arange(10))
    assert trace.rows.tolist() == [0, 1, 2, 3, 4, 5, 6, 7, 9]
    assert trace.values.tolist() == [0, 1, 2, 0, 1, 2, 3, 4, 1]
    assert set(trace.thresholds.tolist()) == {5}


def test_statistic_that_is_no_pair_is_refused() -> None:
    class Odd(EverySecond):
        statistic = 7

    with pytest.raises(sg.UsageError, match="got 7 as its statistic; expected a pair of numbers"):
        trace_of(Odd(), np.zeros(10), np.arange(10))


def test_detectors_of_others_have_no_statistic() -> None:
    found = sg.detect(np.zeros(10), [EverySecond()])
    assert [each.tolist() for each in found.alarms.values()] == [[1, 3, 5, 7, 9]]
    assert len(found.statistic) == 0


def test_statistic_between_two_rows_is_that_of_all_errors_before() -> None:
    errors = (np.random.default_rng(1).random(4000) < np.repeat([0.1, 0.6], 2000)).astype(float)
    found = sg.detect(errors, [sg.PageHinkley(0.01, 20), sg.DDM()])
    fresh = sg.PageHinkley(0.01, 20)
    fresh.update(errors[:1950])
    near = found.statistic_between(1949, 2200)
    assert near["value"][0].as_py() == pytest.approx(fresh.statistic.value)
    first = int(found.alarms["PageHinkley(delta=0.01, threshold=20)"][0])
    assert first in range(2000, 2200)
    rows = near.filter(pc.equal(near["detector"], "PageHinkley(delta=0.01, threshold=20)"))["row"]
    assert rows.to_pylist() == [row for row in range(1949, 2200) if row != first]


def test_error_curve_is_the_mean_of_the_last_errors() -> None:
    errors = np.arange(2000.0)
    table = error_curve(errors, np.arange(2000) + 7)
    (window,) = set(table["window"].to_pylist())
    assert window == 100
    assert table["row"].to_pylist()[-1] == 2006
    assert table["error"].to_pylist()[-1] == errors[-100:].mean()
    assert table["error"].to_pylist()[0] == errors[:4].mean()
    assert len(error_curve(np.empty(0), np.empty(0, np.int64))) == 0
