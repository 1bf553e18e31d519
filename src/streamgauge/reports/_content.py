"""The sections of the page about results."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import Any

from streamgauge._support.printable import printable
from streamgauge.rendering.words import plural
from streamgauge.reports._answer import answer
from streamgauge.reports._figures import bins, cost, curves, diagrams, drift, pairs
from streamgauge.reports._provenance import (
    holes_section,
    repeat_section,
    runs_section,
    versions_section,
)
from streamgauge.reports._tables import runs_table, score_table
from streamgauge.reports.html import Html, joined, tag
from streamgauge.reports.material import Material
from streamgauge.reports.page import (
    Content,
    Section,
    figures_html,
    make_head,
    require_javascript,
    section_html,
)


def make_content(material: Material, metrics: tuple[str, ...] = (), quick: bool = False) -> Content:
    """The head, the sections and the charts of a page.

    `quick` leaves out what needs the predictions.
    """
    require_javascript()
    _check_metrics(material, metrics)
    metric = metrics[0] if metrics else None
    charts: list[dict[str, Any]] = []
    figures = partial(figures_html, charts)
    sections: list[Section] = [
        Section("answer", "Answer", _answer_section(material, metric)),
        Section("scores", "Scores", _scores(material, metric)),
        Section("ranking", "Ranking over the streams", figures(diagrams(material, metric))),
        Section("curves", "Along the stream", figures(curves(material, metrics))),
        Section("cost", "Cost", figures(cost(material, metric))),
    ]
    if not quick:
        sections += [
            Section("pairs", "The best against the second best", figures(pairs(material))),
            Section("bins", "While labels are awaited", figures(bins(material))),
            Section("drift", "Drift", figures(drift(material))),
        ]
    if material.entries:
        sections.append(Section("runs", "Every run", runs_table(material)))
    sections.append(Section("missing", "Cells without a run", holes_section(material.holes)))
    if material.entries:
        details = [repeat_section(material), runs_section(material), versions_section()]
        sections.append(Section("settings", "Settings, ids and commands", joined(details)))
    shown = [each for each in sections if each.content]
    head = make_head(material.title, _subtitle(material), shown)
    main = [section_html(each) for each in shown]
    return Content(head, joined([_toggles(material, charts), *main]), charts)


def _check_metrics(material: Material, metrics: Sequence[str]) -> None:
    """Raise an error for a metric that no run has."""
    curves = [entry.run.curve for entry in material.entries]
    for metric in metrics:
        if curves and not any(metric in curve.metrics for curve in curves):
            _ = curves[0][metric]  # raises the error, with the names there are


def _subtitle(material: Material) -> str:
    made = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
    parts = [plural(len(material.entries), "run"), *([material.folder] if material.folder else [])]
    return " · ".join([*parts, f"made {made} by streamgauge"])


def _answer_section(material: Material, metric: str | None) -> Html:
    sentences = answer(material, metric) or ["No run is complete yet."]
    return joined(tag("p", each) for each in sentences)


def _scores(material: Material, metric: str | None) -> Html | None:
    tables = [score_table(each, metric) for each in material.results]
    return joined(tables) if any(tables) else None


def _toggles(material: Material, charts: Sequence[dict[str, Any]]) -> Html | None:
    """A button for each learner and reference, which shows or hides it in every figure."""
    learners, references = material.learners, material.references
    names = [*learners, *(name for name in references if name not in learners)]
    if len(names) < 2:
        return None
    colours: dict[str, str] = {}
    for chart in charts:
        colours = dict(_colours(chart["spec"])) | colours
    buttons = [_toggle(printable(name), colours.get(printable(name))) for name in names]
    label = tag("span", "Show in figures:", id="toggles-label")
    return tag("div", label, *buttons, id="toggles", class_="toggles", role="group",
               aria_labelledby="toggles-label")  # fmt: skip


def _colours(part: Any) -> Iterator[tuple[str, str]]:
    """The colours of series, wherever in a chart they are."""
    if isinstance(part, list):
        for each in part:
            yield from _colours(each)
    if isinstance(part, dict):
        match part.get("color"):
            case {"field": "series", "scale": {"domain": list(names), "range": list(colours)}}:
                yield from zip(names, colours, strict=False)
        for each in part.values():
            yield from _colours(each)


def _toggle(name: str, colour: str | None) -> Html:
    square = tag("svg", tag("rect", width="10", height="10", rx="2", fill=colour),
                 viewBox="0 0 10 10", aria_hidden="true")  # fmt: skip
    return tag("button", square, name, type="button", aria_pressed="true", data_series=name)
