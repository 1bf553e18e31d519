"""Several values of the same runs in one table, and which dimensions of the cells go where."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, pairwise
from pathlib import Path
from typing import TypeAlias

from streamgauge._support.errors import UsageError, did_you_mean
from streamgauge._support.selection import Where
from streamgauge.experiments._cell_results import CellResult
from streamgauge.experiments.tables.cell_values import CellValues, choose, entries_of, forgetting_of
from streamgauge.experiments.tables.result_table import Key, ResultTable, table_of
from streamgauge.experiments.tables.table_text import (
    IN_WORDS,
    Style,
    about,
    as_csv,
    as_html,
    as_latex,
    averages,
    cell_of,
    legend,
    meaning_of_marks,
    missing,
    no_direction,
    pickled_sizes,
    under,
)
from streamgauge.rendering.csv_table import csv_table, full_precision
from streamgauge.rendering.markdown import sheet_markdown
from streamgauge.rendering.sheet import Sheet, SheetCell, words
from streamgauge.rendering.text_table import sheet_text
from streamgauge.rendering.words import join_words

_VERDICT = "against references"

_METRIC = "metric"  # as columns: one for each value
_SIDES = ("stream", "learner", "labels")  # dimensions of rows and columns
Sides: TypeAlias = str | Sequence[str] | None


class Tables(Mapping[str, ResultTable]):
    """Several values of the same runs, shown in one table; `tables["kappa"]` is that of one value.

    Parameters
    ----------
    tables
        A table per value, with the same rows and columns; columns are learners if `lines` is given.
    lines
        The dimensions of the lines of a table whose columns are the values; without them, every
        cell has several values.
    """

    def __init__(self, tables: Sequence[ResultTable], lines: tuple[str, ...] = ()) -> None:
        self.tables = {table.value: table for table in tables}
        self.lines = lines
        self._first = tables[0]

    def __getitem__(self, value: str) -> ResultTable:
        return self.tables[value]

    def __len__(self) -> int:
        return len(self.tables)

    def __iter__(self) -> Iterator[str]:
        return iter(self.tables)

    def to_text(
        self,
        *,
        digits: int = 3,
        percent: bool = False,
        verdicts: bool = True,
        details: bool = False,
    ) -> str:
        """Format as aligned text; a star marks the best learner of a stream.

        Parameters
        ----------
        digits
            Number of decimals of metrics.
        percent
            Multiply metrics without a unit by 100.
        verdicts
            Say which learners are better or worse than the references.
        details
            Add every note.
        """
        return sheet_text(self._sheet(Style(digits, percent, verdicts=verdicts, details=details)))

    def to_markdown(self, *, digits: int = 3, percent: bool = False, verdicts: bool = True) -> str:
        """Format as a Markdown table; the best learner of a stream is bold."""
        style = Style(digits, percent, verdicts=verdicts, best="bold")
        return sheet_markdown(self._sheet(style))

    def to_latex(
        self,
        *,
        digits: int = 3,
        percent: bool = False,
        verdicts: bool = True,
        caption: str | None = None,
        label: str | None = None,
        width: str | None = None,
    ) -> str:
        """Format as a LaTeX table (packages booktabs and siunitx), ready to paste.

        Parameters
        ----------
        digits, percent, verdicts
            As in `to_text`.
        caption
            The caption, as LaTeX; by default one in words, which stays a note below another.
        label
            The label for `\\ref`; by default "tab:results".
        width
            "column" (3.3 inches) or "page" (6.9): a wider table is set small, turned over, set
            sideways or split, and a long one goes over pages. By default it is left as it is.
        """
        style = Style(digits, percent, verdicts=verdicts, best="bold", common_unit=True)
        return as_latex(self._sheet(style), caption, label or "tab:results", width)

    def to_csv(self) -> str:
        """Format as CSV with every digit: mean, sd and number of runs of each value."""
        tables = list(self.tables.values())
        return self._lines_csv() if self.lines else as_csv(tables)

    @property
    def details(self) -> str:
        """The table with every note; printing has fewer of them."""
        return self.to_text(details=True)

    def __str__(self) -> str:
        return self.to_text()

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return as_html(self._sheet(Style(best="bold")))

    def _sheet(self, style: Style) -> Sheet:
        return self._by_metric(style) if self.lines else self._several_per_cell(style)

    def _by_metric(self, style: Style) -> Sheet:
        """A line per learner, a column per value; a group per stream, and its verdicts in words."""
        with_verdicts = style.verdicts and bool(self._first.marks)
        cells = []
        for key, i, j in self._ordered():
            line = [*map(words, key), *([words(self._verdict(i, j))] if with_verdicts else [])]
            for table in self.tables.values():
                line.append(cell_of(table, style, i, j)._replace(mark=""))
            cells.append(line)
        names = len(self.lines)
        head = [*self.lines, *([_VERDICT] if with_verdicts else []), *self._heads(style)]
        groups = [list(group) for _, group in groupby(cells, lambda line: line[: names - 1])]
        if len(self._first.rows) > 1:
            groups.append(self._averages(style, with_verdicts))
        notes = self._notes(style, _of_its_group(self.lines)) + [IN_WORDS] * (
            with_verdicts and style.details
        )
        return Sheet(head, [_without_repeats(group, names) for group in groups], notes, names)

    def _averages(self, style: Style, with_verdicts: bool) -> list[list[SheetCell]]:
        """A line per learner: its averages over the complete rows."""
        parts = [averages(table, style)[0][1:] for table in self.tables.values()]
        lines = []
        for j, learner in enumerate(self._first.columns):
            key = [words(learner if side == "learner" else "average") for side in self.lines]
            lines.append([*key, *[words("")] * with_verdicts, *(part[j] for part in parts)])
        return lines

    def _verdict(self, i: int, j: int) -> str:
        mark = self._first.marks.get((i, j))
        return str(mark) if mark else "reference" if self._first.reference_columns[j] else ""

    def _several_per_cell(self, style: Style) -> Sheet:
        """Rows × columns; each column has all values, with the mark of its verdict at the first."""
        first, tables = self._first, list(self.tables.values())
        body = []
        for i, row in enumerate(first.rows):
            line = [words(row)]
            for j in range(len(first.columns)):
                cell, *others = (cell_of(table, style, i, j) for table in tables)
                line += [cell, *(other._replace(mark="") for other in others)]
            body.append(line)
        parts = [averages(table, style)[0][1:] for table in tables]
        below = [words("average"), *(part[j] for j in range(len(first.columns)) for part in parts)]
        head = [" · ".join(first.sides[0]), *self._heads(style) * len(first.columns)]
        spans = [("", 1), *((column, len(tables)) for column in first.columns)]
        notes = self._notes(style, "of its row")
        if style.verdicts:
            notes += meaning_of_marks(tables) if style.details else legend(tables)
        return Sheet(head, [body, [below]], notes, 1, spans)

    def _heads(self, style: Style) -> list[str]:
        units = {table.value: style.unit(table) for table in self.tables.values()}
        return [f"{value} ({unit.name})" if unit else value for value, unit in units.items()]

    def _notes(self, style: Style, of_what: str) -> list[str]:
        tables = list(self.tables.values())
        star = f"* best {of_what}." if style.best == "star" else f"Bold: best {of_what}."
        low = [table.value for table in tables if table.scale.lower_is_better]
        lower = f" Lower is better: {join_words(low)}." if low else ""
        head = f"{join_words(list(self.tables))}{under(self._first)}. {star}{lower}"
        has_averages = not self.lines or len(self._first.rows) > 1
        pickled = list(dict.fromkeys(name for table in tables for name in table.pickled))
        notes = [head, *no_direction(tables), *about(self._first)]
        notes += pickled_sizes(pickled) if style.details else []
        return notes + missing(tables, has_averages)

    def _ordered(self) -> list[tuple[Key, int, int]]:
        """Every line's key with its row and column, sorted by the dimensions in their order."""
        first, places = self._first, []
        for i, row in enumerate(first.row_keys):
            for j, column in enumerate(first.column_keys):
                key = dict(zip((*first.sides[0], *first.sides[1]), (*row, *column), strict=True))
                places.append((tuple(key[side] for side in self.lines), i, j))
        # A learner keeps its place among the learners, a stream among the streams.
        names = zip(*(key for key, _, _ in places), strict=True)
        orders = [{name: n for n, name in enumerate(dict.fromkeys(each))} for each in names]
        return sorted(places, key=lambda p: [o[n] for o, n in zip(orders, p[0], strict=True)])

    def _lines_csv(self) -> str:
        head = [f"{value}{part}" for value in self.tables for part in ("", " sd", " runs")]
        lines = [[*self.lines, *head, "verdict"]]
        for key, i, j in self._ordered():
            line = list(key)
            for table in self.tables.values():
                line += map(full_precision, (table.mean[i, j], table.sd[i, j], table.runs[i, j]))
            mark = self._first.marks.get((i, j))
            lines.append([*line, mark.word if mark else self._verdict(i, j)])
        return csv_table(lines)


