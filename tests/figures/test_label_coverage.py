"""Labels in by age: what is drawn, and what is said without labels."""

from __future__ import annotations

import pyarrow as pa

from streamgauge.figures.label_coverage import label_coverage
from tests.figures.specs import caption, mark_kinds, rows_with
from tests.hostile_text import hostile


def frame(values: list[float | None], series: str = "A") -> pa.Table:
    ages = [float(i) for i in range(len(values))]
    return pa.table(
        {"series": [series] * len(values), "age": ages, "value": pa.array(values, pa.float64())}
    )


def test_every_age_is_a_point_of_a_step() -> None:
    chart = label_coverage(frame([0.0, 0.4, 0.9]), "h", title="t", caption=["From past waits."])
    found = rows_with(chart, "age", "value", "series")
    assert [row["value"] for row in found] == [0.0, 0.4, 0.9]
    drawn = chart.to_dict()
    assert drawn["mark"]["interpolate"] == "step-after"
    assert drawn["encoding"]["x"]["title"] == "age of a prediction (h)"
    assert drawn["encoding"]["y"]["scale"]["domain"] == [0, 1]
    assert caption(chart) == "From past waits."


def test_without_labels_it_says_so() -> None:
    chart = label_coverage(frame([0.0, 0.0]), "h", title="t")
    assert mark_kinds(chart) == ["text"]
    assert "No label has come yet." in str(chart.to_dict())


def test_names_cannot_act() -> None:
    chart = label_coverage(frame([0.1], hostile("m", "\0")), "h", title="t")
    assert "\0" not in str(chart.to_dict())
