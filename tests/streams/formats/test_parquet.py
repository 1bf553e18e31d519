"""Parquet and Arrow files: the same stream as from their frame, read in chunks."""

from __future__ import annotations

import datetime
import decimal
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

import streamgauge as sg
from streamgauge._support.types import NEVER
from streamgauge.streams.formats import table as table_format
from streamgauge.testing import check_stream
from tests.streams.tables import SampleTable, numbers, sample_tables, whole

NAN = float("nan")
UV = ("u", "v")


def parquet(folder: Path, table: pa.Table, target: str = "y", **options: Any) -> sg.Stream:
    written = {key: options.pop(key) for key in ("row_group_size", "compression") if key in options}
    pq.write_table(table, folder / "table.parquet", **written)
    return sg.read(folder / "table.parquet", target, **options)


def assert_same(ours: sg.Stream, theirs: sg.Stream) -> None:
    assert ours.schema == theirs.schema
    assert [type(c) for c in ours.schema.classes] == [type(c) for c in theirs.schema.classes]
    first, second = whole(ours), whole(theirs)
    for name in ("X", "y", "arrives", "revealed"):
        np.testing.assert_array_equal(getattr(first, name), getattr(second, name), name)
    assert first.y.dtype == second.y.dtype


COLUMNS = {  # what is in the file, the nominal values, the cells
    "bool": (pa.array([True, None, False, True]), ("false", "true"), [1, None, 0, 1]),
    "dictionary": (
        pa.array(["b", "a", None, "b"]).dictionary_encode(), ("a", "b"), [1, 0, None, 1],
    ),
    "ordered dictionary": (
        pa.array(["b", "z", None, "b"]).cast(pa.dictionary(pa.int8(), pa.string(), ordered=True)),
        ("b", "z"), [0, 1, None, 0],
    ),
    "string": (pa.array(["u", None, "", " é"]), ("u", "é"), [0, None, None, 1]),
    "large_string": (pa.array(["u", None, "v", "u"], pa.large_string()), UV, [0, None, 1, 0]),
    "string_view": (pa.array(["u", None, "v", "u"], pa.string_view()), UV, [0, None, 1, 0]),
    "text of numbers": (pa.array(["10", "9", None, "9"]), ("9", "10"), [1, 0, None, 0]),
    "int8": (pa.array([-3, None, 5, 7], pa.int8()), (), [-3, None, 5, 7]),
    "uint32": (pa.array([2**32 - 1, None, 5, 7], pa.uint32()), (), [2**32 - 1, None, 5, 7]),
    "int64": (pa.array([2**53, None, -(2**53), 7]), (), [2**53, None, -(2**53), 7]),
    "float16": (pa.array(np.array([0.5, NAN, -2, 8], np.float16)), (), [0.5, None, -2, 8]),
    "float32": (pa.array([0.5, None, NAN, 0.25], pa.float32()), (), [0.5, None, None, 0.25]),
    "float64": (pa.array([0.1, None, NAN, -1e300]), (), [0.1, None, None, -1e300]),
    "decimal": (pa.array([decimal.Decimal("1.50"), None, None, decimal.Decimal("-2.25")]), (),
                [1.5, None, None, -2.25]),
    "null": (pa.nulls(4), (), [None] * 4),
}  # fmt: skip


@pytest.mark.parametrize("kind", COLUMNS)
def test_feature_of_any_type(tmp_path: Path, kind: str) -> None:
    column, values, cells = COLUMNS[kind]
    table = pa.table({"before": [1, 2, 3, 4], "a": column, "y": ["up", "no", "up", None]})
    stream = parquet(tmp_path, table, row_group_size=3)
    check_stream(stream)
    assert stream.schema.features == ("before", "a")
    assert stream.schema.values == ((), values)
    assert numbers(whole(stream).X[:, 1]) == cells
    assert whole(stream).y.tolist() == [1, 0, 1, -1]
    assert_same(stream, sg.from_frame(table, "y"))


