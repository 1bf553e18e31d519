"""ADWINBagging against its oracle, on real streams, with threads."""

from __future__ import annotations

from typing import Any

import pytest

import streamgauge as sg
from tests.learners.adaptive import (
    LIVELY,
    AdaptiveLearnerTests,
    assert_same_predictions,
    turning_stream,
)
from tests.oracles.adaptive_trees import Bag


class TestADWINBagging(AdaptiveLearnerTests):
    def learner(self, **tree: Any) -> Any:
        return sg.ADWINBagging(n_models=3, **tree)

    def oracle(self, tree: dict[str, Any]) -> Any:
        return Bag(3, 1, 1.0, True, tree)


class CountsResets(Bag):
    resets = 0

    def learn(self, x: list[float], y: int, w: float) -> None:
        before = list(self.trees)
        super().learn(x, y, w)
        self.resets += before != self.trees


@pytest.mark.parametrize("kind", [sg.ADWINBagging, sg.LeveragingBagging, sg.OnlineBagging])
def test_threads_and_blocks_change_nothing(kind: Any) -> None:
    """Members that are reset play events again, however the events are cut."""
    stream = turning_stream(4000, 5, 250)
    runs = [
        sg.evaluate(stream, kind(n_models=4, grace_period=50, n_jobs=jobs), seed=3, block_rows=rows)
        for jobs, rows in ((1, 8192), (2, 8192), (2, 77))
    ]
    answers = [run.predictions["prediction"].to_pylist() for run in runs]
    assert answers[0] == answers[1] == answers[2]
    other = sg.evaluate(stream, kind(n_models=4, grace_period=50), seed=4)
    assert other.predictions["prediction"].to_pylist() != answers[0]


def test_every_prediction_is_the_oracles_over_many_resets() -> None:
    """Far more events at a time than between two resets."""
    stream = turning_stream(5000, 7, 500)
    tree: dict[str, Any] = {**LIVELY, "leaf_prediction": "mc"}
    oracle = CountsResets(3, 1, 6.0, True, {"nominal": [0, 3, 0, 4], "k": 3, **tree})
    learner = sg.LeveragingBagging(n_models=3, **tree)
    assert_same_predictions(learner, oracle, stream, sg.Immediate(), 8192)
    assert oracle.resets > 10


def test_elec2_as_in_moa(elec2: sg.Stream) -> None:
    """One seed comes near MOA's accuracy; `make parity` compares several."""
    ours = 100 * sg.evaluate(elec2, sg.ADWINBagging()).overall["accuracy"]
    assert abs(ours - 82.20) < 1.0


@pytest.mark.parametrize(
    "wrong", [lambda: sg.ADWINBagging(n_models=0), lambda: sg.ADWINBagging(n_jobs=0)]
)
def test_parameters_out_of_range_are_refused(wrong: Any) -> None:
    with pytest.raises(sg.UsageError, match="expected"):
        wrong()
