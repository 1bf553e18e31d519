"""A table ready to be shown: cells as text, in a header and groups of lines, with notes below."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

_NUMBER = re.compile(r"[-+−]?[0-9]+(\.[0-9]+)?")  # what LaTeX can align


class SheetCell(NamedTuple):
    """One cell: a number with its spread and unit, or words."""

    text: str
    spread: str = ""  # the number after ±
    unit: str = ""
    extra: str = ""  # after the number: seeds, rank
    mark: str = ""  # the word of an outcome
    best: bool = False
    number: bool = True  # whether `text` is a number, to be aligned with others

    @property
    def plain(self) -> str:
        """The cell in one string, without its marks."""
        spread = f" ± {self.spread}" if self.spread else ""
        unit = f" {self.unit}" if self.unit else ""
        return f"{self.text}{spread}{unit}{self.extra}"


def words(text: str) -> SheetCell:
    """A cell that holds no number."""
    return SheetCell(text, number=False)


@dataclass(frozen=True)
class Sheet:
    """Header, groups of lines with a rule between them, notes."""

    header: Sequence[str]
    groups: Sequence[Sequence[Sequence[SheetCell]]]
    notes: Sequence[str] = field(default=())
    names: int = 1  # leading columns of names
    spans: Sequence[tuple[str, int]] = field(default=())  # texts above the header, columns each
    prose: bool = False  # whether the cells are sentences, which may begin with a number

    @property
    def lines(self) -> list[Sequence[SheetCell]]:
        """The lines of all groups."""
        return [line for group in self.groups for line in group]

    @property
    def has_best(self) -> bool:
        """Whether a cell is marked as the best."""
        return any(cell.best for line in self.lines for cell in line)

    @property
    def has_marks(self) -> bool:
        """Whether a cell has a verdict's mark."""
        return any(cell.mark for line in self.lines for cell in line)

    def part(self, start: int, stop: int) -> Sheet:
        """The names and these columns, without texts above the header."""
        kept = [*range(self.names), *range(start, stop)]
        groups = [[[line[i] for i in kept] for line in group] for group in self.groups]
        return Sheet([self.header[i] for i in kept], groups, (), self.names, (), self.prose)

    def transposed(self) -> Sheet | None:
        """Columns as lines; None if lines have several names or columns have texts above them."""
        if self.names != 1 or self.spans or self.prose:
            return None
        header = [self.header[0], *(line[0].plain for line in self.lines)]
        lines = [
            [words(name), *(line[i] for line in self.lines)]
            for i, name in enumerate(self.header)
            if i
        ]
        return Sheet(header, [lines], ())

    def is_text(self, column: int) -> bool:
        """Whether a column holds words only, which are set to the left."""
        if self.prose:
            return True
        cells = [line[column] for line in self.lines]
        return column < self.names or not any(cell.number or _is_figure(cell) for cell in cells)


def sheet_of(lines: Sequence[Sequence[str]], notes: Sequence[str] = ()) -> Sheet:
    """A sheet of plain text: a header, then lines; the first column holds names.

    >>> sheet_of([["", "kappa"], ["NaiveBayes", "0.428"]]).lines[0][1].number
    True
    """
    header, *body = lines
    group = [[words(line[0]), *map(_cell, line[1:])] for line in body]
    return Sheet(header, [group], notes)


def _cell(text: str) -> SheetCell:
    return SheetCell(text, number=_NUMBER.fullmatch(text) is not None)


def _is_figure(cell: SheetCell) -> bool:
    """Whether a cell begins with digits: 73.6 %, 5.1M, > 900."""
    return cell.text.lstrip("+-−>< (")[:1].isdigit()
