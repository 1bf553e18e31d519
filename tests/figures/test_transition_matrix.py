"""The transition matrix: a cell per pair, with its number if there are few classes."""

from __future__ import annotations

import pyarrow as pa
import pytest

from streamgauge.figures.transition_matrix import transition_matrix
from tests.figures.specs import marks, units

pytest.importorskip("altair")


def frame(k: int) -> pa.Table:
    names = [f"c{i}" for i in range(k)]
    values = [1 / k] * (k * k - 1) + [None]
    return pa.table({"last": [a for a in names for _ in names], "next": names * k, "value": values})


def test_defined_cells_have_colour_and_number() -> None:
    chart = transition_matrix(frame(2))
    found = marks(chart)
    assert len(found["rect"]) == len(found["text"]) == 3
    assert {row["ink"] for row in found["text"]} == {"white"}
    first = next(units(chart.to_dict()))
    assert first["encoding"]["x"]["sort"] == ["c0", "c1"]
    assert first["encoding"]["color"]["scale"]["domain"] == [0, 1]


def test_many_classes_have_no_numbers_and_none_no_panel() -> None:
    assert "text" not in marks(transition_matrix(frame(9)))
    assert transition_matrix(frame(2).slice(3, 1)) is None
