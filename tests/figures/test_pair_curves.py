"""Two participants along the stream: panels, bands, critical lines, coloured stretches."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from streamgauge.figures.metric_curve import Marks
from streamgauge.figures.pair_curves import pair_curves
from tests.figures.specs import caption, datasets, mark_kinds, rows_with, units

CURVE = ("rows", "value", "low", "high")


def frame(value: Any = (0.1, 0.2), low: Any = (0.0, 0.1), panel: str = "mean") -> pa.Table:
    numbers = [pa.array(each, pa.float64()) for each in (value, low, [0.4] * len(value))]
    names = ["panel", "rows", "value", "low", "high"]
    rows = pa.array([100 * (1 + i) for i in range(len(value))])
    return pa.table([pa.array([panel] * len(value)), rows, *numbers], names=names)


def stretches(*better: str | None) -> pa.Table:
    starts = [100 * i for i in range(len(better))]
    stops = [100 * (i + 1) for i in range(len(better))]
    names = pa.array(better, pa.string())
    return pa.table({"start": starts, "stop": stops, "better": names})


def draw(table: pa.Table, *better: str | None, **options: Any) -> Any:
    return pair_curves(table, stretches(*better), ("tree", "bayes"), title="t", **options)


def test_band_line_and_stretches() -> None:
    chart = draw(frame(), "A", None, "B")
    assert mark_kinds(chart) == ["rect", "rule", "area", "line"]
    assert [row["value"] for row in rows_with(chart, *CURVE)] == [0.1, 0.2]
    assert rows_with(chart, "start", "stop", "better") == [
        {"start": 0, "stop": 100, "better": "tree"},
        {"start": 200, "stop": 300, "better": "bayes"},
    ]


def test_no_band_where_there_are_no_bounds() -> None:
    chart = draw(frame(low=[None, None]), "A")
    assert mark_kinds(chart) == ["rect", "rule", "line"]


def test_critical_lines_are_within_the_axis() -> None:
    chart = draw(frame(), "A", critical={"mean": 6.6})
    assert [row["at"] for rows in datasets(chart) for row in rows if "at" in row] == [0, -6.6, 6.6]
    low, high = next(
        each["encoding"]["y"]["scale"]["domain"]
        for each in units(chart.to_dict())
        if each["mark"]["type"] == "line"
    )
    assert low < -6.6
    assert high > 6.6


def test_panels_are_one_below_the_other() -> None:
    chart = draw(pa.concat_tables([frame(), frame(panel="Q")]), "A")
    assert [each["title"]["text"] for each in chart.to_dict()["vconcat"]] == [["mean"], ["Q"]]


def test_errors_drifts_and_alarms_are_drawn() -> None:
    errors = pa.table({"series": ["tree", "bayes"], "rows": [100, 100], "value": [0.1, 0.3]})
    found = Marks(drifts=[(150, 150)], alarms={"bayes": [160]})
    chart = draw(frame(), None, errors=errors, marks=found)
    first, second = chart.to_dict()["vconcat"]
    assert [each["title"]["text"] for each in (first, second)] == [["Error"], ["mean"]]
    assert [each["mark"]["type"] for each in first["layer"]] == ["line", "rule", "rule"]
    curves = rows_with(chart, "better", "rows", "value")
    assert [list(row.values()) for row in curves] == [["tree", 100, 0.1], ["bayes", 100, 0.3]]
    assert rows_with(chart, "alarm", "rows") == [{"alarm": "bayes", "rows": 160}]
    assert "Red: true drifts." in caption(chart)


def test_no_stretch_says_so() -> None:
    chart = draw(frame(), None)
    assert "rect" not in mark_kinds(chart)
    assert "No stretch of the stream alone shows which is better." in caption(chart)


def test_undefined_statistic_says_why() -> None:
    chart = draw(frame([None, None], [None, None]), "A")
    assert rows_with(chart, "line", "why")[0]["why"] == "No statistic is defined on these rows."


def test_long_names_fit_into_titles_and_legend() -> None:
    long = "TemporallyAugmented(HoeffdingTree(grace_period=100), order=2)"
    q = f"Q = ln(loss of NaiveBayes / loss of {long}), Window(1000)"
    table = pa.concat_tables([frame(), frame(panel=q)])
    chart = pair_curves(table, stretches("A"), ("NaiveBayes", long), title="t").to_dict()
    title = chart["vconcat"][1]["title"]["text"]
    assert " ".join(title) == q
    assert max(map(len, title)) <= 76
    (legend,) = {str(each["encoding"]["color"]["legend"]) for each in units(chart)
                 if "color" in each["encoding"]}  # fmt: skip
    assert "'columns': 1" in legend
