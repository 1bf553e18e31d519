"""Majority, Persistent, Transition and naive Bayes against their slow oracles, under any agenda."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import streamgauge as sg
from streamgauge._support.types import PREDICT, Block, Floats, Schema
from streamgauge.learners.base import Events, Learner, Player
from streamgauge.prequential.labels import LabelPolicy
from streamgauge.streams.frames import ArrayStream
from streamgauge.testing import _agendas, example_stream
from tests.oracles import naive_bayes as bayes_oracle
from tests.oracles import references as oracle

POLICIES: list[LabelPolicy] = [
    sg.Immediate(), sg.Delay(3), sg.Chunks(5), sg.FromStream(), sg.Sampled(0.6),
]  # fmt: skip


def first_predictions(
    learner: Learner | Player, stream: sg.Stream, policy: LabelPolicy
) -> tuple[list[tuple[str, int]], dict[int, int], dict[int, Floats]]:
    """The events as they were played, and of each row its answer and probabilities."""
    assert isinstance(learner, Player)
    learner.start(stream.schema, 1)
    events, answers, shares = [], {}, {}
    for room, (ops, slots, homes, ids, weight, _, _) in _agendas(stream, policy, 13):
        label = np.empty(len(ops), np.int32)
        proba = np.empty((len(ops), len(stream.schema.classes)))
        learner.play(Events(room.X, room.y, ops, slots, homes, weight, label, proba))
        for e in range(len(ops)):
            events.append(("P" if ops[e] == PREDICT else "L", int(ids[e])))
            if ops[e] == PREDICT:
                answers[int(ids[e])], shares[int(ids[e])] = int(label[e]), proba[e]
    return events, answers, shares


@given(st.integers(1, 80), st.integers(1, 5), st.integers(0, 9999), st.sampled_from(POLICIES))
def test_references(n: int, k: int, seed: int, policy: LabelPolicy) -> None:
    random = np.random.default_rng(seed)
    y = random.integers(-1, k, n).astype(np.int32)
    times = np.arange(n)
    block = Block(0, np.empty((n, 0)), y, times, times + random.integers(0, 9, n))
    stream = ArrayStream("labels", Schema((), (), tuple(range(k)), True), block)
    references: dict[str, Player] = {
        "majority": sg.Majority(), "persistent": sg.Persistent(), "transition": sg.Transition(),
    }  # fmt: skip
    for name, learner in references.items():
        events, answers, shares = first_predictions(learner, stream, policy)
        assert answers == oracle.predictions(name, events, y.tolist(), k)
        for row, answer in answers.items():
            assert (
                np.isnan(shares[row]).all()
                if answer < 0
                else shares[row][answer] == max(shares[row])
            )
    for kind, parameter, forgetful in (
        ("window", 4, sg.Majority(window_size=4)), ("fading", 0.8, sg.Majority(fading=0.8)),
    ):  # fmt: skip
        events, answers, _ = first_predictions(forgetful, stream, policy)
        assert answers == oracle.majority_forgetting(events, y.tolist(), k, kind, parameter)


@settings(max_examples=30)
@given(st.integers(0, 9999), st.sampled_from(POLICIES))
def test_naive_bayes_with_everything_at_once(seed: int, policy: LabelPolicy) -> None:
    """Numbers, a constant, nominal and missing values, late and lost labels."""
    stream = example_stream(60, seed)
    whole = next(stream.blocks(100))
    events, answers, shares = first_predictions(sg.NaiveBayes(), stream, policy)
    expected = bayes_oracle.predictions(
        events, whole.X.tolist(), whole.y.tolist(), list(stream.schema.cardinality), 3
    )
    for row, (label, probabilities) in expected.items():
        assert answers[row] == label
        np.testing.assert_allclose(shares[row], probabilities, rtol=1e-9, atol=1e-300)


@settings(max_examples=60)
@given(
    st.integers(0, 9999),
    st.sampled_from([1e-160, 1e-4, 1.0, 1e4, 1e100]),
    st.integers(1, 12),
    st.sampled_from([2, 3]),
)
def test_short_cut_of_naive_bayes(seed: int, scale: float, d: int, k: int) -> None:
    """Labels without probabilities take the short cut; they are those of the full product."""
    random = np.random.default_rng(seed)
    n = 60
    y = random.integers(0, k, n).astype(np.int32)
    X = (random.normal(size=(n, d)) + 0.3 * y[:, np.newaxis]) * scale
    X[random.random((n, d)) < 0.05] *= 40  # outliers: products that underflow
    X[random.random(n) < 0.2] = X[0]  # ties
    stream = ArrayStream(
        "numbers", Schema(tuple("abcdefghijkl"[:d]), ((),) * d, tuple(range(k))), Block(0, X, y)
    )
    expected = bayes_oracle.predictions(
        [event for i in range(n) for event in (("P", i), ("L", i))],
        X.tolist(),
        y.tolist(),
        [0] * d,
        k,
    )
    run = sg.evaluate(stream, sg.NaiveBayes())
    column = run.predictions.column("prediction").to_pylist()
    got = [-1 if label is None else label for label in column]
    assert got == [expected[i][0] for i in range(n)]


@settings(max_examples=60)
@given(st.integers(0, 9999), st.sampled_from([1e-160, 1.0, 1e100]), st.integers(0, 9))
def test_short_cut_beside_nominal_features(seed: int, scale: float, nominal: int) -> None:
    """Many nominal features make products too small for it, missing values forbid it."""
    random = np.random.default_rng(seed)
    n, k = 60, 3
    y = random.integers(0, k, n).astype(np.int32)
    numbers = (random.normal(size=(n, 2)) + 0.3 * y[:, np.newaxis]) * scale
    X = np.column_stack([numbers, random.integers(0, 40, (n, nominal))])
    X[random.random(X.shape) < 0.02] = np.nan
    X[random.random(n) < 0.2] = X[0]
    names = tuple("abcdefghijk"[: 2 + nominal])
    values = ((), ()) + (tuple(map(str, range(40))),) * nominal
    stream = ArrayStream("mixed", Schema(names, values, (0, 1, 2)), Block(0, X, y))
    expected = bayes_oracle.predictions(
        [event for i in range(n) for event in (("P", i), ("L", i))],
        X.tolist(), y.tolist(), [0, 0] + [40] * nominal, k,
    )  # fmt: skip
    column = sg.evaluate(stream, sg.NaiveBayes()).predictions.column("prediction").to_pylist()
    assert [-1 if label is None else label for label in column] == [
        expected[i][0] for i in range(n)
    ]


def test_persistent_may_start_as_a_class_and_be_an_oracle() -> None:
    y = np.array([1, 0, 0, 1, 1], np.int32)
    stream = ArrayStream("labels", Schema((), (), (0, 1)), Block(0, np.empty((5, 0)), y))
    _, answers, _ = first_predictions(sg.Persistent(start_as=0), stream, sg.Delay(2))
    assert answers == {0: 0, 1: 0, 2: 1, 3: 0, 4: 0}
    _, answers, _ = first_predictions(sg.Persistent(oracle=True), stream, sg.Delay(2))
    assert answers == {0: -1, 1: 1, 2: 0, 3: 0, 4: 1}
    run = sg.evaluate(stream, sg.Majority(), labels=sg.Delay(2), oracle=True)
    assert run.references["Persistent"]["accuracy"] == pytest.approx(2 / 5)


def test_regression_references() -> None:
    y = np.array([1.0, 3.0, 5.0, 5.0])
    stream = sg.from_arrays(np.zeros((4, 1)), y, task="regression")
    run = sg.evaluate(stream, sg.Mean())
    table = run.predictions.to_pydict()
    assert np.isnan(table["prediction"][0])
    assert table["prediction"][1:] == [1.0, 2.0, 3.0]
    assert table["lastvalue"][1:] == [1.0, 3.0, 5.0]
    assert run.overall["mae"] == pytest.approx((2 + 3 + 2) / 3)
    assert run.references["LastValue"]["mae"] == pytest.approx((2 + 2 + 0) / 3)
    assert run.overall["coverage"] == pytest.approx(3 / 4)
