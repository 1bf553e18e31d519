"""Score against two numbers: a heat map per panel, in the same colours."""

from __future__ import annotations

import pyarrow as pa
import pytest

from streamgauge.figures.sweep_grid import sweep_grid
from tests.figures.specs import marks, units

pytest.importorskip("altair")

ROWS = [
    {"panel": panel, "x": float(x), "y": y, "value": value}
    for panel, value in (("tree", 0.5), ("forest", 0.9))
    for x in (1, 2)
    for y in (0.1, 0.2)
]


def test_all_panels_share_the_range_of_colours() -> None:
    chart = sweep_grid(pa.Table.from_pylist(ROWS), "kappa", "grace", "delta", title="t")
    cells = marks(chart)["rect"]
    assert len(cells) == 8
    assert {cell["ink"] for cell in cells if cell["value"] == 0.9} == {"black"}
    scales = [
        unit["encoding"]["color"]["scale"]
        for unit in units(chart.to_dict())
        if unit["mark"]["type"] == "rect"
    ]
    assert [scale["domain"] for scale in scales] == [[0.5, 0.9]] * 2


def test_all_undefined_says_why() -> None:
    nothing = pa.Table.from_pylist(ROWS).slice(0, 0)
    (text,) = marks(sweep_grid(nothing, "kappa", "grace", "delta", title="t"))["text"]
    assert text["why"] == "kappa is undefined for every grace and delta"
