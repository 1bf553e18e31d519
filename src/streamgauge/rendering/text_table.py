"""Cells and columns of tables in text."""

from __future__ import annotations

import math
from collections.abc import Sequence


def align(lines: Sequence[Sequence[str]]) -> str:
    """Columns under each other: the first to the left, numbers to the right."""
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if i == 0 else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )


def rate(rows_per_second: float) -> str:
    """5.1M, 12k, 87."""
    if math.isnan(rows_per_second):
        return "-"
    for unit, size in (("M", 1e6), ("k", 1e3)):
        if rows_per_second >= size:
            return f"{rows_per_second / size:.1f}{unit}"
    return f"{rows_per_second:.0f}"


def cell(name: str, value: float) -> str:
    """A value as its metric is written; shares of rows in per cent."""
    if math.isnan(value):
        return "undefined"
    if name == "accuracy":
        return f"{value:.2%}"
    text = f"{value:.3f}" if abs(value) < 1000 else f"{value:.4g}"
    return "0.000" if text == "-0.000" else text
