"""The heat map of time and bin has a cell per defined value."""

from __future__ import annotations

import pyarrow as pa
import pytest

from streamgauge.figures.bins_over_time import bins_over_time
from tests.figures.specs import marks, units

pytest.importorskip("altair")

FRAME = pa.table(
    {"first": [0, 0, 50, 50], "last": [50, 50, 90, 90], "bin": [0, 1, 0, 1],
     "value": [0.5, None, 0.6, 0.7]}
)  # fmt: skip


def test_defined_values_are_cells_between_their_labels() -> None:
    chart = bins_over_time(FRAME, "kappa", title="flights")
    cells = marks(chart)["rect"]
    assert [(c["first"], c["bin"], c["value"]) for c in cells] == [
        (0, 0, 0.5), (50, 0, 0.6), (50, 1, 0.7),
    ]  # fmt: skip
    (unit,) = units(chart.to_dict())
    assert unit["encoding"]["x"]["scale"]["domain"] == [0, 90]
    assert unit["encoding"]["color"]["scale"]["scheme"] == "viridis"
    assert unit["encoding"]["color"]["title"] == "kappa"
    assert unit["mark"]["aria"] is False  # a label in words per cell makes a file thrice as large


def test_all_undefined_says_why() -> None:
    nothing = FRAME.set_column(3, "value", pa.array([None] * 4, pa.float64()))
    (text,) = marks(bins_over_time(nothing, "kappa", title="x"))["text"]
    assert text["why"] == "kappa is undefined in every bin of every stretch"
