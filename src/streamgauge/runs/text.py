"""Runs as text: a table with the references, then the verdict in words."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from streamgauge.measures.forgetting import Cumulative
from streamgauge.measures.scale import Scale
from streamgauge.prequential.labels import Immediate
from streamgauge.prequential.reasons import USED
from streamgauge.rendering.text_table import align, rate
from streamgauge.rendering.units import readable
from streamgauge.rendering.words import plural
from streamgauge.runs.bins.bin_text import show_bins

if TYPE_CHECKING:
    from streamgauge.runs.run import Run

CLASSIFICATION_COLUMNS = ("accuracy", "kappa", "kappa_temporal", "kappa_plus")
REGRESSION_COLUMNS = ("mae", "rmse", "r2")
_PROBABILITY_METRICS = ("log_loss", "brier", "auc")
_FULL_COVERAGE = 0.995  # few rows arrive before the first label


def show_runs(runs: Sequence[Run], judged: Sequence[Run] | None = None) -> str:
    """Runs over one stream: its description, a table with the references, each verdict.

    `judged`: the runs whose verdicts are shown, by default all.
    """
    first = runs[0]
    parts = [header(first), table(runs)]
    for run in runs if judged is None else judged:
        parts.append(words_on(run))
        if run.settings.reevaluate:
            parts.append(
                f"{run.title}, {run.settings.reevaluate}\n{show_bins(run.bins, run.title)}"
            )
    return "\n\n".join(parts)


def words_on(run: Run) -> str:
    """A failure, the verdict, and what else there is to say in sentences."""
    shown = (
        *(_failure(run), run.verdict, _probabilities(run), _at_the_end(run), _undefined(run)),
        _warnings(run),
    )
    return "".join(map(str, shown))


def header(run: Run, short: bool = False) -> str:
    """The stream, by its short title if asked, the labels, and rows that did not count."""
    parts = [run.stream.describe(short), labels_text(run.settings.labels)]
    if run.settings.protocol:
        parts.append(run.settings.protocol)
    if run.settings.warmup:
        parts.append(f"first {run.settings.warmup:,} rows not scored")
    if run.settings.max_labels == run.counts.scored + run.settings.warmup:
        parts.append(f"stopped after {plural(run.settings.max_labels, 'label')}")
    if run.settings.oracle:
        parts.append("Persistent sees late labels at once (oracle)")
    if run.counts.awaited:
        parts.append(f"{plural(run.counts.awaited, 'row')} not yet labelled")
    if never := run.counts.unlabelled - run.counts.awaited:
        parts.append(f"{plural(never, 'row')} never labelled")
    for reason, count in run.counts.skipped.items():
        skipped = "" if reason in USED else " skipped"
        parts.append(f"{plural(count, 'event')}{skipped} ({reason})")
    return " · ".join(parts)


def labels_text(policy: str) -> str:
    """When labels come, in words.

    >>> labels_text("Immediate()"), labels_text("Delay(100)")
    ('labels at once', 'labels Delay(100)')
    """
    return "labels at once" if policy == repr(Immediate()) else f"labels {policy}"


def table(runs: Sequence[Run]) -> str:
    """Learners first, then the references on the same rows."""
    return align(table_lines(runs)) + "".join(f"\n  {note}" for note in table_notes(runs))


def table_lines(runs: Sequence[Run]) -> list[list[str]]:
    """The table of learners and references below a header."""
    names = columns_of(runs[0])
    lines = [["", *names, "rows/s"]]
    for run in runs:
        unfinished = "*" if run.failure else ""
        cells = [value_text(run, name, run.overall.get(name, math.nan)) for name in names]
        lines.append([run.title + unfinished, *cells, rate(run.cost.rows_per_second)])
    complete = _complete(runs)
    for reference, values in complete.references.items():
        cells = [value_text(complete, name, values[name]) for name in names]
        lines.append([reference, *cells, ""])
    return lines


def value_text(run: Run, name: str, value: float) -> str:
    """A value of a metric in the unit that the run says."""
    return readable(run.scales.get(name, Scale()).unit, value)


def _complete(runs: Sequence[Run]) -> Run:
    return next((run for run in runs if not run.failure), runs[0])


def columns_of(run: Run) -> tuple[str, ...]:
    """The metrics that a table shows: the usual ones, and the user's own.

    With late labels the first rows cannot be predicted: coverage stands beside the score.
    """
    score, *others = REGRESSION_COLUMNS if run.confusion is None else CLASSIFICATION_COLUMNS
    usual = (score, "coverage", *others) if run.settings.late else (score, *others)
    return usual + tuple(name for name in run.settings.custom_metrics if name in run.overall)


def table_notes(runs: Sequence[Run]) -> list[str]:
    """Notes below the table: unfinished runs, rows without a prediction."""
    complete = _complete(runs)
    notes = ["over all scored rows"]
    if any(run.failure for run in runs) and not complete.failure:
        notes.append(
            f"* failed early, so over fewer rows than the references' {complete.counts.scored:,}"
        )
    return notes + coverage_lines(runs)


def coverage_lines(runs: Sequence[Run]) -> list[str]:
    """Who did not predict all rows, unless labels are late, when the first rows cannot be."""
    complete = _complete(runs)
    shown = [(run.title, run.overall) for run in runs] + list(complete.references.items())
    if complete.settings.late:
        return []
    return [
        f"{name} predicted only {readable('fraction', values['coverage'])} of the rows"
        for name, values in shown
        if values["coverage"] < _FULL_COVERAGE
    ]


def failure_lines(runs: Sequence[Run]) -> list[str]:
    """Which runs failed, and why."""
    return [line for run in runs for line in _failure(run).splitlines()]


def _failure(run: Run) -> str:
    if run.failure is None:
        return ""
    return (
        f"* {run.title} failed at row {run.failure.row:,}: {run.failure.message}\n"
        f"  What follows covers the {run.counts.scored:,} rows scored before that.\n"
    )


def _probabilities(run: Run) -> str:
    """Metrics of probabilities over all scored rows, if the run has them."""
    if Cumulative() not in run.curve.forget:
        return ""
    last = run.curve.last(Cumulative())
    shown = _values(run, _PROBABILITY_METRICS, last)
    return f"\nIts probabilities over all scored rows: {shown}." if shown else ""


def _values(run: Run, names: Sequence[str], found: dict[str, float]) -> str:
    """Those of the metrics that were found, each with its name."""
    known = (name for name in names if name in found)
    return ", ".join(f"{name} {value_text(run, name, found[name])}" for name in known)


def _at_the_end(run: Run) -> str:
    """Metrics at the end of the stream under each non-cumulative forgetting."""
    names = columns_of(run)
    lines = []
    for forgetting in run.curve.forget:
        shown = _values(run, names, run.curve.last(forgetting))
        if forgetting != Cumulative() and shown:
            lines.append(f"\nAt the end, {forgetting}: {shown}.")
    return "".join(lines)


def _undefined(run: Run) -> str:
    """Say how often and why a headline metric is undefined."""
    undefined = {
        name: points
        for name, points in run.undefined.items()
        if name in CLASSIFICATION_COLUMNS + REGRESSION_COLUMNS and name != "kappa_plus"
    }
    return "".join(
        f"\n{name} is undefined at {count:,} of {len(run.curve):,} points of the curve: {why}."
        for name, (count, why) in undefined.items()
    )


def _warnings(run: Run) -> str:
    return "".join(f"\nWarning: {warning}" for warning in run.warnings)
