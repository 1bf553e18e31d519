"""HoeffdingAdaptiveTree against its oracle, on real streams, at limits."""

from __future__ import annotations

from typing import Any

import pytest

import streamgauge as sg
from tests.learners.adaptive import AdaptiveLearnerTests
from tests.oracles.adaptive_trees import AdaptiveTree


class TestHoeffdingAdaptiveTree(AdaptiveLearnerTests):
    def learner(self, **tree: Any) -> Any:
        return sg.HoeffdingAdaptiveTree(**tree)

    def oracle(self, tree: dict[str, Any]) -> Any:
        return AdaptiveTree(1, **tree)


def test_elec2_as_in_moa(elec2: sg.Stream) -> None:
    """One seed comes near MOA's accuracy; `make parity` compares several."""
    ours = 100 * sg.evaluate(elec2, sg.HoeffdingAdaptiveTree()).overall["accuracy"]
    assert abs(ours - 82.43) < 1.0


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: sg.HoeffdingAdaptiveTree(delta=7),
    ],
)
def test_parameters_out_of_range_are_refused(wrong: Any) -> None:
    with pytest.raises(sg.UsageError, match="expected"):
        wrong()
