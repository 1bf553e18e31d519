"""CSV text with every digit."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable


def csv_table(lines: Iterable[Iterable[str]]) -> str:
    """Format lines of cells as CSV, without a newline at the end.

    >>> csv_table([["stream", "kappa"], ["a,b", "0.5"]])
    'stream,kappa\\n"a,b",0.5'
    """
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(lines)
    return text.getvalue().rstrip("\n")


def full_precision(value: float) -> str:
    """Format a number so that it reads back exactly; NaN is an empty cell."""
    return "" if math.isnan(value) else repr(value.item() if hasattr(value, "item") else value)
