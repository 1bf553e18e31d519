"""A reproduced paper as one HTML page that loads nothing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from streamgauge._support.errors import MissingExtra, StreamgaugeError
from streamgauge.papers.claim import claims_overview, claims_sheet
from streamgauge.reports.html import Html, joined, tag
from streamgauge.reports.page import (
    Content,
    PageSection,
    figures_html,
    make_head,
    make_page,
    require_javascript,
    section_html,
)
from streamgauge.reports.page_chart import PageChart, page_chart
from streamgauge.reports.sheets import sheet_section

if TYPE_CHECKING:
    from streamgauge.papers.paper import PaperSection
    from streamgauge.papers.report import Report

_POINTS = 400  # of a series


def report_page(report: Report, path: Path) -> str:
    """The page: every part with its tables, figures and claims."""
    require_javascript()
    charts: list[dict[str, Any]] = []
    sections = [PageSection("answer", "Answer", _answer(report))]
    sections += [
        PageSection(part.name, part.title, joined(_parts(section, charts)))
        for part, section in report.sections
    ]
    if report.missing:
        listed = tag("ul", *(tag("li", each) for each in report.missing))
        sections.append(PageSection("missing", "Missing", listed))
    head = make_head(report.title, f"streamgauge reproduce {report.paper.key}", sections)
    content = Content(head, joined(map(section_html, sections)), charts)
    return make_page(content, report.title)


def _answer(report: Report) -> Html:
    claims = [(part.title, each) for part, section in report.sections for each in section.claims]
    table = sheet_section(claims_overview(claims), "All claims, failures first") if claims else None
    about = tag("p", report.paper.about)
    return joined([tag("p", tag("strong", report.answer)), table, about])


def _parts(section: PaperSection, charts: list[dict[str, Any]]) -> Iterator[Html | None]:
    for table in section.tables:
        yield sheet_section(table.sheet, table.caption)
    yield figures_html(charts, _figures(section))
    if section.claims:
        yield sheet_section(claims_sheet(section.claims), "Claims")
    for note in section.notes:
        yield tag("p", note, class_="note")


def _figures(section: PaperSection) -> Iterator[PageChart]:
    for figure in section.figures:
        try:
            yield page_chart(figure.draw(), _POINTS)
        except MissingExtra:
            raise
        except StreamgaugeError as error:
            yield PageChart(figure.name, (f"No figure: {error}",), {}, {})
