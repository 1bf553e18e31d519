"""Parquet files that cannot be right: columns of no use, files that are damaged or none."""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import streamgauge as sg
from tests.streams.tables import refusal, whole

TWO = {"a": [1, 2], "y": ["u", "v"]}


def refused(folder: Path, table: pa.Table | bytes, target: str = "y", **options: Any) -> str:
    path = folder / "bad.parquet"
    if isinstance(table, bytes):
        path.write_bytes(table)
    else:
        pq.write_table(table, path)
    return refusal(path, target, **options)


@pytest.mark.parametrize(
    ("column", "kind"),
    [
        (pa.array([[1], [2]]), "list<"),
        (pa.array([{"p": 1}, {"p": 2}]), "struct<p: int64>"),
        (pa.array([b"1", b"2"]), "binary"),
        (pa.array([datetime.date(2020, 1, 1)] * 2), "date32"),
        (pa.array([datetime.datetime(2020, 1, 1)] * 2), "timestamp"),
    ],
)
def test_a_column_of_no_use(tmp_path: Path, column: pa.Array, kind: str) -> None:
    table = pa.table(TWO | {"odd": column})
    message = refused(tmp_path, table)
    assert message.startswith(f"column 'odd' is of type {kind}")
    assert message.endswith("convert it, or drop=['odd']")
    path = tmp_path / "bad.parquet"
    assert sg.read(path, "y", drop=["odd"]).schema.features == ("a",)
    assert sg.read(path, "y", features=["a"]).schema.features == ("a",)
    message = refused(tmp_path, table.rename_columns(["a", "other", "y"]))
    assert message.startswith(f"column 'y' is of type {kind}")


@pytest.mark.parametrize("missing", ["arrives", "revealed"])
def test_times_that_are_none(tmp_path: Path, missing: str) -> None:
    table = pa.table(TWO | {"odd": [[1], [2]]})
    message = refused(tmp_path, table, **{missing: "odd"})
    assert message.startswith("row 0: column 'odd' is ")
    assert "expected a whole number or an ISO time" in message


def test_a_row_that_never_arrives(tmp_path: Path) -> None:
    message = refused(tmp_path, pa.table(TWO | {"t": [1, None]}), arrives="t")
    assert message.startswith("row 1: no arrival time in column 't'; every row arrives")


def test_an_infinite_number_is_named_with_its_row(tmp_path: Path) -> None:
    numbers = np.zeros(40_000)
    numbers[33_333] = np.inf
    table = pa.table({"a": numbers, "y": np.arange(40_000) % 2})
    message = refused(tmp_path, table)
    assert message.startswith("row 33,333: column 'a' is infinite; expected a finite number")


def test_a_label_that_is_no_class(tmp_path: Path) -> None:
    message = refused(tmp_path, pa.table(TWO), classes=["u", "w"])
    assert message.startswith("row 1: label 'v' is not one of the declared classes (u, w)")


def test_tables_without_rows_or_names(tmp_path: Path) -> None:
    path = tmp_path / "bad.parquet"
    empty = pa.table({"a": pa.array([], pa.int64()), "y": pa.array([], pa.string())})
    message = refused(tmp_path, empty)
    assert message == f"{path}: has a header but no rows; expected at least one row"
    twice = pa.table([pa.array([1, 2])] * 2 + [pa.array(["u", "v"])], names=["a", "a", "y"])
    assert f"{path}: column name 'a' stands more than once" in refused(tmp_path, twice)
    one = pa.table({"a": [1, 2], "y": ["u", "u"]})
    assert f"{path}: target 'y' is 'u' in every row" in refused(tmp_path, one)
    pq.write_table(pa.table({}), path)
    with pytest.raises(sg.UsageError, match="no column 'y'"):
        sg.read(path, "y")


