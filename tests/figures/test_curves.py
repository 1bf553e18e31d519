"""Curves in panels."""

from __future__ import annotations

import sys
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Literal

import numpy as np
import pytest

from streamgauge._support.errors import MissingExtra
from streamgauge.figures.curves import Panel, save_curves
from tests.hostile_text import hostile, problems

X = np.arange(5.0)
PANELS = [
    Panel(X, {"HAT": X, "ARF": X[::-1]}, {"HAT": np.full(5, 0.5)}, "kappa (%)", "left", (0, 5)),
    Panel(X, {"HAT": X**2}, title="right"),
]


@pytest.mark.parametrize("layout", ["row", "column"])
def test_panels_are_saved_as_svg(tmp_path: Path, layout: Literal["row", "column"]) -> None:
    pytest.importorskip("matplotlib")
    path = tmp_path / "curves.svg"
    save_curves(path, PANELS, x_label="rows", layout=layout, vertical_lines=[2], markers=True)
    text = path.read_text()
    assert text.rstrip().endswith("</svg>")
    for shown in ("kappa (%)", "left", "right", "rows", "HAT", "ARF"):
        assert f"<!-- {shown} -->" in text


def test_hostile_names_stay_text(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    path = tmp_path / "curves.svg"
    name = hostile("--><script>alert(1)</script>")
    panel = Panel(X, {name: X}, {}, f"y{name}", f"title{name}")
    save_curves(path, [panel], x_label=f"x{name}")
    ET.parse(path)
    assert problems(path.read_text(encoding="utf-8")) == []
    assert "<script" not in path.read_text(encoding="utf-8")


def test_missing_matplotlib_names_the_extra(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    monkeypatch.setitem(sys.modules, "matplotlib.backends.backend_svg", None)
    with pytest.raises(MissingExtra, match=r"pip install 'streamgauge\[plot\]'"):
        save_curves(tmp_path / "curves.svg", PANELS, x_label="rows")
