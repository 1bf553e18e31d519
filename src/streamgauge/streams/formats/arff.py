"""ARFF files, plain or .gz: the header says what columns are, the data are dense or sparse rows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv

from streamgauge._support.errors import InputError
from streamgauge.streams.formats.tables import Table, lines_of, no_rows, text_batches

EXTRA = ("instanceId", "timestamp")  # grzenda2019's program: two cells after the class

_QUOTED = r"'(?:\\.|[^'\\])*'|\"(?:\\.|[^\"\\])*\""
_ATTRIBUTE = re.compile(rf"@attribute\s+({_QUOTED}|[^\s{{'\"]+)\s*(.+)", re.IGNORECASE)
_VALUES = re.compile(rf"\{{((?:{_QUOTED}|[^}}'\"])*)\}}\s*(?:%.*)?$")
_TYPE = re.compile(r"(numeric|real|integer|string|date(?:\s+\S.*)?)\s*(?:%.*)?$", re.IGNORECASE)
_CELL = re.compile(rf"\s*(?:({_QUOTED})\s*|([^,'\"][^,]*)?)(,|$)")
_SPARSE = re.compile(rf"\s*(\d+)\s+({_QUOTED}|[^,'\"]+?)\s*(?:,|$)")
_NEEDS_CARE = re.compile(rb"[%'\"{\\]|^\s*$", re.MULTILINE)


class ArffTable(Table):
    """Values keep the order of the header. Two undeclared cells at the end of every row are an id
    and a time, as in grzenda2019's program."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._header_lines = 0
        for line in lines_of(path):
            self._header_lines += 1
            text = line.decode("utf-8", "replace").strip().removeprefix("\ufeff")
            if text.lower().startswith("@attribute"):
                self._declare(text)
            elif text.lower().startswith("@data"):
                break
        else:
            raise InputError(f"{path}: has no @data line; expected an ARFF file")
        if not self.names:
            raise InputError(f"{path}: declares no @attribute; expected one per column")
        self._declared_cells = len(self.names)
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
                f"{self.path}, line {self._header_lines}: {line!r}; expected "
                "@attribute name numeric, or @attribute name {value, value}"
            )
        name = _unquoted(found[1])
        self.names.append(name)
        if listed:
            repeated = next((value for value in listed if listed.count(value) > 1), None)
            if repeated is not None:
                raise InputError(
                    f"{self.path}, line {self._header_lines}: value {repeated!r} of {name!r} "
                    "stands more than once; name each once"
                )
            self.declared[name] = tuple(value or "?" for value in listed)
        elif kind:
            word = kind[1].split()[0].lower()
            self.kinds[name] = "text" if word in ("string", "date") else "numbers"

    def _rows(self) -> Iterator[tuple[int, str]]:
        """Line number and text of every row; empty lines and comments are none."""
        for number, line in enumerate(lines_of(self.path), 1):
            if number > self._header_lines:
                text = line.decode("utf-8", "replace").strip()
                if text and not text.startswith("%"):
                    yield number, text

    def where(self, row: int) -> str:
        line = next(number for i, (number, _) in enumerate(self._rows()) if i == row)
        return f"row {row:,} (line {line:,})"

    def batches(
        self, columns: list[str] | None = None, types: dict[str, pa.DataType] | None = None
    ) -> Iterator[pa.RecordBatch]:
        """All cells as text: those of other types are turned into them where they are used."""
        how = csv.ReadOptions(column_names=self.names)
        text = dict.fromkeys(self.names, pa.string())
        try:
            # Piece by piece: of a file made in Python Arrow would read on in a thread of its own,
            # which ends the process if it is at it when the interpreter ends.
            for piece in filter(None, self._plain()):
                source = pa.BufferReader(piece)
                for batch in text_batches(source, columns, text, how, ["", "?"]):
                    cells = [_trimmed(column) for column in batch.columns]
                    yield pa.record_batch(cells, names=batch.schema.names)
        except (pa.ArrowInvalid, pa.ArrowKeyError, OSError, ValueError) as error:
            raise InputError(
                f"{self.path}: cannot be read as ARFF: {self._fault() or error}; expected rows of "
                f"{len(self.names)} cells, separated by commas"
            ) from None

    def _plain(self) -> Iterator[bytes]:
        """The data as rows of CSV; most pieces of most files are that already."""
        skipped = 0
        held: list[bytes] = []
        for line in lines_of(self.path):
            if skipped < self._header_lines:
                skipped += 1
                continue
            held.append(line)
            if len(held) == 1 << 12:
                yield self._cleaned(held)
                held = []
        if held:
            yield self._cleaned(held)

    def _cleaned(self, lines: list[bytes]) -> bytes:
        piece = b"\n".join(lines) + b"\n"
        if _NEEDS_CARE.search(piece[:-1]) is None:
            return piece
        rows = (line.decode("utf-8").strip() for line in lines)
        return "".join(
            _row(self._dense(row)) for row in rows if row and not row.startswith("%")
        ).encode()

    def _dense(self, row: str) -> list[str | None]:
        """A row's cells; None is missing."""
        if row.startswith("{"):
            return self._filled(row)
        cells = _split(row)
        if cells is None:
            raise ValueError(f"a quote has no end: {row}")
        return cells

    def _filled(self, row: str) -> list[str | None]:
        """What a sparse row leaves out is 0, of a nominal column its first value."""
        cells: list[str | None] = [self.declared.get(name, ("0",))[0] for name in self.names]
        place, end = 1, row.rfind("}")
        while row[place:end].strip():
            found = _SPARSE.match(row, place, end)
            if found is None or int(found[1]) >= len(cells):
                raise ValueError(
                    f"{row}: expected {{place value, place value}}, places 0 to {len(cells) - 1}"
                )
            cells[int(found[1])] = None if found[2] == "?" else _unquoted(found[2])
            place = found.end()
        return cells

    def _fault(self) -> str | None:
        """The first row that cannot be right, and why."""
        for number, row in self._rows():
            try:
                cells = self._dense(row)
            except ValueError as error:
                return f"line {number}: {error}"
            if "\ufffd" in row:
                return f"line {number}: is not UTF-8: {row}"
            if len(cells) != len(self.names):
                return f"line {number}: expected {len(self.names)} cells, got {len(cells)}: {row}"
        return None


def _split(row: str) -> list[str | None] | None:
    """Cells, without quotes and the space around them; a bare ? or nothing is None. None of them if
    a quote has no end."""
    cells: list[str | None] = []
    place = 0
    while True:
        found = _CELL.match(row, place)
        if found is None:
            return None
        bare = (found[2] or "").strip()
        cells.append(_unquoted(found[1]) if found[1] else bare if bare not in ("", "?") else None)
        place = found.end()
        if not found[3]:
            return cells


def _unquoted(text: str) -> str:
    text = text.strip()
    return re.sub(r"\\(.)", r"\1", text[1:-1]) if text[:1] in ("'", '"') else text


def _row(cells: list[str | None]) -> str:
    quoted = ("" if cell is None else '"' + cell.replace('"', '""') + '"' for cell in cells)
    return ",".join(quoted) + "\n"


def _trimmed(column: pa.Array) -> pa.Array:
    """Without the space around cells; an answer of nothing but space is missing."""
    bare = pc.utf8_trim_whitespace(column)
    padded = pc.and_kleene(
        pc.not_equal(bare, column), pc.is_in(bare, value_set=pa.array(["", "?"]))
    )
    return pc.if_else(pc.fill_null(padded, False), pa.scalar(None, pa.string()), bare)
