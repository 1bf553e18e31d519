"""Colours, dashes, captions, and a chart that says why it is empty."""

from __future__ import annotations

import sys

import pytest

import streamgauge as sg
from streamgauge.figures._style import (
    GREY,
    WIDTH,
    altair,
    caption_lines,
    colours_of,
    dashes_of,
    finished,
    legend_room,
    nothing_to_draw,
    series_encodings,
)
from tests.figures.specs import datasets


def test_learner_keeps_its_colour_in_another_figure() -> None:
    alone = colours_of(["NaiveBayes"])
    beside = colours_of(["NaiveBayes", "HoeffdingTree"], ["Persistent"])
    assert alone["NaiveBayes"] == beside["NaiveBayes"]
    assert beside["Persistent"] == GREY


def test_learners_of_a_figure_differ_in_colour_or_dash() -> None:
    names = [f"learner {i}" for i in range(20)]
    colours, dashes = colours_of(names), dashes_of(names)
    assert len({colours[name] for name in names[:6]}) > 1
    assert len({(colours[name], str(dashes[name])) for name in names}) == 20


def test_references_are_dashed_each_in_its_own_way() -> None:
    references = ["Majority", "Persistent", "Transition", "Seasonal"]
    dashes = dashes_of(["NaiveBayes"], references)
    assert dashes["NaiveBayes"] == [1, 0]
    assert len({str(dashes[name]) for name in references}) == 4


def test_long_names_have_a_line_of_the_legend_each() -> None:
    assert legend_room(["NaiveBayes", "HoeffdingTree"]) == {}
    assert legend_room(["NaiveBayes", "x" * 37]) == {"columns": 1, "labelLimit": WIDTH}
    encoded = series_encodings(["NaiveBayes", "x" * 37])
    assert encoded["color"].to_dict()["legend"] == {"columns": 1, "labelLimit": WIDTH}
    assert "legend" not in series_encodings(["NaiveBayes"])["color"].to_dict()


def test_long_captions_are_broken_into_lines() -> None:
    lines = caption_lines("word " * 40, 30)
    assert all(len(line) <= 30 for line in lines)
    assert " ".join(lines).split() == ["word"] * 40


def test_empty_chart_says_why() -> None:
    chart = nothing_to_draw("title", "kappa is undefined on the whole stream")
    (points,) = datasets(chart)
    assert points == [{"line": 0, "why": "kappa is undefined on the whole stream"}]


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
