"""Plain-text tables: aligned columns, rates."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence

from streamgauge._support.printable import printable
from streamgauge.rendering.sheet import MARKS, Sheet, SheetCell


def align(lines: Sequence[Sequence[str]], left: Collection[int] = (0,)) -> str:
    """Align columns: those in `left` (indices from 0) to the left, all others to the right.

    >>> print(align([["", "kappa"], ["NaiveBayes", "0.428"]]))
                kappa
    NaiveBayes  0.428
    """
    lines = [list(map(printable, line)) for line in lines]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if i in left else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )


def sheet_text(sheet: Sheet) -> str:
    """A sheet as aligned text: a star behind the best cells, the marks of verdicts behind it."""
    left = [i for i in range(len(sheet.header)) if sheet.is_text(i)]
    blank = " " * (sheet.has_best + sheet.has_marks)
    lines = [[text if i in left else text + blank for i, text in enumerate(sheet.header)]]
    for line in sheet.lines:
        lines.append([c.plain if i in left else _marked(sheet, c) for i, c in enumerate(line)])
    if sheet.spans:
        lines = _under(sheet.spans, lines, left)
    return "\n".join(
        [align(lines, left), *([""] if sheet.notes else []), *map(printable, sheet.notes)]
    )


def _under(
    spans: Sequence[tuple[str, int]], lines: list[list[str]], left: Collection[int]
) -> list[list[str]]:
    """The lines, each span's columns joined into one and its text above them."""
    parts, start = [], 0
    for text, count in spans:
        columns = range(start, start + count)
        inner = [i - start for i in left if i in columns]
        joined = align([line[start : start + count] for line in lines], inner).split("\n")
        width = max(map(len, joined))
        # Padded, so that the columns stay aligned below each other.
        parts.append([printable(text), *(line.ljust(width) for line in joined)])
        start += count
    widths = [max(map(len, part)) for part in parts]
    return [
        [part[i].ljust(width) for part, width in zip(parts, widths, strict=True)]
        for i in range(len(lines) + 1)
    ]


def _marked(sheet: Sheet, cell: SheetCell) -> str:
    star = ("*" if cell.best else " ") * sheet.has_best
    return cell.plain + star + MARKS.get(cell.mark, " ") * sheet.has_marks


def rate(rows_per_second: float) -> str:
    """Format rows per second: 5.1M, 12.0k, 87; a hyphen if undefined."""
    if math.isnan(rows_per_second):
        return "-"
    for unit, size in (("M", 1e6), ("k", 1e3)):
        if rows_per_second >= size:
            return f"{rows_per_second / size:.1f}{unit}"
    return f"{rows_per_second:.0f}"
