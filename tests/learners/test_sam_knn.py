"""SAMkNN against its slow oracle under any events, and at the edges of what a stream can be."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import streamgauge as sg
from streamgauge._support.types import Codes, Floats, Schema
from streamgauge.testing import check_learner, example_stream
from tests.learners.test_knn import answers, prequential, schema_of
from tests.oracles import sam_knn as oracle
from tests.oracles.rng import Rng


def oracle_of(learner: sg.SAMkNN, schema: Schema) -> oracle.SAM:
    """The oracle of a learner that starts with the seed 1."""
    return oracle.SAM(
        learner.n_neighbors,
        learner.limit,
        learner.min_stm_size,
        learner.relative_ltm_size,
        learner.recalculate_stm_error,
        len(schema.classes),
        Rng(1),
    )


def compare(
    learner: sg.SAMkNN, schema: Schema, events: list[tuple[str, int, float]], X: Floats, y: Codes
) -> oracle.SAM:
    """Compare all predictions with the oracle's, and return it."""
    slow = oracle_of(learner, schema)
    expected = oracle.predictions(events, X, y, slow)
    labels, proba = answers(learner, schema, events, X, y)
    assert labels.tolist() == [label for label, _ in expected]
    if expected:
        np.testing.assert_array_equal(proba, np.array([each for _, each in expected]))
    quick, _ = answers(learner, schema, events, X, y, probabilities=False)
    assert quick.tolist() == labels.tolist()
    return slow


