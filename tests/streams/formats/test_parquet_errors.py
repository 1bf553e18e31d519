"""Errors of Parquet files: unsupported columns, damaged files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import streamgauge as sg
from tests.streams.tables import read_error, whole

TWO = {"a": [1, 2], "y": ["u", "v"]}


def error_of(folder: Path, table: pa.Table | bytes, target: str = "y", **options: Any) -> str:
    path = folder / "bad.parquet"
    if isinstance(table, bytes):
        path.write_bytes(table)
    else:
        pq.write_table(table, path)
    return read_error(path, target, **options)


@pytest.mark.parametrize(
    ("column", "kind"),
    [
        (pa.array([[1], [2]]), "list<"),
        (pa.array([{"p": 1}, {"p": 2}]), "struct<p: int64>"),
        (pa.array([b"1", b"2"]), "binary"),
    ],
)
def test_unsupported_column_type(tmp_path: Path, column: pa.Array, kind: str) -> None:
    table = pa.table(TWO | {"odd": column})
    message = error_of(tmp_path, table)
    assert f"bad.parquet: column 'odd' has type {kind}" in message
    assert message.endswith("convert it, or leave it out: drop=['odd'] (--drop)")
    path = tmp_path / "bad.parquet"
    assert sg.read(path, "y", drop=["odd"]).schema.features == ("a",)
    assert sg.read(path, "y", features=["a"]).schema.features == ("a",)
    message = error_of(tmp_path, table.rename_columns(["a", "other", "y"]))
    assert f"bad.parquet: column 'y' has type {kind}" in message


@pytest.mark.parametrize("missing", ["arrives", "revealed"])
def test_invalid_times(tmp_path: Path, missing: str) -> None:
    table = pa.table(TWO | {"odd": [[1], [2]]})
    message = error_of(tmp_path, table, **{missing: "odd"})
    assert "bad.parquet: row 0: column 'odd' has type list" in message
    assert "expected integers, dates, timestamps or ISO 8601 texts" in message


def test_row_without_arrival_time(tmp_path: Path) -> None:
    message = error_of(tmp_path, pa.table(TWO | {"t": [1, None]}), arrives="t")
    assert "bad.parquet: row 1: no arrival time in column 't'; expected one in every" in message


def test_infinite_number_is_located(tmp_path: Path) -> None:
    numbers = np.zeros(40_000)
    numbers[33_333] = np.inf
    table = pa.table({"a": numbers, "y": np.arange(40_000) % 2})
    message = error_of(tmp_path, table)
    assert "bad.parquet: row 33,333: column 'a' is infinite; expected a finite" in message


def test_undeclared_label(tmp_path: Path) -> None:
    message = error_of(tmp_path, pa.table(TWO), classes=["u", "w"])
    assert "bad.parquet: row 1: label 'v' is not one of the declared classes (u, w)" in message


def test_empty_tables_and_repeated_columns(tmp_path: Path) -> None:
    path = tmp_path / "bad.parquet"
    empty = pa.table({"a": pa.array([], pa.int64()), "y": pa.array([], pa.string())})
    message = error_of(tmp_path, empty)
    assert message == f"{path}: has a header but no rows; expected at least one row"
    twice = pa.table([pa.array([1, 2])] * 2 + [pa.array(["u", "v"])], names=["a", "a", "y"])
    assert f"{path}: column name 'a' appears more than once" in error_of(tmp_path, twice)
    one = pa.table({"a": [1, 2], "y": ["u", "u"]})
    assert f"{path}: target 'y' is 'u' in every row" in error_of(tmp_path, one)
    pq.write_table(pa.table({}), path)
    with pytest.raises(sg.UsageError, match="no column 'y'"):
        sg.read(path, "y")


@pytest.mark.parametrize(
    "data",
    [b"", b"P", b"a,y\n1,u\n2,v\n", b"PAR1PAR1", b"PAR1" + bytes(40) + b"PAR1", bytes(1000)],
)
def test_not_a_parquet_file(tmp_path: Path, data: bytes) -> None:
    message = error_of(tmp_path, data)
    assert message.startswith(f"{tmp_path / 'bad.parquet'}: cannot be read as Parquet: ")


def test_unreadable_files(tmp_path: Path) -> None:
    with pytest.raises(sg.InputError, match=r"no such file: .*nowhere\.parquet"):
        sg.read(tmp_path / "nowhere.parquet", "y")
    folder = tmp_path / "folder.parquet"
    folder.mkdir()
    with pytest.raises(sg.InputError, match=r"folder\.parquet is a folder; expected a file"):
        sg.read(folder, "y")


def packed(compression: str) -> bytes:
    """A small file of several row groups."""
    rng = np.random.default_rng(1)
    letters = np.array(["aé", "bö", "c"])[rng.integers(0, 3, 300)]
    columns: dict[str, Any] = {"a": rng.normal(size=300), "s": letters}
    columns["d"] = pa.array(letters).dictionary_encode()
    table = pa.table(columns | {"y": np.array(["u", "v"])[rng.integers(0, 2, 300)]})
    out = pa.BufferOutputStream()
    pq.write_table(table, out, compression=compression, row_group_size=100)
    return bytes(out.getvalue())


def test_truncated_file(tmp_path: Path) -> None:
    data = packed("snappy")
    for length in range(0, len(data), 97):
        message = error_of(tmp_path, data[:length])
        assert message.startswith(f"{tmp_path / 'bad.parquet'}: cannot be read as Parquet: ")


def test_damaged_rows(tmp_path: Path) -> None:
    """Found when the rows are read."""
    data = bytearray(packed("snappy"))
    data[4:2000] = bytes(1996)
    message = error_of(tmp_path, bytes(data))
    assert message.startswith(f"{tmp_path / 'bad.parquet'}: the file is damaged: ")


@pytest.mark.parametrize("compression", ["snappy", "zstd", "none"])
def test_flipped_bit_in_the_rows(tmp_path: Path, compression: str) -> None:
    """Parquet has no checksums by default, so it may go unnoticed; any error must be our own."""
    data = packed(compression)
    places = np.random.default_rng(0).permutation(len(data) - footer(data))[:150]
    errors, others = read_with_flipped_bits(
        tmp_path, data, [(place, place % 8) for place in places.tolist()]
    )
    assert others == {}
    assert errors > 10


def test_flipped_bit_in_the_footer(tmp_path: Path) -> None:
    data = packed("snappy")
    places = range(len(data) - footer(data), len(data))
    names = [(place, 7) for place in places[:100]]
    types = [(place, 3) for place in places[-250:]]
    errors, others = read_with_flipped_bits(tmp_path, data, names + types)
    assert others == {}
    assert errors > 50


def footer(data: bytes) -> int:
    """Return the footer's length, from the last bytes of the file."""
    return int.from_bytes(data[-8:-4], "little") + 8


def read_with_flipped_bits(
    folder: Path, data: bytes, places: list[tuple[int, int]]
) -> tuple[int, dict[str, tuple[int, int]]]:
    """Count the files with one flipped bit that raise our errors; collect all other errors."""
    errors = 0
    others: dict[str, tuple[int, int]] = {}
    for place, bit in places:
        broken = bytearray(data)
        broken[place] ^= 1 << bit
        (folder / "bad.parquet").write_bytes(broken)
        try:
            whole(sg.read(folder / "bad.parquet", "y"))
        except sg.StreamgaugeError:
            errors += 1
        except Exception as error:
            others[f"{type(error).__name__}: {error}"] = (place, bit)
    return errors, others


def test_invalid_utf_8(tmp_path: Path) -> None:
    offsets, letters = pa.py_buffer(np.array([0, 1, 2], np.int32)), pa.py_buffer(b"a\xe9")
    column = pa.Array.from_buffers(pa.string(), 2, [None, offsets, letters])
    assert "UTF" in error_of(tmp_path, pa.table(TWO | {"s": column})).upper()
