"""Cohorts by arrival: scores with bounds above, labels that are in below."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from streamgauge.figures.cohorts import cohorts
from tests.figures.specs import mark_kinds, rows_with, units

DAY = 86_400_000
COLUMNS = (
    "score", "reweighted", "reweighted_low", "reweighted_high", "worst", "best", "coverage",
    "expected",
)  # fmt: skip


def frame(*rows: tuple[float | None, ...]) -> pa.Table:
    kinds = [("rows", pa.int64()), *((name, pa.float64()) for name in COLUMNS)]
    named = [{"rows": DAY * i} | dict(zip(COLUMNS, row, strict=True)) for i, row in enumerate(rows)]
    return pa.Table.from_pylist(named, schema=pa.schema(kinds))


OLD = (0.9, 0.88, 0.85, 0.91, 0.8, 0.95, 0.9, 0.92)
YOUNG = (None, None, None, None, 0.0, 1.0, 0.0, 0.1)


def test_bounds_are_a_band_and_undefined_scores_are_gaps() -> None:
    chart = cohorts(frame(OLD, YOUNG), "accuracy", times=True, title="t")
    assert mark_kinds(chart) == ["area", "line", "rule", "area", "line"]
    band = rows_with(chart, "rows", "value", "best")
    assert [(row["value"], row["best"]) for row in band] == [(0.8, 0.95), (0.0, 1.0)]
    (bar,) = rows_with(chart, "rows", "value", "high")
    assert (bar["value"], bar["high"]) == (0.85, 0.91)
    estimates = rows_with(chart, "estimate", "rows", "value")
    assert [(row["estimate"], row["value"]) for row in estimates] == [
        ("so far", 0.9), ("so far", None), ("reweighted", 0.88), ("reweighted", None),
    ]  # fmt: skip


def test_errors_of_a_regression_have_no_band() -> None:
    row = (2.5, 2.4, None, None, None, None, 0.9, 0.9)
    drawn = mark_kinds(cohorts(frame(row), "mae", times=False, title="t"))
    assert drawn == ["line", "area", "line"]


def test_times_are_shown_in_utc_and_integers_as_they_are() -> None:
    def kinds(times: bool) -> set[Any]:
        chart = cohorts(frame(OLD, OLD), "accuracy", times=times, title="t")
        return {each["encoding"]["x"]["type"] for each in units(chart.to_dict())}

    assert kinds(True) == {"temporal"}
    assert kinds(False) == {"quantitative"}
    chart = cohorts(frame(OLD, OLD), "accuracy", times=True, title="t").to_dict()
    scales = [each["encoding"]["x"]["scale"] for each in units(chart)]
    assert all(each == {"type": "utc", "nice": False} for each in scales)


def test_without_labels_it_says_so() -> None:
    chart = cohorts(frame(YOUNG), "accuracy", times=True, title="t")
    assert "No label has come yet." in str(chart.to_dict())
