"""CSV files, plain or .gz: a header line, then rows of comma-separated cells."""

from __future__ import annotations

import csv as python_csv
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import partial

import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv as arrow_csv

from streamgauge._support.errors import InputError
from streamgauge._support.file_stamp import FileStamp
from streamgauge.streams.formats import _text_files as text_files
from streamgauge.streams.formats.arrow_cells import as_text
from streamgauge.streams.formats.csv.chunk import Chunk
from streamgauge.streams.formats.csv.parser import Parser, UnsupportedCsv
from streamgauge.streams.formats.csv.reader import CsvReader
from streamgauge.streams.formats.table import TableFile, no_rows

_SAMPLE_BYTES = 1 << 14  # enough rows to guess column types
_MAX_ROW_BYTES = 1 << 30
_WIDE_ROWS, _WIDE_BYTES = 16, 1 << 24  # a chunk of a very wide table, which takes long to set up


class _RowTooLong(Exception):  # noqa: N818 - not an error: a larger chunk holds the row
    """A row or the header does not fit into a chunk."""


class _BlanksInQuotes(Exception):  # noqa: N818 - not an error: our own rules for cells read them
    """A number has blanks around it that Arrow does not know, such as a no-break space."""


class CsvTable(TableFile):
    """A CSV file."""

    def __init__(self, stamp: FileStamp) -> None:
        super().__init__(stamp)
        self._chunk_bytes = text_files.CHUNK_BYTES
        self._closed = False  # whether every quote is known to be closed
        schema = self._first_batch().schema
        try:
            self.names = list(schema.names)
        except UnicodeDecodeError as error:
            raise InputError(
                f"{self.path}: the header is not valid UTF-8: {error}; save the file as UTF-8"
            ) from None
        self._check_separator()
        numeric = (pa.types.is_integer, pa.types.is_floating)
        self.guessed_types = {
            field.name: pa.float64() if any(f(field.type) for f in numeric) else pa.string()
            for field in schema
        }

    def _check_separator(self) -> None:
        if len(self.names) > 1:
            return
        separator = next((c for c in ";\t|" if c in self.names[0]), None)
        if separator is not None:
            raise InputError(
                f"{self.path}: the only column is {self.names[0]!r}; expected cells separated by "
                f"commas, not by {separator!r}: save the file with commas, or use "
                f"from_frame(pandas.read_csv(path, sep={separator!r}), ...)"
            )

    def _first_batch(self) -> pa.RecordBatch:
        """Read a small batch, whose types Arrow guesses; a larger one if a row does not fit."""
        size = min(_SAMPLE_BYTES, self._chunk_bytes)
        while True:
            try:
                batch = next(self._read(None, None, size))
            except StopIteration:
                raise no_rows(self.path) from None
            except _RowTooLong:
                size = self._larger(size)
            except InputError:
                if size >= self._chunk_bytes:
                    raise
                size = self._chunk_bytes
            else:
                if size > _SAMPLE_BYTES:
                    wide = max(size, min(_WIDE_ROWS * size, _WIDE_BYTES))
                    self._chunk_bytes = max(self._chunk_bytes, wide)
                return batch

    def where(self, row: int) -> str:
        """Return the file, the row and its line.

        For error messages only: it reads the file again to find the line, because empty lines are
        not rows and a quoted cell may span lines.
        """
        text = (line.decode("utf-8", "replace") + "\n" for line in text_files.read_lines(self.file))
        reader = python_csv.reader(text)
        rows_before, line = row + 1, 1  # the header counts as a row; the line of the next row
        with suppress(python_csv.Error):  # e.g. a lone carriage return: no line number then
            for cells in reader:
                if cells not in ([], ["\ufeff"]):
                    if not rows_before:
                        return f"{self.path}: row {row:,} (line {line:,})"
                    rows_before -= 1
                line = reader.line_num + 1
        return f"{self.path}: row {row:,}"

    def _batches(
        self, columns: list[str] | None, types: dict[str, pa.DataType] | None
    ) -> Iterator[pa.RecordBatch]:
        """Read with Arrow."""
        return self._batches_from(0, columns, types)

    def _batches_from(
        self, rows: int, columns: list[str] | None, types: dict[str, pa.DataType] | None
    ) -> Iterator[pa.RecordBatch]:
        """Read with Arrow all rows after the first ones; in larger chunks if a row needs them."""
        size, by_own_rules = self._chunk_bytes, False
        while True:
            start = 0
            try:
                for batch in self._read(columns, types, size, by_own_rules):
                    new = batch.slice(max(0, min(len(batch), rows - start)))
                    start += len(batch)
                    rows = max(rows, start)
                    if len(new):
                        yield new
                self._check_last_quote(start, size)
                return
            except _RowTooLong:
                size = self._larger(size)
            except _BlanksInQuotes:
                by_own_rules = True

    def _check_last_quote(self, rows: int, size: int) -> None:
        """Raise an error if a quote is never closed: all rows after it would be one cell.

        A last cell that spans lines then ends where the file ends, not at a quote.
        """
        if self._closed:
            return
        name, last = self.names[-1], ""
        for batch in self._read([name], {name: pa.string()}, size):
            last = str(batch.column(0)[-1]) if len(batch) else last
        if "\n" in last and not text_files.end_of(self.file).rstrip().endswith(b'"'):
            raise InputError(
                f"{self.where(rows - 1)}: a quote is opened and never closed, so that the rest of "
                'the file would be one cell; close it, or write "" for a quote inside a cell'
            )
        self._closed = True

    def _larger(self, size: int) -> int:
        """Return the next size of a chunk to try."""
        if size >= _MAX_ROW_BYTES:
            raise InputError(
                f"{self.path}: a row is longer than {_MAX_ROW_BYTES >> 20:,} MB; expected lines "
                "with one cell per column: is a quote not closed?"
            )
        return 4 * size

    def _chunks(
        self,
        features: Sequence[str],
        types: dict[str, pa.DataType],
        rows: int,
        offset: int,
        cores: int,
    ) -> Iterator[Chunk | pa.RecordBatch]:
        """Read with the fast reader up to the first part that it does not support, then Arrow."""
        if len(self.names) > 1:
            new_parser = partial(Parser, self.names, features, types)
            reader = CsvReader(self.file, new_parser, self._chunk_bytes, cores)
            try:
                for chunk in reader.chunks(offset):
                    rows += chunk.num_rows
                    yield chunk
                return
            except (UnsupportedCsv, OSError):
                pass
        yield from self._batches_from(rows, list(types), types)

    def _read(
        self,
        columns: list[str] | None,
        types: dict[str, pa.DataType] | None,
        chunk_bytes: int,
        by_own_rules: bool = False,
    ) -> Iterator[pa.RecordBatch]:
        """Read with Arrow; `by_own_rules` reads numbers as text and converts them afterwards."""
        try:
            source = pa.input_stream(str(self.file), compression="detect")
            read_as = dict.fromkeys(types or (), pa.string()) if by_own_rules else types
            for batch in text_files.text_batches(
                source, columns, read_as, arrow_csv.ReadOptions(), chunk_bytes=chunk_bytes
            ):
                yield _with_types(batch, types or {}) if by_own_rules else batch
        except (pa.ArrowInvalid, pa.ArrowKeyError) as error:
            if types and not by_own_rules and "conversion error to double" in str(error):
                raise _BlanksInQuotes from None
            empty = "Empty CSV file" in str(error)  # also a header without a line end
            if "straddling object" in str(error) or (empty and self._is_longer_than(chunk_bytes)):
                raise _RowTooLong from None
            if empty:
                raise InputError(
                    f"{self.path}: has no rows; expected a header line, then at least one row"
                ) from None
            raise InputError(
                f"{self.path}: cannot be read as CSV: {str(error)[:500]}; expected a header line, "
                "then rows with one cell per column, separated by commas, in UTF-8"
            ) from None
        except OSError as error:
            raise text_files.unreadable(self.path, error) from None

    def _is_longer_than(self, size: int) -> bool:
        with pa.input_stream(str(self.file), compression="detect") as file:
            return len(file.read(size + 1)) > size


def _with_types(batch: pa.RecordBatch, types: dict[str, pa.DataType]) -> pa.RecordBatch:
    """The batch with text columns cast to their types; surrounding blanks do not count."""
    kinds = [types[name] for name in batch.schema.names]
    columns = [
        column if pa.types.is_string(kind) else pc.cast(as_text(column), kind)
        for column, kind in zip(batch.columns, kinds, strict=True)
    ]
    return pa.RecordBatch.from_arrays(columns, batch.schema.names)
