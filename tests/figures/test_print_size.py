"""Figures in the width of a column and of a page."""

from __future__ import annotations

import io
import re
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import streamgauge as sg
from streamgauge.figures._print_size import WIDTHS, drawn_size, fitted
from streamgauge.figures.metric_curve import metric_curve

pytest.importorskip("vl_convert")


def figure(learners: int = 2) -> Any:
    names = [f"a learner called {i}" for i in range(learners)]
    frame = pa.table(
        {
            "series": [name for name in names for _ in "ab"],
            "rows": [1, 2] * learners,
            "value": [0.5, 0.6] * learners,
        }
    )
    said = [f"Sentence {i} says something about it." for i in range(9)]
    return metric_curve(frame, "accuracy", title="A title " * 7, caption=said)


@pytest.mark.parametrize("width", sorted(WIDTHS))
@pytest.mark.parametrize("learners", [1, 2, 12])
def test_picture_has_the_width_asked_for_and_readable_text(width: str, learners: int) -> None:
    file = io.StringIO()
    figure(learners).save(file, "svg", width=width)
    svg = file.getvalue()
    size = re.search(r'width="([\d.]+)pt".*?viewBox="0 0 ([\d.]+)', svg)
    assert size is not None
    points, pixels = map(float, size.groups())
    assert points == pytest.approx(72 * WIDTHS[width].inches, abs=0.5)
    smallest = min(map(float, re.findall(r'font-size="([\d.]+)px"', svg)))
    assert smallest * points / pixels >= WIDTHS[width].points - 0.05


def test_panels_get_narrower_and_captions_are_broken_again() -> None:
    chart = figure(12).to_dict()
    drawn, _ = fitted(chart, WIDTHS["column"])
    assert drawn["width"] < chart["width"]
    assert len(drawn["title"]["subtitle"]) <= 2
    assert max(map(len, drawn["title"]["subtitle"])) < 70
    assert drawn_size(drawn)[0] == pytest.approx(WIDTHS["column"].pixels, abs=2)


def test_every_format_of_a_picture_has_a_width(tmp_path: Path) -> None:
    for name in ("a.pdf", "a.svg", "a.png"):
        figure().save(tmp_path / name, width="column")
    assert re.search(rb"MediaBox ?\[0 0 237\.\d", (tmp_path / "a.pdf").read_bytes())
    head = (tmp_path / "a.png").read_bytes()[16:20]
    assert int.from_bytes(head, "big") == pytest.approx(3.3 * 200, abs=3)


@pytest.mark.parametrize(
    ("name", "width", "words"),
    [("a.pdf", "colum", "did you mean 'column'"), ("a.html", "page", r"\.pdf, \.svg or \.png")],
)
def test_wrong_width(name: str, width: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(sg.UsageError, match=words):
        figure().save(tmp_path / name, width=width)
