"""Waits of each class: quantiles of all rows, medians along the stream."""

from __future__ import annotations

import pyarrow as pa
import pytest

from streamgauge.figures.waits import waits
from tests.figures.specs import marks, units

pytest.importorskip("altair")

SPREAD = pa.table(
    {"series": ["on time", "late"], "low": [1.0, 2.0], "quarter": [2.0, 4.0],
     "median": [3.0, 6.0], "most": [4.0, 8.0], "high": [5.0, 10.0]}
)  # fmt: skip
ALONG = pa.table({"series": ["on time", "late"], "rows": [50, 50], "median": [3.0, None]})


def test_both_panels_give_classes_the_same_colours() -> None:
    chart = waits(SPREAD, ALONG, "hours", title="flights")
    found = marks(chart)
    assert found["bar"] == found["rule"] == found["tick"] == SPREAD.to_pylist()
    assert found["line"] == ALONG.to_pylist()
    scales = [unit["encoding"]["color"]["scale"] for unit in units(chart.to_dict())]
    assert all(scale == scales[0] for scale in scales)
    titles = [unit["encoding"]["x"].get("title") for unit in units(chart.to_dict())]
    assert "wait (hours)" in titles


def test_no_label_says_why() -> None:
    nothing = pa.table({**{c: pa.array([None], pa.float64()) for c in SPREAD.column_names[1:]},
                        "series": ["a"]})  # fmt: skip
    (text,) = marks(waits(nothing, ALONG, "rows", title="x"))["text"]
    assert text["why"] == "no label ever comes, so there are no waits"
