"""A score against a number that was varied."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from streamgauge.figures.sweep_curve import sweep_curve
from tests.figures.reading import datasets, marks, rows_with, units

ROWS: list[dict[str, Any]] = [
    {"panel": panel, "series": series, "x": float(x), "value": 10.0 * x, "low": low, "high": high}
    for panel in ("HAT", "ARF")
    for series in ("original", "injected")
    for x, low, high in ((0, None, None), (1, 8.0, 12.0))
]


def draw(rows: list[dict[str, Any]]) -> Any:
    table = pa.Table.from_pylist(rows)
    return sweep_curve(table, x_title="past labels", y_title="kappa (%)", title="figure 3")


def test_lines_with_points_and_bands_in_panels() -> None:
    chart = draw(ROWS)
    assert marks(chart) == ["area", "line"] * 2
    assert [each["title"]["text"] for each in chart.to_dict()["hconcat"]] == ["HAT", "ARF"]
    assert sorted(map(str, (row for rows in datasets(chart) for row in rows))) == sorted(
        map(str, ROWS)
    )
    scales = {str(each["encoding"]["y"]["scale"]) for each in units(chart.to_dict())}
    assert len(scales) == 1  # panels can be compared


def test_no_score_says_so() -> None:
    chart = draw([row | {"value": None} for row in ROWS])
    assert "No score is known" in rows_with(chart, "line", "why")[0]["why"]
