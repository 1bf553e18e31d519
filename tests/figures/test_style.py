"""Legends, axes, captions, and a chart that says why it is empty."""

from __future__ import annotations

import sys

import pytest

import streamgauge as sg
from streamgauge.figures._style import (
    WIDTH,
    altair,
    finished,
    legend_room,
    nice_domain,
    nothing_to_draw,
    series_encodings,
)
from tests.figures.specs import datasets


def test_long_names_have_a_line_of_the_legend_each() -> None:
    assert legend_room(["NaiveBayes", "HoeffdingTree"]) == {}
    assert legend_room(["NaiveBayes", "x" * 37]) == {"columns": 1, "labelLimit": WIDTH}
    encoded = series_encodings(["NaiveBayes", "x" * 37])
    assert encoded["color"].to_dict()["legend"] == {"columns": 1, "labelLimit": WIDTH}
    assert "legend" not in series_encodings(["NaiveBayes"])["color"].to_dict()


def test_empty_chart_says_why() -> None:
    chart = nothing_to_draw("title", "kappa is undefined on the whole stream")
    (points,) = datasets(chart)
    assert points == [{"line": 0, "why": "kappa is undefined on the whole stream"}]


def test_caption_of_a_figure_has_two_lines_and_the_rest_is_kept() -> None:
    alt = altair()
    said = ["One sentence of some length stands here."] * 9
    chart = finished(alt.Chart(alt.InlineData(values=[])).mark_point(), "t" * 90, said)
    (title,) = chart.title.text
    assert len(title) <= 66
    assert len(chart.title.subtitle) == 2
    assert chart.caption.splitlines() == [*said, "t" * 90]


@pytest.mark.parametrize(
    ("low", "high", "percent"), [(0.5, 0.5, True), (0.0, 1e-12, True), (3e5, 3e5, False), (0, 0, 0)]
)
def test_axis_of_a_constant_curve_is_not_stretched(low: float, high: float, percent: bool) -> None:
    start, end = nice_domain(low, high, bool(percent))
    assert start <= low <= high <= end
    assert end - start >= (0.02 if percent else 1e-6)


def test_control_characters_of_titles_are_shown() -> None:
    alt = altair()
    chart = finished(alt.Chart(alt.InlineData(values=[])).mark_point(), "a\x1bb", ["c\u202ed"])
    assert chart.title.text == [r"a\x1bb"]
    assert chart.title.subtitle == [r"c\u202ed"]


@pytest.mark.parametrize("package", ["altair", "vl_convert"])
def test_missing_package_names_the_extra(package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(sg.MissingExtra, match=r"pip install 'streamgauge\[plot\]'"):
        altair()
