"""A metric along the stream: what is encoded, which rows are in the chart."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from streamgauge.figures.colours import GREY
from streamgauge.figures.metric_curve import Marks, metric_curve
from tests.figures.specs import caption, mark_kinds, rows_with, units
from tests.hostile_text import hostile


def frame(value: Any = (0.5, None, 0.7), series: str = "tree") -> pa.Table:
    rows = pa.array(100 * (1 + np.arange(len(value))))
    return pa.table(
        {"series": [series] * len(value), "rows": rows, "value": pa.array(value, pa.float64())}
    )


def scales(chart: Any, channel: str) -> list[dict[str, Any]]:
    return [each["encoding"][channel].get("scale", {}) for each in units(chart.to_dict())]


def test_points_are_the_rows_of_the_frame_and_undefined_ones_are_gaps() -> None:
    chart = metric_curve(frame(), "kappa", title="elec2: kappa")
    assert rows_with(chart, "series", "rows", "value") == [
        {"series": "tree", "rows": 100, "value": 0.5},
        {"series": "tree", "rows": 200, "value": None},
        {"series": "tree", "rows": 300, "value": 0.7},
    ]
    (line,) = units(chart.to_dict())
    assert line["mark"]["invalid"] == "break-paths-show-path-domains"
    assert line["encoding"]["y"]["title"] == "kappa"
    assert line["encoding"]["x"]["scale"]["domain"] == [100, 300]


def test_references_are_grey_and_dashed() -> None:
    both = pa.concat_tables([frame(), frame(series="Persistent")])
    chart = metric_curve(both, "accuracy", title="t", references=["Persistent", "Majority"])
    line = next(units(chart.to_dict()))
    assert line["encoding"]["color"]["scale"]["domain"] == ["tree", "Persistent"]
    assert line["encoding"]["color"]["scale"]["range"][1] == GREY
    assert line["encoding"]["strokeDash"]["scale"]["range"][0] == [1, 0]


def test_drifts_are_lines_or_bands_and_alarms_are_ticks() -> None:
    found = Marks(drifts=[(120, 120), (200, 260)], alarms=[130, 270])
    chart = metric_curve(frame(), "kappa", title="t", marks=found)
    assert mark_kinds(chart) == ["line", "rule", "rect", "tick"]
    drifts = rows_with(chart, "rows", "end")
    assert drifts == [{"rows": 120, "end": 120}, {"rows": 200, "end": 260}]
    assert rows_with(chart, "rows") == [{"rows": 130}, {"rows": 270}]
    assert caption(chart) == "Red: true drifts. Black ticks: alarms."


def test_alarms_of_a_series_are_lines_in_its_colour() -> None:
    both = pa.concat_tables([frame(), frame(series="bayes")])
    found = Marks(alarms={"tree": [130], "bayes": []})
    chart = metric_curve(both, "kappa", title="t", marks=found)
    assert mark_kinds(chart)[:2] == ["line", "rule"]
    assert rows_with(chart, "alarm", "rows") == [{"alarm": "tree", "rows": 130}]
    line, rule, *_ = units(chart.to_dict())
    colours = line["encoding"]["color"]["scale"]
    assert rule["mark"]["color"] == colours["range"][colours["domain"].index("tree")]
    assert caption(chart) == "Vertical lines: alarms on the curve of their colour."


def test_label_coverage_is_an_area_below() -> None:
    labels = pa.table({"rows": [0, 300], "value": [0.3, 0.4]})
    chart = metric_curve(frame(), "kappa", title="t", marks=Marks(labels=labels))
    assert mark_kinds(chart) == ["line", "area"]
    assert rows_with(chart, "rows", "value") == labels.to_pylist()


def test_zoom_links_every_panel_to_the_whole() -> None:
    panels = [frame().append_column("panel", pa.array([name] * 3)) for name in ("all", "window")]
    chart = metric_curve(pa.concat_tables(panels), "kappa", title="t", zoom=True)
    assert [each["title"]["text"] for each in chart.to_dict()["vconcat"][:2]] == ["all", "window"]
    (brush,) = chart.to_dict()["params"]
    first, second, whole = scales(chart, "x")
    assert first["domain"] == second["domain"] == {"param": brush["name"]}
    assert whole["domain"] == [100, 300]
    assert brush["select"]["encodings"] == ["x"]


def test_values_far_outside_do_not_flatten_the_curve() -> None:
    value = [*np.linspace(0, 1, 99), -500.0]
    chart = metric_curve(frame(value), "kappa_temporal", title="t")
    low, _ = scales(chart, "y")[0]["domain"]
    assert low > -2
    assert "1 of 100 points lie outside the figure: the values go from -500 to 1." in caption(chart)
    assert len(rows_with(chart, "series", "rows", "value")) == 100


def test_constant_curve_has_an_axis() -> None:
    (scale,) = scales(metric_curve(frame([0.5, 0.5]), "kappa", title="t"), "y")
    assert scale["domain"][0] < scale["domain"][1]


def test_long_curve_is_thinned_and_says_so() -> None:
    chart = metric_curve(frame(np.random.default_rng(1).random(120_000)), "kappa", title="t")
    assert len(rows_with(chart, "series", "rows", "value")) <= 1002
    assert "Of every 240 points the lowest and the highest are drawn." in caption(chart)


@pytest.mark.parametrize(
    ("table", "why"),
    [
        (frame([None, None]), "kappa is undefined on the whole stream: one class only."),
        (frame([]), "No row has been scored."),
    ],
)
def test_nothing_to_draw_says_why(table: pa.Table, why: str) -> None:
    chart = metric_curve(table, "kappa", title="t", why="one class only")
    assert [row["why"] for row in rows_with(chart, "line", "why")] == [why]


def test_hostile_names_are_data_only() -> None:
    name = hostile("datum['x'] || alert(1)")
    chart = metric_curve(frame(series=name), name, title=name)
    (line,) = units(chart.to_dict())
    fields = {each.get("field") for each in line["encoding"].values() if isinstance(each, dict)}
    assert fields == {"series", "rows", "value"}
    assert "\x1b" not in str(chart.to_dict())


def test_line_at_zero_is_drawn_if_zero_is_on_the_axis() -> None:
    chart = metric_curve(frame([-1.0, 1.0]), "kappa", title="t", zero=True)
    assert rows_with(chart, "rows", "value") == [{"rows": row, "value": 0} for row in (100, 200)]
    assert mark_kinds(metric_curve(frame([0.5, 1.0]), "kappa", title="t", zero=True)) == ["line"]


def test_panels_of_different_metrics_have_their_own_axes() -> None:
    both = pa.table(
        {
            "series": ["tree"] * 4,
            "rows": [1, 2, 1, 2],
            "value": [0.8, 0.9, -3.0, -1.0],
            "panel": ["accuracy", "accuracy", "kappa", "kappa"],
        }
    )
    for own, expected in ((True, [[0.8, 0.9], [-3.0, -1.0]]), (False, [[-3.0, 1.0]] * 2)):
        chart = metric_curve(both, "value", title="t", own_axes=own)
        assert [each["domain"] for each in scales(chart, "y")] == expected


def test_times_have_an_axis_in_utc_with_ends_from_the_data() -> None:
    chart = metric_curve(frame(), "kappa", title="t", x_title="time", times=True)
    (line,) = units(chart.to_dict())
    assert line["encoding"]["x"]["type"] == "temporal"
    assert line["encoding"]["x"]["scale"] == {"nice": False, "type": "utc"}
    assert line["encoding"]["tooltip"][1]["format"] == "%Y-%m-%d %H:%M"
