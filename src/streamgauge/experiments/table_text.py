"""A table as text, Markdown, LaTeX or CSV: the best of each row marked, averages, ranks, tests."""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from streamgauge.comparison.ranking import Ranking
from streamgauge.experiments.table import Table
from streamgauge.rendering.text_table import align
from streamgauge.rendering.words import p_text, plural

HOLE = "-"


@dataclass(frozen=True)
class Style:
    """How numbers are written: digits after the point, in per cent, with the rank in brackets."""

    digits: int = 3
    percent: bool = False
    ranks: bool = False

    def number(self, value: float) -> str:
        """One number."""
        shown = value * 100 if self.percent else value
        if math.isnan(shown):
            return HOLE
        text = f"{shown:.{self.digits}f}" if abs(shown) < 1e5 else f"{shown:.{self.digits + 1}g}"
        return text.removeprefix("-") if not text.strip("-0.") else text  # no minus zero


_USUAL = Style()


def as_text(table: Table, style: Style = _USUAL) -> str:
    """Aligned columns; the best of a row has a star."""
    lines = _lines(table, style, lambda text: f"{text}*", lambda text: f"{text} ")
    lines[0] = [lines[0][0], *(f"{name} " for name in lines[0][1:])]
    return "\n".join([align(lines), "", *_notes(table, "* best of its row.")])


def as_markdown(table: Table, style: Style = _USUAL) -> str:
    """A Markdown table; the best of a row is bold."""
    lines = [
        [cell.replace("|", r"\|") for cell in line]
        for line in _lines(table, style, lambda text: f"**{text}**")
    ]
    rule = ["---", *["---:"] * len(table.columns)]
    shown = [f"| {' | '.join(line)} |" for line in [lines[0], rule, *lines[1:]]]
    return "\n".join([*shown, "", *_notes(table, "Bold: best of its row.")])


def as_latex(table: Table, style: Style = _USUAL) -> str:
    r"""A tabular of the package booktabs; the best of a row is bold."""
    count = len(table.rows)
    head, *body = [
        [_latex(cell) for cell in line]
        for line in _lines(table, style, lambda text: f"\x02{text}\x03")
    ]
    lines = [f"{' & '.join(line)} \\\\" for line in body]
    notes = [_latex(note) for note in _notes(table, "Bold: best of its row.")]
    return "\n".join(
        [
            f"\\begin{{tabular}}{{l{'r' * len(table.columns)}}}",
            "\\toprule",
            f"{' & '.join(head)} \\\\",
            "\\midrule",
            *lines[:count],
            "\\midrule",
            *lines[count:],
            "\\bottomrule",
            "\\end{tabular}",
            "",
            *notes,
        ]
    )


def as_csv(table: Table) -> str:
    """All digits: of each column mean, sd and the number of runs; then averages and ranks."""
    text = io.StringIO()
    out = csv.writer(text, lineterminator="\n")
    parts = ("", " sd", " runs")
    out.writerow([_corner(table), *(f"{name}{part}" for name in table.columns for part in parts)])
    for i, row in enumerate(table.rows):
        triples = zip(table.mean[i], table.sd[i], table.runs[i], strict=True)
        out.writerow([row, *(_plain(value) for triple in triples for value in triple)])
    for name, values in _footer(table).items():
        out.writerow([name, *(cell for value in values for cell in (_plain(value), "", ""))])
    return text.getvalue().rstrip("\n")


def _plain(value: float) -> str:
    return "" if math.isnan(value) else repr(value.item() if hasattr(value, "item") else value)


def _corner(table: Table) -> str:
    return " · ".join(table.sides[0])


def _footer(table: Table) -> dict[str, list[float]]:
    """The lines below the rows."""
    lines = {"average": table.average.tolist()}
    if table.ranking is not None:
        ranks = table.ranking.average_ranks
        lines["average rank"] = [ranks[name] for name in table.columns]
    return lines


def _lines(
    table: Table,
    style: Style,
    best: Callable[[str], str],
    other: Callable[[str], str] = lambda text: text,
) -> list[list[str]]:
    """Head, rows, averages and average ranks as text."""
    worth = -table.mean if table.lower_is_better else table.mean
    places = iter(table.ranking.ranks if table.ranking is not None else ())
    lines = [[_corner(table), *table.columns]]
    for i, row in enumerate(table.rows):
        shown = [style.number(value) for value in table.mean[i]]
        first = shown[int(np.nanargmax(worth[i]))] if not np.isnan(worth[i]).all() else None
        ranks = next(places) if table.ranking is not None and table.whole[i] else None
        cells = []
        for j, mean in enumerate(shown):
            place = "" if ranks is None or not style.ranks else f" ({ranks[j]:g})"
            text = _cell(table, style, i, j) + place
            marked = len(table.columns) > 1 and mean == first and mean != HOLE
            cells.append(best(text) if marked else other(text))
        lines.append([row, *cells])
    for name, values in _footer(table).items():
        below = [f"{v:.2f}" if name.endswith("rank") else style.number(v) for v in values]
        lines.append([name, *map(other, below)])
    return lines


def _cell(table: Table, style: Style, i: int, j: int) -> str:
    runs = int(table.runs[i, j])
    if not runs:
        return "failed" if table.failed[i, j] else HOLE
    if math.isnan(table.mean[i, j]):
        return "undefined"
    text = style.number(table.mean[i, j])
    if not math.isnan(table.sd[i, j]):
        text += f" ± {style.number(table.sd[i, j])}"
    return text if runs == table.seeds else f"{text} [{runs}/{table.seeds}]"


def _notes(table: Table, marks: str) -> list[str]:
    under = f" under {table.forgetting}" if table.forgetting else ""
    over = f"mean ± sd over {table.seeds} seeds" if table.seeds > 1 else "one seed"
    better = "lower is better" if table.lower_is_better else "higher is better"
    notes = [f"{table.value}{under} at the end of the stream, {over}; {better}. {marks}"]
    left_out = int((~table.whole).sum())
    if left_out:
        notes.append(
            f"{plural(left_out, 'row')} with holes or undefined values left out of averages, ranks "
            "and tests; [8/10]: 8 of 10 seeds have a run."
        )
    if table.ranking is None:
        notes.append("No ranks: they need two rows without holes and two columns.")
    else:
        notes.append(tests_line(table.ranking))
    return notes


def tests_line(ranking: Ranking) -> str:
    """Friedman, Iman–Davenport and Nemenyi in one line."""
    friedman, f = ranking.friedman, ranking.iman_davenport
    n, k = ranking.ranks.shape
    head = f"Ranks of {k} over {n}: "
    if math.isnan(friedman.p):
        return f"{head}every row ranks all alike, nothing tells them apart."
    apart = "; ".join(", ".join(group) for group in ranking.groups) or "nobody"
    return (
        f"{head}Friedman χ² = {friedman.chi2:.2f}, p {p_text(friedman.p)}; Iman–Davenport F = "
        f"{f.f:.2f}, p {p_text(f.p)}; Nemenyi critical difference {ranking.critical_difference:.2f}"
        f" at {ranking.alpha:g}, not told apart: {apart}."
    )


_LATEX = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_",
    "{": r"\{", "}": r"\}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": "$<$",
    ">": "$>$", "±": r"$\pm$", "χ²": r"$\chi^2$", "·": r"$\cdot$", "–": "--", "−": "$-$",
    "\x02": r"\textbf{", "\x03": "}",
}  # fmt: skip


def _latex(text: str) -> str:
    signs = "|".join(map(re.escape, _LATEX))
    return re.sub(signs, lambda found: _LATEX[found[0]], text)
