"""AdaptiveRandomForest against its oracle, on real streams, at limits."""

from __future__ import annotations

from typing import Any

import pytest

import streamgauge as sg
from tests.learners.adaptive import AdaptiveLearnerTests, turning_stream
from tests.oracles.adaptive_trees import Forest


class TestAdaptiveRandomForest(AdaptiveLearnerTests):
    def learner(self, **tree: Any) -> Any:
        return sg.AdaptiveRandomForest(n_models=3, max_features=2, **tree)

    def oracle(self, tree: dict[str, Any]) -> Any:
        return Forest(3, 1, 2, tree)


class TestAdaptiveRandomForestOfMOA(AdaptiveLearnerTests):
    """It draws the features of all trees by the same numbers."""

    def learner(self, **tree: Any) -> Any:
        return sg.AdaptiveRandomForest(n_models=3, max_features=2, compat="moa", **tree)

    def oracle(self, tree: dict[str, Any]) -> Any:
        return Forest(3, 1, 2, tree, as_moa=True)


def test_elec2_as_in_moa(elec2: sg.Stream) -> None:
    """One seed comes near MOA's accuracy; `make parity` compares several."""
    ours = 100 * sg.evaluate(elec2, sg.AdaptiveRandomForest()).overall["accuracy"]
    assert abs(ours - 87.57) < 1.0


def test_threads_and_blocks_change_nothing() -> None:
    stream = turning_stream(3000, 5, 500)
    runs = [
        sg.evaluate(
            stream, sg.AdaptiveRandomForest(n_models=4, n_jobs=jobs), seed=3, block_rows=rows
        )
        for jobs, rows in ((1, 8192), (2, 8192), (2, 77))
    ]
    answers = [run.predictions["prediction"].to_pylist() for run in runs]
    assert answers[0] == answers[1] == answers[2]
    other = sg.evaluate(stream, sg.AdaptiveRandomForest(n_models=4), seed=4)
    assert other.predictions["prediction"].to_pylist() != answers[0]


def test_replaced_trees_free_their_memory() -> None:
    """Over many drifts the pools stay as large as the trees need."""
    learner = sg.AdaptiveRandomForest(n_models=2)
    sizes = []
    for rows in (20_000, 60_000):
        run = sg.evaluate(turning_stream(rows, 1, 1000), learner)
        sizes.append(run.learner.nbytes)
    assert sizes[1] <= 2 * sizes[0]


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: sg.AdaptiveRandomForest(n_models=0),
        lambda: sg.AdaptiveRandomForest(max_features=0),
        lambda: sg.AdaptiveRandomForest(max_features="most"),  # type: ignore[arg-type]
        lambda: sg.AdaptiveRandomForest(lambda_value=-1),
        lambda: sg.AdaptiveRandomForest(drift_delta=2),
        lambda: sg.AdaptiveRandomForest(n_jobs=0),
        lambda: sg.AdaptiveRandomForest(compat="river"),  # type: ignore[arg-type]
    ],
)
def test_parameters_out_of_range_are_refused(wrong: Any) -> None:
    with pytest.raises(sg.UsageError, match="expected"):
        wrong()
