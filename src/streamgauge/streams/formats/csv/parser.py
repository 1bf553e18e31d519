"""Parses consecutive parts of a simple CSV file, with one text dictionary for all parts.

A dialect of CSV is a subclass that says which parts it cannot parse and what a text cell means.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from streamgauge._support.arrow_numbers import arrow_texts
from streamgauge._support.types import Codes, Flags, Floats, Longs
from streamgauge.streams.formats.arrow_cells import first_inexact, to_floats
from streamgauge.streams.formats.csv import kernels
from streamgauge.streams.formats.csv.cell_ends import PADDING, find_cell_ends, has_rows_of
from streamgauge.streams.formats.csv.chunk import Chunk, TextColumn

_MIN_UNPARSED = 1 << 12  # room for cells that a kernel call leaves to Arrow
MAX_TEXTS = 1 << 14  # distinct texts of a column that are kept from part to part
_MIN_TEXTS, _MAX_ALL_TEXTS = 16, 1 << 20  # room in the dictionary for all of many text columns
_QUIET = {"over": "ignore"}  # uncompiled, numpy would warn about integer overflow


class UnsupportedCsv(Exception):  # noqa: N818 - not an error: Arrow reads the file instead
    """The fast parser cannot read this part of the file, e.g. because of quotes."""


class Parser:
    """Parses parts of a CSV file into chunks.

    Parameters
    ----------
    names
        All columns of the file.
    features
        The columns of the chunks' feature matrix.
    types
        The columns to parse, as text or float64; may change from part to part.
    """

    def __init__(
        self,
        names: Sequence[str],
        features: Sequence[str],
        types: dict[str, pa.DataType],
    ) -> None:
        self._names, self._features, self._types = names, features, types
        self._set_types: dict[str, pa.DataType] = {}  # those that the columns below follow
        self._ends: Codes = np.empty(0, np.int32)
        self._kinds: Flags = np.empty(0, np.uint8)
        self._matrix_columns: dict[str, int] = {}
        self._targets: Longs = np.empty(0, np.int64)  # matrix column of each file column, or -1
        self._text_names: list[str] = []
        self._numeric_names: set[str] = set()
        self._dictionary = kernels.new_dictionary(0)

    def parse(self, buffer: bytearray, start: int, stop: int, end: int) -> Chunk | None:
        """Parse the complete lines between two bytes of `buffer`; None if all are empty.

        `end` is the byte of the file where they end.
        """
        self._set_columns()
        data = np.frombuffer(buffer, np.uint8)
        if len(self._ends) < stop + 2:
            self._ends = np.empty(stop + 2, np.int32)
        unsupported = np.frombuffer(self._unsupported_bytes(), np.uint8)
        cells, lines, supported = find_cell_ends(data, start, stop, unsupported, self._ends)
        if not supported:
            raise UnsupportedCsv
        if not has_rows_of(data, self._ends, cells, lines, len(self._names)):
            return self._parse_without_empty_lines(buffer, start, stop, end)
        numeric = np.empty((lines, len(self._matrix_columns)))
        codes = np.empty((len(self._text_names), lines), np.int32)
        complete = self._parse_rows(buffer, lines, numeric, codes)
        return self._chunk(numeric, codes, complete, end)

    def _unsupported_bytes(self) -> bytes:
        """Return the bytes that only the slow reader understands."""
        return b'"'

    def _text(self, cell: str) -> str | None:
        """Return what a text cell holds; None if it is missing, whatever the column's values."""
        return cell

    def _parse_without_empty_lines(
        self, buffer: bytearray, start: int, stop: int, end: int
    ) -> Chunk | None:
        """Try again without empty lines, which are not rows."""
        part = buffer[start:stop]
        lines = part.splitlines(keepends=True)
        rows = bytearray().join(line for line in lines if line.strip(b"\r\n"))
        if len(rows) == len(part):
            raise UnsupportedCsv
        if not rows:
            return None
        return self.parse(rows + bytes(PADDING), 0, len(rows), end)

    def _parse_rows(self, buffer: bytearray, rows: int, numeric: Floats, codes: Codes) -> bool:
        """Parse rows; return whether the kernel found a number in every numeric cell."""
        data, complete = np.frombuffer(buffer, np.uint8), True
        unparsed = np.empty((max(_MIN_UNPARSED, len(self._names)), 4), np.int64)
        row = 0
        with np.errstate(**_QUIET):  # type: ignore[arg-type]
            while row < rows:
                row, n_unparsed, all_numbers, status = kernels.parse_rows(
                    data, self._ends, row, rows, self._kinds, self._targets,
                    self._dictionary, numeric, codes, unparsed
                )  # fmt: skip
                self._parse_with_arrow(buffer, unparsed[:n_unparsed], numeric)
                complete = complete and all_numbers
                if status == kernels.DICTIONARY_FULL:
                    self._dictionary = kernels.enlarge(self._dictionary)
        return complete

    def _set_columns(self) -> None:
        """Follow `types`; keep the dictionary unless the types have changed or it is large."""
        limit = max(_MIN_TEXTS, min(MAX_TEXTS, _MAX_ALL_TEXTS // max(1, len(self._text_names))))
        if self._types == self._set_types and self._dictionary.counts.max(initial=0) < limit:
            return
        self._set_types = dict(self._types)
        kind_of = {name: self._kind(name) for name in self._names}
        numeric = [name for name in self._types if kind_of[name] == kernels.NUMERIC]
        columns = dict.fromkeys([*self._features, *numeric])
        self._matrix_columns = {name: j for j, name in enumerate(columns)}
        self._targets = np.array([self._matrix_columns.get(name, -1) for name in self._names])
        self._kinds = np.array([kind_of[name] for name in self._names], np.uint8)
        self._text_names = [name for name in self._names if kind_of[name] == kernels.TEXT]
        self._numeric_names = set(numeric)
        self._dictionary = kernels.new_dictionary(len(self._text_names))
        self._decoded: list[list[str | None]] = [[] for _ in self._text_names]
        self._texts: dict[str, TextColumn] = {}

    def _forget_texts(self) -> None:
        self._set_types = {}

    def _kind(self, name: str) -> int:
        if name not in self._types:
            return kernels.SKIP
        return kernels.NUMERIC if pa.types.is_float64(self._types[name]) else kernels.TEXT

    def _parse_with_arrow(self, buffer: bytearray, unparsed: Longs, numeric: Floats) -> None:
        """Parse the numeric cells that the kernel cannot."""
        if not len(unparsed):
            return
        try:
            texts = [buffer[start:stop].decode() for start, stop in unparsed[:, 2:].tolist()]
            cells = pa.array(texts, pa.string())
            values = to_floats(cells)
        except (pa.ArrowInvalid, UnicodeDecodeError):
            raise UnsupportedCsv from None
        if first_inexact(cells, values) is not None:
            raise UnsupportedCsv  # read as text, the scan of the column says which cell
        numeric[unparsed[:, 0], unparsed[:, 1]] = values

    def _chunk(self, numeric: Floats, codes: Codes, complete: bool, end: int) -> Chunk:
        if not complete:  # but Arrow may have filled in the others
            with np.errstate(invalid="ignore", over="ignore"):
                complete = bool(np.isfinite(numeric.sum()))  # faster than a look at each column
        filled: set[str] = self._numeric_names
        infinite: set[str] = set()
        if not complete:
            filled = self._names_of(~np.isnan(numeric).all(axis=0))
            infinite = self._names_of(np.isinf(numeric).any(axis=0))
        new = {name: texts for j, name in enumerate(self._text_names) if (texts := self._decode(j))}
        return Chunk(
            numeric, codes, self._matrix_columns, dict(self._texts), filled, infinite, new, end
        )

    def _names_of(self, columns: Any) -> set[str]:
        """Return the names of the numeric columns that a mask chooses."""
        chosen = {name for name, j in self._matrix_columns.items() if columns[j]}
        return chosen & self._numeric_names

    def _decode(self, column: int) -> list[str | None]:
        """Decode the new texts of a text column."""
        decoded, dictionary = self._decoded[column], self._dictionary
        old, count = len(decoded), int(dictionary.counts[column])
        if old == count:
            return []
        memory = dictionary.memory[: dictionary.used[0]].tobytes()
        starts = dictionary.starts[column, old:count]
        ends = starts + dictionary.lengths[column, old:count]
        try:
            decoded += [
                self._text(memory[start:end].decode())
                for start, end in zip(starts.tolist(), ends.tolist(), strict=True)
            ]
        except UnicodeDecodeError:
            raise UnsupportedCsv from None
        self._texts[self._text_names[column]] = (column, arrow_texts(decoded))
        return decoded[old:]
