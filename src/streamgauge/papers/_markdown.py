"""A reproduced paper as Markdown; its figures are SVG files in a folder beside it."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from streamgauge.papers._figure_files import save_figures
from streamgauge.papers.claim import claims_sheet
from streamgauge.rendering.markdown import escape, sheet_markdown

if TYPE_CHECKING:
    from streamgauge.papers.report import Report


def report_markdown(report: Report, path: Path) -> str:
    """The text; writes the figures."""
    return "\n\n".join(_parts(report, path)) + "\n"


def _only(report: Report) -> str:
    """The options that name the parts, if some are left out."""
    names = [part.name for part, _ in report.sections]
    every = len(names) == len(report.paper.parts)
    return "" if every else "".join(f" --only {name}" for name in names)


def _parts(report: Report, path: Path) -> Iterator[str]:
    key = report.paper.key
    yield f"# {escape(report.paper.title)} ({key})"
    yield (
        f"`streamgauge reproduce {key} --profile {report.profile}{_only(report)} --output "
        f"{shlex.quote(path.name)}` writes "
        f"this page. {escape(report.answer)}"
    )
    yield report.paper.about
    for part, section in report.sections:
        yield f"## {escape(part.title)}"
        for table in section.tables:
            yield f"{escape(table.caption)}\n\n{sheet_markdown(table.sheet)}"
        for figure, file, problem in save_figures(section, path, "svg"):
            yield f"![{escape(part.title)}: {figure.name}]({file})" if file else escape(problem)
        if section.claims:
            yield sheet_markdown(claims_sheet(section.claims))
        yield from map(escape, section.notes)
    if report.missing:
        yield "## Missing\n\n" + "\n".join(f"- {escape(each)}" for each in report.missing)
