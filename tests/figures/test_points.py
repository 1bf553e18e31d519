"""Rows as points in the plane of two features."""

from __future__ import annotations

import pyarrow as pa
import pytest

from streamgauge.figures.points import points
from tests.figures.specs import marks, units

pytest.importorskip("altair")


def test_each_panel_has_its_rows_and_one_legend_serves_all() -> None:
    rows = [
        {"panel": panel, "series": series, "x": 0.1, "y": 0.2}
        for panel in ("first", "second")
        for series in ("0", "1", "1")
    ]
    chart = points(pa.Table.from_pylist(rows), "x1", "x2", title="t")
    spec = chart.to_dict()
    assert [each["title"]["text"] for each in spec["concat"]] == ["first", "second"]
    drawn = list(units(spec))
    assert len(marks(chart)["point"]) == 6
    assert [each["encoding"]["color"]["legend"] is None for each in drawn] == [True, False]
    assert drawn[0]["encoding"]["x"]["title"] == "x1"
