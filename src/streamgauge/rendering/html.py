"""HTML for notebooks: sentences, tables and figures, all text escaped.

Colours are those of the page, so that light and dark themes are both readable. Only `style`
attributes are used: notebooks drop style sheets of output that they do not trust.
"""

from __future__ import annotations

import base64
import html
import io
from collections.abc import Sequence
from typing import Any

from streamgauge._support.errors import MissingExtra, StreamgaugeError
from streamgauge._support.printable import printable
from streamgauge.rendering.outcomes import MARKS
from streamgauge.rendering.sheet import Sheet, SheetCell

_RULE = "1px solid rgba(128,128,128,.5)"
_TABLE = "font-size:inherit;border-collapse:collapse;margin:.5em 0"
_CELL = "padding:.15em .7em;white-space:nowrap;border:0;font-variant-numeric:tabular-nums"
_NOTE = "margin:.3em 0;opacity:.75;font-size:90%"
_FIGURE = "max-width:100%;background:#fff;padding:4px"  # charts are drawn for white paper
_MOST_LINES = 60  # of a table in a notebook


def escape(text: object) -> str:
    """Escape plain text for HTML.

    >>> escape("<b>\\x1b & 'x'")
    '&lt;b&gt;\\\\x1b &amp; &#x27;x&#x27;'
    """
    return html.escape(printable(str(text)))


def page_part(*parts: str) -> str:
    """Parts of HTML as one output of a notebook."""
    return f'<div class="streamgauge">{"".join(parts)}</div>'


def notebook_html(sentences: Sequence[str], sheet: Sheet, shown: Any, answers: int = 1) -> str:
    """What a notebook shows of a result: the answers, its table, the figure of `shown`."""
    lines = [line for each in sentences for line in each.split("\n")]
    words = [headline(line) for line in lines[:answers]]
    return page_part(*words, paragraphs(lines[answers:]), sheet_html(sheet), figure_html(shown))


def headline(text: str) -> str:
    """The answer, first and in bold."""
    return f'<p style="margin:.3em 0"><strong>{escape(text)}</strong></p>'


def paragraphs(lines: Sequence[str]) -> str:
    """A paragraph per line."""
    return "".join(f'<p style="margin:.3em 0">{escape(line)}</p>' for line in lines if line)


def notes_html(notes: Sequence[str]) -> str:
    """Small print."""
    return "".join(f'<p style="{_NOTE}">{escape(note)}</p>' for note in notes)


def sheet_html(sheet: Sheet) -> str:
    """A sheet as a table: the best cells are bold, the marks of verdicts have a title in words."""
    head = _line([_head(text, sheet.is_text(i)) for i, text in enumerate(sheet.header)])
    above = "".join(
        f'<th colspan="{count}" style="{_CELL};text-align:center">{escape(text)}</th>'
        for text, count in sheet.spans
    )
    groups, left = [], _MOST_LINES
    for group in sheet.groups:
        lines = [
            _line([_cell(sheet, i, cell) for i, cell in enumerate(line)])
            for line in group[: max(left, 0)]
        ]
        left -= len(group)
        groups.append(f'<tbody style="border-top:{_RULE}">{"".join(lines)}</tbody>')
    hidden = [f"{-left:,} more lines are not shown here."] if left < 0 else []
    first = f"<tr>{above}</tr>" if above else ""
    table = f'<table style="{_TABLE}"><thead>{first}{head}</thead>{"".join(groups)}</table>'
    return f'<div style="overflow-x:auto">{table}</div>{notes_html([*hidden, *sheet.notes])}'


def figure_html(shown: Any) -> str:
    """The figure of `shown.plot()`; "" if it has none, or if Altair is not installed.

    It is an SVG inside an image: JupyterLab, VS Code and exported notebooks all show it, without
    network or scripts. `plot()` itself returns the interactive chart.
    """
    plot = getattr(shown, "plot", None)
    if plot is None:
        return ""
    try:
        svg = _svg(plot())
    except (MissingExtra, ImportError):
        return ""
    except StreamgaugeError as error:
        return notes_html([f"No figure: {error}"])
    text = base64.b64encode(svg.encode()).decode()
    title = escape(f"figure of {type(shown).__name__}")
    return f'<img alt="{title}" style="{_FIGURE}" src="data:image/svg+xml;base64,{text}">'


def _svg(chart: Any) -> str:
    file = io.StringIO()
    chart.save(file, format="svg")
    return file.getvalue()


def _head(text: str, is_text: bool) -> str:
    return f'<th scope="col" style="{_CELL};text-align:{_side(is_text)}">{escape(text)}</th>'


def _cell(sheet: Sheet, column: int, cell: SheetCell) -> str:
    style = f"{_CELL};text-align:{_side(sheet.is_text(column))}"
    text = escape(cell.plain)
    if cell.best:
        text = f"<strong>{text}</strong>"
    if cell.mark:
        text += f' <span title="{cell.mark}">{MARKS[cell.mark]}</span>'
    if column < sheet.names:
        return f'<th scope="row" style="{style};font-weight:normal">{text}</th>'
    return f'<td style="{style}">{text}</td>'


def _side(is_text: bool) -> str:
    return "left" if is_text else "right"


def _line(cells: Sequence[str]) -> str:
    return f"<tr>{''.join(cells)}</tr>"
