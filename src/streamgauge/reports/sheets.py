"""Sheets as tables of a page."""

from __future__ import annotations

from collections.abc import Sequence

from streamgauge.rendering.outcomes import MARKS
from streamgauge.rendering.sheet import Sheet, SheetCell
from streamgauge.reports.html import Html, joined, tag


def sheet_section(sheet: Sheet, title: str) -> Html:
    """A sheet as a table with its title, and its notes below."""
    above = [tag("th", text, scope="colgroup", colspan=str(n)) for text, n in sheet.spans]
    head = [
        *([tag("tr", *above)] if above else []),
        tag("tr", *(tag("th", each, scope="col") for each in sheet.header)),
    ]
    groups = [tag("tbody", *(_line(sheet, cells) for cells in group)) for group in sheet.groups]
    shown = tag("table", tag("caption", title), tag("thead", *head), *groups)
    notes = [tag("p", note, class_="note") for note in sheet.notes]
    return joined([scrolled(shown, title), *notes])


def scrolled(table: Html, name: str) -> Html:
    """A table that scrolls inside a narrow window, also with the keyboard."""
    return tag("div", table, class_="scrolled", tabindex="0", role="region", aria_label=name)


def _line(sheet: Sheet, cells: Sequence[SheetCell]) -> Html:
    made = []
    for i, each in enumerate(cells):
        text: str = tag("strong", each.plain) if each.best else each.plain
        mark = tag("span", f" {MARKS[each.mark]}", title=each.mark) if each.mark else None
        if i < sheet.names:
            made.append(tag("th", text, scope="row"))
        elif sheet.is_text(i):
            made.append(tag("td", text, mark))
        else:
            made.append(tag("td", text, mark, class_="number" if each.number else "number hole"))
    return tag("tr", *made)