def _of_its_group(lines: tuple[str, ...]) -> str:
    """Among which learners the best is marked."""
    others = [line for line in lines if line != "learner"]
    return f"of its {' and '.join(others)}" if others else "of its column"


def _without_repeats(group: list[list[SheetCell]], names: int) -> list[list[SheetCell]]:
    """The lines of a group, a name only where it differs from that above."""
    shown = group[:1]
    for above, line in pairwise(group):
        same = [a == b for a, b in zip(above[: names - 1], line, strict=False)]
        kept = [words("") if all(same[: n + 1]) else line[n] for n in range(names - 1)]
        shown.append([*kept, *line[names - 1 :]])
    return shown


def make_table(
    cell_results: Sequence[CellResult],
    folder: Path | None,
    rows: Sides,
    cols: Sides,
    value: str | Sequence[str],
    forget: str | None,
    where: Where | None,
    references: bool | None,
) -> ResultTable | Tables:
    """Make the table of one experiment in `folder`; see `Results.table` for the options."""
    several = not isinstance(value, str)
    values = list(dict.fromkeys(value)) if several else [str(value)]
    if not values or not all(isinstance(each, str) and each for each in values):
        raise UsageError(f"value={value!r}: expected a metric or cost, or a list of them")
    down, across = _split("rows", rows), _split("cols", cols)
    by_metric = _METRIC in across or (several and rows is None and cols is None)
    if by_metric and len(across) > 1:
        raise UsageError(f"cols={cols!r}: {_METRIC} cannot stand beside other columns")
    if by_metric and not several:
        raise UsageError(f"cols={cols!r} needs a list of values: value=[{value!r}]")
    if _METRIC in down:
        raise UsageError(f"rows={rows!r}: {_METRIC} can only be the columns")
    chosen = choose(cell_results, folder, where)
    forgetting = forgetting_of(chosen, forget)
    shown = by_metric if references is None else references
    entries = entries_of(chosen, forgetting, shown)
    damaged = tuple(str(each.cell) for each in cell_results if each.damage)
    if by_metric:
        others = tuple(side for side in down if side != "learner")
        others = _completed(others, ("learner",), entries)
        order = (*down, *(side for side in (*others, "learner") if side not in down))
        tables = [table_of(entries, others, ("learner",), v, forgetting, damaged) for v in values]
        return Tables(tables, order)
    across, down = across or ("learner",), down or ("stream",)
    if both := set(across) & set(down):
        raise UsageError(f"{both.pop()} cannot be rows and columns at once")
    down = _completed(down, across, entries)
    tables = [table_of(entries, down, across, v, forgetting, damaged) for v in values]
    return Tables(tables) if several else tables[0]


def _completed(
    down: tuple[str, ...], across: tuple[str, ...], entries: Sequence[CellValues]
) -> tuple[str, ...]:
    """The dimensions of the rows, with those that would otherwise be averaged: only seeds are."""
    for side in _SIDES:
        values = {getattr(each.cell, side) for each in entries}
        if side not in (*across, *down) and len(values) > 1:
            down = (*down, side)
    return down


def _split(option: str, given: Sides) -> tuple[str, ...]:
    if given is None:
        return ()
    sides = tuple(given.split(",")) if isinstance(given, str) else tuple(given)
    for side in sides:
        if side not in (*_SIDES, _METRIC):
            expected = ", ".join((*_SIDES, _METRIC))
            close = did_you_mean(side, (*_SIDES, _METRIC))
            raise UsageError(f"{option}: {side!r}{close}; expected {expected}")
    return sides
