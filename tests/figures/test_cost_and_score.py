"""Score against cost: points, bars over seeds, the Pareto line."""

from __future__ import annotations

import pyarrow as pa
import pytest

from streamgauge.figures.colours import GREY
from streamgauge.figures.cost_and_score import cost_and_score, pareto
from tests.figures.specs import caption, marks, units

pytest.importorskip("altair")

ROWS = [
    {"panel": "elec2", "series": "tree", "cost": 10.0, "value": 0.7, "spread": 0.1},
    {"panel": "elec2", "series": "forest", "cost": 500.0, "value": 0.8, "spread": None},
    {"panel": "elec2", "series": "slow", "cost": 600.0, "value": 0.6, "spread": None},
    {"panel": "elec2", "series": "Majority", "cost": 1.0, "value": 0.5, "spread": 0.0},
    {"panel": "elec2", "series": "broken", "cost": 1.0, "value": None, "spread": None},
]


def test_line_joins_what_nothing_beats_in_both() -> None:
    chart = cost_and_score(
        pa.Table.from_pylist(ROWS), "kappa", "seconds", title="t", references=["Majority"]
    )
    found = marks(chart)
    assert [row["series"] for row in found["line"]] == ["Majority", "tree", "forest"]
    assert [row["series"] for row in found["point"]] == ["tree", "forest", "slow", "Majority"]
    assert [(row["value"], row["high"]) for row in found["rule"]] == [
        (pytest.approx(0.6), pytest.approx(0.8))
    ]
    dots = next(each for each in units(chart.to_dict()) if each["mark"]["type"] == "point")
    colours = dots["encoding"]["color"]["scale"]
    assert dict(zip(colours["domain"], colours["range"], strict=True))["Majority"] == GREY
    assert dots["encoding"]["x"]["scale"]["type"] == "log", "costs span more than a factor of 20"


def test_low_values_may_be_better_and_ties_take_the_cheaper() -> None:
    rows = [{"cost": c, "value": v} for c, v in ((1, 5.0), (2, 3.0), (3, 3.0), (4, 4.0))]
    assert [row["cost"] for row in pareto(rows, lower_is_better=True)] == [1, 2]
    assert [row["cost"] for row in pareto(rows, lower_is_better=False)] == [1]


def test_without_a_direction_there_is_no_line_of_the_best() -> None:
    table = pa.Table.from_pylist(ROWS)
    chart = cost_and_score(table, "kappa", "seconds", title="t", direction=None)
    assert not marks(chart).get("line")
    assert "grey line" not in caption(chart)


def test_all_undefined_says_why() -> None:
    table = pa.Table.from_pylist(ROWS[-1:], pa.Table.from_pylist(ROWS).schema)
    (text,) = marks(cost_and_score(table, "kappa", "seconds", title="t"))["text"]
    assert text["why"] == "kappa or seconds is undefined for every learner"
