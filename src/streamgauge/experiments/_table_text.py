"""Shows a results table: best values and verdicts marked, costs in readable units."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from streamgauge.experiments._table_notes import notes_of
from streamgauge.rendering.csv_table import csv_table, full_precision
from streamgauge.rendering.html import page_part, sheet_html
from streamgauge.rendering.latex import escape, sheet_latex
from streamgauge.rendering.sheet import Cell, Sheet, words
from streamgauge.rendering.units import ShownUnit, decimals, unit_for

if TYPE_CHECKING:
    from streamgauge.experiments._table import Table


@dataclass(frozen=True)
class Style:
    """How to show numbers and marks."""

    digits: int = 3
    percent: bool = False
    ranks: bool = False
    verdicts: bool = True
    best: str = "star"  # or bold
    common_unit: bool = False  # one unit for all cells of a cost, so that they can be aligned

    def number(self, value: float, in_percent: bool) -> str:
        """Format one number of a metric, which may be shown in per cent."""
        shown = value * 100 if self.percent and in_percent else value
        text = f"{shown:.{self.digits}f}" if abs(shown) < 1e5 else f"{shown:.{self.digits + 1}g}"
        return text.removeprefix("-") if not text.strip("-0.") else text  # no minus zero

    def unit(self, table: Table) -> ShownUnit | None:
        """The unit of all cells of a table, if they have one in common."""
        return unit_for(table.scale.unit, table.mean.ravel().tolist()) if self.common_unit else None


def sheet_of_table(table: Table, style: Style) -> Sheet:
    """Rows × columns of one value, then averages and average ranks, then notes."""
    columns = range(len(table.columns))
    body = [
        [words(row), *(cell_of(table, style, i, j) for j in columns)]
        for i, row in enumerate(table.rows)
    ]
    corner = " · ".join(table.sides[0])
    return Sheet([corner, *table.columns], [body, averages(table, style)], notes_of(table, style))


def averages(table: Table, style: Style) -> list[list[Cell]]:
    """The lines of averages and of average ranks."""
    unit = style.unit(table)
    has_values = np.any(table.runs > 0, axis=0).tolist()  # references have no cost
    means = [
        _number(table, style, value, unit) if has_value else words("")
        for value, has_value in zip(table.average.tolist(), has_values, strict=True)
    ]
    lines = [[words("average"), *means]]
    for variant, ranking in table.rankings.items():
        ranks = ranking.average_ranks
        name = f"average rank, {variant}" if variant else "average rank"
        shown = [Cell(f"{ranks[c]:.2f}") if c in ranks else words("") for c in table.columns]
        lines.append([words(name), *shown])
    return lines


def cell_of(table: Table, style: Style, i: int, j: int) -> Cell:
    """Mean ± sd of a cell with its marks, or why it has none."""
    runs, mean = int(table.runs[i, j]), float(table.mean[i, j])
    mark = table.marks.get((i, j)) if style.verdicts else None
    if not runs:
        kinds = [hole.kind for hole in table.holes.get((i, j), ())]
        is_reference = table.reference_rows[i] or table.reference_columns[j]
        missing = "" if is_reference else "not run"  # references have no cost
        return words(next((k for k in ("failed", "damaged") if k in kinds), missing))
    if math.isnan(mean):
        return words("undefined")
    shown = _number(table, style, mean, style.unit(table), float(table.sd[i, j]))
    extra = "" if runs == table.seeds else f" [{runs}/{table.seeds}]"
    if style.ranks and not math.isnan(rank := table.ranks[i, j]):
        extra += f" ({rank:g})"
    return shown._replace(
        extra=extra, mark=mark.word if mark else "", best=_is_best(table, style, i, shown)
    )


def _is_best(table: Table, style: Style, i: int, shown: Cell) -> bool:
    """Whether a cell is the best of its row, or equal to it in all digits shown."""
    row = table.scale.merit(table.mean[i])
    if table.scale.direction is None or len(row) < 2 or np.isnan(row).all():
        return False
    best = float(table.mean[i, int(np.nanargmax(row))])
    return _number(table, style, best, style.unit(table)).plain == shown._replace(spread="").plain


def _number(
    table: Table, style: Style, value: float, unit: ShownUnit | None, sd: float = math.nan
) -> Cell:
    """A number as its value is shown; one with a unit is never in per cent."""
    if math.isnan(value):
        return words("-")
    if math.isinf(value):
        return words("∞" if value > 0 else "−∞")
    kind = table.scale.unit
    if kind == "RAM-hours":  # too small for decimals
        return Cell(f"{value:.3g}", "" if math.isnan(sd) else f"{sd:.1g}")
    own = unit or unit_for(kind, [value])
    if own is None:
        text, spread = (style.number(each, kind != "target") for each in (value, sd))
        return Cell(text, "" if math.isnan(sd) else spread)
    places = 1 if unit and unit.name != "B" else decimals(value, own)
    text, spread = (f"{number / own.size:.{places}f}" for number in (value, sd))
    return Cell(text, "" if math.isnan(sd) else spread, "" if unit else own.name)


def as_latex(sheet: Sheet, caption: str | None, label: str) -> str:
    """A sheet whose first note is the caption, unless another is given."""
    first, *notes = sheet.notes
    short = Sheet(sheet.header, sheet.groups, notes, sheet.names, sheet.spans)
    return sheet_latex(short, caption if caption is not None else escape(first), label)


def as_html(sheet: Sheet) -> str:
    """A sheet in a notebook."""
    return page_part(sheet_html(sheet))


def as_csv(tables: Sequence[Table]) -> str:
    """Every digit: mean, sd and number of runs per column; no averages, so that rows are streams.

    Each row dimension is a column. Of several tables, the values stand side by side.
    """
    first, several = tables[0], len(tables) > 1
    names = [f"{c} {t.value}" if several else c for c in first.columns for t in tables]
    lines = [[*first.sides[0], *(name + part for name in names for part in ("", " sd", " runs"))]]
    for i, key in enumerate(first.row_keys):
        line = list(key)
        for j in range(len(first.columns)):
            for t in tables:
                line += map(full_precision, (t.mean[i, j], t.sd[i, j], t.runs[i, j]))
        lines.append(line)
    return csv_table(lines)
