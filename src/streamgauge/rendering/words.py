"""Words for counts in messages and reports."""

from __future__ import annotations


def plural(count: int, noun: str) -> str:
    """Return the count with its noun: 1 row, 2 rows, 3 classes, 4 batches."""
    ending = "" if count == 1 else "es" if noun.endswith(("s", "ch")) else "s"
    return f"{count:,} {noun}{ending}"
