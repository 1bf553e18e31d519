"""The sparse encoding names the columns that the dense one sets."""

from __future__ import annotations

import numpy as np

import streamgauge as sg
from streamgauge.learners.adapters._dense import Dense
from streamgauge.learners.neural._one_hot import OneHot


def test_it_is_the_dense_encoding() -> None:
    schema = sg.Schema(("a", "b", "c"), (("x", "y", "z"), (), ("u", "v")), (0, 1))
    X = np.array([[0, 0.5, 1], [2, np.nan, 0], [np.nan, -np.inf, np.nan], [1, 0, 1]], float)
    columns, values = OneHot(schema)(X)
    out = np.zeros((4, OneHot(schema).width))
    for row, at, numbers in zip(out, columns, values, strict=True):
        row[at[at >= 0]] = numbers[at >= 0]
    np.testing.assert_array_equal(out, Dense(schema)(X))
    assert OneHot(schema).numeric.tolist() == [3]
