"""DynamicWeightedMajority: against its oracle, after drifts, at limits."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import streamgauge as sg
from streamgauge.testing import check_learner, example_stream
from tests.learners.adaptive import assert_same_predictions, last_thousand, turning_stream
from tests.oracles.hoeffding_tree import Tree
from tests.oracles.weighted_ensembles import WeightedMajority

BASES: dict[str, tuple[float, float, float, str]] = {
    "naive_bayes": (math.inf, 0.5, 0.0, "nb"),
    "hoeffding_tree": (200, 1e-3, 0.05, "nba"),
}


@pytest.mark.parametrize(
    ("n", "base", "policy", "options", "jobs"),
    [
        (300, "naive_bayes", sg.Immediate(), (5, 0.5, 0.05, 10_000), 1),
        (300, "naive_bayes", sg.Delay(30), (3, 0.7, 0.1, 3), 1),
        (300, "naive_bayes", sg.Sampled(0.7), (1, 0.9, 0.3, 2), 2),
        (500, "hoeffding_tree", sg.Immediate(), (20, 0.5, 0.2, 3), 1),
        (500, "hoeffding_tree", sg.Delay(7), (20, 0.5, 0.2, 3), 3),
    ],
)
def test_every_prediction_is_the_oracles(
    n: int, base: Any, policy: Any, options: Any, jobs: int
) -> None:
    stream = turning_stream(n, 1, n // 3)
    period, beta, theta, max_experts = options
    learner = sg.DynamicWeightedMajority(base, period, beta, theta, max_experts, jobs)
    nominal = list(stream.schema.cardinality)
    oracle = WeightedMajority(3, lambda: Tree(nominal, 3, *BASES[base], "info_gain"), *options)
    assert_same_predictions(learner, oracle, stream, policy)
    assert learner.n_experts == len(oracle.experts) > 1
    weights = [weight for _, weight in oracle.experts]
    assert learner._experts.weights[: len(weights)].tolist() == weights


@pytest.mark.parametrize("base", BASES)
def test_passes_the_learner_battery(base: Any) -> None:
    learner = sg.DynamicWeightedMajority(base, update_period=5, max_experts=4)
    assert check_learner(learner, example_stream(160)) == []


def test_single_expert_is_naive_bayes() -> None:
    stream = sg.SEA(3000, seed=1)
    expert, plain = sg.evaluate(
        stream, [sg.DynamicWeightedMajority(update_period=10**9), sg.NaiveBayes()]
    )
    assert expert.predictions["prediction"].equals(plain.predictions["prediction"])


@pytest.mark.parametrize("base", BASES)
def test_number_of_threads_does_not_change_the_result(base: Any) -> None:
    stream = turning_stream(8000, 1, 4000)
    first, *others = (
        sg.evaluate(
            stream,
            sg.DynamicWeightedMajority(
                base, update_period=7, beta=0.9, max_experts=40, n_jobs=jobs
            ),
            labels=sg.Delay(9),
            block_rows=rows,
        )
        for jobs, rows in ((1, 8000), (2, 8000), (5, 700))
    )
    assert first.learner.n_experts > 16  # more than there is room for at the start
    for other in others:
        assert other.predictions.equals(first.predictions)
        assert other.learner._experts.weights.tolist() == first.learner._experts.weights.tolist()


def test_huge_number_of_threads_takes_little_memory() -> None:
    learner = sg.DynamicWeightedMajority(n_jobs=10**9)
    learner.start(sg.SEA(10, seed=1).schema, 1)
    assert learner.nbytes < 10_000_000


def test_recovers_after_a_drift() -> None:
    stream = sg.splice([sg.Sine1(4000, seed=1), sg.Sine1(4000, seed=2, reverse=True)], at=[4000])
    ours, plain = sg.evaluate(stream, [sg.DynamicWeightedMajority(), sg.NaiveBayes()])
    assert last_thousand(ours) - last_thousand(plain) > 0.2


def test_more_experts_than_at_the_start_fit() -> None:
    random = np.random.default_rng(1)
    stream = sg.from_arrays(random.normal(size=(600, 2)), random.integers(0, 3, 600))
    learner = sg.DynamicWeightedMajority(update_period=1, beta=0.99, theta=0.0)
    assert sg.evaluate(stream, learner).learner.n_experts > 100
    bound = sg.DynamicWeightedMajority(update_period=1, beta=0.99, theta=0.0, max_experts=7)
    assert sg.evaluate(stream, bound).learner.n_experts == 7


@pytest.mark.parametrize(
    "wrong",
    [
        {"update_period": 0},
        {"beta": 1.0},
        {"beta": 0.0},
        {"theta": 2.0},
        {"max_experts": 1},
        {"n_jobs": 0},
    ],
)
def test_parameters_out_of_range_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(sg.UsageError, match=f"expected .*{next(iter(wrong))}"):
        sg.DynamicWeightedMajority(**wrong)
