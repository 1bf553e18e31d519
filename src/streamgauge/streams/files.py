"""Streams from CSV, Parquet, Arrow and ARFF files, read in chunks: memory use is bounded."""

from __future__ import annotations

import hashlib
from collections.abc import Generator, Iterable, Iterator, Sequence, Set
from functools import partial
from pathlib import Path

import pyarrow as pa

from streamgauge._support.cores import available_cores
from streamgauge._support.errors import InputError
from streamgauge._support.malloc import reuse_freed_memory
from streamgauge._support.progress import Progress
from streamgauge._support.types import Block, Clock, Label
from streamgauge.rendering.plain_values import plain
from streamgauge.streams._read_ahead import read_ahead
from streamgauge.streams.base import Stream
from streamgauge.streams.blocks import recut
from streamgauge.streams.columns import target_among
from streamgauge.streams.formats._column_scan import ColumnScan
from streamgauge.streams.formats._encoder import Encoder
from streamgauge.streams.formats._text_files import unreadable
from streamgauge.streams.formats.csv.chunk import Chunk
from streamgauge.streams.formats.csv.first_pass_cache import FirstPassCache
from streamgauge.streams.formats.open_table import open_table
from streamgauge.streams.formats.schema_inference import (
    Roles,
    Task,
    ambiguous_labels,
    label_of_text,
    label_of_type,
    make_schema,
    new_scan,
)
from streamgauge.streams.formats.table import no_rows
from streamgauge.streams.origin import Origin
from streamgauge.streams.times import first_clock

_HASH_BYTES = 1 << 19  # read at a time
_HANDED_OVER = 1 << 12  # rows; handing over a smaller block takes longer than cutting it


