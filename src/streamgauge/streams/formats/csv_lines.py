"""Lines of CSV as columns. A line is a row: no quote reaches beyond the end of its line."""

from __future__ import annotations

import csv as python_csv
import io
from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.csv as pa_csv

from streamgauge._support.errors import InputError, StreamgaugeError, shown
from streamgauge._support.jit import kernel
from streamgauge._support.types import Flags, Longs
from streamgauge.streams.columns import check_columns
from streamgauge.streams.formats.csv.table import CsvTable
from streamgauge.streams.formats.file_format import FileFormat
from streamgauge.streams.formats.pieces import MOST_EXAMPLES, LineParser, Piece, no_rows

_ROW, _BLANK, _OPEN, _BREAK, _CELLS, _BYTES = range(6)  # what a line is
_WHY = {
    _OPEN: "a quote is not closed before the end of the line",
    _BREAK: "a carriage return within the line",
    _CELLS: "another number of cells than the {} columns",
    _BYTES: "not UTF-8",
}
_MARK = b"\xef\xbb\xbf"  # of UTF-8
_NEWLINE: Final = ord("\n")
_RETURN: Final = ord("\r")
_QUOTE: Final = ord('"')
_COMMA: Final = ord(",")
_SPACE: Final = ord(" ")
_TAB: Final = ord("\t")


class CsvLines(LineParser):
    """Lines of a CSV file, whose first line names the columns; a cell has no line breaks.

    A file that takes the place of another one may have no such line: it then goes on with the
    columns of the other.
    """

    def start(self, header: list[str]) -> None:
        """Take the names of all columns; those to be read must be among them."""
        check_columns(self.columns, header, self.name)
        self.header = header

    def parse(self, text: bytes, first_line: int) -> Piece:
        if first_line == 1 and self._has_header(text):
            text, first_line = text[text.find(b"\n") + 1 :] if b"\n" in text else b"", 2
        assert self.header is not None
        if not text:
            return no_rows(self.name, self.columns)
        data = np.frombuffer(bytearray(text), np.uint8)
        count = text.count(b"\n") + (not text.endswith(b"\n"))
        starts, kinds = np.empty(count + 1, np.int64), np.empty(count, np.uint8)
        _classify(data, len(self.header), starts, kinds)
        _find_bad_bytes(text, starts, kinds)
        rows = np.flatnonzero(kinds == _ROW)
        if len(rows) < count:
            text = data[np.repeat(kinds == _ROW, np.diff(starts))].tobytes()
        bad = np.flatnonzero(kinds > _BLANK)
        examples = [
            f"{self.name}, line {first_line + i:,}: {_WHY[kinds[i]].format(len(self.header))}: "
            + shown(data[starts[i] : starts[i + 1]].tobytes().decode(errors="replace").rstrip())
            for i in bad[:MOST_EXAMPLES].tolist()
        ]
        columns = self._cells(text) if len(rows) else no_rows("", self.columns).columns
        return Piece(columns, count, self.name, first_line + rows, len(bad), examples)

    def _has_header(self, text: bytes) -> bool:
        """Whether the first line of a file names the columns; then they are taken from it."""
        line = text.partition(b"\n")[0]
        try:
            cells = next(python_csv.reader(io.StringIO(line.decode("utf-8-sig"))), [])
        except (UnicodeDecodeError, python_csv.Error) as error:
            if self.header is not None:
                return False
            raise InputError(
                f"{self.name}: the first line cannot be read ({error}); expected column names"
            ) from None
        names = [cell.strip() for cell in cells]
        try:
            self.start(names)
        except StreamgaugeError:
            if self.header is None:
                raise
            return False
        return True

    def _cells(self, text: bytes) -> dict[str, pa.Array]:
        if text.startswith(_MARK):  # Arrow drops it at the start of what it gets, and only there
            text = b"\n" + text
        table = pa_csv.read_csv(
            pa.BufferReader(text),
            pa_csv.ReadOptions(use_threads=False, column_names=self.header, block_size=len(text)),
            convert_options=pa_csv.ConvertOptions(
                include_columns=self.columns,
                column_types=dict.fromkeys(self.columns, pa.string()),
                check_utf8=False,
            ),
        )
        return {name: table[name].combine_chunks() for name in self.columns}


def _find_bad_bytes(text: bytes, starts: Longs, kinds: Flags) -> None:
    """Mark the lines that are not UTF-8."""
    try:
        text.decode()
    except UnicodeDecodeError:
        for i in np.flatnonzero(kinds == _ROW).tolist():
            try:
                text[starts[i] : starts[i + 1]].decode()
            except UnicodeDecodeError:
                kinds[i] = _BYTES


@kernel
def _classify(data: Flags, columns: int, starts: Longs, kinds: Flags) -> None:
    """Where each line starts and what it is; quotes mean what they mean to Arrow."""
    size, at, line = len(data), 0, 0
    while at < size:
        starts[line] = at
        cells, blank, broken, quoted, first = 1, True, False, False, True
        while at < size:
            letter = data[at]
            at += 1
            if letter == _NEWLINE:
                break
            if letter == _RETURN:
                if at < size and data[at] != _NEWLINE:
                    broken = True
                continue
            if letter not in (_SPACE, _TAB):
                blank = False
            if quoted:
                if letter == _QUOTE:
                    if at < size and data[at] == _QUOTE:
                        at += 1
                    else:
                        quoted = False
            elif letter == _QUOTE and first:
                quoted, first = True, False
            elif letter == _COMMA:
                cells, first = cells + 1, True
            else:
                first = False
        if blank and not broken:
            kinds[line] = _BLANK
        elif quoted:
            kinds[line] = _OPEN
        elif broken:
            kinds[line] = _BREAK
        elif cells != columns:
            kinds[line] = _CELLS
        else:
            kinds[line] = _ROW
        line += 1
    starts[line] = size


csv = FileFormat("csv", (".csv",), table=CsvTable, lines=CsvLines)
