"""Renders a results table: best value of each row marked, averages, ranks and tests below."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from streamgauge._support.printable import printable
from streamgauge.rendering import latex, markdown
from streamgauge.rendering.csv_table import csv_table, full_precision
from streamgauge.rendering.text_table import align
from streamgauge.rendering.words import plural

if TYPE_CHECKING:
    from streamgauge.comparison.ranking import Ranking
    from streamgauge.experiments._table import Table

_MISSING = "-"
_MAX_DAMAGED = 10  # named; further ones are only counted


@dataclass(frozen=True)
class Style:
    """Number format: decimals, times 100 or not, rank in brackets or not."""

    digits: int = 3
    percent: bool = False
    ranks: bool = False

    def number(self, value: float) -> str:
        """Format one number; NaN is a hyphen."""
        shown = value * 100 if self.percent else value
        if math.isnan(shown):
            return _MISSING
        text = f"{shown:.{self.digits}f}" if abs(shown) < 1e5 else f"{shown:.{self.digits + 1}g}"
        return text.removeprefix("-") if not text.strip("-0.") else text  # no minus zero


class _Cell(NamedTuple):
    text: str
    best: bool = False


def as_text(table: Table, style: Style) -> str:
    """Aligned columns; a star marks the best value of a row."""
    header, *body = _lines(table, style)
    shown = [[cell.text for cell in header[:1]] + [f"{cell.text} " for cell in header[1:]]]
    for name, *cells in body:
        shown.append([name.text, *(f"{c.text}*" if c.best else f"{c.text} " for c in cells)])
    notes = map(printable, _notes(table, "* best of its row."))
    return "\n".join([align(shown), "", *notes])


def as_markdown(table: Table, style: Style) -> str:
    """A Markdown table; the best value of a row is bold."""
    lines = _marked(_lines(table, style), markdown.bold, markdown.escape)
    notes = map(markdown.escape, _notes(table, "Bold: best of its row."))
    return "\n".join([markdown.markdown_table(lines), "", *notes])


def as_latex(table: Table, style: Style) -> str:
    """A booktabs tabular; the best value of a row is bold."""
    header, *body = _marked(_lines(table, style), latex.bold, latex.escape)
    count = len(table.rows)
    notes = [latex.escape(note) for note in _notes(table, "Bold: best of its row.")]
    return "\n".join([latex.tabular(header, body[:count], body[count:]), "", *notes])


def as_csv(table: Table) -> str:
    """Every digit: mean, sd and number of runs per column; no averages, so that rows are streams.

    Each row dimension is a column.
    """
    parts = ("", " sd", " runs")
    lines = [[*table.sides[0], *(f"{name}{part}" for name in table.columns for part in parts)]]
    for i, key in enumerate(table.row_keys):
        triples = zip(table.mean[i], table.sd[i], table.runs[i], strict=True)
        lines.append([*key, *(full_precision(value) for triple in triples for value in triple)])
    return csv_table(lines)


def _marked(
    lines: list[list[_Cell]], best: Callable[[str], str], other: Callable[[str], str]
) -> list[list[str]]:
    return [[best(cell.text) if cell.best else other(cell.text) for cell in line] for line in lines]


def _corner(table: Table) -> str:
    return " · ".join(table.sides[0])


def _footer(table: Table) -> dict[str, list[float]]:
    """Averages and average ranks, by the name of their line."""
    lines = {"average": table.average.tolist()}
    for variant, ranking in table.rankings.items():
        ranks = ranking.average_ranks
        name = f"average rank, {variant}" if variant else "average rank"
        lines[name] = [ranks[column] for column in table.columns]
    return lines


def _lines(table: Table, style: Style) -> list[list[_Cell]]:
    """Header, rows, averages and average ranks."""
    merit = -table.mean if table.lower_is_better else table.mean
    ranks = table.ranks
    lines = [[_Cell(_corner(table)), *map(_Cell, table.columns)]]
    for i, row in enumerate(table.rows):
        shown = [style.number(value) for value in table.mean[i]]
        first = shown[int(np.nanargmax(merit[i]))] if not np.isnan(merit[i]).all() else None
        cells = []
        for j, mean in enumerate(shown):
            rank = f" ({ranks[i, j]:g})" if style.ranks and table.complete[i] else ""
            best = len(table.columns) > 1 and mean == first and mean != _MISSING
            cells.append(_Cell(_value(table, style, i, j) + rank, best))
        lines.append([_Cell(row), *cells])
    for name, values in _footer(table).items():
        below = [f"{v:.2f}" if name.startswith("average rank") else style.number(v) for v in values]
        lines.append([_Cell(name), *map(_Cell, below)])
    return lines


def _value(table: Table, style: Style, i: int, j: int) -> str:
    """Mean ± sd of a cell, or why it has none."""
    runs = int(table.runs[i, j])
    if not runs:
        return "failed" if table.failed[i, j] else _MISSING
    if math.isnan(table.mean[i, j]):
        return "undefined"
    text = style.number(table.mean[i, j])
    if not math.isnan(table.sd[i, j]):
        text += f" ± {style.number(table.sd[i, j])}"
    return text if runs == table.seeds else f"{text} [{runs}/{table.seeds}]"


def _notes(table: Table, marks: str) -> list[str]:
    under = f" under {table.forgetting}" if table.forgetting else ""
    seeds = plural(table.seeds // table.models, "seed")
    models = f" × {table.models} models" if table.models > 1 else ""
    over = f"mean ± sd over {seeds}{models}" if table.seeds > 1 else "one seed"
    better = "lower is better" if table.lower_is_better else "higher is better"
    notes = [f"{table.value}{under} at the end of the stream, {over}; {better}. {marks}"]
    incomplete = int((~table.complete).sum())
    if incomplete:
        notes.append(
            f"Averages, ranks and tests leave out {plural(incomplete, 'row')} with missing or "
            "undefined values; [8/10]: 8 of 10 seeds have a run."
        )
    if table.damaged:
        shown = "; ".join(table.damaged[:_MAX_DAMAGED])
        more = len(table.damaged) - _MAX_DAMAGED
        shown += f"; and {more:,} more" if more > 0 else ""
        notes.append(
            f"Left out: {plural(len(table.damaged), 'damaged run')}: {shown}. `streamgauge status` "
            "says why, and `streamgauge run` runs them again."
        )
    if not table.rankings:
        notes.append("No tests: they need at least two streams with complete rows and two columns.")
    if len(table.rankings) > 1:
        notes.append("Rows of one stream are not independent, so they are not ranked together.")
    return notes + [_tests(ranking) for ranking in table.rankings.values()]


def _tests(ranking: Ranking) -> str:
    """Friedman's and Nemenyi's tests in one sentence."""
    n, k = ranking.ranks.shape
    within = f"{ranking.variant}: " if ranking.variant else ""
    head = f"{within}{plural(k, 'column')} ranked over {plural(n, 'stream')}: "
    if math.isnan(ranking.friedman.p):
        return f"{head}all ranks are tied in every row, so no test applies."
    groups = "; ".join(", ".join(group) for group in ranking.groups)
    similar = f"no significant difference within {groups}" if groups else "all pairs differ"
    if not ranking.significant:
        similar = "they may well be equal"
    return (
        f"{head}{ranking.friedman_text}; Nemenyi critical difference "
        f"{ranking.critical_difference:.2f} at {ranking.alpha:g}: {similar}."
    )
