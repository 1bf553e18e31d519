"""The rows of one Parquet file: what is damaged or of a strange type is counted and left out."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from streamgauge._support.errors import InputError
from streamgauge._support.types import Mask
from streamgauge.streams.columns import check_columns
from streamgauge.streams.formats.arrow_cells import as_text, cell_text, is_text
from streamgauge.streams.formats.pieces import MOST_EXAMPLES, Piece, no_rows

ROWS = 1 << 16  # read at a time
# What Arrow raises for damaged bytes: sizes beyond any memory, invalid names and times.
DAMAGE = (pa.ArrowException, OSError, ValueError, OverflowError, LookupError, MemoryError)
_UNREADABLE = object()
_UNITS = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}
_FIRST_SECOND, _LAST_SECOND = -62_135_596_800, 253_402_300_799  # of the years 1 to 9999


class ParquetFile:
    """The rows of one Parquet file, a piece of a row group at a time."""

    def __init__(self, path: Path, columns: Sequence[str]) -> None:
        self._name, self._columns = str(path), list(columns)
        try:
            self._file = pq.ParquetFile(path)
        except DAMAGE as error:
            raise InputError(
                f"{path}: not a complete Parquet file ({error}); write files aside and rename them "
                "when they are complete"
            ) from None
        check_columns(self._columns, self._file.schema_arrow.names, str(path))
        self._at = 0  # rows passed, readable or not
        self._pieces = self._read()

    @property
    def position(self) -> dict[str, Any]:
        """The rows passed so far."""
        return {"rows": self._at}

    def seek(self, position: Mapping[str, Any]) -> None:
        """Pass the rows before a position."""
        while self._at < position["rows"] and self.read() is not None:
            pass

    def read(self) -> Piece | None:
        """The next rows; None if there are no more."""
        return next(self._pieces, None)

    def _read(self) -> Iterator[Piece]:
        metadata = self._file.metadata
        for group in range(metadata.num_row_groups):
            end = self._at + metadata.row_group(group).num_rows
            try:
                for batch in self._file.iter_batches(ROWS, [group], self._columns):
                    start, self._at = self._at, self._at + len(batch)
                    yield self._piece(batch, start)
            except DAMAGE as error:
                rows, self._at = max(1, end - self._at), max(end, self._at)
                trouble = f"{self._name}: {rows:,} rows before row {self._at + 1:,}: {error}"
                yield no_rows(self._name, self._columns, trouble, lines=rows)

    def _piece(self, batch: pa.RecordBatch, start: int) -> Piece:
        columns, bad, examples = {}, np.zeros(len(batch), np.bool_), []
        for name in self._columns:
            columns[name], wrong = plain(batch[name])
            for row in np.flatnonzero(wrong & ~bad)[:MOST_EXAMPLES].tolist():
                cell = cell_text(batch[name], row)
                examples.append(f"{self._name}, line {start + row + 1:,}: {name!r} is {cell}")
            bad |= wrong
        numbers = np.arange(start + 1, self._at + 1)
        count = int(bad.sum())
        if count:
            columns = {name: cells.filter(pa.array(~bad)) for name, cells in columns.items()}
        return Piece(columns, len(batch), self._name, numbers[~bad], count, examples)

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def plain(column: pa.Array) -> tuple[pa.Array, Mask]:
    """Cells as text, numbers, truth values or times, and which of them cannot be read."""
    try:
        column.validate(full=True)
        kind = column.type
        if pa.types.is_dictionary(kind) and not is_text(kind.value_type):
            return plain(column.dictionary_decode())
        if pa.types.is_timestamp(kind) or pa.types.is_date(kind):
            return _plain_times(column)
        if not pa.types.is_nested(kind):
            return _plain_cells(column), np.zeros(len(column), np.bool_)
    except DAMAGE:
        pass
    cells = [_cell(column, row) for row in range(len(column))]
    texts = [None if cell is _UNREADABLE else cell for cell in cells]
    return pa.array(texts, pa.string()), np.array([cell is _UNREADABLE for cell in cells], np.bool_)


def _plain_cells(column: pa.Array) -> pa.Array:
    kind = column.type
    if pa.types.is_dictionary(kind) or pa.types.is_boolean(kind):
        return column
    if pa.types.is_floating(kind):
        return column.cast(pa.float32()) if pa.types.is_float16(kind) else column
    if pa.types.is_integer(kind) and not pa.types.is_uint64(kind):
        return column.cast(pa.int64())
    return column.cast(pa.string()) if is_text(kind) else as_text(column)


def _plain_times(column: pa.Array) -> tuple[pa.Array, Mask]:
    """Times in UTC or without a zone; those that no calendar of four digits has cannot be read."""
    kind = column.type
    if pa.types.is_date(kind):
        size = {32: 1 / 86400, 64: 1000}[kind.bit_width]
        integers = column.view(pa.int32() if kind.bit_width == 32 else pa.int64())
    else:
        size = _UNITS[kind.unit]
        integers = column.view(pa.int64())
        column = column.cast(pa.timestamp(kind.unit, kind.tz and "UTC"))
    numbers = integers.fill_null(0).to_numpy(zero_copy_only=False) / size
    return column, (numbers < _FIRST_SECOND) | (numbers > _LAST_SECOND)


def _cell(column: pa.Array, row: int) -> Any:
    """A cell of any type as text; lists and structs as JSON."""
    try:
        column.slice(row, 1).validate(full=True)
        cell = column[row].as_py()
        if cell is None or isinstance(cell, str):
            return cell
        return cell.decode() if isinstance(cell, bytes) else json.dumps(cell, default=str)
    except DAMAGE:
        return _UNREADABLE