@pytest.mark.parametrize(
    ("target", "classes", "y"),
    [
        (pa.array([True, None, False, True]), (False, True), [1, -1, 0, 1]),
        (pa.array(["b", "a", None, "b"]).dictionary_encode(), ("a", "b"), [1, 0, -1, 1]),
        (pa.array([10, None, 9, -1], pa.int16()), (-1, 9, 10), [2, -1, 1, 0]),
        (pa.array([10.0, None, 9.0, NAN], pa.float32()), (9, 10), [1, -1, 0, -1]),
        (pa.array(["10", None, "9", "10"], pa.large_string()), ("9", "10"), [1, -1, 0, 1]),
        (pa.array([0.5, None, NAN, 2], pa.float32()), (), [0.5, None, None, 2]),
        (pa.array(np.array([1, 0, 1, 0], np.float16)), (0, 1), [1, 0, 1, 0]),
        (pa.array([decimal.Decimal("1.5"), None, None, None]), (), [1.5, None, None, None]),
    ],
)  # fmt: skip
def test_target_of_any_type(
    tmp_path: Path, target: pa.Array, classes: tuple[Any, ...], y: list[Any]
) -> None:
    table = pa.table({"a": [1, 2, 3, 4], "y": target})
    stream = parquet(tmp_path, table)
    check_stream(stream)
    assert stream.schema.classes == classes
    assert numbers(whole(stream).y) == y
    assert_same(stream, sg.from_frame(table, "y"))


@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns"])
@pytest.mark.parametrize("zone", [None, "UTC", "Europe/Paris"])
def test_timestamps(tmp_path: Path, unit: str, zone: str | None) -> None:
    seconds = np.array([0, 60, 60, 86_400], np.int64)
    moments = pa.array(seconds.astype("M8[s]")).cast(pa.timestamp(unit))
    late = pa.array([90, None, 60, 100_000]).cast(pa.timestamp("s")).cast(pa.timestamp(unit))
    if zone is not None:
        moments, late = moments.cast(pa.timestamp(unit, zone)), late.cast(pa.timestamp(unit, zone))
    table = pa.table({"t": moments, "a": [1, 2, 3, 4], "r": late, "y": ["u", "v", "u", "v"]})
    stream = parquet(tmp_path, table, arrives="t", revealed="r", row_group_size=3)
    check_stream(stream)
    assert stream.schema.features == ("a",)
    assert stream.schema.time
    block = whole(stream)
    assert block.arrives is not None
    assert block.revealed is not None
    assert block.arrives.tolist() == (seconds * 10**9).tolist()
    assert block.revealed.tolist() == [90 * 10**9, NEVER, 60 * 10**9, 100_000 * 10**9]
    assert_same(stream, sg.from_frame(table, "y", arrives="t", revealed="r"))
    run = sg.evaluate(stream, sg.Majority(), labels=sg.FromStream())
    assert (run.counts.scored, run.counts.unlabelled) == (3, 1)


@pytest.mark.parametrize("kind", [pa.date32(), pa.date64(), pa.int16(), pa.float64(), pa.string()])
def test_times_of_other_types(tmp_path: Path, kind: pa.DataType) -> None:
    days = [datetime.date(1970, 1, 1), datetime.date(1970, 1, 3)]
    plain = not pa.types.is_date(kind)
    arrives = pa.array([0, 2]).cast(kind) if plain else pa.array(days, kind)
    late = pa.array([5, None]) if plain else pa.array([days[1], None]).cast(pa.timestamp("ms"))
    table = pa.table({"a": [1, 2], "t": arrives, "r": late, "y": ["u", "v"]})
    block = whole(parquet(tmp_path, table, arrives="t", revealed="r"))
    day = 1 if plain else 86_400 * 10**9
    assert block.arrives is not None
    assert block.revealed is not None
    assert block.arrives.tolist() == [0, 2 * day]
    assert block.revealed.tolist() == [5 if plain else 2 * day, NEVER]
    framed = sg.from_frame(table, "y", arrives="t", revealed="r")
    assert_same(sg.read(tmp_path / "table.parquet", "y", arrives="t", revealed="r"), framed)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("parquet")


