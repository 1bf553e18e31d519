"""The sections of the page about results."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import partial
from typing import Any

from streamgauge._support.errors import StreamgaugeError
from streamgauge.experiments.results import Results
from streamgauge.measures.verdict import Against
from streamgauge.rendering.text_table import rate
from streamgauge.rendering.words import plural
from streamgauge.reports._answer import answer
from streamgauge.reports._figures import bins, cost, curves, diagrams, drift, pairs
from streamgauge.reports._provenance import (
    holes_section,
    repeat_section,
    runs_section,
    versions_section,
)
from streamgauge.reports.html import Html, joined, tag
from streamgauge.reports.page import (
    Content,
    PageSection,
    figures_html,
    make_head,
    require_javascript,
    section_html,
)
from streamgauge.reports.report_data import NamedRun, ReportData
from streamgauge.reports.series_buttons import series_buttons
from streamgauge.reports.sheets import scrolled, sheet_section
from streamgauge.runs.text import columns_of, value_text

_PICKLED = "*"  # marks a size that is not the one a model reports


def make_content(data: ReportData, metrics: tuple[str, ...] = (), quick: bool = False) -> Content:
    """The head, the sections and the charts of a page.

    `quick` leaves out what needs the predictions.
    """
    require_javascript()
    _check_metrics(data, metrics)
    metric = metrics[0] if metrics else None
    charts: list[dict[str, Any]] = []
    figures = partial(figures_html, charts)
    sections: list[PageSection] = [
        PageSection("answer", "Answer", _answer_section(data, metric)),
        PageSection("scores", "Scores", _scores(data, metric)),
        PageSection("ranking", "Ranking over the streams", figures(diagrams(data, metric))),
        PageSection("curves", "Along the stream", figures(curves(data, metrics))),
        PageSection("cost", "Cost", figures(cost(data, metric))),
    ]
    if not quick:
        sections += [
            PageSection("pairs", "The best against the second best", figures(pairs(data))),
            PageSection("bins", "While labels are awaited", figures(bins(data))),
            PageSection("drift", "Drift", figures(drift(data))),
        ]
    if data.entries:
        sections.append(PageSection("runs", "Every run", _runs_table(data)))
    sections.append(PageSection("missing", "Cells without a run", holes_section(data.holes)))
    if data.entries:
        details = [repeat_section(data), runs_section(data), versions_section()]
        sections.append(PageSection("settings", "Settings, ids and commands", joined(details)))
    shown = [each for each in sections if each.content]
    head = make_head(data.title, _subtitle(data), shown)
    main = [section_html(each) for each in shown]
    return Content(head, joined([series_buttons(_names(data), data.references), *main]), charts)


def _check_metrics(data: ReportData, metrics: Sequence[str]) -> None:
    """Raise an error for a metric that no run has."""
    curves = [entry.run.curve for entry in data.entries]
    for metric in metrics:
        if curves and not any(metric in curve.metrics for curve in curves):
            _ = curves[0][metric]  # raises the error, with the names there are


def _subtitle(data: ReportData) -> str:
    made = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
    parts = [plural(len(data.entries), "run"), *([data.folder] if data.folder else [])]
    return " · ".join([*parts, f"made {made} by streamgauge"])


def _answer_section(data: ReportData, metric: str | None) -> Html:
    sentences = answer(data, metric) or ["No run is complete yet."]
    return joined(tag("p", each) for each in sentences)


def _scores(data: ReportData, metric: str | None) -> Html | None:
    tables = [_score_table(each, metric) for each in data.results]
    return joined(tables) if any(tables) else None


def _names(data: ReportData) -> list[str]:
    """The learners, then the references."""
    return list(dict.fromkeys([*data.learners, *data.references]))


def _score_table(found: Results, metric: str | None) -> Html | None:
    """The table of an experiment with the references, and the notes below it."""
    try:
        table = found.table(value=metric or "kappa", references=True)
    except StreamgaugeError:
        return None
    sheet = table.sheet
    name = f"{found.name}: " if found.name else ""
    title = f"{name}{table.value} by {' and '.join(table.sides[0])} and learner"
    return sheet_section(sheet, title)


def _runs_table(data: ReportData) -> Html:
    """Every run in a line: sortable by each column, filtered by words."""
    metrics = list(dict.fromkeys(m for each in data.entries for m in columns_of(each.run)))
    several = len({(each.experiment) for each in data.entries}) > 1
    columns = [
        *(["experiment"] if several else []),
        *("stream", "learner", "labels", "seed"),
        *metrics,
        *("strongest reference", "rows/s", "model"),
    ]
    head = tag("tr", *(_heading(name) for name in columns))
    rows = [_run_row(each, metrics, several) for each in data.entries]
    pickled = any(each.run.cost.measured_by == "pickled" for each in data.entries)
    about = f" {_PICKLED}: the pickled size; the others report their own." if pickled else ""
    caption = tag("caption", f"Every run. Press a heading to sort by it.{about}")
    table = tag("table", caption, tag("thead", head), tag("tbody", *rows), class_="sortable",
                id="runs-table")  # fmt: skip
    return joined([_filter(len(rows)), scrolled(table, "Every run")])


def _filter(count: int) -> Html:
    box = tag("input", type="search", id="filter", aria_controls="runs-table",
              placeholder="e.g. elec2 bayes", autocomplete="off")  # fmt: skip
    label = tag("label", "Show only runs with these words", for_="filter")
    said = tag("output", f"{count:,} of {count:,} runs", id="filtered", for_="filter")
    return tag("p", label, " ", box, " ", said, class_="controls screen")


def _heading(name: str) -> Html:
    return tag("th", tag("button", name, type="button"), scope="col", aria_sort="none")


def _run_row(entry: NamedRun, metrics: Sequence[str], several: bool) -> Html:
    run = entry.run
    cells = [tag("td", entry.experiment or "")] if several else []
    cells += [
        tag("td", entry.stream),
        tag("th", entry.learner, scope="row"),
        tag("td", entry.labels),
    ]
    cells.append(_number("any" if entry.fixed else str(entry.seed), entry.seed))
    for name in metrics:
        value = run.overall.get(name, math.nan)
        cells.append(_number(value_text(run, name, value) if name in run.overall else "", value))
    cells.append(tag("td", _verdict(run.verdict.against)))
    cells.append(_number(rate(run.cost.rows_per_second), run.cost.rows_per_second))
    size = run.cost.model_bytes
    text = "-" if math.isnan(size) else value_text(run, "model_bytes", size)
    cells.append(_number(text + _PICKLED * (run.cost.measured_by == "pickled"), size))
    return tag("tr", *cells)


def _verdict(against: Sequence[Against]) -> str:
    return f"{against[0].word} ({against[0].reference})" if against else ""


def _number(text: str, value: float) -> Html:
    """A cell that is sorted by its value and not by its text; undefined ones come last."""
    return tag(
        "td", text, data_value=None if math.isnan(value) else f"{value:.9g}", class_="number"
    )
