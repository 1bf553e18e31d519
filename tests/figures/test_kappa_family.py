"""All kappas at one glance."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from streamgauge.figures.kappa_family import kappa_family
from tests.figures.specs import caption, mark_kinds, rows_with, units

MEANINGS = {"kappa": "predicting at random", "kappa_temporal": "repeating the last label"}
FIELDS = ("series", "metric", "value", "low", "high", "shown")


def draw(*rows: tuple[str, str, float | None, float | None, float | None]) -> Any:
    names = ("series", "metric", "value", "low", "high")
    kinds = [(name, pa.string() if name in names[:2] else pa.float64()) for name in names]
    lines = [dict(zip(names, row, strict=True)) for row in rows]
    table = pa.Table.from_pylist(lines, schema=pa.schema(kinds))
    return kappa_family(table, MEANINGS, title="t")


def test_points_ranges_and_a_line_at_zero() -> None:
    chart = draw(("tree", "kappa", 0.4, 0.2, 0.5), ("tree", "kappa_temporal", -0.5, -1.0, 0.1))
    assert mark_kinds(chart) == ["rule", "rule", "point"]
    first, second = rows_with(chart, *FIELDS)
    assert first["metric"] == "kappa: predicting at random"
    assert (second["value"], second["low"], second["shown"]) == (-0.5, -1.0, -0.5)
    line = next(units(chart.to_dict()))
    assert line["encoding"]["x"]["scale"]["domain"] == [-1.0, 0.5]


def test_values_far_below_are_written_at_the_edge_and_named() -> None:
    chart = draw(("tree", "kappa_temporal", -80.0, -90.0, 0.1))
    (row,) = rows_with(chart, *FIELDS, "text")
    assert (row["value"], row["shown"], row["low"]) == (-80.0, -2.0, -2.0)
    assert row["text"] == "◂ -80.00"
    assert "Further to the left than the axis: tree kappa_temporal -80.00." in caption(chart)


def test_undefined_ones_are_named() -> None:
    chart = draw(("tree", "kappa", None, None, None), ("tree", "kappa_temporal", 0.1, None, None))
    assert "Undefined: kappa of tree." in caption(chart)
    nothing = draw(("tree", "kappa", None, None, None))
    assert rows_with(nothing, "line", "why")[0]["why"] == "Every kappa is undefined on these rows."


def test_it_can_be_combined_with_other_charts() -> None:
    chart = draw(("tree", "kappa", 0.4, 0.2, 0.5))
    assert len((chart & chart).to_dict()["vconcat"]) == 2
