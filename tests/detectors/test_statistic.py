"""The statistic of each detector, after every error, against the plain oracles."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import streamgauge as sg
from tests.oracles import detectors as oracle

CASES = [
    (sg.DDM(), oracle.DDM(30, 2.0, 3.0)),
    (sg.DDM(compat="moa"), oracle.MoaDDM(30, 2.0, 3.0)),
    (sg.EDDM(), oracle.EDDM(30, 0.95, 0.9)),
    (sg.ADWIN(), oracle.ADWIN(0.002, 32, 5, 5, 10)),
    (sg.PageHinkley(threshold=10.0), oracle.PageHinkley(0.1, 10.0)),
    (sg.EDetector(0.3, guarantee=1000), oracle.EDetector(0.3, 1000, 100, 0.0, 1.0, True)),
    (
        sg.PageHinkley(threshold=10.0, on=sg.Window(50)),
        oracle.OnEstimate(("window", 50), 0.1, 10.0),
    ),
    (
        sg.RatioPageHinkley(sg.Window(20), sg.Window(100), threshold=10.0),
        oracle.OnRatio(("window", 20), ("window", 100), 0.1, 10.0),
    ),
]


@pytest.mark.parametrize(("ours", "plain"), CASES, ids=[repr(ours) for ours, _ in CASES])
def test_statistic_after_every_error_is_the_oracles(ours: Any, plain: Any) -> None:
    ours.start(1)
    tested = alarms = 0
    rates = np.repeat([0.05, 0.7, 0.1, 0.9], 200)
    for error in (np.random.default_rng(1).random(800) < rates).astype(float):
        found = ours.update(np.array([error]))
        assert (found >= 0) == (plain.update(float(error)) == "alarm")
        alarms += found >= 0
        value, threshold, _ = ours.statistic
        expected = plain.statistic()
        assert (value, threshold) == pytest.approx(expected, rel=1e-9, abs=1e-9, nan_ok=True)
        tested += not math.isnan(value)
    assert tested > 100
    assert alarms > 0


@pytest.mark.parametrize("detector", [sg.DDM(), sg.EDDM(), sg.ADWIN(), sg.PageHinkley()])
def test_no_statistic_before_the_first_error(detector: Any) -> None:
    assert all(math.isnan(each) for each in detector.statistic)


def test_signal_of_page_hinkley_is_what_it_watches() -> None:
    """The errors, an estimate of them, or the ratio of a short to a long estimate."""
    errors = (np.random.default_rng(1).random(600) < 0.3).astype(float)
    for detector, expected in (
        (sg.PageHinkley(), errors[-1]),
        (sg.PageHinkley(on=sg.Window(50)), errors[-50:].mean()),
        (
            sg.RatioPageHinkley(sg.Window(20), sg.Window(100)),
            errors[-20:].mean() / errors[-100:].mean(),
        ),
    ):
        detector.update(errors)
        assert detector.statistic.signal == pytest.approx(expected)


def test_blind_detectors_have_none() -> None:
    for detector in (sg.NeverAlarm(), sg.PeriodicAlarm(10), sg.RandomAlarm(0.1)):
        detector.start(1)
        detector.update(np.zeros(5))
        assert all(math.isnan(each) for each in detector.statistic)
