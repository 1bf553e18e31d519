"""LeveragingBagging against its oracle, on real streams, at limits."""

from __future__ import annotations

from typing import Any

import pytest

import streamgauge as sg
from tests.learners.adaptive import AdaptiveLearnerTests
from tests.oracles.adaptive_trees import Bag


class TestLeveragingBagging(AdaptiveLearnerTests):
    def learner(self, **tree: Any) -> Any:
        return sg.LeveragingBagging(n_models=3, **tree)

    def oracle(self, tree: dict[str, Any]) -> Any:
        return Bag(3, 1, 6.0, True, tree)


def test_elec2_as_in_moa(elec2: sg.Stream) -> None:
    """One seed comes near MOA's accuracy; `make parity` compares several."""
    ours = 100 * sg.evaluate(elec2, sg.LeveragingBagging()).overall["accuracy"]
    assert abs(ours - 86.41) < 1.0


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: sg.LeveragingBagging(n_models=0),
    ],
)
def test_parameters_out_of_range_are_refused(wrong: Any) -> None:
    with pytest.raises(sg.UsageError, match="expected"):
        wrong()
