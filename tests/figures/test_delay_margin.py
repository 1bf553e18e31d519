"""The margin over the best reference, by delay."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from streamgauge.figures.colours import COMMON
from streamgauge.figures.delay_margin import FRAME, delay_margin
from tests.figures.specs import caption, marks, units


def draw(*rows: tuple[str, str, float, float | None, bool]) -> Any:
    lines = [dict(zip(FRAME.names, row, strict=True)) for row in rows]
    table = pa.Table.from_pylist(lines, FRAME)
    return delay_margin(table, "points", "delay", title="t", caption=["Hollow: not clear."])


KNN = (("elec2", "KNN", 1.0, -2.0, False), ("elec2", "KNN", 100.0, 6.0, True))


def test_a_line_per_learner_with_hollow_points_where_nothing_is_clear() -> None:
    chart = draw(*KNN, ("elec2", "NaiveBayes", 1.0, 1.0, True))
    points = [unit for unit in units(chart.to_dict()) if unit["mark"]["type"] == "point"]
    assert [unit["mark"]["filled"] for unit in points] == [True, False]
    assert [each["clear"] for each in marks(chart)["point"]] == [True, True, False]
    line = next(unit for unit in units(chart.to_dict()) if unit["mark"]["type"] == "line")
    scale = line["encoding"]["color"]["scale"]
    assert dict(zip(scale["domain"], scale["range"], strict=True))["KNN"] == COMMON["KNN"]
    assert caption(chart) == "Hollow: not clear."


def test_zero_is_inside_and_distant_delays_have_a_log_scale_that_says_so() -> None:
    chart = draw(*KNN)
    line = next(unit for unit in units(chart.to_dict()) if unit["mark"]["type"] == "line")
    low, high = line["encoding"]["y"]["scale"]["domain"]
    assert low <= -2
    assert high >= 6
    assert line["encoding"]["x"]["scale"]["type"] == "log"
    assert line["encoding"]["x"]["title"] == "delay (log scale)"


def test_every_stream_has_a_panel() -> None:
    spec = draw(*KNN, ("SEA", "KNN", 1.0, 3.0, True)).to_dict()
    assert [each["title"]["text"] for each in spec["concat"]] == ["elec2", "SEA"]


def test_nothing_to_draw_says_why() -> None:
    assert "no learner has a score" in marks(draw())["text"][0]["why"]
