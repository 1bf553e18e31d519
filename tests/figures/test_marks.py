"""Drifts and alarms along a stream."""

from __future__ import annotations

import numpy as np

from streamgauge.figures._marks import alarm_ticks, drift_marks


def test_drift_narrower_than_two_pixels_is_a_line() -> None:
    line, band = drift_marks([(100, 101), (300, 400)], pixel=5)
    assert line.to_dict()["mark"]["type"] == "rule"
    assert band.to_dict()["mark"]["type"] == "rect"
    assert drift_marks([], 1) == []


def test_alarms_that_would_overlap_are_drawn_once() -> None:
    (ticks,) = alarm_ticks(np.arange(100_000.0).tolist(), 100)
    (rows,) = ticks.to_dict()["datasets"].values()
    assert 900 < len(rows) < 1000
    assert alarm_ticks([], 100) == []
    (one,) = alarm_ticks([7.0], 100)
    assert list(one.to_dict()["datasets"].values()) == [[{"rows": 7.0}]]
