"""NaiveBayes against its oracle, with and without the short cut."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import streamgauge as sg
from streamgauge._support.types import Block, Codes, Floats, Schema
from streamgauge.prequential.labels import LabelPolicy
from streamgauge.streams.frames import ArrayStream
from streamgauge.testing import example_stream
from tests.learners.first_predictions import POLICIES, first_predictions
from tests.oracles import naive_bayes as bayes_oracle


@given(st.integers(0, 9999), st.sampled_from(POLICIES))
def test_every_prediction_is_the_oracles(seed: int, policy: LabelPolicy) -> None:
    """Numbers, a constant, nominal and missing values, late and lost labels."""
    stream = example_stream(60, seed)
    whole = next(stream.blocks(100))
    events, answers, probabilities_of = first_predictions(sg.NaiveBayes(), stream, policy)
    expected = bayes_oracle.predictions(
        events, whole.X.tolist(), whole.y.tolist(), list(stream.schema.cardinality), 3
    )
    for row, (label, probabilities) in expected.items():
        assert answers[row] == label
        np.testing.assert_allclose(probabilities_of[row], probabilities, rtol=1e-9, atol=1e-300)


@given(
    st.integers(0, 9999),
    st.sampled_from([1e-160, 1e-4, 1.0, 1e4, 1e100]),
    st.integers(1, 12),
    st.sampled_from([2, 3]),
)
def test_short_cut_gives_the_labels_of_the_full_product(
    seed: int, scale: float, d: int, k: int
) -> None:
    """Labels without probabilities take the short cut."""
    random = np.random.default_rng(seed)
    n = 60
    y = random.integers(0, k, n).astype(np.int32)
    X = (random.normal(size=(n, d)) + 0.3 * y[:, np.newaxis]) * scale
    X[random.random((n, d)) < 0.05] *= 40  # outliers: products that underflow
    X[random.random(n) < 0.2] = X[0]  # ties
    _assert_labels_of_the_oracle(X, y, k)


@given(
    st.integers(0, 9999), st.sampled_from([5.0, 20.0, 30.0, 40.0, 1e3, 1e60]), st.integers(1, 12)
)
def test_short_cut_where_products_underflow(seed: int, apart: float, d: int) -> None:
    """Classes far apart, and rows between them that are far from all: the best may underflow, too.

    A tree with a single leaf has a short cut of its own.
    """
    random = np.random.default_rng(seed)
    n, k = 60, 3
    y = random.integers(0, k, n).astype(np.int32)
    spread = random.choice([0.1, 1.0, 3.0], (k, d))
    X = random.normal(size=(n, d)) * spread[y] + apart * y[:, np.newaxis]
    between = random.random(n) < 0.3
    X[between] = apart * random.uniform(-1, k, (between.sum(), 1))
    got = _assert_labels_of_the_oracle(X, y, k)
    leaf = sg.HoeffdingTree(grace_period=10**7, leaf_prediction="nb")
    run = sg.evaluate(sg.from_arrays(X, y, classes=[0, 1, 2]), leaf)
    assert [-1 if p is None else p for p in run.predictions["prediction"].to_pylist()] == got


@given(st.integers(0, 9999), st.sampled_from([1e-200, 1e-4, 1.0, 1e100]), st.integers(1, 4))
def test_short_cut_with_features_that_are_constant_at_first(
    seed: int, scale: float, constant: int
) -> None:
    """In one class or in all, at 0 or elsewhere, for a while or until the end."""
    random = np.random.default_rng(seed)
    n, k = 90, 3
    y = random.integers(0, k, n).astype(np.int32)
    X = random.normal(size=(n, 6)) + 0.5 * y[:, np.newaxis]
    for j in range(constant):
        among = (y == random.integers(0, k)) | bool(random.random() < 0.5)
        still = among & (np.arange(n) < random.choice([20, 60, n]))
        X[still, j] = random.choice([0.0, 0.7])
    X[random.random(X.shape) < 0.01] = np.nan
    _assert_labels_of_the_oracle(X * scale, y, k)


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
    _assert_labels_of_the_oracle(X, y, k, names, values)


def _assert_labels_of_the_oracle(
    X: Floats,
    y: Codes,
    k: int,
    names: tuple[str, ...] | None = None,
    values: tuple[tuple[str, ...], ...] | None = None,
) -> list[int]:
    """Compare and return the labels; without probabilities, under immediate labels.

    By default all features are numeric.
    """
    n, d = X.shape
    schema = Schema(names or tuple("abcdefghijkl"[:d]), values or ((),) * d, tuple(range(k)))
    events = [event for i in range(n) for event in (("P", i), ("L", i))]
    expected = bayes_oracle.predictions(events, X.tolist(), y.tolist(), list(schema.cardinality), k)
    run = sg.evaluate(ArrayStream("rows", schema, Block(0, X, y)), sg.NaiveBayes())
    column = run.predictions.column("prediction").to_pylist()
    got = [-1 if label is None else label for label in column]
    assert got == [expected[i][0] for i in range(n)]
    return got
