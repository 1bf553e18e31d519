"""Plain-text tables: aligned columns, metric values, rates."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence

from streamgauge._support.printable import printable


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


def rate(rows_per_second: float) -> str:
    """Format rows per second: 5.1M, 12.0k, 87; a hyphen if undefined."""
    if math.isnan(rows_per_second):
        return "-"
    for unit, size in (("M", 1e6), ("k", 1e3)):
        if rows_per_second >= size:
            return f"{rows_per_second / size:.1f}{unit}"
    return f"{rows_per_second:.0f}"


def cell(name: str, value: float) -> str:
    """Format the value of a metric: rates in percent, all others with three decimals."""
    if math.isnan(value):
        return "undefined"
    if name in ("accuracy", "coverage"):
        return f"{value:.2%}"
    text = f"{value:.3f}" if abs(value) < 1000 else f"{value:.4g}"
    return "0.000" if text == "-0.000" else text
