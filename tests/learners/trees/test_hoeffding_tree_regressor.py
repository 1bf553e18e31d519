"""HoeffdingTreeRegressor against its oracle, and under drift."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import settings

import streamgauge as sg
from tests.learners.regression import cases, compare, stream_of
from tests.oracles.regression_trees import Tree
from tests.oracles.rng import Rng


@settings(max_examples=10, deadline=None)
@cases
def test_every_prediction_is_the_oracles(
    seed: int, grace: int, loose: bool, policy: Any, size: int, weights: list[float], plain: bool
) -> None:
    stream = stream_of(plain, seed, policy, 700)
    leaf, linear = ("perceptron", 1) if seed % 2 else ("mean", 0)
    given_rule = {"grace_period": grace, "tau": 0.6 if loose else 0.05, "drift_threshold": 0.5}
    learner = sg.HoeffdingTreeRegressor(leaf_prediction=leaf, **given_rule)  # type: ignore[arg-type]
    learner.start(stream.schema, seed)
    nominal = list(stream.schema.cardinality)
    oracle = Tree(
        nominal, Rng(seed), list(range(len(nominal))), leaf_features=len(nominal), bins=128,
        linear=linear, min_weight=5.0, delta=1e-7, learning_rate=0.02, learning_rate_decay=0.001,
        drift_delta=0.005,
        **given_rule,
    )  # fmt: skip
    compare(learner, oracle, stream, policy, size, np.array(weights))


def test_an_alternate_tree_replaces_an_outdated_subtree() -> None:
    random = np.random.default_rng(1)
    X, sign = random.random((20_000, 3)), np.where(np.arange(20_000) < 10_000, 1.0, -1.0)
    stream = sg.from_arrays(X, sign * (X[:, 0] > 0.5) + 0.1 * random.normal(size=20_000))
    runs = sg.evaluate(
        stream,
        [
            sg.HoeffdingTreeRegressor(leaf_prediction="mean"),
            sg.HoeffdingTreeRegressor(leaf_prediction="mean", drift_threshold=1e9),
        ],
    )
    adapts, stays = (
        np.abs(run.predictions["y"].to_numpy() - run.predictions["prediction"].to_numpy())
        for run in runs
    )
    assert adapts[10_500:12_000].mean() < 0.5 * stays[10_500:12_000].mean()


def test_a_number_rising_with_time_is_still_divided() -> None:
    rows = 6000
    x = np.arange(rows, dtype=float)
    y = np.where(x < 3000, 0.0, 10.0) + np.random.default_rng(1).normal(size=rows)
    learner = sg.HoeffdingTreeRegressor(leaf_prediction="mean", grace_period=rows)
    learner.start(sg.from_arrays(x[:, None], y).schema, 1)
    learner.learn(x[:, None], y, np.ones(rows))
    low, high = learner.predict(np.array([[1000.0], [5000.0]]))
    assert abs(low) < 1
    assert abs(high - 10) < 1


def test_a_constant_target_is_never_split() -> None:
    X = np.random.default_rng(1).random((2000, 5))
    y = np.full(2000, -1.9753099120283326)  # sums of it are rounded; MOA's trees split on that
    learner = sg.HoeffdingTreeRegressor(leaf_prediction="mean", grace_period=25, delta=0.05)
    learner.start(sg.from_arrays(X, y).schema, 1)
    learner.learn(X, y, np.ones(2000))
    assert learner.node_count == 1
