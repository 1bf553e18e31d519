"""CSV files, plain or .gz: a header line, then rows of comma-separated cells."""

from __future__ import annotations

import csv as python_csv
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

import pyarrow as pa
from pyarrow import csv as arrow_csv

from streamgauge._support.errors import InputError
from streamgauge.streams.formats import _text_files as text_files
from streamgauge.streams.formats._table import Table, no_rows
from streamgauge.streams.formats.csv.chunk import Chunk
from streamgauge.streams.formats.csv.parser import UnsupportedCsv
from streamgauge.streams.formats.csv.reader import CsvReader

_SAMPLE_BYTES = 1 << 14  # enough rows to guess column types


class CsvTable(Table):
    """A CSV file."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        schema = self._first_batch().schema
        try:
            self.names = list(schema.names)
        except UnicodeDecodeError as error:
            raise InputError(
                f"{path}: the header is not valid UTF-8: {error}; save the file as UTF-8"
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
        for size in (_SAMPLE_BYTES, text_files.CHUNK_BYTES):
            try:
                return next(self._arrow_batches(None, None, min(size, text_files.CHUNK_BYTES)))
            except StopIteration:
                raise no_rows(self.path) from None
            except InputError:
                if size == text_files.CHUNK_BYTES:
                    raise
        raise AssertionError("unreachable")

    def where(self, row: int) -> str:
        """Return the file, the row and its line.

        For error messages only: it reads the file again to find the line, because empty lines are
        not rows and a quoted cell may span lines.
        """
        text = (line.decode("utf-8", "replace") + "\n" for line in text_files.read_lines(self.path))
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

    def batches(
        self, columns: list[str] | None = None, types: dict[str, pa.DataType] | None = None
    ) -> Iterator[pa.RecordBatch]:
        """Read with Arrow."""
        return self._arrow_batches(columns, types, text_files.CHUNK_BYTES)

    def chunks(
        self, features: Sequence[str], types: dict[str, pa.DataType], rows: int = 0, offset: int = 0
    ) -> Iterator[Chunk | pa.RecordBatch]:
        """Read with the fast reader up to the first part that it does not support, then Arrow."""
        if len(self.names) > 1:
            reader = CsvReader(
                self.path, self.names, features, types, text_files.MISSING, text_files.CHUNK_BYTES
            )
            try:
                for chunk in reader.chunks(offset):
                    rows += chunk.num_rows
                    yield chunk
                return
            except (UnsupportedCsv, OSError):
                pass
        for batch in self.batches(list(types), types):
            if rows < len(batch):
                yield batch.slice(rows)
            rows = max(0, rows - len(batch))

    def _arrow_batches(
        self, columns: list[str] | None, types: dict[str, pa.DataType] | None, chunk_bytes: int
    ) -> Iterator[pa.RecordBatch]:
        try:
            source = pa.input_stream(str(self.path), compression="detect")
            yield from text_files.text_batches(
                source, columns, types, arrow_csv.ReadOptions(), chunk_bytes=chunk_bytes
            )
        except (pa.ArrowInvalid, pa.ArrowKeyError) as error:
            if "Empty CSV file" in str(error):  # also a header without a line end
                raise InputError(
                    f"{self.path}: has no rows; expected a header line, then at least one row"
                ) from None
            raise InputError(
                f"{self.path}: cannot be read as CSV: {error}; expected a header line, then rows "
                "with one cell per column, separated by commas, in UTF-8"
            ) from None
        except OSError as error:
            raise text_files.unreadable(self.path, error) from None
