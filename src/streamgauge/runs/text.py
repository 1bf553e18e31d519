"""Runs as text: the answer in words, the numbers that back it."""

from __future__ import annotations

import math
from collections.abc import Sequence

from streamgauge.rendering.text_table import align, cell, rate
from streamgauge.runs._bin_text import show_bins
from streamgauge.runs.run import Run

_LABEL_COLUMNS = ("accuracy", "kappa", "kappa_temporal", "kappa_plus")
_NUMBER_COLUMNS = ("mae", "rmse", "r2")
_FULL_COVERAGE = 0.995  # a few rows before the first label go without an answer


def show_runs(runs: Sequence[Run]) -> str:
    """Runs over one stream: what it was, a table with the references, each run's verdict."""
    first = runs[0]
    parts = [header(first), table(runs)]
    for run in runs:
        parts.append(_failure(run) + str(run.verdict) + _lately(run) + _holes(run))
        if run.settings.reevaluate:
            parts.append(f"{run.name}, {run.settings.reevaluate}\n{show_bins(run.bins, run.name)}")
    return "\n\n".join(parts)


def header(run: Run) -> str:
    """The stream, the labels, and rows that did not count."""
    parts = [run.stream.describe(), f"labels {run.settings.labels}"]
    if run.settings.protocol:
        parts.append(run.settings.protocol)
    if run.settings.warmup:
        parts.append(f"first {run.settings.warmup:,} rows not scored")
    if run.settings.oracle:
        parts.append("Persistent is told late labels (oracle)")
    if run.counts.unlabelled:
        parts.append(f"{run.counts.unlabelled:,} rows never labelled")
    for reason, count in run.counts.skipped.items():
        parts.append(f"{count:,} events left out ({reason})")
    return " · ".join(parts)


def table(runs: Sequence[Run]) -> str:
    """Learners first, then the references on the same rows."""
    regression = runs[0].confusion is None
    names = _NUMBER_COLUMNS if regression else _LABEL_COLUMNS
    lines = [["", *names, "rows/s"]]
    for run in runs:
        unfinished = "*" if run.failure else ""
        cells = [cell(name, run.overall.get(name, math.nan)) for name in names]
        lines.append([run.name + unfinished, *cells, rate(run.cost.rows_per_second)])
    complete = next((run for run in runs if not run.failure), runs[0])
    for reference, values in complete.references.items():
        lines.append([reference, *(cell(name, values[name]) for name in names), ""])
    return align(lines) + _footnotes(runs, complete)


def _footnotes(runs: Sequence[Run], complete: Run) -> str:
    """What the table alone would hide: unfinished runs, rows without an answer."""
    notes = ["over all scored rows"]
    if any(run.failure for run in runs) and not complete.failure:
        notes.append(
            f"* fewer rows: it failed; the references are over all {complete.counts.scored:,}"
        )
    told = [(run.name, run.overall) for run in runs] + list(complete.references.items())
    for name, values in told:
        if values["coverage"] < _FULL_COVERAGE:
            notes.append(f"{name} answered {values['coverage']:.1%} of the rows only")
    return "\n" + "\n".join(f"  {note}" for note in notes)


def _failure(run: Run) -> str:
    if run.failure is None:
        return ""
    return (
        f"* {run.name} failed at row {run.failure.row:,}: {run.failure.message}\n"
        f"  What follows is of the {run.counts.scored:,} rows scored before.\n"
    )


def _lately(run: Run) -> str:
    """The end of the stream under each forgetting that forgets."""
    names = _NUMBER_COLUMNS if run.confusion is None else _LABEL_COLUMNS
    lines = []
    for forgetting in run.curve.forgettings:
        last = run.curve.last(forgetting)
        shown = ", ".join(f"{name} {cell(name, last[name])}" for name in names if name in last)
        if forgetting != "Cumulative()" and shown:
            lines.append(f"\nAt the end, {forgetting}: {shown}.")
    return "".join(lines)


def _holes(run: Run) -> str:
    """Where a headline metric is undefined, say how often and why."""
    holes = {
        name: hole
        for name, hole in run.undefined.items()
        if name in _LABEL_COLUMNS + _NUMBER_COLUMNS and name != "kappa_plus"
    }
    return "".join(
        f"\n{name} is undefined at {count:,} of {len(run.curve):,} points of the curve: {why}."
        for name, (count, why) in holes.items()
    )
