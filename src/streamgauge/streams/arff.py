"""ARFF files, plain or .gz: the header lists nominal values, the data are cells by commas."""

from __future__ import annotations

import csv as lines_of
import re
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv

from streamgauge.errors import InputError
from streamgauge.streams.tables import Table, no_rows, text_batches

_ATTRIBUTE = re.compile(r"@attribute\s+('[^']*'|\"[^\"]*\"|\S+)\s+(.+)", re.IGNORECASE)
_NUMBERS = ("numeric", "real", "integer")
EXTRA = ("instanceId", "timestamp")  # grzenda2019's program: two cells after the class


class ArffTable(Table):
    """Values keep the order of the header. Two undeclared cells at the end of every row are an id
    and a time, as in grzenda2019's program."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._header_lines = 0
        self._quote = "'"
        for line in self._lines():
            self._header_lines += 1
            if line.lower().startswith("@attribute"):
                self._declare(line)
            elif line.lower().startswith("@data"):
                break
        else:
            raise InputError(f"{path}: has no @data line; expected an ARFF file")
        if not self.names:
            raise InputError(f"{path}: declares no @attribute; expected one per column")
        self._look_at_first_row()

    def _lines(self) -> Iterator[str]:
        try:
            with pa.input_stream(str(self.path), compression="detect") as file:
                held = b""
                while chunk := file.read(1 << 16):
                    *whole, held = (held + chunk).split(b"\n")
                    yield from (line.decode("utf-8", "replace").strip() for line in whole)
                if held:
                    yield held.decode("utf-8", "replace").strip()
        except OSError as error:
            raise InputError(f"{self.path}: cannot be read: {error}") from None

    def _declare(self, line: str) -> None:
        found = _ATTRIBUTE.match(line)
        if found is None:
            raise InputError(
                f"{self.path}, line {self._header_lines}: {line!r}; expected "
                "@attribute name numeric, or @attribute name {value, value}"
            )
        name, kind = found[1].strip("'\""), found[2].strip()
        self.names.append(name)
        if kind.startswith("{"):
            values = kind.strip("{}")
            quote = '"' if '"' in values else "'"
            cells = next(lines_of.reader([values], quotechar=quote, skipinitialspace=True))
            self.declared[name] = tuple(cell.strip() for cell in cells)

    def _look_at_first_row(self) -> None:
        rows = self._lines()
        for _ in range(self._header_lines):
            next(rows)
        first = next((line for line in rows if line and not line.startswith("%")), None)
        if first is None:
            raise no_rows(self.path)
        if first.startswith("{"):
            raise InputError(f"{self.path}: sparse rows ({first[:30]}) are not read yet")
        self._quote = '"' if '"' in first else "'"
        cells = next(lines_of.reader([first], quotechar=self._quote, skipinitialspace=True))
        if len(cells) == len(self.names) + len(EXTRA):
            self.names += EXTRA

    def where(self, row: int) -> str:
        return f"row {row:,} (line {self._header_lines + row + 1:,})"

    def batches(
        self, columns: list[str] | None = None, types: dict[str, pa.DataType] | None = None
    ) -> Iterator[pa.RecordBatch]:
        """All cells as text: those of other types are turned into them where they are used."""
        how = csv.ReadOptions(column_names=self.names, skip_rows=self._header_lines)
        parse = csv.ParseOptions(
            quote_char=self._quote,
            invalid_row_handler=lambda row: "skip" if row.text.startswith("%") else "error",
        )
        text = dict.fromkeys(self.names, pa.string())
        try:
            for batch in text_batches(self.path, columns, text, how, parse):
                cells = [_trimmed(column) for column in batch.columns]
                yield pa.record_batch(cells, names=batch.schema.names)
        except (pa.ArrowInvalid, pa.ArrowKeyError, OSError) as error:
            raise InputError(
                f"{self.path}: cannot be read as ARFF: {error}; expected rows of "
                f"{len(self.names)} cells, separated by commas"
            ) from None


def _trimmed(column: pa.Array) -> pa.Array:
    bare = pc.utf8_trim_whitespace(column)
    return pc.if_else(pc.is_in(bare, pa.array(["", "?"])), pa.scalar(None, pa.string()), bare)
