"""The same table from files, frames, arrays and rows, cut in any way, gives the same stream."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import streamgauge as sg
from streamgauge.testing import check_stream
from tests.streams.chunks import chunks_of
from tests.streams.tables import SampleTable, sample_tables, whole


def assert_same(ours: sg.Stream, theirs: sg.Stream) -> None:
    """The same schema and rows; classes are compared as text."""
    a, b = ours.schema, theirs.schema
    assert sorted(a.features) == sorted(b.features)
    assert tuple(map(str, a.classes)) == tuple(map(str, b.classes))
    first, second = whole(ours), whole(theirs)
    assert np.array_equal(first.y, second.y, equal_nan=True)
    assert first.y.dtype == second.y.dtype
    for name in a.features:
        i, j = a.features.index(name), b.features.index(name)
        assert a.values[i] == b.values[j]
        assert np.array_equal(first.X[:, i], second.X[:, j], equal_nan=True)


def assert_is(stream: sg.Stream, table: SampleTable) -> None:
    """The decoded cells of the stream equal those of the table."""
    schema, block = stream.schema, whole(stream)
    assert schema.features == table.features
    for j, name in enumerate(schema.features):
        values, cells = schema.values[j], block.X[:, j].tolist()
        decoded = [None if c != c else values[int(c)] if values else c for c in cells]
        assert decoded == table.columns[name]
    if schema.regression:
        assert [None if c != c else c for c in block.y.tolist()] == table.columns["y"]
    else:
        labels = [None if c < 0 else str(schema.classes[c]) for c in block.y.tolist()]
        assert labels == [None if c is None else str(c) for c in table.columns["y"]]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("tables")


@given(
    table=sample_tables(), chunk_bytes=st.integers(400, 3000), ending=st.sampled_from(["", ".gz"])
)
def test_table_is_the_same_from_every_source(
    folder: Path, table: SampleTable, chunk_bytes: int, ending: str
) -> None:
    path = table.to_csv(folder / f"table.csv{ending}")
    with chunks_of(chunk_bytes):  # many chunks of a small file
        from_file = sg.read(path, "y")
        assert_is(from_file, table)
        check_stream(from_file)
        frames: list[Any] = [pd.DataFrame(table.columns), pl.DataFrame(table.columns)]
        for frame in frames:
            assert_same(sg.from_frame(frame, "y"), from_file)
        assert_same(sg.from_rows(table.to_rows()), from_file)


@given(table=sample_tables(numeric=True))
def test_numeric_table_is_the_same_from_arrays(table: SampleTable) -> None:
    frame = pl.DataFrame(table.columns)
    X = np.array([table.columns[name] for name in table.features], np.float64).T
    arrays = sg.from_arrays(X, table.columns["y"], features=table.features)
    check_stream(arrays)
    from_frame = sg.from_frame(frame, "y")
    assert_same(arrays, from_frame)
    assert arrays.schema.classes == from_frame.schema.classes  # numbers are numbers in both


@given(
    gaps=st.lists(st.integers(0, 2**40), min_size=2, max_size=30),
    waits=st.lists(st.none() | st.integers(0, 2**40), min_size=30, max_size=30),
    iso=st.booleans(),
    zone=st.sampled_from(["", "Z"]),
)
def test_times_are_the_same_from_every_source(
    folder: Path, gaps: list[int], waits: list[int | None], iso: bool, zone: str
) -> None:
    arrives = np.cumsum(gaps)
    rows = len(gaps)
    revealed = [None if w is None else int(a) + w for a, w in zip(arrives, waits, strict=False)]
    never = np.array([r is None for r in revealed])
    due = np.array([0 if r is None else r for r in revealed], np.int64)
    y = [i % 2 for i in range(rows)]

    def text(time: int) -> str:
        return f"{np.datetime64(time, 'ns')}{zone}" if iso else str(time)

    shown = ["" if n else text(int(d)) for n, d in zip(never, due, strict=True)]
    lines = [f"{i},{text(int(arrives[i]))},{shown[i]},{y[i]}\n" for i in range(rows)]
    path = folder / "times.csv"
    path.write_text("a,t,r,y\n" + "".join(lines))
    with chunks_of(400):
        from_file = sg.read(path, "y", arrives="t", revealed="r")
        check_stream(from_file)
        block = whole(from_file)
    assert from_file.schema.features == ("a",)
    assert block.arrives is not None
    assert block.revealed is not None
    assert block.arrives.tolist() == arrives.tolist()
    assert block.revealed.tolist() == np.where(never, np.iinfo(np.int64).max, due).tolist()

    moments = np.where(never, np.datetime64("NaT", "ns"), due.astype("M8[ns]"))
    arrays = sg.from_arrays(
        np.arange(rows)[:, None], y, arrives=arrives.astype("M8[ns]"), revealed=moments
    )
    columns: dict[str, Any] = {"a": range(rows), "t": arrives.astype("M8[ns]"), "r": moments}
    for frame in (pd.DataFrame(columns | {"y": y}), pl.DataFrame(columns | {"y": y})):
        from_frame = whole(sg.from_frame(frame, "y", arrives="t", revealed="r"))
        for other in (from_frame, whole(arrays)):
            assert other.arrives is not None
            assert other.revealed is not None
            assert other.arrives.tolist() == block.arrives.tolist()
            assert other.revealed.tolist() == block.revealed.tolist()
