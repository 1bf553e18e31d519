"""The fast parser of ARFF rows, and a count of them; the slow reader reads what they do not."""

from __future__ import annotations

import numpy as np

from streamgauge._support.jit import lean_kernel
from streamgauge._support.simd import WIDTH, equal_bytes, lowest_bit
from streamgauge._support.types import Flags
from streamgauge.streams.formats.csv.chunk import Chunk
from streamgauge.streams.formats.csv.parser import Parser, UnsupportedCsv
from streamgauge.streams.formats.csv.reader import Part

_SLOW_ONLY = b"%{\\"  # comments, sparse rows and escapes
_QUOTES = b"'\""
_NEWLINE = 10
_PERCENT = 37
_FIRST_VISIBLE, _LAST_VISIBLE = 33, 126
_ONE = np.uint64(1)


class ArffParser(Parser):
    """Parses parts of an ARFF file into chunks: dense rows, of bare or simply quoted cells."""

    def parse(self, buffer: bytearray, start: int, stop: int, end: int) -> Chunk | None:
        try:
            return super().parse(buffer, start, stop, end)
        except UnsupportedCsv:
            self._forget_texts()  # of a part that is read slowly: they must not spoil the next one
            raise

    def _unsupported_bytes(self) -> bytes:
        skips = any(name not in self._types for name in self._names)
        return _SLOW_ONLY + _QUOTES if skips else _SLOW_ONLY  # quotes there could hide a comma

    def _text(self, cell: str) -> str | None:
        """Remove blanks and quotes around a cell; an empty cell or a bare ? is missing."""
        bare = cell.strip()
        if not bare.startswith(("'", '"')):
            return None if bare in ("", "?") else bare
        inner = bare[1:-1]
        if len(bare) < 2 or bare[-1] != bare[0] or "'" in inner or '"' in inner:
            raise UnsupportedCsv  # perhaps the cell goes on after a comma
        return inner


def count_rows(part: Part) -> int:
    """Return the number of rows in a part; empty lines and comments are not rows."""
    buffer, start, stop, _ = part
    rows = _count_plain_rows(np.frombuffer(buffer, np.uint8), start, stop)
    if rows >= 0:
        return int(rows)
    lines = bytes(memoryview(buffer)[start:stop]).split(b"\n")
    texts = (line.decode("utf-8", "replace").strip() for line in lines)
    return sum(bool(text) and not text.startswith("%") for text in texts)


@lean_kernel
def _count_plain_rows(data: Flags, start: int, stop: int) -> int:
    """Count lines; -1 if one does not begin with a visible character, so may not be a row."""
    rows, line = 0, start
    for i in range(start, stop, WIDTH):
        newlines = equal_bytes(data, i, _NEWLINE)
        if stop - i < WIDTH:
            newlines &= (_ONE << np.uint64(stop - i)) - _ONE
        while newlines:
            first = data[line]
            if not _FIRST_VISIBLE <= first <= _LAST_VISIBLE or first == _PERCENT:
                return -1
            line = i + lowest_bit(newlines) + 1
            rows += 1
            newlines &= newlines - _ONE
    return rows
