"""LastValue: the target revealed last."""

from __future__ import annotations

import numpy as np
import pytest

import streamgauge as sg


def test_it_predicts_the_target_revealed_last() -> None:
    y = np.array([1.0, 3.0, 5.0, 5.0])
    run = sg.evaluate(sg.from_arrays(np.zeros((4, 1)), y, task="regression"), sg.Mean())
    assert run.predictions["lastvalue"].to_pylist()[1:] == [1.0, 3.0, 5.0]
    assert run.references["LastValue"]["mae"] == pytest.approx((2 + 2 + 0) / 3)
