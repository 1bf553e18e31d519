"""The sections of the page about results."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from functools import partial
from typing import Any

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
from streamgauge.reports.toggles import toggles


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
    return Content(head, joined([toggles(_names(material), charts), *main]), charts)


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


def _names(material: Material) -> list[str]:
    """The learners, then the references."""
    return list(dict.fromkeys([*material.learners, *material.references]))