def read(
    path: str | Path,
    target: str | None = None,
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
    r"""Open a file as a stream.

    A first pass infers what each column is; it is not needed if the header of an ARFF file says so.
    During a pass, a thread reads ahead.

    Parameters
    ----------
    path
        A .csv, .csv.gz, .parquet, .arrow, .feather, .arff or .arff.gz file.
    target
        The target column; by default the only one called target, class, label or y. It holds
        classes if it is text or has at most 100 different integers; otherwise it is a regression
        target. `task` and `classes` override this.
    features
        The feature columns, in order; by default all columns without another role.
    drop
        Columns to leave out.
    nominal
        Columns to treat as nominal. Without this, a column is numeric if all its cells are numbers
        or missing (empty, ?, NA, NaN, None, null), and nominal if it starts with text. Blanks
        around a cell are not part of it. Dates and times are not features: name them in `arrives`,
        `revealed`, `drop` or `nominal`.
    classes
        All classes, in order, including those that may not occur. Labels that are text such as
        "None" or "NA" are classes if they are declared here, and missing if they are not; without
        `classes` they are an error, as are labels that differ only in surrounding blanks.
    arrives, revealed
        Columns with the times when a row arrives and when its label is revealed: integers or ISO
        8601 times, those with a time zone are converted to UTC. A row with an empty reveal time is
        never revealed.
    task
        "classification" or "regression".
    name
        The stream's name; by default the file name without its extension.

    Returns
    -------
    Stream
        The rows in the order of the file.

    Raises
    ------
    UsageError
        If a column does not exist or an option does not fit it.
    InputError
        If a cell or line is invalid; the message names file, line and column. During a pass, if the
        header of an ARFF file says what every column is. Also, now or during a pass, if the file
        has changed since it was opened.

    Examples
    --------
    >>> from pathlib import Path
    >>> import streamgauge as sg
    >>> _ = Path("loans.csv").write_text("age,job,repaid\n31,clerk,yes\n,cook,no\n45,clerk,yes\n")
    >>> stream = sg.read("loans.csv", target="repaid")
    >>> stream.schema.values, stream.schema.classes
    (((), ('clerk', 'cook')), ('no', 'yes'))
    >>> next(stream.blocks(3)).X.tolist()  # nominal values as codes, NaN for the empty cell
    [[31.0, 0.0], [nan, 1.0], [45.0, 0.0]]
    """
    if target is None:
        target = target_among(open_table(path).names, str(path))
    roles = Roles(target, features, drop, nominal, classes, arrives, revealed, task)
    return FileStream(path, roles, name)


class FileStream(Stream):
    """A file as a stream; every pass reads the file again."""

    rows: int
    _cache: FirstPassCache  # of the pass that inferred the schema, for the next one

    def __init__(self, path: str | Path, roles: Roles, name: str | None = None) -> None:
        self._table = table = open_table(path)
        self._roles = roles
        self.name = name or table.path.name.removesuffix(".gz").rpartition(".")[0]
        self._features = roles.feature_names(table.names, str(path))
        self._origin = Origin("read", plain({"path": str(path), **roles.given}))
        self.rows = self._scan()
        self._encoder = Encoder(roles, self.schema, str(path), table.where)

    def blocks(self, size: int) -> Iterator[Block]:
        cache, self._cache = self._cache, FirstPassCache(self._table.stamp)
        at_hand = partial(cache.spares_reading, self.rows)
        if size < _HANDED_OVER:
            return recut(read_ahead(self._read(cache), at_hand), size)
        # Joins rows in the reading thread, too.
        return read_ahead(recut(self._read(cache), size), at_hand)

    @property
    def path(self) -> Path:
        """Path of the file that is read."""
        return self._table.file

    @property
    def roles(self) -> Roles:
        """What the caller said about the columns."""
        return self._roles

    def fingerprint(self) -> str:
        """Return a hash of the file's bytes and the columns' roles, without parsing rows."""
        digest = hashlib.sha256(repr((self.schema, self._roles)).encode())
        self._table.stamp.check()
        try:
            with self._table.file.open("rb") as file:
                while data := file.read(_HASH_BYTES):
                    digest.update(data)
        except OSError as error:
            raise unreadable(self._table.path, error) from None
        self._table.stamp.check()
        return digest.hexdigest()

    def _scan(self) -> int:
        """Infer the schema from all rows and count them; try the guessed column types first."""
        names = [*self._features, self._roles.target]
        if self._is_declared:
            rows = self._table.count_rows()
            if rows is not None:  # the cells are checked whenever they are read
                self._cache = FirstPassCache(self._table.stamp)
                self._make_schema(self._new_scans(names))
                return rows
        text = dict.fromkeys(names, pa.string())
        if not self._table.guessed_types:
            return self._scan_as(text)
        guessed = {name: self._table.guessed_types[name] for name in self._features}
        nominal = dict.fromkeys((*self._roles.nominal, self._roles.target), pa.string())
        try:
            return self._scan_as(guessed | nominal, guess=True)
        except InputError:  # a wrong guess or a bad cell: text tells which, and where
            return self._scan_as(text)

    @property
    def _is_declared(self) -> bool:
        """Whether the header says what every column is, so that no cell need be read for it."""
        table, nominal = self._table, self._roles.nominal
        return self._roles.target in table.declared_values and all(
            name in table.declared_values or (name in table.declared_types and name not in nominal)
            for name in self._features
        )

    def _scan_as(self, types: dict[str, pa.DataType], guess: bool = False) -> int:
        roles, table = self._roles, self._table
        scans: dict[str, ColumnScan] = {}
        reuse_freed_memory()
        self._cache = cache = FirstPassCache(table.stamp)
        rows = 0
        with Progress(f"reading {self.name}", None) as progress:
            for batch in table.chunks(self._features, types, cores=available_cores()):
                if not scans:
                    scans = self._new_scans(types, batch)
                self._feed(scans, batch, rows)
                cache.add(batch)
                rows += batch.num_rows
                progress.advance(rows)
                if guess and not scans[roles.target].all_values:
                    types[roles.target] = pa.float64()  # regression: the spelling does not matter
        if not rows:
            raise no_rows(table.path)
        self._make_schema(scans, batch)
        return rows

    def _feed(self, scans: dict[str, ColumnScan], batch: Chunk | pa.RecordBatch, rows: int) -> None:
        """Scan the rows from `rows` on."""
        to_scan: Set[str] = scans.keys()
        if isinstance(batch, Chunk):
            for name in batch.filled & scans.keys():
                scans[name].has_values = True
            to_scan = batch.to_scan
        for name, scan in scans.items():
            if name in to_scan:
                column = batch[name]
                is_rounded = not isinstance(batch, Chunk) and not self._table.typed
                scan.feed(column, rows, is_rounded and pa.types.is_float64(column.type))

    def _make_schema(
        self, scans: dict[str, ColumnScan], batch: Chunk | pa.RecordBatch | None = None
    ) -> None:
        """Make the schema from the scans; `batch` tells the types of a typed file."""
        target = self._roles.target
        if self._table.typed and batch is not None:
            label_of = label_of_type(batch[target].type)
        else:
            label_of = label_of_text(scans[target])
        self.schema = make_schema(
            self._roles, self._features, scans, str(self._table.path), label_of, self._clock()
        )

    def _clock(self) -> Clock:
        """What the arrival times count; without them, rows are numbered."""
        column = self._roles.arrives
        if column is None:
            return "integers"
        return first_clock(next(self._table.batches([column], {column: pa.string()}))[column])

    def _new_scans(
        self, names: Iterable[str], batch: Chunk | pa.RecordBatch | None = None
    ) -> dict[str, ColumnScan]:
        """Start a scan of each column; `batch` tells the types of a typed file."""
        table = self._table
        return {
            name: new_scan(
                name,
                batch[name].type if table.typed and batch is not None else None,
                self._roles,
                str(table.path),
                table.where,
                table.declared_values,
                table.declared_types,
            )
            for name in names
        }

    def _read(self, cache: FirstPassCache) -> Generator[Block]:
        start = 0
        names = (*self._features, self._roles.target)
        unchecked = self._new_scans(names) if self._is_declared else {}
        for batch in self._chunks(cache):
            if unchecked:
                self._check(unchecked, batch, start)
            try:
                yield self._encoder.block(batch, start)
            except InputError as error:
                if error.row is not None and error.row > start:
                    yield self._encoder.block(batch.slice(0, error.row - start), start)
                raise
            start += batch.num_rows
        if start != self.rows:
            raise InputError(
                f"{self._table.path}: {start:,} rows in this pass, {self.rows:,} when the file was "
                "opened; expected the same rows in every pass: read it again once it is complete"
            )

    def _check(
        self, scans: dict[str, ColumnScan], batch: Chunk | pa.RecordBatch, start: int
    ) -> None:
        """Check rows against the header, whose columns were not scanned before."""
        self._feed(scans, batch, start)
        target = self._roles.target
        if words := scans[target].ambiguous:
            what = f"{self._table.path}: target {target!r}"
            raise ambiguous_labels(words, self.schema.classes, what)

    def _chunks(self, cache: FirstPassCache) -> Iterator[Chunk | pa.RecordBatch]:
        """Yield the cached chunks, if any, then the rest of the file."""
        schema, roles = self.schema, self._roles
        types = {
            name: pa.string() if values else pa.float64()
            for name, values in zip(schema.features, schema.values, strict=True)
        }
        types[roles.target] = pa.float64() if schema.regression else pa.string()
        types |= {name: pa.string() for name in (roles.arrives, roles.revealed) if name}
        rows, offset = 0, 0
        for chunk in cache.take(types.keys()):
            rows, offset = rows + chunk.num_rows, chunk.end
            yield chunk
        if rows < self.rows:
            # One core is for the caller: a second parsing thread would only take its time.
            cores = max(1, available_cores() - 1)
            yield from self._table.chunks(self._features, types, rows, offset, cores)
