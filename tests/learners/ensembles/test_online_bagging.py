"""OnlineBagging against its oracle, at limits."""

from __future__ import annotations

from typing import Any

import pytest

import streamgauge as sg
from tests.learners.adaptive import AdaptiveLearnerTests
from tests.oracles.adaptive_trees import Bag


class TestOnlineBagging(AdaptiveLearnerTests):
    recovers = -0.05  # it has no windows, so it need not recover

    def learner(self, **tree: Any) -> Any:
        return sg.OnlineBagging(n_models=3, **tree)

    def oracle(self, tree: dict[str, Any]) -> Any:
        return Bag(3, 1, 1.0, False, tree)


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: sg.OnlineBagging(grace_period=0),
    ],
)
def test_parameters_out_of_range_are_refused(wrong: Any) -> None:
    with pytest.raises(sg.UsageError, match="expected"):
        wrong()