@given(
    seed=st.integers(0, 99_999),
    n=st.integers(1, 90),
    d=st.integers(0, 10),
    classes=st.integers(1, 4),
    k=st.integers(1, 4),
    limit=st.sampled_from([1, 20, 45]),
    share=st.sampled_from([0.0, 0.4, 0.9]),
    grain=st.sampled_from([0, 1]),
    gaps=st.sampled_from([0.0, 0.1, 0.6]),
    extreme=st.sampled_from([None, np.inf, 1.7e308]),
    share_of_extreme=st.sampled_from([0.2, 1.0]),
    exact=st.booleans(),
)
@example(
    seed=1,
    n=90,
    d=9,
    classes=3,
    k=2,
    limit=45,
    share=0.4,
    grain=0,
    gaps=0.0,
    extreme=None,
    share_of_extreme=1.0,
    exact=False,
)  # plain numbers, features in fours
@example(
    seed=6,
    n=80,
    d=4,
    classes=3,
    k=2,
    limit=20,
    share=0.4,
    grain=1,
    gaps=0.0,
    extreme=np.inf,
    share_of_extreme=0.2,
    exact=True,
)  # means that go round for ever
def test_play_is_the_oracle(
    seed: int,
    n: int,
    d: int,
    classes: int,
    k: int,
    limit: int,
    share: float,
    grain: int,
    gaps: float,
    extreme: float | None,
    share_of_extreme: float,
    exact: bool,
) -> None:
    random = np.random.default_rng(seed)
    y = random.integers(0, classes, n).astype(np.int32)
    X = random.normal(size=(n, d)) + y[:, np.newaxis]
    X[n // 2 :] *= -1  # the concept changes
    if grain:
        X = np.round(X)  # many rows are equally near, many are equal
    X[random.random((n, d)) < gaps * (random.random(d) < 0.5)] = np.nan
    if extreme is not None:  # distances overflow, or are undefined
        X = np.where(random.random((n, d)) < share_of_extreme, np.copysign(extreme, X), X)
    weights = random.choice([0.0, 1.0, 1.0, 1.0, 2.0], n)
    events = [
        (kind, i, float(weights[i]))
        for i in range(n)
        for kind in ("PL" if random.random() < 0.7 else "PPL" if random.random() < 0.5 else "L")
    ]
    learner = sg.SAMkNN(k, limit, k + 1, share if limit > 1 else 0.0, exact)
    compare(learner, schema_of([False] * d, classes), events, X, y)


@pytest.mark.parametrize(
    ("n", "limit", "exact"),
    [
        (300, 100, False),
        (300, 100, True),
        pytest.param(1500, 700, False, marks=pytest.mark.long),  # more than a tile in a memory
        pytest.param(1500, 700, True, marks=pytest.mark.long),
    ],
)
def test_memories_are_cut_and_compressed(n: int, limit: int, exact: bool) -> None:
    """Places are used again, whole tiles are given up early, windows are halved several times."""
    random = np.random.default_rng(3)
    y = random.integers(0, 2, n).astype(np.int32)
    X = random.normal(size=(n, 3)) + 1.5 * y[:, np.newaxis]
    X[n * 6 // 10 : n * 7 // 10] *= -1
    events = prequential(n) + [("P", i, 1.0) for i in range(5)]
    learner = sg.SAMkNN(3, limit, 20, 0.3, exact)
    slow = compare(learner, schema_of([False] * 3, 2), events, X, y)
    assert slow.compressions >= 1
    assert slow.cuts >= 2


@pytest.mark.parametrize("learner", [sg.SAMkNN(1, 12, 2), sg.SAMkNN(3, 60, 5, 0.5, True)])
def test_battery(learner: Any) -> None:
    assert check_learner(learner, example_stream(150)) == []


def test_votes_count_by_nearness_and_weight() -> None:
    X = np.array([[0.0], [1.0], [4.0], [2.0]])
    y = np.array([0, 1, 1, 0], np.int32)
    schema = schema_of([False], 3)
    events = [("L", i, 1.0) for i in range(3)] + [("P", 3, 1.0)]
    labels, proba = answers(sg.SAMkNN(3), schema, events, X, y)
    assert labels.tolist() == [1]
    np.testing.assert_allclose(proba, [[0.25, 0.75, 0]])
    heavy = [("L", 0, 4.0), *events[1:]]
    labels, proba = answers(sg.SAMkNN(3), schema, heavy, X, y)
    assert labels.tolist() == [0]
    np.testing.assert_allclose(proba, [[4 / 7, 3 / 7, 0]])


def test_old_concept_that_returns_is_remembered() -> None:
    """The long-term memory still knows what the short-term memory has forgotten."""
    random = np.random.default_rng(0)
    y = random.integers(0, 2, 900).astype(np.int32)
    X = random.normal(size=(900, 2)) + 4 * y[:, np.newaxis]
    X[300:600] += 50  # another place, then back
    learner = sg.SAMkNN(limit=200, relative_ltm_size=0.5)
    run = sg.evaluate(sg.from_arrays(X, y, task="classification"), learner)
    predicted = run.predictions["prediction"].to_pylist()
    # At the first row both memories were equally good so far, and the short-term one is used.
    assert predicted[600] != y[600]
    assert predicted[601:610] == y[601:610].tolist()


def test_missing_values_leave_the_rest_of_the_distance() -> None:
    X = np.array([[0.0, np.nan], [3.0, 3.0], [0.0, 9.0], [np.nan, np.nan], [np.nan, 5.0]])
    y = np.array([0, 1, 2, 2, 0], np.int32)
    schema = schema_of([False, False], 3)
    events = [("L", i, 1.0) for i in range(4)] + [("P", 4, 1.0), ("P", 3, 1.0)]
    labels, proba = answers(sg.SAMkNN(2), schema, events, X, y)
    near = np.array([0, 1 / 8**0.5, 1 / 32**0.5])
    np.testing.assert_allclose(proba[0], near / near.sum())
    assert labels.tolist() == [1, 0]  # a row without any value is as far from all: all votes are 0


def test_one_class_per_row_is_forgotten_in_order() -> None:
    """Nothing can be compressed: the oldest rows of the long-term memory go."""
    n = 40
    X, y = np.arange(n, dtype=float)[:, np.newaxis], np.arange(n, dtype=np.int32)
    events = prequential(n) + [("P", i, 1.0) for i in range(n)]
    slow = compare(sg.SAMkNN(1, 10, 4, 0.5), schema_of([False], n), events, X, y)
    assert len(slow.short) + len(slow.long) == 10


def test_copy_goes_on_alone_and_the_model_is_bounded() -> None:
    stream = sg.SEA(1500, seed=1)
    block = next(stream.blocks(1500))
    learner = sg.SAMkNN(limit=300)
    learner.start(stream.schema, 1)
    learner.learn(block.X[:700], block.y[:700], np.ones(700))
    copy, size = pickle.loads(pickle.dumps(learner)), learner.nbytes
    for each in (copy, learner):
        each.learn(block.X[700:], block.y[700:], np.ones(800))
    np.testing.assert_array_equal(copy.predict(block.X), learner.predict(block.X))
    assert copy.nbytes == learner.nbytes == size < 100_000


@pytest.mark.parametrize(
    ("parameters", "complaint"),
    [
        ({"n_neighbors": 0}, r"SAMkNN\(n_neighbors=0\): expected an integer, 1 or more"),
        ({"limit": 2.5}, r"SAMkNN\(limit=2.5\): expected an integer"),
        ({"min_stm_size": "x"}, r"SAMkNN\(min_stm_size='x'\): expected an integer"),
        ({"n_neighbors": 50}, r"expected min_stm_size > n_neighbors"),
        ({"relative_ltm_size": 1.0}, r"expected a number from 0 to less than 1"),
        ({"relative_ltm_size": float("nan")}, r"expected a number from 0 to less than 1"),
    ],
)
def test_bad_parameters(parameters: dict[str, Any], complaint: str) -> None:
    with pytest.raises(sg.UsageError, match=complaint):
        sg.SAMkNN(**parameters)
