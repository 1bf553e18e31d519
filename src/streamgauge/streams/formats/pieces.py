"""Pieces of files and sources, as a monitor reads them, and the parser that makes them of lines."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import msgspec
import numpy as np
import pyarrow as pa

from streamgauge._support.types import Longs
from streamgauge.streams.formats.arrow_cells import as_text

MOST_EXAMPLES = 3  # unreadable lines that a message quotes
_Row = TypeVar("_Row")


@dataclass(frozen=True)
class Piece:
    """Some lines of a source: the rows in them, and how many could not be read.

    Attributes
    ----------
    columns
        The columns asked for, Arrow arrays of one length.
    lines
        Number of lines read, readable or not.
    name, numbers
        The file or partition, and the line or offset of each row in it, for messages.
    unreadable
        Number of lines that could not be read; a file that cannot be opened counts once.
    examples
        A few of them in words, for messages.
    replaced
        How often the file turned out to be another one since the last piece.
    remarks
        What else happened, for the log.

    Examples
    --------
    >>> import numpy as np
    >>> import pyarrow as pa
    >>> import streamgauge as sg
    >>> columns = {"id": pa.array(["7", "8"]), "time": pa.array([0, 5])}
    >>> sg.Piece(columns, lines=2, name="clicks", numbers=np.array([100, 101])).where(1)
    'clicks, line 101'
    """

    columns: Mapping[str, pa.Array]
    lines: int
    name: str
    numbers: Longs
    unreadable: int = 0
    examples: list[str] = field(default_factory=list)
    replaced: int = 0
    remarks: list[str] = field(default_factory=list)

    def where(self, row: int) -> str:
        """The place of a row, for messages."""
        return f"{self.name}, line {self.numbers[row]:,}"


def no_rows(
    name: str, columns: Sequence[str], trouble: str = "", remark: str = "", lines: int = 0
) -> Piece:
    """A piece without rows; `trouble` says why its lines, one or more, could not be read."""
    return Piece(
        {column: pa.array([], pa.string()) for column in columns},
        lines,
        name,
        np.empty(0, np.int64),
        max(1, lines) if trouble else 0,
        [trouble] if trouble else [],
        remarks=[remark] if remark else [],
    )


class LineParser:
    r"""The parser of a format whose lines a monitor follows; derive from it and write `cells`.

    What a line gives depends on that line alone. A parser that reads many lines at once, which is
    faster, overrides `parse` instead.

    Parameters
    ----------
    columns
        The columns asked for.
    name
        The file, for messages.

    Attributes
    ----------
    header
        The names of all columns if the first line says them and was read; else None.

    Examples
    --------
    >>> import streamgauge as sg
    >>> class Pairs(sg.LineParser):
    ...     def cells(self, line):
    ...         return dict(pair.split("=") for pair in line.decode().split())
    >>> piece = Pairs(["id", "label"], "log.pairs").parse(b"id=7 label=yes\n?\n", first_line=1)
    >>> piece.columns["label"].to_pylist(), piece.unreadable
    (['yes'], 1)
    """

    header: list[str] | None = None

    def __init__(self, columns: Sequence[str], name: str) -> None:
        self.columns, self.name = list(columns), name

    def start(self, header: list[str]) -> None:
        """Go on after a first line that gave these names, as after a restart."""
        self.header = header

    def cells(self, line: bytes) -> Mapping[str, Any]:
        """The cells of a line, without its end, by column; ValueError if it cannot be read."""
        raise NotImplementedError

    def parse(self, text: bytes, first_line: int) -> Piece:
        """Parse whole lines; `first_line` is the number of the first one."""
        rows, places, bad = self._each(text, first_line, lambda _, line: self.cells(line))
        return Piece(
            {name: to_arrow([row.get(name) for row in rows]) for name in self.columns},
            text.count(b"\n") + (not text.endswith(b"\n")),
            self.name,
            first_line + np.array(places, np.int64),
            len(bad),
            bad[:MOST_EXAMPLES],
        )

    def _each(
        self, text: bytes, first_line: int, read: Callable[[int, bytes], _Row]
    ) -> tuple[list[_Row], list[int], list[str]]:
        """The rows of the lines that can be read, their places, and what is wrong with others."""
        rows, places, bad = [], [], []
        for place, line in enumerate(text.removesuffix(b"\n").split(b"\n")):
            if line.strip():
                try:
                    rows.append(read(place, line))
                    places.append(place)
                except ValueError as error:
                    bad.append(f"{self.name}, line {first_line + place:,}: {error}")
        return rows, places, bad


def to_arrow(cells: list[Any]) -> pa.Array:
    """Cells of one column; as text if they are of several types, so that each keeps its own."""
    kinds = set(map(type, cells)) - {type(None)}
    if len(kinds) <= 1 or kinds == {int, float}:
        try:
            column = pa.array(cells)
        except (pa.ArrowInvalid, OverflowError):  # integers beyond 64 bits, or beside floats
            column = None
        if column is not None and not pa.types.is_nested(column.type):
            return column
    floats = pa.array([cell for cell in cells if isinstance(cell, float)], pa.float64())
    numbers = iter(as_text(floats).to_pylist())
    texts = [
        next(numbers)
        if isinstance(cell, float)
        else cell
        if isinstance(cell, str | None)
        else msgspec.json.encode(cell).decode()
        for cell in cells
    ]
    return pa.array(texts, pa.string())