@pytest.mark.parametrize(
    "data",
    [b"", b"P", b"a,y\n1,u\n2,v\n", b"PAR1PAR1", b"PAR1" + bytes(40) + b"PAR1", bytes(1000)],
)
def test_what_is_no_parquet(tmp_path: Path, data: bytes) -> None:
    message = refused(tmp_path, data)
    assert message.startswith(f"{tmp_path / 'bad.parquet'}: cannot be read as Parquet: ")


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(sg.InputError, match=r"no such file: .*nowhere\.parquet"):
        sg.read(tmp_path / "nowhere.parquet", "y")
    folder = tmp_path / "folder.parquet"
    folder.mkdir()
    with pytest.raises(sg.InputError, match=r"folder\.parquet is a folder; expected a file"):
        sg.read(folder, "y")


def packed(compression: str) -> bytes:
    """A small file of several row groups."""
    random = np.random.default_rng(1)
    letters = np.array(["aé", "bö", "c"])[random.integers(0, 3, 300)]
    columns: dict[str, Any] = {"a": random.normal(size=300), "s": letters}
    columns["d"] = pa.array(letters).dictionary_encode()
    table = pa.table(columns | {"y": np.array(["u", "v"])[random.integers(0, 2, 300)]})
    out = pa.BufferOutputStream()
    pq.write_table(table, out, compression=compression, row_group_size=100)
    return bytes(out.getvalue())


def test_a_file_cut_short(tmp_path: Path) -> None:
    data = packed("snappy")
    for length in range(0, len(data), 97):
        message = refused(tmp_path, data[:length])
        assert message.startswith(f"{tmp_path / 'bad.parquet'}: cannot be read as Parquet: ")


def test_damage_in_the_rows(tmp_path: Path) -> None:
    """Found when the rows are read."""
    data = bytearray(packed("snappy"))
    data[4:2000] = bytes(1996)
    message = refused(tmp_path, bytes(data))
    assert message.startswith(f"{tmp_path / 'bad.parquet'}: is damaged: ")


@pytest.mark.parametrize("compression", ["snappy", "zstd", "none"])
def test_a_bit_turned_in_the_rows(tmp_path: Path, compression: str) -> None:
    """Parquet has no check sums by default, so it may go unseen; but no other error comes out."""
    data = packed(compression)
    places = np.random.default_rng(0).permutation(len(data) - footer(data))[:150]
    refusals, others = turned(tmp_path, data, [(place, place % 8) for place in places.tolist()])
    assert others == {}
    assert refusals > 10


def test_a_bit_turned_in_the_footer(tmp_path: Path) -> None:
    data = packed("snappy")
    places = range(len(data) - footer(data), len(data))
    names = [(place, 7) for place in places[:100]]
    types = [(place, 3) for place in places[-250:]]
    refusals, others = turned(tmp_path, data, names + types)
    assert others == {}
    assert refusals > 50


def footer(data: bytes) -> int:
    """How long it is: the file's last bytes say so."""
    return int.from_bytes(data[-8:-4], "little") + 8


def turned(
    folder: Path, data: bytes, places: list[tuple[int, int]]
) -> tuple[int, dict[str, tuple[int, int]]]:
    """How many of the files with one bit turned are refused; what else they end in, and which."""
    refusals = 0
    others: dict[str, tuple[int, int]] = {}
    for place, bit in places:
        broken = bytearray(data)
        broken[place] ^= 1 << bit
        (folder / "bad.parquet").write_bytes(broken)
        try:
            whole(sg.read(folder / "bad.parquet", "y"))
        except sg.StreamgaugeError:
            refusals += 1
        except Exception as error:
            others[f"{type(error).__name__}: {error}"] = (place, bit)
    return refusals, others


def test_text_that_is_no_utf_8(tmp_path: Path) -> None:
    offsets, letters = pa.py_buffer(np.array([0, 1, 2], np.int32)), pa.py_buffer(b"a\xe9")
    column = pa.Array.from_buffers(pa.string(), 2, [None, offsets, letters])
    assert "UTF" in refused(tmp_path, pa.table(TWO | {"s": column})).upper()
