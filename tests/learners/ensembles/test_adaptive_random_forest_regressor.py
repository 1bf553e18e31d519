"""AdaptiveRandomForestRegressor against its oracle."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import settings

import streamgauge as sg
from streamgauge.learners.trees._regression_nodes import count_nodes
from tests.learners.regression import cases, compare, drifting, friedman, same, stream_of
from tests.oracles.regression_trees import Member


@settings(max_examples=6, deadline=None)
@cases
def test_every_prediction_of_one_tree_is_the_oracles(
    seed: int, grace: int, loose: bool, policy: Any, size: int, weights: list[float], plain: bool
) -> None:
    stream = stream_of(plain, seed, policy, 700)
    rule = {"grace_period": grace, "tau": 0.6 if loose else 0.05}
    learner = sg.AdaptiveRandomForestRegressor(1, **rule, warning_delta=0.3, drift_delta=0.2)  # type: ignore[arg-type]
    learner.start(stream.schema, seed)
    nominal = list(stream.schema.cardinality)
    own_seed = int(np.random.SeedSequence(seed).generate_state(1)[0])
    member = Member(
        nominal, own_seed, leaf_features=round(0.6 * len(nominal)), bins=64, linear=0,
        min_weight=30.0, delta=0.01, drift_delta=0.005, drift_threshold=50.0, warning=0.3,
        drift=0.2, **rule,
    )  # fmt: skip
    compare(learner, member, stream, policy, size, np.array(weights))


def test_threads_change_nothing() -> None:
    stream = friedman(3000)
    alone = sg.evaluate(stream, sg.AdaptiveRandomForestRegressor(4))
    shared = sg.evaluate(stream, sg.AdaptiveRandomForestRegressor(4, n_jobs=2))
    assert same(alone, shared)


def test_trees_that_were_replaced_leave_their_room_to_others() -> None:
    stream = drifting(3000, 1)
    learner = sg.AdaptiveRandomForestRegressor(2, warning_delta=0.3, drift_delta=0.2)
    learner.start(stream.schema, 1)
    rows = next(stream.blocks(3000))
    taken, sizes = 0, set()
    for start in range(0, 3000, 10):
        part = slice(start, start + 10)
        before = [count_nodes(each.trees) for each in learner._members]
        learner.learn(rows.X[part], rows.y[part], np.ones(10))
        for was, each in zip(before, learner._members, strict=True):
            taken += abs(count_nodes(each.trees) - was)
            sizes.add(len(each.trees.places))
            for numbers in (each.trees.pairs, each.trees.places):  # none is lost or given twice
                assert np.array_equal(np.sort(numbers), np.arange(len(numbers)))
    assert taken > 4 * max(sizes)  # more than ever had room at once
