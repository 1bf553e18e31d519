"""ARFF files, plain or .gz: a header that declares the columns, then dense or sparse rows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv

from streamgauge._support.errors import InputError
from streamgauge.streams.formats._table import Table, no_rows
from streamgauge.streams.formats._text_files import read_lines, text_batches

EXTRA = ("instanceId", "timestamp")  # undeclared columns of grzenda2019's program

_QUOTED = r"'(?:\\.|[^'\\])*'|\"(?:\\.|[^\"\\])*\""
_ATTRIBUTE = re.compile(rf"@attribute\s+({_QUOTED}|[^\s{{'\"]+)\s*(.+)", re.IGNORECASE)
_VALUES = re.compile(rf"\{{((?:{_QUOTED}|[^}}'\"])*)\}}\s*(?:%.*)?$")
_TYPE = re.compile(r"(numeric|real|integer|string|date(?:\s+\S.*)?)\s*(?:%.*)?$", re.IGNORECASE)
_CELL = re.compile(rf"\s*(?:({_QUOTED})\s*|([^,'\"][^,]*)?)(,|$)")
_SPARSE = re.compile(rf"\s*(\d+)\s+({_QUOTED}|[^,'\"]+?)\s*(?:,|$)")
_NOT_PLAIN_CSV = re.compile(rb"[%'\"{\\]|^\s*$", re.MULTILINE)


class ArffTable(Table):
    """An ARFF file.

    Nominal values keep the order of the header. Two undeclared cells at the end of every row are an
    id and a time, as in grzenda2019's program.
    """

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._header_lines = 0
        for line in read_lines(path):
            self._header_lines += 1
            text = line.decode("utf-8", "replace").strip().removeprefix("\ufeff")
            if text.lower().startswith("@attribute"):
                self._declare(text)
            elif text.lower().startswith("@data"):
                break
        else:
            raise InputError(f"{path}: has no @data line; expected an ARFF file")
        if not self.names:
            raise InputError(f"{path}: has no @attribute line; expected one for every column")
        first = next(self._rows(), None)
        if first is None:
            raise no_rows(path)
        if len(_split(first[1]) or ()) == len(self.names) + len(EXTRA):
            self.names += EXTRA

    def _declare(self, line: str) -> None:
        found = _ATTRIBUTE.match(line)
        values = found and _VALUES.match(found[2])
        kind = found and _TYPE.match(found[2])
        listed = _split(values[1]) if values and values[1].strip() else None
        if found is None or not (listed or kind):
            raise InputError(
                f"{self.path}: line {self._header_lines}: cannot parse {line!r}; expected "
                "@attribute name numeric, or @attribute name {value, value}"
            )
        name = _unquoted(found[1])
        self.names.append(name)
        if listed:
            repeated = next((value for value in listed if listed.count(value) > 1), None)
            if repeated is not None:
                raise InputError(
                    f"{self.path}: line {self._header_lines}: value {repeated!r} of {name!r} is "
                    "listed more than once; list each value once"
                )
            self.declared_values[name] = tuple(value or "?" for value in listed)
        elif kind:
            word = kind[1].split()[0].lower()
            self.declared_types[name] = "text" if word in ("string", "date") else "numeric"

    def _rows(self) -> Iterator[tuple[int, str]]:
        """Yield line number and text of every row; empty lines and comments are not rows."""
        for number, line in enumerate(read_lines(self.path), 1):
            if number > self._header_lines:
                text = line.decode("utf-8", "replace").strip()
                if text and not text.startswith("%"):
                    yield number, text

    def where(self, row: int) -> str:
        line = next(number for i, (number, _) in enumerate(self._rows()) if i == row)
        return f"{self.path}: row {row:,} (line {line:,})"

    def batches(
        self, columns: list[str] | None = None, types: dict[str, pa.DataType] | None = None
    ) -> Iterator[pa.RecordBatch]:
        """Read all cells as text; callers convert them."""
        options = csv.ReadOptions(column_names=self.names)
        text = dict.fromkeys(self.names, pa.string())
        try:
            # Chunk by chunk: Arrow would read a Python file object ahead in its own thread, which
            # aborts the process if it is still running when the interpreter ends.
            for chunk in filter(None, self._csv_chunks()):
                source = pa.BufferReader(chunk)
                for batch in text_batches(source, columns, text, options, dialect="arff"):
                    cells = [_strip(column) for column in batch.columns]
                    yield pa.record_batch(cells, names=batch.schema.names)
        except (pa.ArrowInvalid, pa.ArrowKeyError, OSError, ValueError) as error:
            raise InputError(
                f"{self.path}: cannot be read as ARFF: {self._first_error() or error}; expected "
                f"rows of {len(self.names)} cells, separated by commas"
            ) from None

    def _csv_chunks(self) -> Iterator[bytes]:
        """Yield the data as CSV; most chunks of most files need no change."""
        skipped = 0
        lines: list[bytes] = []
        for line in read_lines(self.path):
            if skipped < self._header_lines:
                skipped += 1
                continue
            lines.append(line)
            if len(lines) == 1 << 12:
                yield self._to_csv(lines)
                lines = []
        if lines:
            yield self._to_csv(lines)

    def _to_csv(self, lines: list[bytes]) -> bytes:
        chunk = b"\n".join(lines) + b"\n"
        if _NOT_PLAIN_CSV.search(chunk[:-1]) is None:
            return chunk
        rows = (line.decode("utf-8").strip() for line in lines)
        return "".join(
            _csv_line(self._dense(row)) for row in rows if row and not row.startswith("%")
        ).encode()

    def _dense(self, row: str) -> list[str | None]:
        """Return the cells of a row; None is missing."""
        if row.startswith("{"):
            return self._sparse(row)
        cells = _split(row)
        if cells is None:
            raise ValueError(f"a quote is not closed: {row}")
        return cells

    def _sparse(self, row: str) -> list[str | None]:
        """Return the cells of a sparse row; omitted ones are 0 or the first nominal value."""
        cells: list[str | None] = [self.declared_values.get(name, ("0",))[0] for name in self.names]
        at, end = 1, row.rfind("}")
        while row[at:end].strip():
            found = _SPARSE.match(row, at, end)
            if found is None or int(found[1]) >= len(cells):
                raise ValueError(
                    f"expected {{index value, index value}} with indices 0 to {len(cells) - 1}, "
                    f"got {row}"
                )
            cells[int(found[1])] = None if found[2] == "?" else _unquoted(found[2])
            at = found.end()
        return cells

    def _first_error(self) -> str | None:
        """Return the line of the first bad row, and what is wrong with it."""
        for number, row in self._rows():
            try:
                cells = self._dense(row)
            except ValueError as error:
                return f"line {number}: {error}"
            if "\ufffd" in row:
                return f"line {number}: not valid UTF-8: {row}"
            if len(cells) != len(self.names):
                return f"line {number}: expected {len(self.names)} cells, got {len(cells)}: {row}"
        return None


def _split(row: str) -> list[str | None] | None:
    """Split a row into cells, without quotes and surrounding space; a bare ? or nothing is None.

    Returns None if a quote is not closed.
    """
    cells: list[str | None] = []
    at = 0
    while True:
        found = _CELL.match(row, at)
        if found is None:
            return None
        bare = (found[2] or "").strip()
        cells.append(_unquoted(found[1]) if found[1] else bare if bare not in ("", "?") else None)
        at = found.end()
        if not found[3]:
            return cells


def _unquoted(text: str) -> str:
    text = text.strip()
    return re.sub(r"\\(.)", r"\1", text[1:-1]) if text[:1] in ("'", '"') else text


def _csv_line(cells: list[str | None]) -> str:
    quoted = ("" if cell is None else '"' + cell.replace('"', '""') + '"' for cell in cells)
    return ",".join(quoted) + "\n"


def _strip(column: pa.Array) -> pa.Array:
    """Strip surrounding space; a cell of only space, or ?, is missing."""
    bare = pc.utf8_trim_whitespace(column)
    padded = pc.and_kleene(
        pc.not_equal(bare, column), pc.is_in(bare, value_set=pa.array(["", "?"]))
    )
    return pc.if_else(pc.fill_null(padded, False), pa.scalar(None, pa.string()), bare)
