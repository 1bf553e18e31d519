"""The readout is a ridge regression on rows that fade; it grows with the columns seen."""

from __future__ import annotations

import numpy as np
import pytest

import streamgauge as sg
from streamgauge._support.types import Codes, Floats
from streamgauge.learners.neural._readout import Readout


def drawn(n: int = 40) -> tuple[Floats, tuple[Codes, Floats], Codes, Floats]:
    """States of three units, a numeric column and a nominal one of ten values, often missing."""
    random = np.random.default_rng(1)
    nominal = random.integers(-1, 10, n)
    columns = np.column_stack([np.zeros(n), np.where(nominal < 0, -1, nominal + 1)])
    values = np.column_stack([random.normal(size=n), np.ones(n)])
    labels = random.integers(0, 3, n).astype(np.int32)
    return random.normal(size=(n, 3)), (columns.astype(np.int32), values), labels, random.random(n)


def dense(states: Floats, sparse: tuple[Codes, Floats]) -> Floats:
    out = np.zeros((len(states), 3 + 11 + 1))
    out[:, :3], out[:, -1] = states, 1
    for row, columns, values in zip(out, *sparse, strict=True):
        for column, value in zip(columns, values, strict=True):
            if column >= 0:
                row[3 + column] = value
    return out


def test_readout_is_a_faded_ridge_regression() -> None:
    states, (columns, values), labels, weight = drawn()
    readout = Readout(3, 11, np.array([0]), 3, ridge=0.3)
    assert not readout.is_fitted
    for rows, faded in ((slice(0, 6), 1.0), (slice(6, 20), 1.0), (slice(20, 40), 0.5)):
        part = columns[rows], values[rows]
        readout.learn(states[rows], part, labels[rows], weight[rows], faded)
    inputs = dense(states, (columns, values))
    kept = (weight * np.repeat([0.5, 1.0], 20))[:, None]
    gram = (inputs * kept).T @ inputs + 0.3 * np.eye(15)
    outputs = (inputs @ np.linalg.solve(gram, (inputs * kept).T @ np.eye(3)[labels])).clip(0)
    expected = outputs / outputs.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(readout.predict(states, (columns, values)), expected, atol=1e-9)


def test_columns_never_learned_have_no_effect() -> None:
    states, (columns, values), labels, weight = drawn()
    readout = Readout(3, 11, np.array([0]), 3, ridge=0.3)
    few = np.where(columns > 5, -1, columns)
    readout.learn(states, (few, values), labels, weight, 1.0)
    np.testing.assert_array_equal(
        readout.predict(states, (columns, values)), readout.predict(states, (few, values))
    )


def test_a_square_that_does_not_fit_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("streamgauge._support.free_memory.free_memory", lambda: 10**8)
    readout = Readout(3, 5000, np.array([0]), 2, ridge=1.0)
    columns = np.arange(4000, dtype=np.int32)[:, None]
    with pytest.raises(sg.UsageError, match=r"4,004 × 4,004 numbers .* expected fewer nominal"):
        readout.learn(
            np.zeros((4000, 3)), (columns, np.ones((4000, 1))), np.zeros(4000, np.int32),
            np.ones(4000), 1.0,
        )  # fmt: skip
