"""Losses: cost matrices, functions, regression distances and their bounds."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import streamgauge as sg


def test_regression_loss_needs_a_bound() -> None:
    random = np.random.default_rng(0)
    y = random.normal(size=2000)
    a, b = y + random.normal(size=2000), y + 0.5 * random.normal(size=2000)
    a[:7] = np.nan  # no prediction
    pair = sg.compare(a, b, y=y)
    assert pair.loss == "absolute"
    assert (len(pair), pair.scored) == (1993, 2000)
    assert "Left out: 7 rows that one of the two did not predict." in pair.details
    assert pair.answer == "B"  # by batch means
    assert pair.to_dict()["anytime"] is None
    assert "No anytime bounds: the loss 'absolute' is unbounded" in pair.details
    with pytest.raises(sg.UsageError, match="no anytime bounds: the loss 'absolute' is unbounded"):
        _ = pair.anytime
    assert "McNemar" not in pair.details
    bounded = sg.compare(a, b, y=y, bound=20.0)
    assert bounded.anytime.low[-1] < np.mean(bounded.pair.difference) < bounded.anytime.high[-1]
    with pytest.raises(
        sg.InputError, match=r"row \d+: the losses .* differ by more than bound=0.1"
    ):
        sg.compare(a, b, y=y, bound=0.1)
    squared = sg.compare(a, b, y=y, loss="squared")
    assert squared.pair.losses[1, 0] == pytest.approx((b[7] - y[7]) ** 2)


def test_cost_matrix_and_custom_loss() -> None:
    y = np.array(["cat", "dog", "dog", "cat"])
    a, b = np.array(["dog", "dog", "cat", "cat"]), np.array(["cat", None, "dog", "dog"])
    cost = [[0, 5], [1, 0]]
    pair = sg.compare(a, b, y=y, loss=cost)
    assert pair.pair.losses.tolist() == [
        [5, 0, 1, 0],
        [0, 1, 0, 5],
    ]  # no prediction: the worst cost
    assert pair.bound == 5
    assert pair.summary["only_a_wrong"] == 2  # right and wrong do not depend on the costs

    def dog_matters(true: Any, said: Any) -> Any:
        return ((true == "dog") & (said != "dog")).astype(float)

    own = sg.compare(a, b, y=y, loss=dog_matters, bound=1)
    assert own.pair.losses.tolist() == [[0, 0, 1, 0], [0, 1, 0, 0]]
    assert own.loss == "dog_matters"
    assert own.why_not_anytime is None
