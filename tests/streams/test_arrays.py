"""Arrays of every kind: converted right, or refused in words."""

from __future__ import annotations

from collections.abc import Callable
from datetime import time
from decimal import Decimal
from enum import Enum
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse as sp

import streamgauge as sg
from streamgauge.streams.arrays import feature_matrix, plain_array
from tests.streams.tables import numbers, whole

X = np.arange(4.0)[:, None]
Y = ["u", "v", "u", "v"]
MASK = [True, False, False, False]


def error_of(make: Callable[..., Any], *given: Any, **options: Any) -> str:
    with pytest.raises(sg.StreamgaugeError) as caught:
        make(*given, **options)
    return str(caught.value)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (np.ma.masked_array(X, X == 3), [0, 1, 2, None]),
        (
            np.ma.masked_array([[5], [6], [7], [8]], [[False], [True], [False], [False]]),
            [5, None, 7, 8],
        ),
        (X.astype(">f8"), [0, 1, 2, 3]),
        (X.astype(">i4"), [0, 1, 2, 3]),
        (X.astype(np.float16), [0, 1, 2, 3]),
        (X.astype(np.longdouble), [0, 1, 2, 3]),
        (X > 1, [0, 0, 1, 1]),
        ([[1], [None], [2.5], [Decimal("0.5")]], [1, None, 2.5, 0.5]),
        (pd.DataFrame({"a": pd.array([1, None, 3, 4], dtype="Int64")}), [1, None, 3, 4]),
        (pd.DataFrame({"a": pd.arrays.SparseArray([0, 0, 5, 0])}), [0, 0, 5, 0]),
        (pd.DataFrame({"a": np.arange(4, dtype=">i8")}), [0, 1, 2, 3]),
        (pl.DataFrame({"a": pl.Series([1, None, 3, 4], dtype=pl.Int128)}), [1, None, 3, 4]),
        (pa.table({"a": [True, None, False, True]}), [1, None, 0, 1]),
    ],
)
def test_features_of_any_kind(given: Any, expected: list[float | None]) -> None:
    assert numbers(whole(sg.from_arrays(given, Y)).X[:, 0]) == expected


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        (X * 1j, "X holds complex numbers (complex128); expected numbers"),
        (X.astype("M8[s]"), "X holds times (datetime64[s])"),
        (X.astype("m8[s]"), "X holds durations (timedelta64[s])"),
        (np.zeros(4, [("a", "f8")]), "X holds records"),
        (sp.csr_matrix(X), "X is a sparse matrix (csr_matrix); expected a dense array: pass X.to"),
        ([[1], [1, 2], [3], [4]], "X: setting an array element with a sequence"),
        ([[1], [2**70 + 1], [3], [4]], "row 1: X is 1180591620717411303425, an integer beyond"),
        ([[0.5], [2**53 + 1], [3], [4]], "row 1: X is 9007199254740993, an integer beyond 2^53"),
        (pd.DataFrame({"a": list("abcd")}), "X: column 'a': Failed to parse string"),
        (pd.DataFrame({"a": [0.5] * 4, "b": [2**53 + 1] * 4}), "row 0: column 'b' is 90071992547"),
        (pd.DataFrame({"a": pd.to_datetime(["2020"] * 4)}), "X: column 'a': "),
        ([[1], [float("inf")], [2**60], [4]], "row 1: feature 'x0' is infinite"),
        ([["a"]] * 4, "X: could not convert string to float"),
    ],
)
def test_features_that_are_refused(given: Any, complaint: str) -> None:
    assert complaint in error_of(sg.from_arrays, given, Y)


class Colour(Enum):
    RED = 1


