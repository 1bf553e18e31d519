"""Promises of a configuration as detectors."""

from __future__ import annotations

import numpy as np
import pytest

import streamgauge as sg
from streamgauge.monitoring._guarantees import BaselinePeriod, calibrated, guaranteed, promise_of

DAY = 24 * 3600 * 10**9
LOSSES = (np.random.default_rng(1).random(20_000) < 0.2).astype(float)
BASELINE = BaselinePeriod(LOSSES, 20 * DAY, wait=150)  # 1,000 rows a day


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("1 false alarm a year", 365_000),
        ("2 false alarms a year", 182_500),
        ("1 false alarm per week", 7000),
        ("1 false alarm an hour", 42),
        ("10000 rows", 10_000),
    ],
)
def test_a_time_becomes_rows_by_the_rate_of_the_baseline(text: str, rows: int) -> None:
    promise = promise_of("guarantee", text, BASELINE)
    assert promise.rows == rows
    assert f"{rows:,} rows" in promise.words


@pytest.mark.parametrize("text", ["", "a year", "0 rows", "0 false alarms a day", "1 a decade"])
def test_a_text_that_is_no_rate_is_refused(text: str) -> None:
    with pytest.raises(sg.UsageError, match=r"guarantee = .*expected"):
        promise_of("guarantee", text, BASELINE)


@pytest.mark.parametrize("span", [None, 0])
def test_a_baseline_without_a_length_in_time_has_no_year(span: int | None) -> None:
    baseline = BaselinePeriod(LOSSES, span)
    assert promise_of("guarantee", "500 rows", baseline).rows == 500
    with pytest.raises(sg.UsageError, match="expected"):
        promise_of("guarantee", "1 false alarm a year", baseline)


def test_a_guarantee_has_the_limit_given_or_that_of_the_baseline() -> None:
    found = guaranteed("1 false alarm a year", BASELINE)
    assert repr(found.detector) == repr(
        sg.EDetector.from_baseline(LOSSES, 365_000, wait=BASELINE.wait)
    )
    assert "365,000" in found.note
    told = guaranteed("20000 rows", BASELINE, limit=0.25)
    assert isinstance(told.detector, sg.EDetector)
    assert (told.detector.above, told.detector.guarantee) == (0.25, 20_000)
    assert told.detector.block >= BASELINE.wait


def test_segments_keep_a_promise_together() -> None:
    detector = guaranteed("20000 rows", BASELINE, shares=5).detector
    assert isinstance(detector, sg.EDetector)
    assert detector.guarantee == 100_000
    each = calibrated("2000 rows", BASELINE, shares=4)
    alone = calibrated("2000 rows", BASELINE)
    assert each.detector.threshold > alone.detector.threshold  # type: ignore[attr-defined]


def test_a_calibrated_detector_is_the_one_named() -> None:
    found = calibrated("2000 rows", BASELINE, detector=sg.RandomAlarm(0.5))
    assert isinstance(found.detector, sg.RandomAlarm)
    assert "2,000" in found.note
    with pytest.raises(sg.InputError, match="too few"):
        calibrated("1 false alarm a year", BASELINE)
