"""Runs as text."""

from __future__ import annotations

import numpy as np

import streamgauge as sg


def test_text_of_a_regression_run_shows_errors() -> None:
    stream = sg.from_arrays(np.zeros((300, 1)), np.sin(np.arange(300.0)), task="regression")
    text = sg.evaluate(stream, sg.Mean()).details
    assert "repeating the last value (LastValue: MAE" in text
    assert text.splitlines()[2].split() == ["mae", "rmse", "r2", "rows/s"]
