"""Streams from memory: pandas and polars frames, Arrow tables, arrays, River's (dict, label)s."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import streamgauge as sg
from streamgauge._support.types import NEVER
from streamgauge.testing import check_stream
from tests.streams.tables import numbers, whole

NAN = float("nan")


def test_pandas_frame() -> None:
    frame = pd.DataFrame(
        {
            "city": pd.Categorical(["b", "a", None, "b"], categories=["z", "b", "a"]),
            "size": pd.Categorical([10, 9, 10, None]),
            "open": [True, False, True, True],
            "maybe": pd.array([True, None, False, True], dtype="boolean"),
            "count": [3, NAN, 5, 7],  # integers with a missing cell
            "Count": pd.array([3, None, 5, 7], dtype="Int64"),
            "text": ["u", None, "v", "u"],
            "small": np.array([1, 2, 3, 4], np.float32),
            "y": ["up", "down", None, "up"],
        },
        index=[9, 9, 7, 7],  # not a column of the stream
    )
    stream = sg.from_frame(frame, "y")
    check_stream(stream)
    schema, block = stream.schema, whole(stream)
    assert schema.features == tuple(frame.columns[:-1])
    assert schema.values == (
        ("a", "b"), ("9", "10"), ("false", "true"), ("false", "true"), (), (), ("u", "v"), (),
    )  # fmt: skip
    assert [numbers(block.X[:, j]) for j in range(8)] == [
        [1, 0, None, 1],
        [1, 0, 1, None],
        [1, 0, 1, 1],
        [1, None, 0, 1],
        [3, None, 5, 7],
        [3, None, 5, 7],
        [0, None, 1, 0],
        [1, 2, 3, 4],
    ]
    assert schema.classes == ("down", "up")
    assert block.y.tolist() == [1, 0, -1, 1]


def test_polars_frame() -> None:
    frame = pl.DataFrame(
        {
            "city": pl.Series(["b", "a", None, "b"], dtype=pl.Categorical),
            "grade": pl.Series(["lo", "hi", None, "lo"], dtype=pl.Enum(["lo", "hi"])),
            "open": [True, None, False, True],
            "count": [3, None, 5, 7],
            "price": pl.Series(["1.50", None, "2.25", "3"]).cast(pl.Decimal(10, 2)),
            "level": [0.5, NAN, None, 1.5],  # NaN and null are both missing
            "text": ["u", None, "v", "u"],
            "y": pl.Series([1.0, 0.0, NAN, None]),
        }
    )
    stream = sg.from_frame(frame, "y")
    check_stream(stream)
    schema, block = stream.schema, whole(stream)
    assert schema.values == (
        ("a", "b"), ("hi", "lo"), ("false", "true"), (), (), (), ("u", "v"),
    )  # fmt: skip
    assert [numbers(block.X[:, j]) for j in range(7)] == [
        [1, 0, None, 1],
        [1, 0, None, 1],
        [1, None, 0, 1],
        [3, None, 5, 7],
        [1.5, None, 2.25, 3],
        [0.5, None, None, 1.5],
        [0, None, 1, 0],
    ]
    assert schema.classes == (0, 1)
    assert block.y.tolist() == [1, 0, -1, -1]


def test_arrow_table_with_an_empty_column() -> None:
    table = pa.table({"a": pa.nulls(3), "b": [1, 2, 3], "y": ["u", "v", "u"]})
    stream = sg.from_frame(table, "y", name="table")
    assert stream.describe() == "table · 3 rows · 2 features · 2 classes"
    assert np.isnan(whole(stream).X[:, 0]).all()
    chunked = pa.concat_tables([table.slice(0, 1), table.slice(1)])
    assert whole(sg.from_frame(chunked, "y")).X[:, 1].tolist() == [1, 2, 3]


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame])
def test_classes_keep_their_type(make: Any) -> None:
    def classes(target: Any, **options: Any) -> tuple[Any, ...]:
        frame = make({"a": list(range(len(target))), "y": target})
        return sg.from_frame(frame, "y", **options).schema.classes

    assert classes([10, 9, -1]) == (-1, 9, 10)
    assert classes(["10", "9", "-1"]) == ("-1", "9", "10")
    assert [type(c) for c in classes([10, 9])] == [int, int]
    assert [type(c) for c in classes(["10", "9"])] == [str, str]
    assert classes([2.0, 1.0]) == (1, 2)
    assert classes([True, False]) == (False, True)
    assert classes([0.5, 1.5, 0.5]) == ()  # regression
    assert classes([0.5, 1.5, 0.5], task="classification") == (0.5, 1.5)
    assert classes(list(range(101))) == ()
    assert classes([0, 1, 0], task="regression") == ()
    assert classes([0, 1, 0], classes=[1, 0]) == (1, 0)
    assert classes([0.0, 1.0], classes=[1.0, 0.0]) == (1.0, 0.0)
    assert classes(["b", "a"], classes=["b", "a", "c"]) == ("b", "a", "c")


def test_classes_of_numeric_categories_are_numbers() -> None:
    frame = pd.DataFrame({"a": [1, 2, 3], "y": pd.Categorical([10, 9, 10])})
    stream = sg.from_frame(frame, "y")
    assert stream.schema.classes == (9, 10)
    assert whole(stream).y.tolist() == [1, 0, 1]


def test_declared_nominal_numbers() -> None:
    """A value has the same text in every batch of rows: 1.0 is 1, with or without 0.5."""
    codes = np.ones(140_000)
    codes[0], codes[-1] = 1e15, 0.5
    frame = pd.DataFrame({"a": codes, "y": np.arange(140_000) % 2})
    stream = sg.from_frame(frame, "y", nominal=["a"])
    assert stream.schema.values == (("0.5", "1", "1000000000000000"),)
    X = whole(stream).X[:, 0]
    assert X[[0, 1, -2, -1]].tolist() == [2, 1, 1, 0]


def test_features_and_drop() -> None:
    frame = pd.DataFrame({1: [1.0, 2.0], "junk": [1, "x"], "b": [3, 4], "y": [0, 1]})
    assert sg.from_frame(frame, "y", drop=["junk"]).schema.features == ("1", "b")
    assert sg.from_frame(frame, "y", features=["b"]).schema.features == ("b",)
    swapped = sg.from_frame(frame, "y", features=["b", "1"])
    assert whole(swapped).X.tolist() == [[3, 1], [4, 2]]


@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns"])
@pytest.mark.parametrize("zone", [None, "UTC", "Europe/Paris"])
def test_times_of_any_unit_and_zone(unit: str, zone: str | None) -> None:
    moments = pd.Series(["2020-01-01", "2020-01-02"], dtype=f"M8[{unit}]")
    late = pd.Series(["2020-01-03", None], dtype="M8[ns]")
    if zone is not None:
        moments, late = moments.dt.tz_localize(zone), late.dt.tz_localize(zone)
    frame = pd.DataFrame({"a": [1, 2], "t": moments, "r": late, "y": [0, 1]})
    block = whole(sg.from_frame(frame, "y", arrives="t", revealed="r"))
    shift = 3600 * 10**9 if zone == "Europe/Paris" else 0  # an hour before UTC
    first = np.datetime64("2020-01-01", "ns").astype(np.int64) - shift
    day = 86_400 * 10**9
    assert block.arrives is not None
    assert block.revealed is not None
    assert block.arrives.tolist() == [first, first + day]
    assert block.revealed.tolist() == [first + 2 * day, NEVER]


def test_times_as_numbers_and_text() -> None:
    columns = {"a": [1, 2], "t": [5, 6], "y": [0, 1]}
    holes = pd.DataFrame(columns | {"r": [7, NAN]})
    shown = [f"1970-01-01T00:00:00.00000000{ns}Z" for ns in (5, 6, 7)]
    text = pl.DataFrame(columns | {"t": shown[:2], "r": [shown[2], None]})
    for frame in (holes, text):
        block = whole(sg.from_frame(frame, "y", arrives="t", revealed="r"))
        assert block.revealed is not None
        assert block.revealed.tolist() == [7, NEVER]


def test_from_arrays() -> None:
    X = np.array([[1, NAN], [3, 4], [5, 6]])
    stream = sg.from_arrays(X, [2, 0, 2], features=["u", "v"], name="mine")
    check_stream(stream)
    assert stream.describe() == "mine · 3 rows · 2 features · 2 classes"
    assert stream.schema.classes == (0, 2)
    assert whole(stream).y.tolist() == [1, 0, 1]
    assert sg.from_arrays(X, [1, 2, 3]).schema.features == ("x0", "x1")
    cells: Any = [[1, None], [2, 3]]
    lists = sg.from_arrays(cells, ["b", "a"])
    assert numbers(whole(lists).X[:, 1]) == [None, 3]
    fortran = sg.from_arrays(np.asfortranarray(X), [0, 1, 0])
    check_stream(fortran)
    assert len(list(fortran.blocks(2))) == 2


@pytest.mark.parametrize(
    ("y", "classes", "codes"),
    [
        ([3, 1, 3], (1, 3), [1, 0, 1]),
        ([3.0, NAN, 1.0], (1, 3), [1, -1, 0]),
        ([3, None, 1], (1, 3), [1, -1, 0]),
        (pd.array([3, None, 1], dtype="Int64"), (1, 3), [1, -1, 0]),
        (["b", None, "a"], ("a", "b"), [1, -1, 0]),
        (pd.Series(["b", None, "a"], dtype="string"), ("a", "b"), [1, -1, 0]),
        (np.array(["b", "é", "a"]), ("a", "b", "é"), [1, 2, 0]),
        ([True, False, True], (False, True), [1, 0, 1]),
        (np.array([3, 250, 3], np.uint8), (3, 250), [0, 1, 0]),
        (np.array([-(2**40), 2**40, 0]), (-(2**40), 0, 2**40), [0, 2, 1]),
    ],
)
def test_labels_of_arrays(y: Any, classes: tuple[Any, ...], codes: list[int]) -> None:
    stream = sg.from_arrays(np.zeros((3, 1)), y)
    assert stream.schema.classes == classes
    assert [type(c) for c in stream.schema.classes] == [type(c) for c in classes]
    assert whole(stream).y.tolist() == codes


def test_regression_targets_in_arrays() -> None:
    X = np.zeros((200, 1))
    for y in (np.arange(200), [1e300, -1e300] * 100, [0.5, None] * 100):
        stream = sg.from_arrays(X, y)
        check_stream(stream)
        assert stream.schema.regression
    assert numbers(whole(stream).y[:2]) == [0.5, None]
    assert sg.from_arrays(X, np.arange(200) % 3, task="regression").schema.regression
    halves = sg.from_arrays(X, np.arange(200) % 3 / 2, task="classification")
    assert halves.schema.classes == (0.0, 0.5, 1.0)
    assert whole(halves).y.tolist() == [i % 3 for i in range(200)]


@pytest.mark.parametrize(
    ("y", "classes", "codes"),
    [
        ([0, 1, 1], [1, 0], [1, 0, 0]),
        ([0.0, NAN, 1.0], [1, 0, 2], [1, -1, 0]),
        ([0.0, NAN, 1.0], [1.0, 0.0], [1, -1, 0]),
        ([0.5, NAN, 1.5], [1.5, 0.5], [1, -1, 0]),
        (["a", None, "b"], ["b", "a"], [1, -1, 0]),
        ([True, False, True], [True, False], [0, 1, 0]),
    ],
)
def test_declared_classes_of_arrays(y: Any, classes: list[Any], codes: list[int]) -> None:
    stream = sg.from_arrays(np.zeros((3, 1)), y, classes=classes)
    assert stream.schema.classes == tuple(classes)
    assert whole(stream).y.tolist() == codes


def test_rows_as_river_yields_them() -> None:
    rows: list[tuple[dict[str, Any], Any]] = [
        ({"a": 1, "colour": "red"}, "x"),
        ({"a": 2.5, "b": None}, "y"),
        ({"colour": "blue", "b": 7, "a": NAN}, None),
        ({}, "x"),
    ]
    stream = sg.from_rows(iter(rows))
    check_stream(stream)
    assert stream.schema.features == ("a", "colour", "b")  # in the order of appearance
    assert stream.schema.values == ((), ("blue", "red"), ())
    assert stream.schema.classes == ("x", "y")
    block = whole(stream)
    assert [numbers(row) for row in block.X] == [
        [1, 1, None], [2.5, None, None], [None, 0, 7], [None, None, None],
    ]  # fmt: skip
    assert block.y.tolist() == [0, 1, -1, 0]


def test_rows_of_a_river_data_set() -> None:
    from river import datasets

    pairs = list(datasets.Phishing())[:200]
    stream = sg.from_rows(pairs, name="phishing")
    check_stream(stream)
    assert stream.schema.classes == (False, True)
    block = whole(stream)
    for i, (x, y) in enumerate(pairs):
        assert dict(zip(stream.schema.features, block.X[i].tolist(), strict=True)) == x
        assert stream.schema.classes[block.y[i]] == y


def test_rows_with_any_numeric_type_and_key() -> None:
    rows: list[tuple[dict[Any, Any], Any]] = [
        ({1: np.float32(1), "label": 2**70, "odd": True}, np.int64(3)),
        ({1: pd.NA, "label": 0.5, "odd": 2}, np.int64(1)),
    ]
    stream = sg.from_rows(rows)
    assert stream.schema.features == ("1", "label", "odd")
    assert stream.schema.classes == (1, 3)
    assert [numbers(row) for row in whole(stream).X] == [[1, 2.0**70, 1], [None, 0.5, 2]]
    named = sg.from_rows([({"m": 10}, 0.5), ({"m": 9}, 1.5)], nominal=["m"])
    assert named.schema.values == (("9", "10"),)
    assert named.schema.regression
