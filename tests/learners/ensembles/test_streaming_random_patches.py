"""StreamingRandomPatches against its oracle, on real streams, at limits."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest

import streamgauge as sg
from streamgauge._support.rng import uniform
from streamgauge.learners.trees._nodes import (
    FREE_LEAVES,
    INACTIVE,
    LEAF,
    MULTIWAY,
    USED_NODES,
)
from tests.learners.adaptive import LIVELY as TREE
from tests.learners.adaptive import (
    AdaptiveLearnerTests,
    assert_same_predictions,
    turning_stream,
)
from tests.oracles.adaptive_trees import Patches


def first_subspaces(d: int, m: int, n: int, seed: int) -> list[list[int]]:
    """All subspaces are dealt in random order, and dealt again if there are too few."""
    every = [list(each) for each in combinations(range(d), m)]
    deck = [every[i % len(every)] for i in range(max(n, len(every)))]
    order = sorted(
        range(len(deck)), key=uniform(np.arange(len(deck)), seed, n).tolist().__getitem__
    )
    return [deck[i] for i in order[:n]]


DELTAS = (0.3, 0.1)  # many warnings and drifts
LIVELY: dict[str, Any] = {"n_models": 3, "warning_delta": DELTAS[0], "drift_delta": DELTAS[1]}


class TestStreamingRandomPatches(AdaptiveLearnerTests):
    def learner(self, **tree: Any) -> Any:
        return sg.StreamingRandomPatches(max_features=2, **LIVELY, **tree)

    def oracle(self, tree: dict[str, Any]) -> Any:
        return Patches(first_subspaces(4, 2, 3, 1), 2, 6.0, False, DELTAS, 1, tree)


@pytest.mark.parametrize("policy", [sg.Immediate(), sg.Delay(30)])
@pytest.mark.parametrize(
    ("parameters", "m", "mean"),
    [
        ({"max_features": 3, "compat": "moa"}, 3, 6.0),
        ({"max_features": 2, "training_method": "subspaces"}, 2, 0.0),
        ({"training_method": "resampling"}, 4, 6.0),
    ],
)
def test_every_prediction_of_variants_is_the_oracles(
    parameters: dict[str, Any], m: int, mean: float, policy: Any
) -> None:
    """As in MOA a tree that took over learns each row twice; rows learned once; all features."""
    stream = turning_stream(1200, 2, 300)
    first: Any = first_subspaces(4, m, 3, 1) if m < 4 else [None] * 3
    keeps, nominal = "compat" in parameters, list(stream.schema.cardinality)
    tree: dict[str, Any] = {**TREE}
    oracle = Patches(first, m, mean, keeps, DELTAS, 1, {"nominal": nominal, "k": 3, **tree})
    learner = sg.StreamingRandomPatches(**parameters, **LIVELY, **tree)
    assert_same_predictions(learner, oracle, stream, policy, 512)


def subspaces_of(d: int, **parameters: Any) -> list[tuple[int, ...]]:
    """The features that the root of each tree observes."""
    learner = sg.StreamingRandomPatches(**parameters)
    schema = sg.from_arrays(np.zeros((1, d)), [0], classes=[0, 1]).schema
    learner.start(schema, seed=3)
    roots = [member.pools.leaves.features[0] for member in learner._members]
    return [tuple(int(feature) for feature in root) for root in roots]


def test_few_features_are_dealt_without_repetition() -> None:
    drawn = subspaces_of(5, n_models=25, max_features=0.6)  # ten subspaces of three features
    assert all(len(set(each)) == 3 and each == tuple(sorted(each)) for each in drawn)
    counts = [drawn.count(each) for each in set(drawn)]
    assert sorted(counts) == [2] * 5 + [3] * 5
    assert len(set(subspaces_of(20, n_models=100))) == 100


def test_many_features_are_drawn_at_random() -> None:
    drawn = subspaces_of(54, n_models=30)
    assert len(set(drawn)) == 30
    assert all(len(set(each)) == 32 for each in drawn)
    often = np.bincount(np.concatenate(drawn), minlength=54) / 30
    assert 0.1 < often.min() < often.max() < 1


@pytest.mark.parametrize(
    ("d", "max_features", "expected"),
    [(1, 0.6, 1), (2, 0.6, 2), (3, 0.6, 2), (8, 0.1, 2), (8, 1, 2), (8, 5, 5), (9, "sqrt", 4),
     (8, 1.0, 8), (8, 99, 8)],
)  # fmt: skip
def test_tree_observes_at_least_two_features(d: int, max_features: Any, expected: int) -> None:
    assert len(subspaces_of(d, n_models=1, max_features=max_features)[0]) == expected


def test_rows_are_resampled_if_trees_observe_all_features() -> None:
    """As in MOA: otherwise all trees would be the same."""
    stream = turning_stream(600, 5, 300)
    method: Any = "subspaces"
    subspaces, patches = (
        sg.evaluate(
            stream, sg.StreamingRandomPatches(n_models=3, max_features=1.0, training_method=each)
        ).predictions["prediction"].to_pylist()
        for each in (method, "patches")
    )  # fmt: skip
    assert subspaces == patches


def test_threads_and_blocks_change_nothing() -> None:
    stream = turning_stream(2000, 5, 500)
    runs = [
        sg.evaluate(
            stream, sg.StreamingRandomPatches(n_models=4, n_jobs=jobs), seed=3, block_rows=rows
        )
        for jobs, rows in ((1, 8192), (2, 8192), (2, 77))
    ]
    answers = [run.predictions["prediction"].to_pylist() for run in runs]
    assert answers[0] == answers[1] == answers[2]
    other = sg.evaluate(stream, sg.StreamingRandomPatches(n_models=4), seed=4)
    assert other.predictions["prediction"].to_pylist() != answers[0]


@pytest.mark.parametrize("compat", [None, "moa"])
def test_replaced_trees_are_released(compat: Any) -> None:
    """After many drifts, all nodes and leaves in use belong to one of the two trees."""
    learner = sg.StreamingRandomPatches(max_features=2, compat=compat, **LIVELY)
    learner = sg.evaluate(turning_stream(6000, 1, 300), learner).learner
    for (nodes, leaves, allocator, _, _), _, roots, _ in learner._members:
        to_do, seen = {int(root) for root in roots if root >= 0}, []
        while to_do:
            seen.append(to_do.pop())
            if nodes.kind[seen[-1]] > INACTIVE:
                is_multiway = nodes.kind[seen[-1]] == MULTIWAY
                width = [0, 3, 0, 4][nodes.feature[seen[-1]]] if is_multiway else 2
                first = int(nodes.first_child[seen[-1]])
                to_do |= set(range(first, first + width))
        in_use = len(leaves.tally) - allocator.counters[FREE_LEAVES]
        assert in_use == sum(nodes.kind[node] == LEAF for node in seen)
        released = 0
        for width, first in enumerate(allocator.released):
            group = first
            while group >= 0:
                released, group = released + width, nodes.first_child[group]
        assert allocator.counters[USED_NODES] - released == len(seen)


def test_elec2_as_in_moa(elec2: sg.Stream) -> None:
    """One seed comes near MOA's accuracy; `make parity` compares several."""
    learner = sg.StreamingRandomPatches(n_models=10, compat="moa")
    ours = 100 * sg.evaluate(elec2, learner).overall["accuracy"]
    assert abs(ours - 85.36) < 1.5  # MOA's ten seeds range from 83.75 to 86.25


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: sg.StreamingRandomPatches(n_models=0),
        lambda: sg.StreamingRandomPatches(max_features=0),
        lambda: sg.StreamingRandomPatches(max_features="most"),  # type: ignore[arg-type]
        lambda: sg.StreamingRandomPatches(training_method="bagging"),  # type: ignore[arg-type]
        lambda: sg.StreamingRandomPatches(lambda_value=-1),
        lambda: sg.StreamingRandomPatches(warning_delta=0),
        lambda: sg.StreamingRandomPatches(n_jobs=0),
        lambda: sg.StreamingRandomPatches(compat="river"),  # type: ignore[arg-type]
    ],
)
def test_parameters_out_of_range_are_refused(wrong: Any) -> None:
    with pytest.raises(sg.UsageError, match="expected"):
        wrong()
