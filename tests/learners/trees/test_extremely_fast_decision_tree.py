"""The extremely fast decision tree: against its oracle, on real streams, on edge cases."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import streamgauge as sg
from streamgauge.prequential.labels import LabelPolicy
from streamgauge.testing import check_learner, example_stream
from tests.learners.adaptive import assert_same_predictions
from tests.learners.trees.test_hoeffding_tree import mixed_stream, numeric_stream, wide_stream
from tests.oracles.extremely_fast_decision_tree import EFDT

OPTIONS = st.fixed_dictionaries(
    {
        "grace_period": st.integers(1, 30),
        "delta": st.sampled_from([1e-7, 1e-3, 0.3]),
        "tau": st.sampled_from([0.0, 0.05, 0.5]),
        "leaf_prediction": st.sampled_from(["mc", "nb", "nba"]),
        "split_criterion": st.sampled_from(["info_gain", "gini"]),
        "compat": st.sampled_from([None, "moa"]),
    }
)


@given(
    st.sampled_from([mixed_stream, wide_stream, numeric_stream]),
    st.integers(1, 300), st.integers(2, 4), st.integers(0, 10**6), OPTIONS, st.integers(1, 40),
    st.sampled_from([sg.Immediate(), sg.Delay(7), sg.Chunks(20)]),
)  # fmt: skip
def test_every_prediction_matches_the_oracle(
    make: Any, n: int, k: int, seed: int, options: dict[str, Any], every: int, policy: LabelPolicy
) -> None:
    stream = make(n, k, seed)
    learner = sg.ExtremelyFastDecisionTree(min_samples_reevaluate=every, **options)
    tree = EFDT(list(stream.schema.cardinality), k, every=every, **options)
    assert_same_predictions(learner, tree, stream, policy)


@pytest.mark.parametrize(
    "learner",
    [
        sg.ExtremelyFastDecisionTree(grace_period=10, min_samples_reevaluate=15, tau=0.5),
        sg.ExtremelyFastDecisionTree(
            grace_period=10, min_samples_reevaluate=7, leaf_prediction="mc", split_criterion="gini"
        ),
    ],
    ids=repr,
)
def test_passes_the_learner_battery(learner: Any) -> None:
    assert check_learner(learner, example_stream(160)) == []


def test_splits_earlier_than_a_hoeffding_tree() -> None:
    stream = sg.RandomTree(3000, seed=1)
    early = sg.evaluate(stream, sg.ExtremelyFastDecisionTree()).learner
    late = sg.evaluate(stream, sg.HoeffdingTree()).learner
    assert early.node_count > late.node_count


def test_replaces_a_split_when_another_feature_becomes_better() -> None:
    random = np.random.default_rng(1)
    X = random.random((6000, 2))
    y = np.where(np.arange(6000) < 300, X[:, 0] > 0.5, X[:, 1] > 0.5).astype(int)
    stream = sg.from_arrays(X, y)
    revised, kept = (
        sg.evaluate(stream, sg.ExtremelyFastDecisionTree(min_samples_reevaluate=every)).learner
        for every in (200, 10**9)
    )
    assert (revised._pools.nodes.feature[0], kept._pools.nodes.feature[0]) == (1, 0)


def test_releases_the_branches_it_replaces() -> None:
    stream = mixed_stream(4000, 3, 5)
    learner = sg.evaluate(
        stream, sg.ExtremelyFastDecisionTree(grace_period=5, min_samples_reevaluate=5, delta=0.3)
    ).learner
    nodes, _, allocator, _, _ = learner._pools
    rows = nodes.leaf[: allocator.counters[0]]
    taken = np.sort(rows[(rows >= 0) & (nodes.kind[: allocator.counters[0]] > 0)])
    free = allocator.free_leaves[: allocator.counters[1]]
    assert len(np.unique(taken)) == len(taken) == learner.node_count
    assert np.sort(np.concatenate([taken, free])).tolist() == list(
        range(len(learner._records.gains))
    )


def test_memory_limit_costs_growth() -> None:
    stream = sg.RandomTree(8000, seed=3)
    free = sg.evaluate(stream, sg.ExtremelyFastDecisionTree(grace_period=20, delta=0.3))
    bound = sg.evaluate(
        stream, sg.ExtremelyFastDecisionTree(grace_period=20, delta=0.3, max_byte_size=300_000)
    )
    assert bound.learner.nbytes <= 300_000 < free.learner.nbytes
    assert 1 < bound.learner.node_count < free.learner.node_count
    assert bound.overall["accuracy"] > 0.5


def nodes_and_bytes(tree: sg.ExtremelyFastDecisionTree, stream: sg.Stream) -> np.ndarray:
    """Nodes and bytes of the tree after every 200 rows that it learns."""
    tree.start(stream.schema, 1)
    found = []
    for block in stream.blocks(200):
        tree.learn(block.X, block.y, np.ones(len(block)))
        found.append((tree.node_count, tree.nbytes))
    return np.array(found)


@pytest.mark.parametrize(
    ("stream", "max_byte_size"),
    [
        (sg.SEA(4000, seed=1), 9000),
        (sg.LED(4000, seed=1), 30_000),
        (sg.LED(4000, seed=1), 45_000),
        (sg.RandomTree(4000, seed=3), 90_000),
    ],
)
def test_memory_limit_holds_at_every_row(stream: sg.Stream, max_byte_size: int) -> None:
    tree = sg.ExtremelyFastDecisionTree(5, delta=0.5, tau=0.9, max_byte_size=max_byte_size)
    nodes, size = nodes_and_bytes(tree, stream).T
    assert size.max() <= max_byte_size
    assert nodes.max() > 1


def test_full_tree_revises_its_splits_and_grows_into_the_room() -> None:
    concepts = [sg.RandomRBF(20_000, seed=1), sg.RandomRBF(20_000, seed=5)]
    tree = sg.ExtremelyFastDecisionTree(max_byte_size=60_000)
    nodes, _ = nodes_and_bytes(tree, sg.splice(concepts, at=[20_000])).T
    before, after = nodes[65:100], nodes[100:]
    assert before.min() == before.max()  # full
    assert after.min() < before.max()
    assert after[-1] > after.min()


def test_memory_limit_too_small_for_a_split_is_refused() -> None:
    tree = sg.ExtremelyFastDecisionTree(max_byte_size=1000)
    with pytest.raises(sg.UsageError, match=r"expected at least [\d,]+ bytes for a tree with a"):
        sg.evaluate(sg.SEA(100, seed=1), tree)


def test_parameters_out_of_range_are_refused() -> None:
    with pytest.raises(sg.UsageError, match="expected min_samples_reevaluate >= 1"):
        sg.ExtremelyFastDecisionTree(min_samples_reevaluate=0)


def test_row_with_a_missing_value_trains_only_the_splits_above_it() -> None:
    X = np.repeat([[0.0, 5.0], [1.0, 5.0]], 50, axis=0)
    y = np.repeat([0, 1], 50)
    order = np.random.default_rng(2).permutation(100)
    tree = sg.ExtremelyFastDecisionTree(grace_period=20, tau=0.9, leaf_prediction="mc")
    tree.start(sg.from_arrays(X, y).schema, 1)
    tree.learn(X[order], y[order].astype(np.int32), np.ones(100))
    before = tree._pools.nodes.counts[:3].sum(axis=1).tolist()
    tree.learn(np.array([[np.nan, 5.0]]), np.array([1], np.int32), np.ones(1))
    after = tree._pools.nodes.counts[:3].sum(axis=1).tolist()
    assert after == [before[0] + 1, *before[1:]]
