"""Whole lines of text as columns: CSV or JSONL."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence
from typing import Any

import pyarrow as pa
import pyarrow.csv as pa_csv

from streamgauge._support.errors import InputError, shown
from streamgauge.monitoring.sources.base import MOST_EXAMPLES, Piece
from streamgauge.monitoring.sources.json_lines import JsonLines
from streamgauge.streams.columns import check_columns


class CsvLines:
    """Lines of a CSV file, whose first line names the columns; a cell has no line breaks."""

    def __init__(self, columns: Sequence[str], name: str) -> None:
        self._columns, self._name = list(columns), name
        self.header: list[str] | None = None

    def start(self, header: list[str]) -> None:
        """Take the names of all columns."""
        check_columns(self._columns, header, self._name)
        self.header = header

    def parse(self, text: bytes, first_line: int) -> Piece:
        """Parse whole lines; `first_line` is the number of the first one, for messages."""
        if self.header is None:
            line, _, text = text.partition(b"\n")
            self.start(_header(line, self._name))
            first_line += 1
        count = text.count(b"\n") + (not text.endswith(b"\n") and bool(text))
        if not text.strip():
            return Piece(_nothing(self._columns), count)
        bad: list[str] = []

        def skip(row: Any) -> str:
            bad.append(
                f"{self._name}: {shown(row.text)} has {row.actual_columns} cells; expected "
                f"{row.expected_columns}"
            )
            return "skip"

        table = pa_csv.read_csv(
            pa.BufferReader(text),
            pa_csv.ReadOptions(use_threads=False, column_names=self.header, block_size=len(text)),
            pa_csv.ParseOptions(invalid_row_handler=skip),
            pa_csv.ConvertOptions(
                include_columns=self._columns,
                column_types=dict.fromkeys(self._columns, pa.string()),
                check_utf8=False,
            ),
        )
        columns = {name: table[name].combine_chunks() for name in self._columns}
        return Piece(columns, count, len(bad), bad[:MOST_EXAMPLES])


Parser = CsvLines | JsonLines
PARSERS: dict[str, Callable[[Sequence[str], str], Parser]] = {"csv": CsvLines, "jsonl": JsonLines}


def header_of(parser: Parser) -> list[str] | None:
    """The names of the columns, if the first line says them and was read."""
    return parser.header if isinstance(parser, CsvLines) else None


def resume_header(parser: Parser, header: list[str] | None) -> None:
    """Go on after a first line that was read before."""
    if isinstance(parser, CsvLines) and header is not None:
        parser.start(header)


def _nothing(columns: Sequence[str]) -> dict[str, pa.Array]:
    return {name: pa.array([], pa.string()) for name in columns}


def _header(line: bytes, name: str) -> list[str]:
    try:
        cells = next(csv.reader(io.StringIO(line.decode("utf-8-sig"))), [])
    except UnicodeDecodeError:
        raise InputError(f"{name}: the first line is not UTF-8; expected column names") from None
    return [cell.strip() for cell in cells]
