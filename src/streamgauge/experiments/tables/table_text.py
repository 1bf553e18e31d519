"""The text of a results table: marks of the best and of verdicts, readable units, the notes."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from streamgauge._support import registry
from streamgauge.rendering.csv_table import csv_table, full_precision
from streamgauge.rendering.html import page_part, sheet_html
from streamgauge.rendering.latex import escape, sheet_latex
from streamgauge.rendering.outcomes import MARKS
from streamgauge.rendering.sheet import Sheet, SheetCell, words
from streamgauge.rendering.units import ShownUnit, decimals, unit_for
from streamgauge.rendering.words import join_words, plural

if TYPE_CHECKING:
    from streamgauge.experiments.tables.result_table import ResultTable
    from streamgauge.ranking.ranking import Ranking

_MAX_NAMED = 10  # further ones are only counted
_MAX_LETTERS = 120  # of the reason for a hole

_MEANING = (
    "Against the references, by the batch means of each run: {better} better than all of them, "
    "{worse} worse than at least one; otherwise {equal} equal to one, {dot} no clear difference "
    "from one, {open} open: the errors depend on each other for too long"
)
IN_WORDS = (
    "Against the references, by the batch means of each run, the strongest first; open: the errors "
    "depend on each other for too long, or the seeds disagree."
)


@dataclass(frozen=True)
class Style:
    """How to show numbers and marks."""

    digits: int = 3
    percent: bool = False
    ranks: bool = False
    verdicts: bool = True
    best: str = "star"  # or bold
    common_unit: bool = False  # one unit for all cells of a cost, so that they can be aligned
    details: bool = True  # every note; else what the numbers and marks are, and what is missing

    def number(self, value: float, in_percent: bool) -> str:
        """Format one number of a metric, which may be shown in per cent."""
        shown = value * 100 if self.percent and in_percent else value
        text = f"{shown:.{self.digits}f}" if abs(shown) < 1e5 else f"{shown:.{self.digits + 1}g}"
        return text.removeprefix("-") if not text.strip("-0.") else text  # no minus zero

    def unit(self, table: ResultTable) -> ShownUnit | None:
        """The unit of all cells of a table, if they have one in common."""
        return unit_for(table.scale.unit, table.mean.ravel().tolist()) if self.common_unit else None


def sheet_of_table(table: ResultTable, style: Style) -> Sheet:
    """Rows × columns of one value, then averages and average ranks, then notes."""
    columns = range(len(table.columns))
    body = [
        [words(row), *(cell_of(table, style, i, j) for j in columns)]
        for i, row in enumerate(table.rows)
    ]
    corner = " · ".join(table.sides[0])
    return Sheet([corner, *table.columns], [body, averages(table, style)], _notes_of(table, style))


def averages(table: ResultTable, style: Style) -> list[list[SheetCell]]:
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
        shown = [SheetCell(f"{ranks[c]:.2f}") if c in ranks else words("") for c in table.columns]
        lines.append([words(name), *shown])
    return lines


def cell_of(table: ResultTable, style: Style, i: int, j: int) -> SheetCell:
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
    expected = int(table.expected[i, j])
    extra = "" if runs == expected else f" [{runs}/{expected}]"
    if style.ranks and not math.isnan(rank := table.ranks[i, j]):
        extra += f" ({rank:g})"
    return shown._replace(
        extra=extra, mark=mark.word if mark else "", best=_is_best(table, style, i, shown)
    )


def _is_best(table: ResultTable, style: Style, i: int, shown: SheetCell) -> bool:
    """Whether a cell is the best of its row, or equal to it in all digits shown."""
    row = table.scale.merit(table.mean[i])
    if table.scale.direction is None or len(row) < 2 or np.isnan(row).all():
        return False
    best = float(table.mean[i, int(np.nanargmax(row))])
    return _number(table, style, best, style.unit(table)).plain == shown._replace(spread="").plain


def _number(
    table: ResultTable, style: Style, value: float, unit: ShownUnit | None, sd: float = math.nan
) -> SheetCell:
    """A number as its value is shown; one with a unit is never in per cent."""
    if math.isnan(value):
        return words("-")
    if math.isinf(value):
        return words("∞" if value > 0 else "−∞")
    kind = table.scale.unit
    if kind == "RAM-hours":  # too small for decimals
        return SheetCell(f"{value:.3g}", "" if math.isnan(sd) else f"{sd:.1g}")
    own = unit or unit_for(kind, [value])
    if own is None:
        text, spread = (style.number(each, kind != "target") for each in (value, sd))
        return SheetCell(text, "" if math.isnan(sd) else spread)
    places = _places(value, unit) if unit and unit.name != "B" else decimals(value, own)
    text, spread = (f"{number / own.size:.{places}f}" for number in (value, sd))
    return SheetCell(text, "" if math.isnan(sd) else spread, "" if unit else own.name)


def _places(value: float, unit: ShownUnit) -> int:
    """Decimals of a value in a unit that it shares with larger ones: a first digit is seen."""
    size = abs(value / unit.size)
    return next((places for places in (1, 2, 3) if round(size, places)), 1)


def as_latex(sheet: Sheet, caption: str | None, label: str, width: str | None = None) -> str:
    """A sheet whose first note is the caption; below another one it stays a note."""
    first, *rest = sheet.notes
    notes = rest if caption is None else sheet.notes
    short = Sheet(sheet.header, sheet.groups, notes, sheet.names, sheet.spans)
    return sheet_latex(short, escape(first) if caption is None else caption, label, width)


def as_html(sheet: Sheet) -> str:
    """A sheet in a notebook."""
    return page_part(sheet_html(sheet))


def as_csv(tables: Sequence[ResultTable]) -> str:
    """Every digit: mean, sd and number of runs per column; no averages, so that rows are streams.

    Each row dimension is a column. Of several tables, the values stand side by side. Where the
    runs of a complete cell differ, since some do not depend on the seed, they are beside it.
    """
    first, several = tables[0], len(tables) > 1
    differ = len(np.unique(first.expected)) > 1
    parts = ("", " sd", " runs", " expected") if differ else ("", " sd", " runs")
    names = [f"{c} {t.value}" if several else c for c in first.columns for t in tables]
    lines = [[*first.sides[0], *(name + part for name in names for part in parts)]]
    for i, key in enumerate(first.row_keys):
        line = list(key)
        for j in range(len(first.columns)):
            for t in tables:
                numbers = (t.mean[i, j], t.sd[i, j], t.runs[i, j], t.expected[i, j])
                line += map(full_precision, numbers[: len(parts)])
        lines.append(line)
    return csv_table(lines)


class Mark(NamedTuple):
    """A verdict in a word, and the references that it is about, the strongest first."""

    word: str  # better, worse, equal, no clear difference or open
    references: tuple[str, ...]

    def __str__(self) -> str:
        if self.word == "better":
            return "better than all"
        first, *others = self.references
        more = f" and {len(others)} more" if others else ""
        link = {"worse": " than", "equal": " to", "open": ":"}.get(self.word, " from")
        return f"{self.word}{link} {first}{more}"


def mark_of(verdicts: Sequence[Mapping[str, str]]) -> Mark | None:
    """The mark of one or more runs of a learner; several must agree. None without references."""
    references = list(dict.fromkeys(name for each in verdicts for name in each))
    if not references:
        return None
    words = {name: [each.get(name, "") for each in verdicts] for name in references}
    worse = tuple(name for name in references if all(word == "worse" for word in words[name]))
    if worse:
        return Mark("worse", worse)
    unclear = tuple(name for name in references if any(word != "better" for word in words[name]))
    if not unclear:
        return Mark("better", tuple(references))
    # The first is the strongest; several runs that do not agree leave it open.
    found = set(words[unclear[0]])
    word = found.pop() if len(found) == 1 else "open"
    return Mark(word if word in ("equal", "no clear difference") else "open", unclear)


def _notes_of(table: ResultTable, style: Style) -> list[str]:
    """The notes below the table of one value."""
    unit = style.unit(table)
    value = f"{table.value} ({unit.name})" if unit else table.value
    direction = table.scale.direction
    marks = "* best of its row." if style.best == "star" else "Bold: best of its row."
    better = f"; {direction} is better. {marks}" if direction else "."
    notes = [f"{value}{under(table)}{better}", *no_direction([table]), *about(table)]
    if not style.details:
        return [*notes, *(legend([table]) if style.verdicts else []), *missing([table])]
    notes += [*pickled_sizes(table.pickled), *missing([table])]
    if style.verdicts:
        notes += meaning_of_marks([table])
    if direction and not table.rankings:
        notes.append("No tests: they need at least two streams with complete rows and two columns.")
    if len(table.rankings) > 1:
        notes.append("Rows of one stream are not independent, so they are not ranked together.")
    return notes + [_tests(ranking) for ranking in table.rankings.values()]


def under(table: ResultTable) -> str:
    """The forgetting and the seeds."""
    forgetting = f" under {table.forgetting}" if table.forgetting else ""
    seeds = plural(table.seeds // table.models, "seed")
    models = f" × {table.models} models" if table.models > 1 else ""
    over = f"mean ± sd over {seeds}{models}" if table.seeds > 1 else "one seed"
    over += "; no run depends on the seed" if table.is_fixed else ""
    return f"{forgetting} at the end of the stream, {over}"


def no_direction(tables: Sequence[ResultTable]) -> list[str]:
    """Which values are neither marked nor ranked, because no end of them is better."""
    named = [table.value for table in tables if table.scale.direction is None]
    if not named:
        return []
    verb = "declares" if len(named) == 1 else "declare"
    return [f"Neither marked nor ranked: {join_words(named)}, which {verb} no direction."]


def about(table: ResultTable) -> list[str]:
    """What all cells have in common that neither rows nor columns say; which have one run."""
    notes = [f"All runs: {table.about}."] if table.about else []
    if table.fixed and not table.is_fixed:
        names = _named(table.fixed)
        notes.append(f"One run where nothing depends on the seed: {names}.")
    return notes


def pickled_sizes(names: Sequence[str]) -> list[str]:
    """Which sizes are not those that the models report."""
    if not names:
        return []
    return [f"Model size: the pickled size of {_named(names)}; the others report their own."]


def legend(tables: Sequence[ResultTable]) -> list[str]:
    """The marks that occur, in one line."""
    found = {mark.word for table in tables for mark in table.marks.values()}
    known = [f"{MARKS[word]} {said}" for word, said in _LEGEND.items() if word in found]
    return [f"Against the references: {', '.join(known)}."] if known else []


_LEGEND = {
    "better": "better than all",
    "worse": "worse than one",
    "equal": "equal to one",
    "no clear difference": "no clear difference from one",
    "open": "open",
}


def meaning_of_marks(tables: Sequence[ResultTable]) -> list[str]:
    """What the marks of verdicts mean, if there are any."""
    if not any(table.marks for table in tables):
        return []
    agree = "; several seeds must agree" if tables[0].seeds > 1 else ""
    marks = {"dot": MARKS["no clear difference"], **MARKS}
    return [f"{_MEANING.format(**marks)}{agree}."]


def missing(tables: Sequence[ResultTable], has_averages: bool = True) -> list[str]:
    """Which rows the averages leave out and why, what failed, what is damaged."""
    notes = []
    gaps = list(dict.fromkeys(gap for table in tables for gap in _gaps(table)))
    if gaps and not has_averages:
        notes.append(f"Missing or undefined: {_named(gaps)}.")
    elif gaps:
        notes.append(
            f"Averages, ranks and tests leave out {plural(len(gaps), 'row')} with missing or "
            f"undefined values: {_named(gaps)}."
        )
        if not any(table.complete.any() for table in tables):
            notes.append("No row is complete, so there is no average; --where selects others.")
    empty = [
        name
        for table in tables
        for name, is_empty in zip(table.columns, table.empty_columns, strict=True)
        if is_empty
    ]
    if empty:
        notes.append(f"No value anywhere, so neither averaged nor ranked: {_named(empty)}.")
    first = tables[0]
    partial = [each for each in _learner_runs(first) if 0 < each[0] < each[1]]
    if partial:
        some, all_seeds = partial[0]
        verb = "has" if some == 1 else "have"
        notes.append(f"[{some}/{all_seeds}]: {some} of {all_seeds} seeds {verb} a run.")
    failures = list(dict.fromkeys(_failures(first)))
    if failures:
        notes.append(f"Failed: {_named(failures)}.")
    notes += dict.fromkeys(note for table in tables for note in _undefined(table))
    if first.damaged:
        notes.append(
            f"Left out: {plural(len(first.damaged), 'damaged run')}: {_named(first.damaged)}. "
            "`streamgauge status` says why, and `streamgauge run` runs them again."
        )
    return notes


def _learner_runs(table: ResultTable) -> list[tuple[int, int]]:
    """The runs of each cell of a learner, and how many a complete one has."""
    found, expected = (
        each[~table.reference_rows][:, ~table.reference_columns].ravel().tolist()
        for each in (table.runs, table.expected)
    )
    return list(zip(found, expected, strict=True))


def _gaps(table: ResultTable) -> Iterator[str]:
    """Each row that is not complete, with the columns that have a hole and why."""
    for i in np.flatnonzero(~table.complete & ~table.reference_rows).tolist():
        why = []
        for j in np.flatnonzero(~table.reference_columns & ~table.empty_columns).tolist():
            runs, expected = int(table.runs[i, j]), int(table.expected[i, j])
            if runs < expected:
                kinds = dict.fromkeys(hole.kind for hole in table.holes.get((i, j), ()))
                kind = join_words(list(kinds) or ["not run"])
                some = f" {expected - runs} of {expected} seeds" if runs else ""
                why.append(f"{table.columns[j]} {kind}{some}")
            elif math.isnan(table.mean[i, j]):
                why.append(f"{table.value} of {table.columns[j]} undefined")
        name = table.rows[i]
        yield f"{name} ({_named(why)})" if name else _named(why)


def _failures(table: ResultTable) -> Iterator[str]:
    for (i, j), holes in table.holes.items():
        for hole in dict.fromkeys(hole for hole in holes if hole.kind == "failed"):
            count = sum(each.kind == "failed" for each in holes)
            seeds = f" ({plural(count, 'seed')})" if table.seeds > 1 else ""
            yield f"{_cell(table, i, j)}{seeds}: {_short(hole.why)}"


def _undefined(table: ResultTable) -> list[str]:
    """Where a value is undefined, and why, if the metric says so."""
    holes = np.argwhere(np.isnan(table.mean) & (table.runs > 0)).tolist()
    if not holes:
        return []
    where = _named([_cell(table, i, j) for i, j in holes])
    known = table.value in registry.names("metric")
    why = f": {registry.find(table.value, 'metric').undefined}" if known else ""
    return [f"{table.value} is undefined for {where}{why}."]


def _cell(table: ResultTable, i: int, j: int) -> str:
    return f"{table.columns[j]} on {table.rows[i]}" if table.rows[i] else table.columns[j]


def _named(names: Sequence[str]) -> str:
    more = len(names) - _MAX_NAMED
    return "; ".join(names[:_MAX_NAMED]) + (f"; and {more:,} more" if more > 0 else "")


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _MAX_LETTERS else f"{line[:_MAX_LETTERS]}…"


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
        similar = "they are not shown to differ"
    return (
        f"{head}{ranking.friedman_text}; Nemenyi critical difference "
        f"{ranking.critical_difference:.2f} at {ranking.alpha:g}: {similar}."
    )
