"""Counts of nominal values: reserved or not, they are the same; memory follows what was seen."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import streamgauge as sg
from streamgauge.streams.frames import ArrayStream
from tests.learners.trees.test_hoeffding_tree import wide_stream

PLENTY = 10**9  # bytes; a tree with a limit reserves places


@pytest.mark.parametrize(
    "learner", [sg.HoeffdingTree, sg.ExtremelyFastDecisionTree, sg.OnlineAccuracyUpdatedEnsemble]
)
@pytest.mark.parametrize("options", [{}, {"leaf_prediction": "nb", "split_criterion": "gini"}])
def test_reserved_places_change_no_number(learner: Any, options: dict[str, Any]) -> None:
    options = {"grace_period": 20, "delta": 0.3, "tau": 0.3, **options}
    stream = wide_stream(4000, 3, 1)
    learners = [learner(**options), learner(max_byte_size=PLENTY, **options)]
    counted, reserved = sg.evaluate(stream, learners)
    X = next(stream.blocks(500)).X
    assert counted.predictions.equals(reserved.predictions)
    assert np.array_equal(counted.learner.predict(X), reserved.learner.predict(X))
    assert counted.learner.nbytes < reserved.learner.nbytes / 3


def sparse_stream(rows: int, values: int) -> sg.Stream:
    """Two nominal features, one of which says the class; it turns round every 1000 rows."""
    random = np.random.default_rng(1)
    codes = random.integers(0, 300, (rows, 2))
    y = (codes[:, 0] + np.arange(rows) // 1000) % 2
    names = tuple(map(str, range(values)))
    schema = sg.Schema(("a", "b"), (names, names), (0, 1))
    return ArrayStream("sparse", schema, sg.Block(0, codes.astype(float), y.astype(np.int32)))


def counts_bytes(learner: Any) -> int:
    return sum(member.pools.counts.table.nbytes for member in learner._members)


def test_values_that_never_occur_take_no_memory() -> None:
    forest = sg.AdaptiveRandomForest(n_models=3)
    few, many = (sg.evaluate(sparse_stream(3000, size), forest).learner for size in (300, 900))
    # The room for one more row, and for the leaves of one more split, follows the number of values.
    per_value = 3 * 2 * 8 * 16
    assert counts_bytes(many) < counts_bytes(few) + 600 * per_value
    assert counts_bytes(few) < 300_000


@pytest.mark.parametrize("name", ["AdaptiveRandomForest", "StreamingRandomPatches"])
def test_trees_that_are_replaced_leave_their_places_to_others(name: str) -> None:
    learner = getattr(sg, name)(n_models=2)
    soon, late = (sg.evaluate(sparse_stream(n, 300), learner).learner for n in (10_000, 40_000))
    assert counts_bytes(late) < 2 * counts_bytes(soon)


def test_runs_of_values_that_share_a_slot_grow_until_they_are_dense() -> None:
    """Multiples of 64 share the first slot of every hash table of up to 64 slots."""
    order = np.r_[64 * np.arange(16), np.random.default_rng(1).permutation(1000)]
    X = np.tile(order, 3)[:, None].astype(float)
    y = (X[:, 0] % 64 == 0).astype(np.int32)
    schema = sg.Schema(("x",), (tuple(map(str, range(1000))),), (0, 1))
    stream = ArrayStream("shared", schema, sg.Block(0, X, y))
    leaf = sg.HoeffdingTree(grace_period=10**6, leaf_prediction="nb")
    tree, bayes = sg.evaluate(stream, [leaf, sg.NaiveBayes()])
    assert tree.predictions["prediction"].equals(bayes.predictions["prediction"])