@given(
    table=sample_tables(),
    batch_rows=st.integers(1, 20),
    group=st.integers(1, 50),
    compression=st.sampled_from(["snappy", "zstd", "none"]),
)
def test_table_is_the_same_from_a_frame(
    folder: Path, table: SampleTable, batch_rows: int, group: int, compression: str
) -> None:
    frame = pl.DataFrame(table.columns)
    arrow = pa.table(table.columns)
    with mock.patch.object(table_format, "BATCH_ROWS", batch_rows):  # many batches
        stream = parquet(folder, arrow, row_group_size=group, compression=compression)
        check_stream(stream)
        for other in (arrow, frame, pd.DataFrame(table.columns)):
            assert_same(stream, sg.from_frame(other, "y"))


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame])
def test_files_written_by_pandas_and_polars(tmp_path: Path, make: Any) -> None:
    frame = make(
        {
            "a": [0.5, None, 2.0],
            "b": ["u", None, "v"],
            "c": [True, False, True],
            "t": np.array([1, 2, 3], "M8[ms]"),
            "y": ["yes", "no", None],
        }
    )
    path = tmp_path / "frame.pq"
    write = getattr(frame, "to_parquet", None) or frame.write_parquet
    write(path)
    stream = sg.read(path, "y", arrives="t")
    check_stream(stream)
    assert stream.describe() == "frame · 3 rows · 3 features · 2 classes"
    assert stream.schema.features == ("a", "b", "c")
    assert_same(stream, sg.from_frame(frame, "y", arrives="t"))


def test_dictionaries_that_differ_between_row_groups(tmp_path: Path) -> None:
    """Each row group has its own dictionary."""
    groups: list[list[str | None]] = [["b", "a", None], ["c", "a", "c"], ["a", "d", "b"]]
    path = tmp_path / "table.parquet"
    kind = pa.dictionary(pa.int32(), pa.string())
    schema = pa.schema({"a": kind, "y": kind})
    with pq.ParquetWriter(path, schema) as writer:
        for cells in groups:
            columns = [
                pa.array(cells).dictionary_encode(),
                pa.array(cells[::-1]).dictionary_encode(),
            ]
            writer.write_table(pa.table(columns, schema=schema))
    stream = sg.read(path, "y")
    check_stream(stream)
    assert stream.schema.values == (("a", "b", "c", "d"),)
    assert stream.schema.classes == ("a", "b", "c", "d")
    block = whole(stream)
    assert numbers(block.X[:, 0]) == [1, 0, None, 2, 0, 2, 0, 3, 1]
    assert block.y.tolist() == [-1, 0, 1, 2, 0, 2, 1, 3, 0]


def test_roles_of_columns(tmp_path: Path) -> None:
    table = pa.table(
        {"id": [1, 2], "l": [[1], [2]], "a.b": [1.0, 2.0], "a": [9, 8], "label": [1, 0]}
    )
    stream = parquet(tmp_path, table, "label", drop=["id", "l"], name="mine")
    check_stream(stream)
    assert stream.name == "mine"
    assert stream.schema.features == ("a.b", "a")  # a dot does not mean a nested column
    assert whole(stream).X.tolist() == [[1, 9], [2, 8]]
    path = tmp_path / "table.parquet"
    chosen = sg.read(path, "label", features=["a", "id"], nominal=["a"], classes=[1, 0])
    assert chosen.schema.values == (("8", "9"), ())
    assert chosen.schema.classes == (1, 0)
    assert whole(chosen).X.tolist() == [[1, 1], [0, 2]]
    assert sg.read(path, "label", drop=["l"], task="regression").schema.regression
    with pytest.raises(sg.UsageError, match=r"no column 'labell' \(did you mean 'label'\?\)"):
        sg.read(path, "labell")


