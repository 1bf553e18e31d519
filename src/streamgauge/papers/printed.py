"""The numbers that a paper prints, from the file printed.toml in its folder.

Each table of the file has the page it is on. Values are as printed; a paper's own reader turns
texts such as "2155±370" into numbers.
"""

from __future__ import annotations

from importlib.resources import files
from typing import Any

import msgspec

from streamgauge._support.strict_toml import convert, parse_toml


class PrintedTable(msgspec.Struct, forbid_unknown_fields=True):
    """A table as printed: rows of values by name, under columns."""

    page: int
    title: str
    columns: list[str]
    rows: dict[str, list[Any]]
    note: str = ""

    def value(self, row: str, column: str) -> Any:
        """One value."""
        return self.rows[row][self.columns.index(column)]


def printed(paper: str) -> dict[str, PrintedTable]:
    """The tables of a paper, by the name of their part.

    >>> printed("ziffer2024")["table1"].value("SEA", "P(T)")
    0.56
    """
    where = f"papers/{paper}/printed.toml"
    text = (files("streamgauge.papers") / paper / "printed.toml").read_text(encoding="utf-8")
    tables = parse_toml(text, where)
    return {
        name: convert(values, PrintedTable, f"{where}, [{name}]", text=text)
        for name, values in tables.items()
    }
