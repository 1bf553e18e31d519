"""KNN against its slow oracle under any events, and at the edges of what a stream can be."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import streamgauge as sg
from streamgauge._support.types import LEARN, PREDICT, Codes, Floats, Schema
from streamgauge.learners.base import Events
from streamgauge.learners.learner_text import parse_learner
from streamgauge.testing import check_learner, example_stream
from tests.oracles import knn as oracle


def schema_of(nominal: list[bool], classes: int) -> Schema:
    values = tuple(("a", "b", "c") if flag else () for flag in nominal)
    return Schema(tuple(f"f{j}" for j in range(len(nominal))), values, tuple(range(classes)))


def answers(
    learner: sg.KNN | sg.SAMkNN,
    schema: Schema,
    events: list[tuple[str, int, float]],
    X: Floats,
    y: Codes,
    probabilities: bool = True,
) -> tuple[Codes, Floats]:
    """The predictions among the events: labels and probabilities."""
    learner.start(schema, 1)
    n = len(events)
    ops = np.array([LEARN if kind == "L" else PREDICT for kind, _, _ in events], np.uint8)
    slots = np.array([row for _, row, _ in events], np.int64)
    weight = np.array([w for _, _, w in events])
    label, proba = np.empty(n, np.int32), np.empty((n if probabilities else 0, len(schema.classes)))
    learner.play(Events(X, y, ops, slots, slots, weight, label, proba))
    asked = ops != LEARN
    return label[asked], proba[asked] if probabilities else proba


def prequential(n: int) -> list[tuple[str, int, float]]:
    return [event for i in range(n) for event in (("P", i, 1.0), ("L", i, 1.0))]


@given(
    seed=st.integers(0, 99_999),
    n=st.integers(1, 80),
    nominal=st.lists(st.booleans(), max_size=11),
    classes=st.integers(1, 4),
    k=st.one_of(st.integers(1, 12), st.just(40)),
    more=st.sampled_from([0, 1, 7, 40]),
    grain=st.sampled_from([0, 2, 50]),
    gaps=st.sampled_from([0.0, 0.1, 0.6, 1.0]),
)
@example(
    seed=1, n=60, nominal=[False] * 11, classes=3, k=3, more=7, grain=0, gaps=0.0
)  # plain numbers, features in fours
def test_play_is_the_oracle(
    seed: int,
    n: int,
    nominal: list[bool],
    classes: int,
    k: int,
    more: int,
    grain: int,
    gaps: float,
) -> None:
    random = np.random.default_rng(seed)
    d = len(nominal)
    X = random.normal(size=(n, d)) * 10.0 ** random.integers(-3, 4, d)
    if grain:  # few distinct values: ties, constants, extremes that come and go
        X = np.round(X) if grain > 2 else random.integers(0, 2, (n, d)).astype(float)
    X += np.outer(np.arange(n), random.random(d) < 0.2)  # some have a trend: ranges move
    X[:, np.array(nominal, bool)] = random.integers(0, 3, (n, sum(nominal)))
    X[:, random.random(d) < 0.2] = 2.0
    X[random.random((n, d)) < gaps * (random.random(d) < 0.5)] = np.nan
    y = random.integers(0, classes, n).astype(np.int32)
    weights = random.choice([0.0, 1.0, 1.0, 1.0, 2.0], n)
    events = [
        ("P" if random.random() < 0.5 else "L", int(i), float(weights[i]))
        for i in random.integers(0, n, 2 * n)
    ]
    expected = oracle.predictions(events, X, y, nominal, classes, k, k + more)
    labels, proba = answers(sg.KNN(k, k + more), schema_of(nominal, classes), events, X, y)
    assert labels.tolist() == [label for label, _ in expected]
    if expected:
        np.testing.assert_array_equal(
            proba, np.array([probabilities for _, probabilities in expected])
        )
    quick, _ = answers(
        sg.KNN(k, k + more), schema_of(nominal, classes), events, X, y, probabilities=False
    )
    assert quick.tolist() == labels.tolist()


@pytest.mark.parametrize(
    ("d", "gaps", "k"),
    [(3, 0.0, 100), pytest.param(30, 0.0, 5, marks=pytest.mark.long), (30, 0.02, 5)],
)
def test_a_window_of_many_tiles(d: int, gaps: float, k: int) -> None:
    """Whole tiles are given up early, the ring goes round, the newest is in any tile."""
    random = np.random.default_rng(d)
    n, classes = 2000, 3
    y = random.integers(0, classes, n).astype(np.int32)
    X = random.normal(size=(n, d)) + y[:, np.newaxis]
    X[random.random((n, d)) < gaps] = np.nan
    nominal = [False] * d
    events = [("L", i, 1.0) for i in range(n - 6)]
    events += [(kind, i, 1.0) for i in range(n - 6, n) for kind in "PL"]
    expected = oracle.predictions(events, X, y, nominal, classes, k, 1300)
    labels, proba = answers(sg.KNN(k, 1300), schema_of(nominal, classes), events, X, y)
    assert labels.tolist() == [label for label, _ in expected]
    np.testing.assert_array_equal(proba, np.array([probabilities for _, probabilities in expected]))


@pytest.mark.parametrize("learner", [sg.KNN(1, 1), sg.KNN(3, 20)])
def test_battery(learner: Any) -> None:
    assert check_learner(learner, example_stream(150)) == []


def test_rows_as_near_as_the_kth_vote_too() -> None:
    X = np.array([[0.0], [1.0], [1.0], [1.0], [3.0], [0.0]])
    y = np.array([0, 1, 1, 1, 0, 0], np.int32)
    events = [("L", i, 1.0) for i in range(5)] + [("P", 5, 1.0)]
    labels, proba = answers(sg.KNN(n_neighbors=2), schema_of([False], 2), events, X, y)
    assert labels.tolist() == [1]
    assert proba.tolist() == [[0.25, 0.75]]


def test_a_tie_goes_to_the_lowest_class_and_weight_is_weight_of_the_vote() -> None:
    X, y = np.zeros((3, 1)), np.array([2, 1, 0], np.int32)
    schema = schema_of([False], 4)
    equal = [("P", 2, 1.0), ("L", 0, 1.0), ("L", 1, 1.0), ("P", 2, 1.0)]
    assert answers(sg.KNN(2), schema, equal, X, y)[0].tolist() == [-1, 1]
    heavier = [("L", 0, 2.0), ("L", 1, 1.0), ("L", 2, 0.0), ("P", 2, 1.0)]
    labels, proba = answers(sg.KNN(2), schema, heavier, X, y)
    assert labels.tolist() == [2]
    np.testing.assert_allclose(proba, [[0, 1 / 3, 2 / 3, 0]])  # class 3 has not occurred


def test_one_row_and_no_features_and_a_feature_that_is_always_missing() -> None:
    single = sg.from_arrays(np.ones((1, 2)), [1], classes=[0, 1])
    assert sg.evaluate(single, sg.KNN()).overall["coverage"] == 0
    y = np.array([1, 1, 0, 1], np.int32)
    for X in (np.empty((4, 0)), np.full((4, 2), np.nan)):
        nominal = [False, True][: X.shape[1]]
        labels, _ = answers(sg.KNN(3), schema_of(nominal, 2), prequential(4), X, y)
        assert labels.tolist() == [-1, 1, 1, 1]
    # A value where the window has none tells nothing; MOA would compute NaN.
    X = np.array([[np.nan, 0.0], [np.nan, 5.0], [7.0, 5.0]])
    labels, _ = answers(
        sg.KNN(1), schema_of([False, False], 2), prequential(3), X, np.array([0, 1, 0], np.int32)
    )
    assert labels.tolist() == [-1, 0, 1]


@pytest.mark.filterwarnings("ignore:overflow")  # said where kernels are run as plain Python
def test_numbers_of_any_size() -> None:
    """A range that overflows, one that is almost nothing, and a value far outside."""
    for scale in (1.7e308, 5e-324, 1e-300):
        X = np.array([[-1.0], [1.0], [-0.9], [0.9], [1.0]]) * scale
        y = np.array([0, 1, 0, 1, 1], np.int32)
        labels, proba = answers(sg.KNN(1), schema_of([False], 2), prequential(5), X, y)
        assert labels.tolist() == [-1, 0, 0, 1, 1]
    X = np.array([[0.0], [1e-300], [1e300]])
    y = np.array([0, 0, 1], np.int32)
    labels, proba = answers(sg.KNN(1), schema_of([False], 2), prequential(3), X, y)
    assert labels.tolist() == [-1, 0, 0]
    assert proba[2].tolist() == [1, 0]


def test_thousands_of_features() -> None:
    random = np.random.default_rng(0)
    y = random.integers(0, 2, 300).astype(np.int32)
    X = random.normal(size=(300, 2000)) + 0.2 * y[:, np.newaxis]
    stream = sg.from_arrays(X, y, task="classification")
    assert sg.evaluate(stream, sg.KNN(window_size=100)).overall["accuracy"] > 0.8


def test_the_window_forgets_and_a_copy_goes_on_alone() -> None:
    X, y = np.zeros((8, 1)), np.array([0, 0, 0, 0, 1, 1, 1, 1], np.int32)
    learner = sg.KNN(3, 3)
    learner.start(schema_of([False], 2), 1)
    learner.learn(X[:4], y[:4], np.ones(4))
    copy = pickle.loads(pickle.dumps(learner))
    copy.learn(X[4:], y[4:], np.ones(4))
    assert learner.predict(X[:1]).tolist() == [[1, 0]]
    assert copy.predict(X[:1]).tolist() == [[0, 1]]
    assert copy.nbytes == learner.nbytes > 0


@pytest.mark.parametrize(
    ("k", "window", "complaint"),
    [
        (0, 10, r"KNN\(n_neighbors=0\): expected an integer, 1 or more"),
        (3, -1, r"KNN\(window_size=-1\): expected an integer"),
        (2.5, 10, r"KNN\(n_neighbors=2.5\): expected an integer"),
        ("3", 10, r"KNN\(n_neighbors='3'\): expected an integer"),
        (11, 10, r"expected n_neighbors <= window_size.*Majority\(forget=Window\(10\)\)"),
    ],
)
def test_bad_parameters(k: Any, window: Any, complaint: str) -> None:
    with pytest.raises(sg.UsageError, match=complaint):
        sg.KNN(k, window)


def test_names() -> None:
    assert repr(sg.KNN()) == "KNN()"
    assert repr(sg.KNN(10, 500)) == "KNN(window_size=500)"
    assert (
        repr(parse_learner("KNN(n_neighbors=3, window_size=50)"))
        == "KNN(n_neighbors=3, window_size=50)"
    )
