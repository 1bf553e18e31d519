"""Names in figures that matplotlib draws."""

from __future__ import annotations

from streamgauge._support.printable import printable


def literal(text: str) -> str:
    """A text that matplotlib draws as it is: dollar signs are no formulas."""
    return printable(text).replace("$", r"\$")
