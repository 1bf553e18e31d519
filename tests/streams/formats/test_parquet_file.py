"""Parquet files: cells of every type are read or counted; damage ends a row group, not the file."""

from __future__ import annotations

import datetime as dt
import decimal
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import streamgauge as sg
from streamgauge.streams.formats._parquet_file import ParquetFile, plain
from streamgauge.streams.formats.arrow_cells import as_text

BAD = "cannot be read"
far = pa.array([2**52, 0], pa.timestamp("s"))


def binary_as_text(*cells: bytes) -> pa.Array:
    """Text that is not checked, as a damaged file has it."""
    given = pa.array(cells, pa.binary())
    return pa.Array.from_buffers(pa.string(), len(given), given.buffers())


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        (pa.array([2**64 - 1, 7], pa.uint64()), [str(2**64 - 1), "7"]),
        (pa.array([7, -7], pa.int8()), ["7", "-7"]),
        (pa.array([decimal.Decimal("1.50"), decimal.Decimal("2.00")]), ["1.5", "2"]),
        (pa.array([{"a": 1}, None]), ['{"a": 1}', None]),
        (pa.array([[1, 2], []]), ["[1, 2]", "[]"]),
        (pa.array([b"x", b"\xff"]), ["x", BAD]),
        (binary_as_text(b"\xff", b"x"), [BAD, "x"]),
        (pa.array([dt.timedelta(1), None]), ["86400000000", None]),
        (pa.array([True, None]), ["true", None]),
        (pa.array(np.array([1.5, 2], np.float16)), ["1.5", "2"]),
        (pa.array(["a", None], pa.large_string()), ["a", None]),
        (pa.array(["a", None]).dictionary_encode(), ["a", None]),
        (pa.array([1, 2]).dictionary_encode(), ["1", "2"]),
        (pa.array([None, None]), [None, None]),
        (far, [BAD, "1970-01-01 00:00:00"]),
        (pa.array([2**31 - 1, 0], pa.date32()), [BAD, "1970-01-01"]),
        (pa.array([0], pa.timestamp("us", "Nowhere/Nothing")), ["1970-01-01 00:00:00.000000Z"]),
    ],
    ids=lambda given: str(given.type) if isinstance(given, pa.Array) else "",
)
def test_cells_of_every_type_are_read_or_known_to_be_bad(
    column: pa.Array, expected: list[Any]
) -> None:
    cells, bad = plain(column)
    assert len(cells) == len(column)
    good = as_text(cells.filter(pa.array(~bad))).to_pylist()
    assert good == [each for each in expected if each != BAD]
    assert bad.tolist() == [each == BAD for each in expected]


def test_bad_cells_are_named_by_their_line(tmp_path: Path) -> None:
    pq.write_table(
        pa.table({"id": [1, 2, 3], "t": [far[1], far[0], far[1]]}), tmp_path / "x.parquet"
    )
    piece = ParquetFile(tmp_path / "x.parquet", ["id", "t"]).read()
    assert piece is not None
    assert piece.columns["id"].to_pylist() == [1, 3]
    assert (piece.lines, piece.unreadable) == (3, 1)
    assert "x.parquet, line 2: 't' is " in piece.examples[0]


def test_damaged_row_group_is_counted_and_the_next_one_read(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    table = pa.table({"id": range(30)})
    pq.write_table(table, path, row_group_size=10, compression="zstd", use_dictionary=False)
    column = pq.ParquetFile(path).metadata.row_group(1).column(0)
    data = bytearray(path.read_bytes())
    start = column.data_page_offset
    data[start : start + column.total_compressed_size] = b"\xff" * column.total_compressed_size
    path.write_bytes(data)
    file, ids, bad = ParquetFile(path, ["id"]), [], 0
    while (piece := file.read()) is not None:
        ids += piece.columns["id"].to_pylist()
        bad += piece.unreadable
        again = ParquetFile(path, ["id"])
        again.seek(file.position)
        assert again.position == file.position
    assert ids == [*range(10), *range(20, 30)]
    assert bad == 10
    assert file.position == {"rows": 30}


def test_file_that_is_none_says_so(tmp_path: Path) -> None:
    (tmp_path / "x.parquet").write_bytes(b"PAR1 not yet")
    with pytest.raises(sg.InputError, match="not a complete Parquet file"):
        ParquetFile(tmp_path / "x.parquet", ["id"])
