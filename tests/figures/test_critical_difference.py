"""The critical-difference diagram."""

from __future__ import annotations

import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from streamgauge._support.errors import MissingExtra
from streamgauge.figures.critical_difference import draw
from tests.hostile_text import hostile, problems

RANKS = {"A & B": 1.25, "C": 2.0, "D": 2.75}


def test_svg_shows_names_ranks_and_groups() -> None:
    diagram = draw(RANKS, 0.8, [("A & B", "C"), ("C", "D")])
    root = ET.fromstring(diagram.to_svg())
    shown = [text.text for text in root.iter("{http://www.w3.org/2000/svg}text")]
    assert {"1", "2", "3", "CD = 0.80", "A & B  1.25", "C  2.00", "2.75  D"} == set(shown)
    bars = [line for line in diagram.lines if line.width == 4]
    assert len(bars) == 2


def test_hostile_names_stay_text(tmp_path: Path) -> None:
    name = hostile("a")
    diagram = draw({name: 1.0, "b": 2.0}, 0.5, [])
    svg = diagram.to_svg()
    ET.fromstring(svg)
    assert problems(svg) == []
    assert "<script" not in svg
    pytest.importorskip("matplotlib")
    diagram.save_png(tmp_path / "ranks.png")  # a formula that is none would raise


def test_long_critical_difference_is_cut_at_the_axis() -> None:
    assert "CD = 5.00 (longer than the axis)" in draw(RANKS, 5.0, []).to_svg()


def test_png_needs_matplotlib(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("matplotlib")
    diagram = draw(RANKS, 0.8, [])
    diagram.save_png(tmp_path / "ranks.png")
    assert (tmp_path / "ranks.png").read_bytes().startswith(b"\x89PNG")
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(MissingExtra, match=r"pip install 'streamgauge\[plot\]'"):
        diagram.save_png(tmp_path / "again.png")
