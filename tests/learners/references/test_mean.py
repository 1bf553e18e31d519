"""Mean: the mean of the revealed targets."""

from __future__ import annotations

import numpy as np
import pytest

import streamgauge as sg


def test_it_predicts_the_mean_of_the_revealed_targets() -> None:
    y = np.array([1.0, 3.0, 5.0, 5.0])
    run = sg.evaluate(sg.from_arrays(np.zeros((4, 1)), y, task="regression"), sg.Mean())
    predicted = run.predictions["prediction"].to_pylist()
    assert np.isnan(predicted[0])
    assert predicted[1:] == [1.0, 2.0, 3.0]
    assert run.overall["mae"] == pytest.approx((2 + 3 + 2) / 3)
    assert run.overall["coverage"] == pytest.approx(3 / 4)
