"""A reproduced paper as a LaTeX document; its figures are PDF files in a folder beside it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from streamgauge.papers._figure_files import save_figures
from streamgauge.rendering.latex import escape, sheet_latex

if TYPE_CHECKING:
    from streamgauge.papers.report import Report

_HEAD = r"""\documentclass{article}
\usepackage[T1]{fontenc}
\usepackage[utf8]{inputenc}
\usepackage{amssymb,booktabs,graphicx,siunitx}
\begin{document}"""


def report_latex(report: Report, path: Path) -> str:
    """The document; writes the figures."""
    return "\n\n".join(_parts(report, path)) + "\n"


def _parts(report: Report, path: Path) -> Iterator[str]:
    yield _HEAD
    yield rf"\section*{{{escape(report.title)}}}"
    yield escape(report.answer)
    for part, section in report.sections:
        yield rf"\subsection*{{{escape(part.title)}}}"
        for number, table in enumerate(section.tables, 1):
            label = f"tab:{report.paper.key}-{part.name}-{number}"
            yield sheet_latex(table.sheet, escape(table.caption), label)
        for _, file, problem in save_figures(section, path, "pdf"):
            yield (rf"\includegraphics[width=\linewidth]{{{file}}}" if file else escape(problem))
        if section.claims:
            items = [rf"\item {escape(str(claim))}" for claim in section.claims]
            yield "\n".join([r"\begin{itemize}", *items, r"\end{itemize}"])
        yield from map(escape, section.notes)
    if report.missing:
        items = [rf"\item {escape(each)}" for each in report.missing]
        yield "\n".join([r"\subsection*{Missing}", r"\begin{itemize}", *items, r"\end{itemize}"])
    yield r"\end{document}"
