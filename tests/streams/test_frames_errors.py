"""Errors of from_frame, from_arrays and from_rows: what is wrong and where."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import streamgauge as sg
from tests.messages import error_of, usage_error

INF, NAN = float("inf"), float("nan")
X = np.zeros((4, 2))


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame])
class TestFrames:
    def test_unknown_target(self, make: Any) -> None:
        message = usage_error(sg.from_frame, make({"a": [1], "label": [2]}), "lable", name="mine")
        assert message == "mine: no column 'lable' (did you mean 'label'?)"

    def test_no_rows(self, make: Any) -> None:
        assert error_of(sg.from_frame, make({"a": [], "y": []}), "y", name="mine").startswith(
            "mine: no rows"
        )

    def test_single_class(self, make: Any) -> None:
        message = error_of(sg.from_frame, make({"a": [1, 2], "y": [7, 7]}), "y")
        assert "target 'y' is 7 in every row; expected two or more classes" in message

    def test_infinite_value(self, make: Any) -> None:
        frame = make({"a": [1.0, NAN, -INF], "y": [0, 1, 0]})
        assert "row 2: column 'a' is infinite" in error_of(sg.from_frame, frame, "y")
        frame = make({"a": [1.0, 2.0], "y": [0.5, INF]})
        assert "row 1: column 'y' is infinite" in error_of(sg.from_frame, frame, "y")

    def test_undeclared_label(self, make: Any) -> None:
        frame = make({"a": [1, 2, 3], "y": ["u", None, "w"]})
        message = error_of(sg.from_frame, frame, "y", classes=["u", "v"])
        assert "row 2: label 'w' is not one of the declared classes (u, v)" in message
        frame = make({"a": [1, 2, 3], "y": [0, 1, 7]})
        assert "row 2: label '7' " in error_of(sg.from_frame, frame, "y", classes=[0, 1])

    def test_unsupported_column_type(self, make: Any) -> None:
        frame = make({"a": np.array([1, 2], "M8[us]"), "y": [0, 1]})
        message = error_of(sg.from_frame, frame, "y")
        assert "column 'a' has type timestamp[us]" in message
        assert "drop=['a']" in message

    def test_missing_arrival_time(self, make: Any) -> None:
        frame = make({"a": [1, 2], "t": [5, None], "y": [0, 1]})
        message = error_of(sg.from_frame, frame, "y", arrives="t")
        assert "row 1: no arrival time in column 't'" in message

    def test_contradicting_options(self, make: Any) -> None:
        frame = make({"a": [1, 2], "y": ["u", "v"]})
        assert "target 'y' is text" in usage_error(sg.from_frame, frame, "y", task="regression")
        assert "classes=['u']" in usage_error(sg.from_frame, frame, "y", classes=["u"])
        assert "task='guess'" in usage_error(sg.from_frame, frame, "y", task="guess")


def test_repeated_pandas_columns() -> None:
    frame = pd.DataFrame([[1, 2, 0], [3, 4, 1]], columns=["a", "a", "y"])
    assert "column name 'a' appears more than once" in error_of(sg.from_frame, frame, "y")
    as_text = pd.DataFrame([[1, 2, 0], [3, 4, 1]], columns=[1, "1", "y"])
    assert "column name '1' appears more than once" in error_of(sg.from_frame, as_text, "y")


def test_pandas_columns_of_mixed_types() -> None:
    frame = pd.DataFrame({"a": [1, None, "x"], "y": [0, 1, 0]})
    assert "row 2: 'a' is 'x' after values such as 1" in error_of(sg.from_frame, frame, "y")
    frame = pd.DataFrame({"a": [1, 2, 3], "y": ["u", "v", 5]})
    assert "row 2: 'y' is 5 after values such as 'u'" in error_of(sg.from_frame, frame, "y")


def test_target_that_is_not_a_string() -> None:
    frame = pd.DataFrame(np.eye(3))
    assert "no column 2 (did you mean '2'?)" in usage_error(sg.from_frame, frame, 2)


@pytest.mark.parametrize("thing", [X, {"a": [1]}, pl.LazyFrame({"a": [1]}), "file.csv", None])
def test_not_a_data_frame(thing: Any) -> None:
    message = error_of(sg.from_frame, thing, "y")
    assert f"expected a pandas, polars or Arrow data frame, got {type(thing).__name__}" in message


def test_arrays_of_mismatched_lengths() -> None:
    assert "X has shape (4, 2) and y (3,)" in error_of(sg.from_arrays, X, [0, 1, 0])
    assert "X has shape (4,)" in error_of(sg.from_arrays, X[:, 0], [0, 1, 0, 1])
    assert "and y (4, 1)" in error_of(sg.from_arrays, X, [[0], [1], [0], [1]])
    for name in ("arrives", "revealed"):
        message = error_of(sg.from_arrays, X, [0, 1, 0, 1], **{name: [1, 2, 3]})
        assert message == (
            f"{name}: got int64 of shape (3,); expected 4 integers, datetime64 times or ISO 8601 "
            "texts"
        )
        fraction = error_of(sg.from_arrays, X, [0, 1, 0, 1], **{name: [1, 2, 3, 4.5]})
        assert f"row 3: column {name!r} is '4.5'; expected an integer" in fraction
    assert "expected 2 different names" in usage_error(
        sg.from_arrays, X, [0, 1, 0, 1], features=["a"]
    )
    assert "different names" in usage_error(sg.from_arrays, X, [0, 1, 0, 1], features=["a", "a"])
    assert error_of(sg.from_arrays, np.empty((0, 2)), [], name="mine").startswith("mine: no rows")


def test_arrays_with_invalid_cells() -> None:
    infinite = X.copy()
    infinite[2, 1] = -INF
    message = error_of(sg.from_arrays, infinite, [0, 1, 0, 1], features=["u", "v"])
    assert message.startswith("row 2: feature 'v' is infinite; expected a finite number")
    assert "use from_frame for nominal ones" in error_of(sg.from_arrays, [["a"]], [0])
    for y in ([1.0, 0.0, INF, 1.0], [0.5, 0.25, INF, 1.0], [1, None, -INF, 0]):
        assert error_of(sg.from_arrays, X, y).startswith("row 2: y is infinite")
    assert "target 'y' is 'u' in every row" in error_of(sg.from_arrays, X, ["u"] * 4)
    assert "target 'y' is empty in every row" in error_of(sg.from_arrays, X, [None] * 4)
    moments = np.array(["2020-01-01", "2020-01-02", "NaT", "NaT"], "M8[s]")
    message = error_of(sg.from_arrays, X, [0, 1, 0, 1], arrives=moments)
    assert message.startswith("row 2: no arrival time; expected one in every row")


@pytest.mark.parametrize(
    ("y", "classes", "complaint"),
    [
        ([0, 1, 7, 9], [0, 1], "row 2: label 7 is not one of the declared classes (0, 1)"),
        (
            [NAN, 1, 0, 7],
            [0, 1],
            "row 3: label 7 is not",
        ),  # not the index among known labels
        ([0, 0.5, 1, 1], [0, 1], "row 1: label 0.5 is not"),  # never rounded to a class
        ([0, 1, 2**40, 1], [0, 1], f"row 2: label {2**40} is not"),
        (["u", None, "v", "w"], ["u", "v"], "row 3: label 'w' is not one of the declared classes"),
        ([True, False, True, True], ["yes", "no"], "row 0: label True is not"),
    ],
)
def test_arrays_with_undeclared_labels(y: Any, classes: list[Any], complaint: str) -> None:
    assert complaint in error_of(sg.from_arrays, X, y, classes=classes)


def test_arrays_with_invalid_options() -> None:
    y = [0, 1, 0, 1]
    assert "task='guess'" in usage_error(sg.from_arrays, X, y, task="guess")
    for classes in ([], [0], [0, 1, 1]):
        assert f"classes={classes}" in usage_error(sg.from_arrays, X, y, classes=classes)
    assert "y is text" in usage_error(sg.from_arrays, X, list("abab"), task="regression")
    both = usage_error(sg.from_arrays, X, y, classes=[0, 1], task="regression")
    assert "contradict" in both


def test_invalid_rows() -> None:
    def message(*rows: Any) -> str:
        return error_of(sg.from_rows, rows)

    first = ({"a": 1}, "u")
    assert "row 1: 'a' is 'x' after values such as 1" in message(first, ({"a": "x"}, "v"))
    assert "row 2: 'label' is 3 after values such as 'u'" in message(first, first, ({}, 3))
    assert "row 1: 'a' is {} after values such as 1" in message(first, ({"a": {}}, "v"))
    assert "column 'a' has type list" in message(({"a": [1]}, "u"), ({"a": [2]}, "v"))
    assert "row 1: column 'a' is infinite" in message(first, ({"a": INF}, "v"))
    assert "row 1: got {'a': 1}; expected a (dict, label) pair" in message(first, {"a": 1})
    assert "row 1: got (3, 'u'); expected a (dict, label) pair" in message(first, (3, "u"))
    assert message().startswith("rows: no rows")
    assert "is 'u' in every row" in message(first, first)
    declared = error_of(sg.from_rows, [first, ({"a": 2}, "w")], classes=["u", "v"])
    assert "row 1: label 'w' is not one of the declared classes (u, v)" in declared


def _objects(names: list[str], rows: list[list[object]]) -> pd.DataFrame:
    """A frame of Python's own strings: others cannot hold half a character."""
    return pd.DataFrame(rows, columns=pd.Index(names, dtype=object), dtype=object)


@pytest.mark.parametrize(
    "make",
    [
        lambda: sg.from_arrays([[1], [2]], ["\ud800", "b"]),
        lambda: sg.from_frame(_objects(["x\ud800", "y"], [[1, "a"], [2, "b"]]), target="y"),
        lambda: sg.from_frame(_objects(["x", "y"], [["\ud800", "a"], ["b", "b"]]), target="y"),
        lambda: sg.from_rows([({"\ud800": 1.0}, "a"), ({"\ud800": 2.0}, "b")]),
    ],
)
def test_half_a_character_is_named(make: Any) -> None:
    assert "\\ud800' is not valid Unicode" in error_of(make)
