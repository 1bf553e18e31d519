"""HTML for notebooks: escaped, and with a figure where there is one."""

from __future__ import annotations

import base64
import re
from html.parser import HTMLParser
from typing import Any

import pytest

import streamgauge as sg
from streamgauge._support.printable import printable
from streamgauge.figures.saving import styled
from streamgauge.rendering.html import escape, figure_html, notebook_html, sheet_html
from streamgauge.rendering.sheet import Sheet, SheetCell, sheet_of, words
from tests.hostile_text import HOSTILE, problems


class Tags(HTMLParser):
    """The tags of a text that are not closed, all tags and all attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: set[str] = set()
        self.attributes: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.add(tag)
        self.attributes |= {name for name, _ in attrs}
        if tag != "img":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


class Drawn:
    """Something with a figure."""

    def __init__(self, error: Exception | None = None, name: str = "a") -> None:
        self.error, self.name = error, name

    def plot(self) -> Any:
        if self.error:
            raise self.error
        alt = pytest.importorskip("altair")
        data = alt.InlineData(values=[{"x": 1, "name": self.name}])
        return styled(alt.Chart(data).mark_point().encode(x="x:Q", color="name:N"))


def test_text_is_escaped() -> None:
    assert escape('<a href="x">\'&') == "&lt;a href=&quot;x&quot;&gt;&#x27;&amp;"
    assert problems(escape(HOSTILE)) == []


def test_hostile_text_adds_no_tags_and_no_attributes() -> None:
    sheet = Sheet(
        [HOSTILE, HOSTILE],
        [[[words(HOSTILE), SheetCell(HOSTILE, HOSTILE, HOSTILE, HOSTILE, "open", best=True)]]],
        [HOSTILE],
        spans=[(HOSTILE, 2)],
    )
    shown = notebook_html([HOSTILE, HOSTILE], sheet, None)
    tags = Tags(shown)
    assert tags.open == []
    assert tags.seen <= {
        "div", "p", "strong", "table", "thead", "tbody", "tr", "th", "td", "span",
    }  # fmt: skip
    assert tags.attributes <= {"class", "style", "scope", "colspan", "title"}
    assert problems(shown) == []


def test_table_marks_best_and_verdict_and_takes_the_colours_of_the_page() -> None:
    sheet = Sheet(
        ["s", "k"], [[[words("a"), SheetCell("1.0", best=True, mark="better")]]], ["note"]
    )
    shown = sheet_html(sheet)
    assert '<strong>1.0</strong> <span title="better">▲</span>' in shown
    assert '<th scope="row"' in shown
    assert not re.search(r"[;\"]color:", shown)
    assert "background" not in shown


def test_long_table_is_cut_with_a_word() -> None:
    lines = [["s", "k"], *([f"a{i}", "1"] for i in range(100))]
    shown = sheet_html(sheet_of(lines))
    assert shown.count("<tr>") == 61
    assert "40 more lines are not shown here." in shown


def test_figure_is_an_image_without_scripts() -> None:
    shown = figure_html(Drawn(name=printable(HOSTILE)))
    assert Tags(shown).seen == {"img"}
    found = re.search(r'base64,([^"]+)"', shown)
    assert found
    svg = base64.b64decode(found[1]).decode()
    assert svg.startswith("<svg")
    assert "<script" not in svg
    assert 'font-family="Arial, Helvetica, ' in svg  # the widths that the converter measured


def test_figure_is_left_out_without_altair_and_says_why_it_cannot_be_drawn() -> None:
    assert figure_html(object()) == ""
    assert figure_html(Drawn(sg.MissingExtra("Altair", "plot"))) == ""
    assert figure_html(Drawn(ImportError("no altair"))) == ""
    shown = figure_html(Drawn(sg.UsageError("nothing <here>")))
    assert "No figure: nothing &lt;here&gt;" in shown


@pytest.mark.parametrize("control", ["\x00", "\x1b", "\x0b", "\ufffe"])
def test_control_characters_do_not_reach_the_converter_which_would_abort(control: str) -> None:
    shown = figure_html(Drawn(name=control))
    assert "No figure: the figure has a text with control characters" in shown
