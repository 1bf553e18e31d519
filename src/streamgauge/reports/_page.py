"""The page: one file with everything in it, and a policy by which it can load nothing."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from functools import partial
from importlib.resources import files
from typing import Any, NamedTuple

from streamgauge._support.printable import printable
from streamgauge.figures.javascript import javascript
from streamgauge.rendering.words import plural
from streamgauge.reports._answer import answer
from streamgauge.reports._figures import bins, cost, curves, diagrams, drift, pairs
from streamgauge.reports._html import Html, inline_json, joined, tag
from streamgauge.reports._pack import Packed
from streamgauge.reports._provenance import (
    holes_section,
    repeat_section,
    runs_section,
    versions_section,
)
from streamgauge.reports._tables import runs_table, score_table
from streamgauge.reports.material import Material


class Content(NamedTuple):
    """What changes on a page while a study runs."""

    head: Html
    main: Html
    charts: list[dict[str, Any]]


def make_content(material: Material, metrics: tuple[str, ...] = (), quick: bool = False) -> Content:
    """The head, the sections and the charts of a page.

    `quick` leaves out what needs the predictions.
    """
    _script()  # an error in words if a package is missing, before any work
    _check_metrics(material, metrics)
    metric = metrics[0] if metrics else None
    charts: list[dict[str, Any]] = []
    figures = partial(_figures, charts)
    sections: list[tuple[str, str, Html | None]] = [
        ("answer", "Answer", _answer_section(material, metric)),
        ("scores", "Scores", _scores(material, metric)),
        ("ranking", "Ranking over the streams", figures(diagrams(material, metric))),
        ("curves", "Along the stream", figures(curves(material, metrics))),
        ("cost", "Cost", figures(cost(material, metric))),
    ]
    if not quick:
        sections += [
            ("pairs", "The best against the second best", figures(pairs(material))),
            ("bins", "While labels are awaited", figures(bins(material))),
            ("drift", "Drift", figures(drift(material))),
        ]
    if material.entries:
        sections.append(("runs", "Every run", runs_table(material)))
    sections.append(("missing", "Cells without a run", holes_section(material.holes)))
    if material.entries:
        details = [repeat_section(material), runs_section(material), versions_section()]
        sections.append(("settings", "Settings, ids and commands", joined(details)))
    shown = [each for each in sections if each[2]]
    links = [tag("li", tag("a", title, href=f"#{name}")) for name, title, _ in shown]
    head = joined(
        [
            tag("h1", material.title),
            tag("p", _subtitle(material), class_="sub"),
            tag("nav", tag("ul", *links), aria_label="Sections"),
        ]
    )
    main = [
        tag("section", tag("h2", title, id=f"{name}-title"), content, id=name,
            aria_labelledby=f"{name}-title")
        for name, title, content in shown
    ]  # fmt: skip
    return Content(head, joined([_toggles(material, charts), *main]), charts)


def make_page(content: Content, title: str, live: int | None = None) -> str:
    """The whole file. `live`: a program serves it, and tells it what comes after this number."""
    script, style = _script(), _resource("page.css")
    connect = "'none'" if live is None else "'self'"
    policy = (
        f"default-src 'none'; script-src '{_digest(script)}'; style-src '{_digest(style)}'; "
        f"connect-src {connect}; base-uri 'none'; form-action 'none'"
    )
    status = [tag("div", id="status"), tag("p", id="connection", role="status", class_="note")]
    body = [
        tag("a", "To the results", href="#content", class_="skip"),
        tag("header", content.head, id="head"),
        *([] if live is None else status),
        tag("main", content.main, id="content"),
        tag("div", id="tooltip", role="tooltip", hidden=True),
        tag("noscript", "Figures, sorting and filtering need JavaScript; all tables are here."),
        tag("script", inline_json(content.charts), type="application/json", id="charts"),
        tag("script", Html(script)),
    ]
    head = [
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=policy),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="referrer", content="no-referrer"),
        tag("title", title),
        tag("style", Html(style)),
    ]
    page = tag(
        "html",
        tag("head", *head),
        tag("body", *body, data_live=None if live is None else str(live)),
        lang="en",
    )
    return f"<!DOCTYPE html>\n{page}\n"


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


def _figures(charts: list[dict[str, Any]], made: Iterator[Packed]) -> Html | None:
    """The figures of a section; their charts are added to `charts`."""
    shown = []
    for packed in made:
        shown.append(_figure(packed, len(charts)))
        if packed.spec:
            charts.append({"spec": packed.spec, "data": packed.data})
    return tag("div", *shown, class_="figures") if shown else None


def _figure(packed: Packed, number: int) -> Html:
    caption = tag(
        "figcaption", tag("h3", packed.title), *(tag("p", each) for each in packed.caption)
    )
    if not packed.spec:
        return tag("figure", caption)
    words = " ".join([packed.title + ".", *packed.caption])
    chart = tag("div", class_="chart", data_chart=str(number), role="img", aria_label=words)
    return tag("figure", caption, chart)


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


def _script() -> str:
    """What draws the charts, and our own code."""
    return f"{javascript()}\n{_resource('page.js')}"


def _resource(name: str) -> str:
    return files("streamgauge.reports").joinpath(name).read_text(encoding="utf-8")


def _digest(text: str) -> str:
    """What a policy calls a script or a style by."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"
