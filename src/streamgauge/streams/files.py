"""Streams from files (CSV, Parquet, ARFF), in blocks: memory does not grow with the file."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pyarrow as pa

from streamgauge._support.errors import InputError
from streamgauge._support.progress import Progress
from streamgauge._support.types import Block, Label
from streamgauge.streams.base import Stream, recut
from streamgauge.streams.formats.csv.chunk import Piece
from streamgauge.streams.formats.csv.first_pass_cache import Held
from streamgauge.streams.formats.encoder import Encoder
from streamgauge.streams.formats.schema_inference import (
    ColumnScan,
    Roles,
    Task,
    label_of_type,
    make_schema,
    new_scan,
    number_label,
)
from streamgauge.streams.formats.tables import BYTES, no_rows, open_table


def label_of_text(target: ColumnScan) -> Callable[[str], Label]:
    """How a class of a text file, matched as text, is called: numbers are numbers again."""
    values = target.declared or target.values
    return number_label if all(map(_plainly_a_number, values)) else str


def _plainly_a_number(text: str) -> bool:
    """Is this how a number is written? 007 is a name."""
    try:
        number = number_label(text)
    except ValueError:
        return False
    return text in (str(number), repr(float(number)))


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
    """A file (.csv, .csv.gz, .parquet, .arff) as a stream. A first pass finds out what columns are.

    A column is numeric if all its cells are numbers (or empty, ?, NA, NaN, null), nominal if it
    begins with text or stands in `nominal`. The target is a class if it is text or at most 100
    different whole numbers, else a quantity; `task` or `classes` overrules. `arrives` and
    `revealed` name columns of times (whole numbers or ISO times; empty = never revealed).
    """
    roles = Roles(target, features, drop, nominal, classes, arrives, revealed, task)
    return FileStream(Path(path), roles, name)


class FileStream(Stream):
    """A file; each pass reads it anew."""

    rows: int

    def __init__(self, path: Path, roles: Roles, name: str | None = None) -> None:
        self._table = table = open_table(path)
        self._roles = roles
        self.name = name or path.name.removesuffix(".gz").rpartition(".")[0]
        self._features = roles.feature_names(table.names, str(path))
        self.rows = self._scan()
        self._encoder = Encoder(roles, self.schema, table.where)

    def blocks(self, size: int) -> Iterator[Block]:
        return recut(self._read(), size)

    def fingerprint(self) -> str:
        """Of the file's bytes and the columns' roles: no need to read the rows."""
        digest = hashlib.sha256(repr((self.schema, self._roles)).encode())
        with self._table.path.open("rb") as file:
            while chunk := file.read(BYTES):
                digest.update(chunk)
        return digest.hexdigest()

    def _scan(self) -> int:
        """What the columns are, by all rows: quickly if they are what they seem at first."""
        names = [*self._features, self._roles.target]
        text = dict.fromkeys(names, pa.string())
        if not self._table.guessed:
            return self._scan_as(text)
        guessed = {name: self._table.guessed[name] for name in self._features}
        nominal = dict.fromkeys((*self._roles.nominal, self._roles.target), pa.string())
        try:
            return self._scan_as(guessed | nominal)
        except InputError:  # something is wrong, or not a number after all: look closely
            return self._scan_as(text)

    def _scan_as(self, types: dict[str, pa.DataType]) -> int:
        roles, table = self._roles, self._table
        scans: dict[str, ColumnScan] = {}
        self._held = held = Held(table.path)
        rows = 0
        with Progress(f"reading {self.name}", None) as progress:
            for batch in table.pieces(self._features, types):
                for name in batch.news if isinstance(batch, Piece) else types:
                    cells = batch[name]
                    if name not in scans:
                        kind = cells.type if table.typed else None
                        scans[name] = new_scan(
                            name, kind, roles, table.where, table.declared, table.kinds
                        )
                    scans[name].feed(cells, rows)
                held.offer(batch)
                rows += batch.num_rows
                progress.advance(rows)
                if not (scans[roles.target].distinct or table.typed):
                    types[roles.target] = pa.float64()  # a quantity: its spelling does not matter
        if not rows:
            raise no_rows(table.path)
        if table.typed:
            label_of = label_of_type(batch[roles.target].type)
        else:
            label_of = label_of_text(scans[roles.target])
        self.schema = make_schema(roles, self._features, scans, str(table.path), label_of)
        return rows

    def _read(self) -> Iterator[Block]:
        start = 0
        for batch in self._pieces():
            try:
                yield self._encoder.block(batch, start)
            except InputError as error:
                if error.row is not None and error.row > start:
                    yield self._encoder.block(batch.slice(0, error.row - start), start)
                raise
            start += batch.num_rows

    def _pieces(self) -> Iterator[Piece | pa.RecordBatch]:
        """What opening the file has left, then the file."""
        schema, roles = self.schema, self._roles
        types = {
            name: pa.string() if values else pa.float64()
            for name, values in zip(schema.features, schema.values, strict=True)
        }
        types[roles.target] = pa.float64() if schema.regression else pa.string()
        types |= {name: pa.string() for name in (roles.arrives, roles.revealed) if name}
        held, self._held = self._held, Held(self._table.path)
        read, end = 0, 0
        for piece in held.pieces(types.keys()):
            read, end = read + piece.num_rows, piece.end
            yield piece
        if read < self.rows:
            yield from self._table.pieces(self._features, types, read, end)
