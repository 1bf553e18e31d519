"""Kernels that find where the cells of simple CSV end, 64 bytes at a time."""

from __future__ import annotations

from typing import Final

import numpy as np

from streamgauge._support.index import as_index
from streamgauge._support.jit import lean_kernel
from streamgauge._support.simd import WIDTH, count_bits, equal_bytes, lowest_bit
from streamgauge._support.types import Codes, Flags

PADDING: Final = WIDTH  # bytes after the last row, which kernels may load but ignore

_NEWLINE: Final = 10
_RETURN: Final = 13
_COMMA: Final = 44
_U0: Final = np.uint64(0)
_U1: Final = np.uint64(1)


@lean_kernel
def find_cell_ends(
    data: Flags, start: int, stop: int, unsupported: Flags, ends: Codes
) -> tuple[int, int, bool]:
    """Write where cells end, at a comma or newline, to ends[1:]; ends[0] is the byte before.

    Returns the number of ends, ends[0] included, and of newlines, and whether the lines are free of
    `unsupported` bytes and of carriage returns that no newline follows. Cells are parsed later:
    with their ends known, the processor can work on several at a time.
    """
    ends[0] = start - 1
    cells, lines, found = 1, 0, _U0
    for i in range(start, stop, WIDTH):
        newlines = equal_bytes(data, i, _NEWLINE)
        marks = equal_bytes(data, i, _COMMA) | newlines
        wrong = equal_bytes(data, i, _RETURN) & ~equal_bytes(data, i + 1, _NEWLINE)
        for byte in unsupported:
            wrong |= equal_bytes(data, i, byte)
        if stop - i < WIDTH:
            inside = (_U1 << np.uint64(stop - i)) - _U1
            newlines &= inside
            marks &= inside
            wrong &= inside
        found |= wrong
        lines += count_bits(newlines)
        while marks:
            ends[as_index(cells)] = i + lowest_bit(marks)
            cells += 1
            marks &= marks - _U1
    return cells, lines, found == _U0


@lean_kernel
def has_rows_of(data: Flags, ends: Codes, cells: int, lines: int, columns: int) -> bool:
    """Return whether each line has as many cells as there are columns."""
    if cells != 1 + lines * columns:
        return False
    others = 0
    for line in range(1, lines + 1):
        others += data[as_index(int(ends[as_index(line * columns)]))] != _NEWLINE
    return others == 0
