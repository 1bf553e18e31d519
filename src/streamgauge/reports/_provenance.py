"""Where the numbers come from: settings, ids, versions, commands; and the cells without a run."""

from __future__ import annotations

import platform
import shlex
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from importlib.metadata import PackageNotFoundError, version

from streamgauge._support.errors import StreamgaugeError
from streamgauge._support.types import Schema
from streamgauge.learners.learner_text import parse_learner
from streamgauge.measures.metrics.select import metrics_for
from streamgauge.reports.html import Html, joined, preformatted, tag
from streamgauge.reports.report_data import MissingRun, NamedRun, ReportData
from streamgauge.runs.directories import FORMAT
from streamgauge.runs.identity import identity_of
from streamgauge.runs.options import command_words
from streamgauge.runs.run import Run

_PACKAGES = ("numpy", "numba", "scipy", "pyarrow", "altair", "vl-convert-python")


def holes_section(holes: tuple[MissingRun, ...]) -> Html | None:
    """The cells without a run, each with its reason and its traceback."""
    if not holes:
        return None
    waiting = [hole for hole in holes if hole.status == "missing"]
    items = [_hole(hole) for hole in holes if hole.status != "missing"]
    if waiting:
        listed = tag("ul", *(tag("li", hole.what) for hole in waiting))
        summary = tag("summary", f"{len(waiting):,} not run yet")
        items.append(tag("li", tag("details", summary, listed)))
    return tag("ul", *items, class_="holes")


def _hole(hole: MissingRun) -> Html:
    head = [tag("strong", hole.status), f": {hole.what}: {hole.reason.splitlines()[0]}"]
    if hole.traceback:
        head.append(tag("details", tag("summary", "Traceback"), preformatted(hole.traceback)))
    return tag("li", *head)


def repeat_section(data: ReportData) -> Html:
    """The commands and files that repeat the runs."""
    parts = []
    for name, toml in data.tomls.items():
        if toml is None:
            parts.append(
                tag("p", f"{name} was given streams or other objects: run its Python again.")
            )
            continue
        parts.append(tag("p", "Save this as experiment.toml, then run the command below it."))
        parts += [preformatted(toml), preformatted("streamgauge run experiment.toml")]
    singles = [entry for entry in data.entries if entry.experiment is None]
    commands = [text for entry in singles if (text := command(entry.run)) is not None]
    if commands:
        parts.append(preformatted("\n".join(commands)))
    if len(commands) < len(singles):
        parts.append(
            tag(
                "p",
                "Runs without a command here have a stream, learner or setting that only Python "
                "can make: evaluate them again with the settings below.",
            )
        )
    return joined(parts)


def command(run: Run) -> str | None:
    """The command that gives a run of the same id; None if only Python can."""
    settings, origin = run.settings, run.stream.origin
    foreign = settings.custom or settings.custom_metrics
    added = _added_references(run)
    texts = [*map(_learner_text, settings.references, added)]
    references = tuple(text for text in texts if text is not None)
    learner = _learner_text(run.identity, run.name)
    if not origin.is_repeatable or foreign or learner is None or None in texts:
        return None
    is_named = origin.maker == "load" and len(origin.arguments) == 1
    words = ["streamgauge", "evaluate", origin.title if is_named else origin.text]
    written = replace(settings, metrics=_asked_metrics(run), references=references)
    return shlex.join([*words, "--learner", learner, *command_words(written)])


def _added_references(run: Run) -> list[str]:
    """The names of the references that were added to the default ones."""
    return list(run.references)[len(run.references) - len(run.settings.references) :]


def _asked_metrics(run: Run) -> tuple[str, ...]:
    """The metrics of a run, with the name of a set instead of the metrics in it."""
    names, added = run.settings.metrics, _added_references(run)
    schema = Schema((), (), run.stream.classes)
    for asked in ("all", "labels"):
        chosen = metrics_for(schema, asked, run.settings.cost is not None, added)
        known = tuple(metric.name for metric in chosen)
        if names[: len(known)] == known:
            return asked, *names[len(known) :]
    return names


def _learner_text(identity: str, name: str) -> str | None:
    """The text from which the command line makes a learner of this identity."""
    for text in (identity, name):
        with suppress(StreamgaugeError):
            if identity_of(parse_learner(text)) == identity:
                return text
    return None


def runs_section(data: ReportData) -> Html:
    """Of every run its verdict, warnings, settings and id, folded; seeds are grouped."""
    found: dict[tuple[str | None, str, str, str], list[NamedRun]] = {}
    for entry in data.entries:
        place = (entry.experiment, entry.learner, entry.stream, entry.labels)
        found.setdefault(place, []).append(entry)
    return joined(_runs(entries) for entries in found.values())


def _runs(entries: list[NamedRun]) -> Html:
    first = entries[0]
    about = {"data_labels": first.labels, "data_stream": first.stream}
    what = f"{first.learner} on {first.stream}, labels {first.labels}"
    if len(entries) == 1:
        return tag("div", _run(first, f"{what}, {first.seed_text}"), **about)
    runs = [_run(entry, entry.seed_text) for entry in entries]
    return tag("details", tag("summary", f"{what}: {len(entries)} runs"), *runs, **about)


def _run(entry: NamedRun, what: str) -> Html:
    run = entry.run
    summary = tag("summary", what)
    facts = tag("dl", *_facts(run))
    lines = [tag("p", line) for line in str(run.verdict).splitlines()]
    lines += [tag("p", f"Warning: {warning}") for warning in run.warnings]
    if run.failure:
        text = f"Failed at row {run.failure.row:,}: {run.failure.message}"
        lines.append(tag("p", tag("strong", text)))
    return tag("details", summary, *lines, facts)


def _facts(run: Run) -> Iterator[Html]:
    settings = run.settings
    values = {
        "stream": run.stream.describe(),
        "learner": run.identity,
        "rows": f"{run.counts.rows:,} arrived, {run.counts.scored:,} scored, "
        f"{run.counts.unlabelled:,} without a label",
        "forgetting": ", ".join(settings.forget),
        "warm-up": f"{settings.warmup:,} rows" if settings.warmup else None,
        "stopped": f"after {settings.max_labels:,} labels" if settings.max_labels else None,
        "protocol": settings.protocol,
        "re-evaluation": settings.reevaluate,
        "added references": ", ".join(settings.references) or None,
        "point of the curve every": f"{settings.every:,} rows",
        "id": run.id,
    }
    for name, value in values.items():
        if value is not None:
            yield joined([tag("dt", name), tag("dd", value)])


def versions_section() -> Html:
    """The versions that made the page."""
    from streamgauge import __version__

    shown = [f"streamgauge {__version__}", f"Python {platform.python_version()}"]
    for package in _PACKAGES:
        try:
            shown.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            continue
    return tag(
        "p",
        f"Page made with {', '.join(shown)} on {platform.system()} {platform.machine()}; format of "
        f"saved runs: {FORMAT}. A run's id is a hash of the content of its stream, its learner and "
        "its settings: two runs with the same id have the same numbers.",
    )
