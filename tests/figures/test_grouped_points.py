"""Points in groups: a panel for each stream."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from streamgauge.figures.grouped_points import FRAME, grouped_points
from tests.figures.specs import caption, rows_with, units

ROWS: list[dict[str, Any]] = [
    {"panel": "elec2", "group": "κ", "series": "tree", "value": 0.5},
    {"panel": "elec2", "group": "κ⁺", "series": "tree", "value": -7.0},
    {"panel": "cover", "group": "κ", "series": "tree", "value": 0.9},
    {"panel": "cover", "group": "κ⁺", "series": "tree", "value": None},
]
FIELDS = ("panel", "group", "series", "value", "shown", "low", "high")


def draw(**options: Any) -> Any:
    return grouped_points(pa.Table.from_pylist(ROWS, FRAME), "kappa", title="t", **options)


def test_each_panel_has_its_points_and_undefined_ones_are_left_out() -> None:
    spec = draw().to_dict()
    assert [panel["title"]["text"] for panel in spec["concat"]] == ["elec2", "cover"]
    assert [row["value"] for row in rows_with(draw(), *FIELDS)] == [0.5, -7.0, 0.9]


def test_values_beyond_the_left_end_are_no_points_but_written_there() -> None:
    chart = draw(lowest=-2.0)
    assert [row["shown"] for row in rows_with(chart, *FIELDS)] == [0.5, 0.9]
    (beyond,) = rows_with(chart, *FIELDS, "text")
    assert (beyond["shown"], beyond["text"]) == (-2.0, "◂ -7.00")
    assert caption(chart) == "Further to the left than the axis: elec2 κ⁺ tree -7.00."


def test_lines_are_drawn_where_a_panel_has_one() -> None:
    chart = draw(lines={"cover": 0.95})
    assert rows_with(chart, "at") == [{"at": 0.95}]
    last = list(units(chart.to_dict()))[-1]
    assert last["encoding"]["x"]["scale"]["domain"] == [0.9, 0.95]


def test_nothing_to_draw_is_said_in_words() -> None:
    empty = grouped_points(pa.Table.from_pylist(ROWS[3:], FRAME), "kappa", title="t")
    assert rows_with(empty, "line", "why")[0]["why"] == "kappa is undefined everywhere"
