"""Score against a number: curves, horizontal lines for learners without it."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest

from streamgauge.figures.sweep import sweep
from tests.figures.specs import marks, units

pytest.importorskip("altair")

ROWS: list[dict[str, Any]] = [
    {"panel": "elec2", "series": "tree", "x": 50.0, "value": 0.5, "spread": 0.01},
    {"panel": "elec2", "series": "tree", "x": 5000.0, "value": 0.6, "spread": None},
    {"panel": "elec2", "series": "Majority", "x": None, "value": 0.4, "spread": None},
]


def test_learner_without_the_number_is_a_horizontal_line() -> None:
    chart = sweep(pa.Table.from_pylist(ROWS), "kappa", "grace", title="t", references=["Majority"])
    lines = marks(chart)["line"]
    flat = sorted(row["x"] for row in lines if row["series"] == "Majority")
    assert flat == [50.0, 5000.0]
    assert [row["series"] for row in marks(chart)["point"]] == ["tree", "tree"]
    assert len(marks(chart)["rule"]) == 1
    first = next(units(chart.to_dict()))
    assert first["encoding"]["x"]["scale"]["type"] == "log"
    assert first["encoding"]["x"]["axis"]["values"] == [50.0, 5000.0]


def test_spread_may_be_a_band() -> None:
    rows = [row | {"spread": 0.1} for row in ROWS if row["series"] == "tree"]
    chart = sweep(pa.Table.from_pylist(rows), "kappa", "grace", title="t", bands=True)
    assert [(row["value"], row["high"]) for row in marks(chart)["area"]] == [
        (pytest.approx(0.4), pytest.approx(0.6)),
        (pytest.approx(0.5), pytest.approx(0.7)),
    ]
    assert "rule" not in marks(chart)


def test_several_panels_have_one_legend() -> None:
    rows = ROWS + [row | {"panel": "SEA"} for row in ROWS]
    chart = sweep(pa.Table.from_pylist(rows), "kappa", "grace", title="t")
    spec = chart.to_dict()
    assert [each["title"]["text"] for each in spec["concat"]] == ["elec2", "SEA"]
    lines = [unit for unit in units(spec) if unit["mark"]["type"] == "line"]
    legends = [unit["encoding"]["color"]["legend"] for unit in lines]
    assert [bool(legend) for legend in legends] == [False, True]


def test_panels_have_the_same_scale_if_asked() -> None:
    rows = ROWS + [row | {"panel": "SEA", "value": 0.1} for row in ROWS]
    chart = sweep(pa.Table.from_pylist(rows), "kappa", "grace", title="t", same_scale=True)
    scales = [unit["encoding"]["y"]["scale"] for unit in units(chart.to_dict())]
    assert all(scale["domain"] == pytest.approx([0.05, 0.6]) for scale in scales)


def test_all_undefined_says_why() -> None:
    table = pa.Table.from_pylist(ROWS).set_column(3, "value", pa.array([None] * 3, pa.float64()))
    (text,) = marks(sweep(table, "kappa", "grace", title="t"))["text"]
    assert text["why"] == "kappa is undefined for every grace"
