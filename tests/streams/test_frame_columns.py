"""Columns of frames of every type: converted right, or refused in words."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import streamgauge as sg
from tests.streams.tables import numbers, whole

Y = ["u", "v", "u", "v"]

FEATURES: dict[str, tuple[Any, list[float | None]]] = {
    "big-endian": (pd.DataFrame({"a": np.arange(4, dtype=">f8")}), [0, 1, 2, 3]),
    "sparse": (pd.DataFrame({"a": pd.arrays.SparseArray([0.0, 0, 2, 0])}), [0, 0, 2, 0]),
    "half": (pd.DataFrame({"a": np.arange(4, dtype=np.float16)}), [0, 1, 2, 3]),
    "Int64": (pd.DataFrame({"a": pd.array([1, None, 2, 3], dtype="Int64")}), [1, None, 2, 3]),
    "int128": (pl.DataFrame({"a": pl.Series([1, None, 2, 3], dtype=pl.Int128)}), [1, None, 2, 3]),
    "int128 exact": (
        pl.DataFrame({"a": pl.Series([1, 2**100, 2, 3], dtype=pl.Int128)}),
        [1, 2.0**100, 2, 3],
    ),
    "objects": (pd.DataFrame({"a": [1, 2**70, None, 3]}), [1, 2.0**70, None, 3]),
    "decimal": (pl.DataFrame({"a": [Decimal("1.50"), None, Decimal(2), Decimal(3)]}),
                [1.5, None, 2, 3]),
}  # fmt: skip


@pytest.mark.parametrize("kind", FEATURES)
def test_converted_features(kind: str) -> None:
    frame, expected = FEATURES[kind]
    labels: Any = pl.Series("y", Y) if isinstance(frame, pl.DataFrame) else Y
    named = frame.with_columns(labels) if isinstance(frame, pl.DataFrame) else frame.assign(y=Y)
    stream = sg.from_frame(named, "y")
    assert stream.schema.values == ((),)
    assert numbers(whole(stream).X[:, 0]) == expected


DATES = [datetime(2020, 1, day) for day in (1, 2, 3, 4)]
REFUSED: dict[str, tuple[Any, str]] = {
    "complex": (
        pd.DataFrame({"a": np.arange(4) * 1j, "y": Y}),
        "row 0: 'a' is 0j; expected one ty",
    ),
    "bytes": (pd.DataFrame({"a": [b"x"] * 4, "y": Y}), "has type binary; expected numeric, text"),
    "lists": (pl.DataFrame({"a": [[1]] * 4, "y": Y}), "has type large_list<item: int64>"),
    "structs": (pl.DataFrame({"a": [{"b": 1}] * 4, "y": Y}), "has type struct<b: int64>"),
    "durations": (pl.DataFrame({"a": [timedelta(1)] * 4, "y": Y}), "has type duration[us]"),
    "dates": (pl.DataFrame({"a": [date(2020, 1, 1)] * 4, "y": Y}), "has type date32"),
    "categories of times": (
        pd.DataFrame({"a": pd.Categorical(DATES), "y": Y}),  # [us] in pandas 3, [ns] in pandas 2
        "s]; expected a numeric or nominal feature, not a time",
    ),
    "categories of bytes": (
        pa.table({"a": pa.array([b"x"] * 4).dictionary_encode(), "y": Y}),
        "has type binary",
    ),
    "int128": (
        pl.DataFrame({"a": pl.Series([1, 2**100 + 1, 2, 3], dtype=pl.Int128), "y": Y}),
        "row 1: column 'a' is 1267650600228229401496703205377, an integer beyond 2^53",
    ),
    "uint64": (
        pd.DataFrame({"a": np.array([2**64 - 1] * 4, np.uint64), "y": Y}),
        "row 0: column 'a' is 18446744073709551615, an integer beyond 2^53",
    ),
    "mixed": (
        pa.table({"a": pa.array([Decimal(2**60 + 1)] * 4), "y": Y}),
        "row 0: column 'a' is 1152921504606846977, an integer beyond 2^53",
    ),
    "long integers": (
        pd.DataFrame({"a": [10**80, 1, 2, 3], "y": Y}),
        "'a' holds integers of more than 76 digits",
    ),
}


@pytest.mark.parametrize("kind", REFUSED)
def test_refused_features(kind: str) -> None:
    frame, complaint = REFUSED[kind]
    with pytest.raises(sg.InputError) as caught:
        sg.from_frame(frame, "y")
    assert complaint in str(caught.value)


def test_columns_that_are_not_used_may_have_any_type() -> None:
    columns = {"a": [1, 2, 3, 4], "odd": pl.Series([1] * 4, dtype=pl.Int128), "y": Y}
    stream = sg.from_frame(pl.DataFrame(columns), "y", drop=["odd"])
    assert stream.schema.features == ("a",)
    frame = pd.DataFrame({"a": [1, 2, 3, 4], "odd": np.arange(4) * 1j, "y": Y})
    assert sg.from_frame(frame, "y", drop=["odd"]).schema.features == ("a",)


def test_declared_type_of_int128_classes() -> None:
    large = pl.Series([2**100, 2**100 + 1] * 2, dtype=pl.Int128)
    stream = sg.from_frame(pl.DataFrame({"a": [1, 2, 3, 4], "y": large}), "y")
    assert stream.schema.classes == (str(2**100), str(2**100 + 1))
    assert whole(stream).y.tolist() == [0, 1, 0, 1]


@pytest.mark.parametrize("size", [127, 128, 256, 300])
def test_as_many_categories_as_their_codes_can_hold(size: int) -> None:
    words = [f"w{i}" for i in range(size)]
    codes = pa.array([*range(size), None], pa.uint8() if size <= 256 else pa.uint16())
    column = pa.DictionaryArray.from_arrays(codes, pa.array(words))
    stream = sg.from_frame(pa.table({"a": range(size + 1), "y": column}), "y")
    assert sorted(whole(stream).y.tolist()) == [-1, *range(size)]
