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
from streamgauge.reports._answer import answer, missing
from streamgauge.reports._figures import bins, confusion, cost, curves, diagrams, drift, pairs
from streamgauge.reports._overview import (
    PolicyView,
    changes,
    matrices,
    overview,
    policy_switch,
    policy_views,
)
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

_WITH_FIGURES = ("curves", "pairs", "bins", "drift", "cost")  # whose learners can be hidden
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
    views = policy_views(data)
    sections: list[PageSection] = [
        PageSection("answer", "Answer", _answer_section(data, views, metric)),
        PageSection("margins", "Against the strongest reference", _margins(views)),
        PageSection("policies-compared", "What changes with the label policy", changes(views)),
        PageSection("ranking", "Ranking over the streams", figures(diagrams(data, metric))),
        PageSection("scores", "Scores", _scores(data, views, metric)),
        PageSection("curves", "Along the stream", _along(data, figures(curves(data, metrics)))),
    ]
    if not quick:
        sections += [
            PageSection("pairs", "The best against the second best", figures(pairs(data))),
            PageSection("bins", "While labels are awaited", figures(bins(data))),
            PageSection("drift", "Drift", figures(drift(data))),
            PageSection("confusion", "Confusion of the best", figures(confusion(data))),
        ]
    sections.append(PageSection("cost", "Cost", figures(cost(data, metric))))
    if data.entries:
        sections.append(PageSection("runs", "Every run", _runs_table(data)))
    sections.append(PageSection("missing", "Cells without a run", holes_section(data.holes)))
    if data.entries:
        details = [repeat_section(data), runs_section(data), versions_section()]
        sections.append(PageSection("settings", "Settings, ids and commands", joined(details)))
    shown = [each for each in sections if each.content]
    head = make_head(data.title, _subtitle(data), shown)
    main = [section_html(each) for each in shown]
    first = next((i for i, each in enumerate(shown) if each.name in _WITH_FIGURES), len(shown))
    main.insert(first, series_buttons(_names(data), data.references) or Html(""))
    policies = policy_switch(views)
    bar = tag("div", policies, class_="bar screen") if policies else None
    return Content(head, joined([bar, *main]), charts)


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


def _answer_section(data: ReportData, views: Sequence[PolicyView], metric: str | None) -> Html:
    """The headline and the tiles; below them, folded, all sentences."""
    sentences = answer(data, metric) or ["No run is complete yet."]
    if not views:
        return joined(tag("p", each) for each in sentences)
    folded = tag("details", tag("summary", "In sentences, with every test"),
                 *(tag("p", each) for each in sentences), id="sentences")  # fmt: skip
    return joined([overview(data, views), *map(_notice, missing(data)), folded])


def _notice(text: str) -> Html:
    return tag("p", text, class_="note")


def _margins(views: Sequence[PolicyView]) -> Html | None:
    """The matrices; None where a single learner on one stream leaves nothing to compare."""
    return matrices(views) if any(len(view.cells) > 1 for view in views) else None


def _along(data: ReportData, figures: Html | None) -> Html | None:
    """The figures, with a choice of the stream if there are several."""
    streams = list(dict.fromkeys(entry.stream for entry in data.entries))
    if figures is None or len(streams) < 2:
        return figures
    options = [tag("option", "all streams", value=""), *(tag("option", each) for each in streams)]
    choice = tag("select", *options, id="stream", autocomplete="off")
    label = tag("label", "Stream, here and below: ", choice)
    return joined([tag("p", label, class_="controls screen"), figures])


def _scores(data: ReportData, views: Sequence[PolicyView], metric: str | None) -> Html | None:
    """The table of each experiment, one for each label policy."""
    tables = []
    for found in data.results:
        own = [view.labels for view in views if view.experiment == (found.name or "")]
        for labels in own if len(own) > 1 else (None,):
            if (table := _score_table(found, metric, labels)) is not None:
                tables.append(tag("div", table, data_labels=labels))
    return joined(tables) if tables else None


def _names(data: ReportData) -> list[str]:
    """The learners, then the references."""
    return list(dict.fromkeys([*data.learners, *data.references]))


def _score_table(found: Results, metric: str | None, labels: str | None) -> Html | None:
    """The table of an experiment with the references, and the notes below it."""
    where = None if labels is None else {"labels": labels}
    try:
        table = found.table(value=metric or "kappa", references=True, where=where)
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
    return tag("tr", *cells, data_labels=entry.labels, data_stream=entry.stream)


def _verdict(against: Sequence[Against]) -> str:
    return f"{against[0].word} ({against[0].reference})" if against else ""


def _number(text: str, value: float) -> Html:
    """A cell that is sorted by its value and not by its text; undefined ones come last."""
    return tag(
        "td", text, data_value=None if math.isnan(value) else f"{value:.9g}", class_="number"
    )
