"""Scores in two orders: a line each."""

from __future__ import annotations

import pyarrow as pa
import pytest

from streamgauge.figures.order_scores import ORDERS, order_scores
from tests.figures.specs import marks, units

pytest.importorskip("altair")

FRAME = pa.table(
    {"order": [*ORDERS, *ORDERS], "rows": [10, 10, 20, 20], "value": [0.5, 0.4, 0.6, None]}
)


def test_each_order_is_a_line_of_its_own_colour_and_dash() -> None:
    chart = order_scores(FRAME, "accuracy", title="flights")
    (unit,) = units(chart.to_dict())
    assert unit["encoding"]["color"]["scale"]["domain"] == list(ORDERS)
    assert len({*map(str, unit["encoding"]["strokeDash"]["scale"]["range"])}) == 2
    assert [row["value"] for row in marks(chart)["line"]] == [0.5, 0.4, 0.6, None]


def test_all_undefined_says_why() -> None:
    nothing = FRAME.set_column(2, "value", pa.array([None] * 4, pa.float64()))
    (text,) = marks(order_scores(nothing, "mae", title="x"))["text"]
    assert text["why"] == "mae is undefined in every part of the stream"
