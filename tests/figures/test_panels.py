"""Panels: arranged in rows under one title, each with its heading and its own colours."""

from __future__ import annotations

from typing import Any

import pytest

from streamgauge.figures.panels import WHOLE, headed, panels
from tests.figures.specs import caption, marks

alt = pytest.importorskip("altair")


def panel(words: str) -> Any:
    chart = alt.Chart(alt.InlineData(values=[{"x": 1}])).mark_point().encode(x="x:Q")
    return headed(chart, words, WHOLE)


def test_panels_stand_in_rows_and_share_no_colours() -> None:
    chart = panels([panel("a"), None, panel("b")], title="t", caption=["Words."], why="nothing")
    spec = chart.to_dict()
    assert [each["title"]["text"] for each in spec["concat"]] == ["a", "b"]
    assert spec["columns"] == 2
    assert spec["resolve"]["scale"]["color"] == "independent"


def test_heading_of_a_single_panel_stays_in_the_caption() -> None:
    chart = panels([None, panel("what it shows")], title="t", caption=["Words."], why="nothing")
    assert caption(chart) == "what it shows Words."


def test_no_panel_says_why() -> None:
    (text,) = marks(panels([None], title="t", why="too few labels (1)"))["text"]
    assert text["why"] == "too few labels (1)"
