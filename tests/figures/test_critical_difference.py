"""The critical-difference diagram: axis, scale, names and bars."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

from streamgauge.figures.critical_difference import critical_difference
from tests.figures.specs import caption, rows_with, units
from tests.hostile_text import hostile, problems

RANKS = {"A & B": 1.25, "C": 2.0, "D": 2.75}
LINE = ("x", "x2", "y", "y2")


def draw(difference: float = 0.8, groups: Any = (), **options: Any) -> Any:
    return critical_difference(RANKS, difference, groups, title="ranks", **options)


def test_names_ranks_and_scale_are_shown() -> None:
    chart = draw(caption=["Friedman says no."])
    texts = {row["text"] for row in rows_with(chart, "x", "y", "text")}
    assert texts == {"1", "2", "3", "CD = 0.80", "A & B  1.25", "C  2.00", "2.75  D"}
    assert caption(chart) == "Friedman says no."
    scale = [row for row in rows_with(chart, *LINE) if row["y"] == row["y2"] == 22]
    assert [(row["x"], row["x2"]) for row in scale] == [(1, 1.8)]


def test_each_name_hangs_from_its_rank() -> None:
    legs = rows_with(draw(), "series", *LINE)
    falls = {row["series"]: row["x"] for row in legs if row["x"] == row["x2"]}
    assert falls == RANKS
    ends = {row["series"]: row["x2"] for row in legs if row["x"] != row["x2"]}
    assert ends["A & B"] < 1
    assert ends["C"] < 1
    assert ends["D"] > 3


def test_bars_join_groups_of_two_or_more() -> None:
    chart = draw(groups=[("A & B", "C"), ("D",)])
    bars = [each for each in units(chart.to_dict()) if each["mark"].get("strokeWidth") == 4]
    (bar,) = [chart.to_dict()["datasets"][each["data"]["name"]] for each in bars]
    (line,) = bar
    assert line["x"] < 1.25
    assert 2.0 < line["x2"] < 2.75


def test_long_critical_difference_is_cut_at_the_axis() -> None:
    chart = draw(5.0)
    texts = {row["text"] for row in rows_with(chart, "x", "y", "text")}
    assert "CD = 5.00 (longer than the axis)" in texts
    assert max(row["x2"] for row in rows_with(chart, *LINE)) == 3


def test_hostile_names_stay_text(tmp_path: Path) -> None:
    name = hostile("--><script>alert(1)</script>")
    chart = critical_difference({name: 1.0, "b": 2.0}, 0.5, [], title=name)
    chart.save(tmp_path / "ranks.svg")
    svg = (tmp_path / "ranks.svg").read_text(encoding="utf-8")
    ET.fromstring(svg)
    assert problems(svg) == []
    assert "<script" not in svg
