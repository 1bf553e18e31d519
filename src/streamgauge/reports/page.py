"""A page: one file with everything in it, and a policy by which it can load nothing."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

from streamgauge._support.errors import UsageError
from streamgauge._support.whole_file import output_file
from streamgauge.figures.captions import shown_sentences
from streamgauge.figures.javascript import javascript
from streamgauge.reports.html import Html, inline_json, joined, tag
from streamgauge.reports.page_chart import PageChart


class Content(NamedTuple):
    """What changes on a page while a study runs."""

    head: Html
    main: Html
    charts: list[dict[str, Any]]


class PageSection(NamedTuple):
    """A part of the page: its anchor, its title and what is in it."""

    name: str
    title: str
    content: Html | None


def make_head(title: str, subtitle: str, sections: Sequence[PageSection]) -> Html:
    """The title and the links to the sections."""
    links = [tag("li", tag("a", each.title, href=f"#{each.name}")) for each in sections]
    return joined(
        [
            tag("h1", title),
            tag("p", subtitle, class_="sub"),
            tag("nav", tag("ul", *links), aria_label="Sections"),
        ]
    )


def section_html(section: PageSection) -> Html:
    """A section with its heading."""
    heading = tag("h2", section.title, id=f"{section.name}-title")
    return tag("section", heading, section.content, id=section.name,
               aria_labelledby=f"{section.name}-title")  # fmt: skip


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


def write_page(path: Path, page: str) -> None:
    """Write a page; an OSError becomes a UsageError."""
    try:
        with output_file(path) as file:
            file.write(page.encode())
    except OSError as error:
        raise UsageError(f"{path}: cannot write the page: {error}") from None


def figures_html(charts: list[dict[str, Any]], made: Iterable[PageChart]) -> Html | None:
    """The figures of a section; their charts are added to `charts`."""
    shown = []
    for packed in made:
        shown.append(_figure(packed, len(charts)))
        if packed.spec:
            charts.append({"spec": packed.spec, "data": packed.data})
    return tag("div", *shown, class_="figures") if shown else None


def _figure(packed: PageChart, number: int) -> Html:
    fitting = max(shown_sentences(packed.caption), 1)
    count = min(fitting, len(packed.caption)) if packed.spec else len(packed.caption)
    above = tag("p", " ".join(packed.caption[:count])) if count else None
    more = [tag("p", each) for each in packed.caption[count:]]
    fold = tag("details", tag("summary", "How to read"), *more) if more else None
    parts = [each for each in (above, fold) if each is not None]
    caption = tag("figcaption", tag("h3", packed.title), *parts)
    about = {"data_labels": packed.labels or None, "data_stream": packed.stream or None}
    if not packed.spec:
        return tag("figure", caption, **about)
    words = " ".join([packed.title + ".", *packed.caption])
    chart = tag("div", class_="chart", data_chart=str(number), role="img", aria_label=words)
    return tag("figure", caption, chart, **about)


def require_javascript() -> None:
    """Raise an error in words if a package is missing, before any work."""
    _script()


def _script() -> str:
    """What draws the charts, and our own code."""
    return f"{javascript()}\n{_resource('page.js')}"


def _resource(name: str) -> str:
    return files("streamgauge.reports").joinpath(name).read_text(encoding="utf-8")


def _digest(text: str) -> str:
    """What a policy calls a script or a style by."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"