LABELS: list[tuple[Any, tuple[Any, ...], list[int]]] = [
    (np.ma.masked_array([0, 1, 0, 1], MASK), (0, 1), [-1, 1, 0, 1]),
    (np.ma.masked_array(Y, MASK), ("u", "v"), [-1, 1, 0, 1]),
    (np.ma.masked_array([2**53 + 1, 2**53, 5, 5], MASK), (5, 2**53), [-1, 1, 0, 0]),
    (np.array([0, 1, 0, 1], ">i4"), (0, 1), [0, 1, 0, 1]),
    (np.array([0, 1, np.nan, 1], ">f8"), (0, 1), [0, 1, -1, 1]),
    (np.array(Y, ">U1"), ("u", "v"), [0, 1, 0, 1]),
    (np.array([2**63, 2**63 + 1] * 2, np.uint64), (2**63, 2**63 + 1), [0, 1, 0, 1]),
    (np.array([3, 4] * 2, np.uint64), (3, 4), [0, 1, 0, 1]),
    ([2**63, -1, 2**63, 7], (-1, 7, 2**63), [2, 0, 2, 1]),
    ([2**70, 2**70 + 1] * 2, (str(2**70), str(2**70 + 1)), [0, 1, 0, 1]),
    ([2**53, None, 2**53 + 1, None], (2**53, 2**53 + 1), [0, -1, 1, -1]),
    (pl.Series([2**53, None, 2**53 + 1, 1]), (1, 2**53, 2**53 + 1), [1, -1, 2, 0]),
    (pa.array([2**53, None, 2**53 + 1, 1]), (1, 2**53, 2**53 + 1), [1, -1, 2, 0]),
    (np.array([0, 1, 0, 1], np.float16), (0, 1), [0, 1, 0, 1]),
    ([Decimal(1), Decimal("2.0"), None, Decimal(1)], (1, 2), [0, 1, -1, 0]),
    (np.array([True, None, False, None], object), (False, True), [1, -1, 0, -1]),
    (pd.Series([True, None, False, True], dtype="boolean"), (False, True), [1, -1, 0, 1]),
    (pd.arrays.SparseArray([0, 1, 0, 1]), (0, 1), [0, 1, 0, 1]),
    (np.array(Y, dtype=np.dtypes.StringDType()), ("u", "v"), [0, 1, 0, 1]),
]


@pytest.mark.parametrize(("y", "classes", "codes"), LABELS)
def test_labels_of_any_kind(y: Any, classes: tuple[Any, ...], codes: list[int]) -> None:
    stream = sg.from_arrays(X, y)
    assert stream.schema.classes == classes
    assert whole(stream).y.tolist() == codes


@pytest.mark.parametrize(
    ("y", "complaint"),
    [
        (np.array([0, 1j] * 2), "y holds complex numbers"),
        (np.array([b"a", b"b"] * 2), "y holds bytes such as b'a'; expected text, numbers or boo"),
        (np.arange(4).astype("M8[D]"), "y holds times (datetime64[D])"),
        ([{"a": 1}] * 4, "row 0: y is {'a': 1} (dict); expected labels of one type"),
        ([Colour.RED] * 4, "row 0: y is <Colour.RED: 1> (Colour)"),
        (np.array([True, 1, 0, 1], object), "row 1: y is 1 (int) after True; expected labels of o"),
        (np.array([1, "a", 1, "a"], object), "row 1: y is 'a' (str) after 1; expected labels of"),
        ([2**53 + 1, 0.5, 1, 2], "row 0: y is 9007199254740993, an integer beyond 2^53, beside"),
        (sp.csr_matrix([[0, 1, 0, 1]]), "y is a sparse matrix"),
    ],
)
def test_labels_that_are_refused(y: Any, complaint: str) -> None:
    assert complaint in error_of(sg.from_arrays, X, y)
    assert complaint.replace("y ", "", 1).split(":")[-1][:20] in error_of(sg.score, y, y)


@pytest.mark.parametrize(
    ("times", "complaint"),
    [
        ([True] * 4, "column 'arrives' has type bool; expected integers, dates, timestamps"),
        (np.arange(4).astype("m8[s]"), "column 'arrives' has type duration[s]"),
        ([time(1)] * 4, "column 'arrives' has type time64[us]"),
        (np.array(["3000-01-01"] * 4, "M8[D]"), "row 0: arrives is 3000-01-01; expected a time b"),
        (np.array([2**63] * 4, np.uint64), "row 0: column 'arrives' is '9223372036854775808'"),
    ],
)
def test_times_that_are_refused(times: Any, complaint: str) -> None:
    assert complaint in error_of(sg.from_arrays, X, Y, arrives=times)


def test_masked_and_big_endian_times() -> None:
    arrives = np.arange(4, dtype=">i8")
    revealed = np.ma.masked_array(arrives + 2, MASK)
    block = whole(sg.from_arrays(X, Y, arrives=arrives, revealed=revealed))
    assert block.arrives is not None
    assert block.revealed is not None
    assert block.arrives.tolist() == [0, 1, 2, 3]
    assert block.revealed.tolist() == [np.iinfo(np.int64).max, 3, 4, 5]


def test_masked_probabilities_are_abstentions() -> None:
    proba = np.ma.masked_array([0.9, 0.2, 0.1, 0.8], MASK)
    run = sg.score([1, 0, 0, 1], y_proba=proba)
    assert run.predictions["prediction"].to_pylist() == [None, 0, 0, 1]
    assert "complex numbers" in error_of(sg.score, [1, 0], y_proba=np.array([1j, 0]))


def test_arrays_of_this_machine_are_not_copied() -> None:
    assert np.shares_memory(feature_matrix(X, "X"), X)
    assert plain_array(X, "X") is X
