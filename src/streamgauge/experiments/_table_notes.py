"""The sentences below a results table: what it shows, what is missing and why, tests."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from streamgauge._support import registry
from streamgauge.experiments._verdict_marks import MEANING
from streamgauge.rendering.sheet import MARKS
from streamgauge.rendering.words import join_words, plural

if TYPE_CHECKING:
    from streamgauge.comparison.ranking import Ranking
    from streamgauge.experiments._table import Table
    from streamgauge.experiments._table_text import Style

_MAX_NAMED = 10  # further ones are only counted
_MAX_LETTERS = 120  # of the reason for a hole


def notes_of(table: Table, style: Style) -> list[str]:
    """The notes below the table of one value."""
    unit = style.unit(table)
    value = f"{table.value} ({unit.name})" if unit else table.value
    direction = table.scale.direction
    marks = "* best of its row." if style.best == "star" else "Bold: best of its row."
    better = f"; {direction} is better. {marks}" if direction else "."
    notes = [f"{value}{under(table)}{better}", *no_direction([table])]
    notes += [*about(table), *missing([table])]
    if style.verdicts:
        notes += meaning_of_marks([table])
    if direction and not table.rankings:
        notes.append("No tests: they need at least two streams with complete rows and two columns.")
    if len(table.rankings) > 1:
        notes.append("Rows of one stream are not independent, so they are not ranked together.")
    return notes + [_tests(ranking) for ranking in table.rankings.values()]


def under(table: Table) -> str:
    """The forgetting and the seeds."""
    forgetting = f" under {table.forgetting}" if table.forgetting else ""
    seeds = plural(table.seeds // table.models, "seed")
    models = f" × {table.models} models" if table.models > 1 else ""
    over = f"mean ± sd over {seeds}{models}" if table.seeds > 1 else "one seed"
    return f"{forgetting} at the end of the stream, {over}"


def no_direction(tables: Sequence[Table]) -> list[str]:
    """Which values are neither marked nor ranked, because no end of them is better."""
    named = [table.value for table in tables if table.scale.direction is None]
    if not named:
        return []
    verb = "declares" if len(named) == 1 else "declare"
    return [f"Neither marked nor ranked: {join_words(named)}, which {verb} no direction."]


def about(table: Table) -> list[str]:
    """What all cells have in common that neither rows nor columns say."""
    return [f"All runs: {table.about}."] if table.about else []


def meaning_of_marks(tables: Sequence[Table]) -> list[str]:
    """What the marks of verdicts mean, if there are any."""
    if not any(table.marks for table in tables):
        return []
    agree = "; several seeds must agree" if tables[0].seeds > 1 else ""
    return [f"{MEANING.format(**MARKS)}{agree}."]


def missing(tables: Sequence[Table], has_averages: bool = True) -> list[str]:
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
    first = tables[0]
    partial = [runs for runs in _learner_runs(first) if 0 < runs < first.seeds]
    if partial:
        some, all_seeds = partial[0], first.seeds
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


def _learner_runs(table: Table) -> list[int]:
    learners = table.runs[~table.reference_rows][:, ~table.reference_columns]
    return [int(runs) for runs in learners.ravel()]


def _gaps(table: Table) -> Iterator[str]:
    """Each row that is not complete, with the columns that have a hole and why."""
    for i in np.flatnonzero(~table.complete & ~table.reference_rows).tolist():
        why = []
        for j in np.flatnonzero(~table.reference_columns).tolist():
            runs = int(table.runs[i, j])
            if runs < table.seeds:
                kinds = dict.fromkeys(hole.kind for hole in table.holes.get((i, j), ()))
                kind = join_words(list(kinds) or ["not run"])
                some = f" {table.seeds - runs} of {table.seeds} seeds" if runs else ""
                why.append(f"{table.columns[j]} {kind}{some}")
            elif math.isnan(table.mean[i, j]):
                why.append(f"{table.value} of {table.columns[j]} undefined")
        name = table.rows[i]
        yield f"{name} ({_named(why)})" if name else _named(why)


def _failures(table: Table) -> Iterator[str]:
    for (i, j), holes in table.holes.items():
        for hole in dict.fromkeys(hole for hole in holes if hole.kind == "failed"):
            count = sum(each.kind == "failed" for each in holes)
            seeds = f" ({plural(count, 'seed')})" if table.seeds > 1 else ""
            yield f"{_cell(table, i, j)}{seeds}: {_short(hole.why)}"


def _undefined(table: Table) -> list[str]:
    """Where a value is undefined, and why, if the metric says so."""
    holes = np.argwhere(np.isnan(table.mean) & (table.runs > 0)).tolist()
    if not holes:
        return []
    where = _named([_cell(table, i, j) for i, j in holes])
    known = table.value in registry.names("metric")
    why = f": {registry.find(table.value, 'metric').undefined}" if known else ""
    return [f"{table.value} is undefined for {where}{why}."]


def _cell(table: Table, i: int, j: int) -> str:
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
        similar = "they may well be equal"
    return (
        f"{head}{ranking.friedman_text}; Nemenyi critical difference "
        f"{ranking.critical_difference:.2f} at {ranking.alpha:g}: {similar}."
    )
