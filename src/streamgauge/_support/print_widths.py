"""The widths on paper that figures and tables are made for."""

from __future__ import annotations

from streamgauge._support.errors import UsageError, did_you_mean

INCHES = {"column": 3.3, "page": 6.9}


def inches_of(width: str) -> float:
    """The inches of a width by name."""
    if width not in INCHES:
        close = did_you_mean(str(width), INCHES)
        raise UsageError(f"width={width!r}: unknown width{close}; expected 'column' or 'page'")
    return INCHES[width]