def test_blocks_and_take(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_format, "BATCH_ROWS", 64)
    rows = 1000
    table = pa.table({"a": np.arange(rows) / 4, "y": np.arange(rows) % 3})
    stream = parquet(tmp_path, table, row_group_size=150)
    check_stream(stream)
    assert stream.rows == rows
    for size in (1, 63, 64, 65, 150, 999, 1000, 5000):
        sizes = [len(block) for block in stream.blocks(size)]
        assert sizes == [size] * (rows // size) + ([rows % size] if rows % size else [])
    taken = stream.take(333)
    check_stream(taken)
    assert whole(taken).X[:, 0].tolist() == (np.arange(333) / 4).tolist()


def test_memory_use_is_bounded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arrow_bytes: list[int]
) -> None:
    monkeypatch.setattr(table_format, "BATCH_ROWS", 1000)
    rows = 200_000
    random = np.random.default_rng(1)
    columns = {"a": random.normal(size=rows), "b": random.normal(size=rows)}
    table = pa.table(columns | {"y": random.integers(0, 2, rows)})
    pq.write_table(table, tmp_path / "table.parquet", row_group_size=2000)
    size = table.nbytes
    del table
    before = pa.total_allocated_bytes()
    stream = sg.read(tmp_path / "table.parquet", "y")
    for block in stream.blocks(1000):
        assert len(block) == 1000
        arrow_bytes.append(pa.total_allocated_bytes())
    assert len(arrow_bytes) >= 400
    assert max(arrow_bytes) - before < size / 4  # a table of 4.8 MB


def test_runs_are_the_same_as_from_a_frame(tmp_path: Path) -> None:
    random = np.random.default_rng(3)
    colour = np.array(["red", "green"])[random.integers(0, 2, 500)]
    columns: dict[str, Any] = {"a": random.normal(size=500), "colour": colour}
    table = pa.table(columns | {"y": (columns["a"] + (colour == "red") > 0.5).astype(np.int64)})
    from_file = sg.evaluate(parquet(tmp_path, table, row_group_size=99), sg.NaiveBayes())
    from_frame = sg.evaluate(sg.from_frame(table, "y"), sg.NaiveBayes())
    assert from_file.predictions.equals(from_frame.predictions)
    assert from_file.summary["accuracy"] == from_frame.summary["accuracy"] > 0.8


def test_fingerprint_depends_on_content_and_roles(tmp_path: Path) -> None:
    table = pa.table({"a": [1, 2], "b": [3, 4], "y": ["u", "v"]})
    same = parquet(tmp_path, table).fingerprint()
    assert parquet(tmp_path, table).fingerprint() == same
    assert parquet(tmp_path, table, nominal=["a"]).fingerprint() != same
    other = pa.table({"a": [1, 2], "b": [3, 5], "y": ["u", "v"]})
    assert parquet(tmp_path, other).fingerprint() != same


@pytest.mark.parametrize(("ending", "compression"), [("arrow", None), ("feather", "zstd")])
def test_arrow_files(tmp_path: Path, ending: str, compression: str | None) -> None:
    """The same rows as from Parquet; an invalid file raises an error."""
    table = pa.table(
        {
            "a": [1.5, None, 3.0, 4.0] * 900,
            "b": pa.array(["x", "y", None, "x"] * 900).dictionary_encode(),
            "y": [True, False, None, True] * 900,
        }
    )
    path, other = tmp_path / f"t.{ending}", tmp_path / "t.parquet"
    options = pa.ipc.IpcWriteOptions(compression=compression)
    with pa.ipc.new_file(str(path), table.schema, options=options) as file:
        file.write_table(table, max_chunksize=2000)
    pq.write_table(table, other)
    stream = sg.read(path, "y")
    assert stream.schema == sg.read(other, "y").schema
    ours, theirs = whole(stream), whole(sg.read(other, "y"))
    np.testing.assert_array_equal(ours.X, theirs.X)
    np.testing.assert_array_equal(ours.y, theirs.y)
    check_stream(stream)
    path.write_bytes(b"ARROW1 but not really")
    with pytest.raises(sg.InputError, match="cannot be read as Arrow"):
        sg.read(path, "y")
