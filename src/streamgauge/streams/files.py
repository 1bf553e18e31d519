"""Streams from CSV files (plain or .gz), in blocks: memory does not grow with the file."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path

import pyarrow as pa
from pyarrow import csv

from streamgauge.errors import InputError
from streamgauge.progress import Progress
from streamgauge.streams.base import Stream, recut
from streamgauge.streams.columns import (
    ColumnScan,
    Encoder,
    Roles,
    Task,
    check_columns,
    make_schema,
    number_label,
    to_times,
)
from streamgauge.types import Block, Label, Longs

_BYTES = 1 << 20  # at once; Arrow holds some dozens of these ahead
_MISSING = ["", "?", "NA", "N/A", "n/a", "#N/A", "<NA>", "NULL", "null", "None"]
_MISSING += ["NaN", "nan", "NAN", "Nan", "-nan", "-NaN"]


def _plainly_a_number(text: str) -> bool:
    """Is this how a number is written? 007 is a name."""
    try:
        number = number_label(text)
    except ValueError:
        return False
    return text in (str(number), repr(float(number)))


def _where(row: int) -> str:
    return f"row {row:,} (line {row + 2:,})"


def read(
    path: str | Path,
    target: str,
    *,
    features: Sequence[str] | None = None,
    drop: Sequence[str] = (),
    nominal: Sequence[str] = (),
    classes: Sequence[Label] | None = None,
    arrives: str | None = None,
    revealed: str | None = None,
    task: Task | None = None,
    name: str | None = None,
) -> Stream:
    """A CSV file as a stream. A first pass finds out what the columns are.

    A column is numeric if all its cells are numbers (or empty, ?, NA, NaN, null), nominal if it
    begins with text or stands in `nominal`. The target is a class if it is text or at most 100
    different whole numbers, else a quantity; `task` or `classes` overrules. `arrives` and
    `revealed` name columns of times (whole numbers or ISO times; empty = never revealed).
    """
    roles = Roles(target, features, drop, nominal, classes, arrives, revealed, task)
    return FileStream(Path(path), roles, name)


def read_columns(path: str | Path, names: Sequence[str]) -> dict[str, pa.Array]:
    """Some columns of a CSV file as text, all rows in memory."""
    check_columns(names, _header(Path(path)), str(path))
    types = {name: pa.string() for name in names}
    table = pa.Table.from_batches(_batches(Path(path), types, list(types)))
    return {name: table.column(name).combine_chunks() for name in names}


def times_in(column: pa.Array, name: str) -> Longs:
    """A text column of times."""
    return to_times(column, name, _where, 0)


class FileStream(Stream):
    """A CSV file; each pass reads it anew."""

    rows: int

    def __init__(self, path: Path, roles: Roles, name: str | None = None) -> None:
        self._path, self._roles = path, roles
        self.name = name or path.name.removesuffix(".gz").removesuffix(".csv")
        self._features = roles.feature_names(_header(path), str(path))
        self.rows = self._scan()
        self._encoder = Encoder(roles, self.schema, _where)

    def blocks(self, size: int) -> Iterator[Block]:
        return recut(self._read(), size)

    def fingerprint(self) -> str:
        """Of the file's bytes and the columns' roles: no need to read the rows."""
        digest = hashlib.sha256(repr((self.schema, self._roles)).encode())
        with self._path.open("rb") as file:
            while chunk := file.read(_BYTES):
                digest.update(chunk)
        return digest.hexdigest()

    def _scan(self) -> int:
        roles = self._roles
        scans = {
            name: ColumnScan(name, _where, name in roles.nominal, name == roles.target)
            for name in (*self._features, roles.target)
        }
        if roles.classes is not None:
            scans[roles.target].nominal = True
        rows = 0
        text = {name: pa.string() for name in scans}
        with Progress(f"reading {self.name}", None) as progress:
            for batch in _batches(self._path, text, list(scans)):
                for name, scan in scans.items():
                    scan.feed(batch.column(name), rows)
                rows += len(batch)
                progress.advance(rows)
        numbers = all(map(_plainly_a_number, scans[roles.target].values))
        label_of = number_label if numbers else str
        self.schema = make_schema(roles, self._features, scans, str(self._path), label_of)
        return rows

    def _read(self) -> Iterator[Block]:
        schema, roles = self.schema, self._roles
        types = {
            name: pa.string() if values else pa.float64()
            for name, values in zip(schema.features, schema.values, strict=True)
        }
        types[roles.target] = pa.float64() if schema.regression else pa.string()
        types |= {name: pa.string() for name in (roles.arrives, roles.revealed) if name}
        start = 0
        for batch in _batches(self._path, types, list(types)):
            try:
                yield self._block(batch, start)
            except InputError as error:
                if error.row is not None and error.row > start:
                    yield self._block(batch.slice(0, error.row - start), start)
                raise
            start += len(batch)

    def _block(self, batch: pa.RecordBatch, start: int) -> Block:
        columns = {name: batch.column(name) for name in batch.schema.names}
        return self._encoder.block(columns, start)


def _header(path: Path) -> list[str]:
    for batch in _batches(path, {}, None):
        try:
            return list(batch.schema.names)
        except UnicodeDecodeError as error:
            raise InputError(
                f"{path}: its header cannot be read: {error}; expected text in UTF-8"
            ) from None
    raise InputError(f"{path}: has a header but no rows; expected at least one row")

    def _block(self, batch: pa.RecordBatch, start: int) -> Block:
        columns = {name: batch.column(name) for name in batch.schema.names}
        return self._encoder.block(columns, start)


def _batches(
    path: Path, types: dict[str, pa.DataType], columns: list[str] | None
) -> Iterator[pa.RecordBatch]:
    """A CSV file piece by piece; without `types`, Arrow guesses them."""
    try:
        reader = csv.open_csv(
            pa.input_stream(str(path), compression="detect"),
            csv.ReadOptions(use_threads=False, block_size=_BYTES),
            csv.ParseOptions(newlines_in_values=False),
            csv.ConvertOptions(
                column_types=types,
                include_columns=columns or [],
                null_values=_MISSING,
                strings_can_be_null=True,
            ),
        )
        for batch in reader:
            if len(batch):
                yield batch
    except FileNotFoundError:
        raise InputError(
            f"no such file: {path}; expected a CSV file (.csv or .csv.gz) or the name of a data "
            "set such as elec2"
        ) from None
    except (pa.ArrowInvalid, pa.ArrowKeyError, OSError) as error:
        raise InputError(
            f"{path}: cannot be read as CSV: {error}; expected a header line and rows of as many "
            "cells, separated by commas"
        ) from None
