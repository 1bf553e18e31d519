"""Names at the ends of lines."""

from __future__ import annotations

from itertools import pairwise

import pyarrow as pa
import pytest

from streamgauge.figures._end_labels import end_labels, labels_height, short_name, spread_out
from streamgauge.figures.metric_curve import metric_curve
from tests.figures.specs import marks


@pytest.mark.parametrize("places", [[50.0] * 12, [0.0] * 5, [200.0] * 5, [10, 11, 100, 101, 199]])
def test_names_do_not_overlap_and_stay_in_the_figure(places: list[float]) -> None:
    height = labels_height(len(places), 200)
    found = spread_out({str(i): place for i, place in enumerate(places)}, height)
    ordered = sorted(found.values())
    assert all(b - a >= 11.999 for a, b in pairwise(ordered))
    assert ordered[0] >= 0
    assert ordered[-1] <= height


def test_names_that_have_room_stay_at_their_lines() -> None:
    assert spread_out({"a": 20.0, "b": 90.0}, 200) == {"a": 20.0, "b": 90.0}


def test_order_of_names_is_that_of_lines() -> None:
    found = spread_out({"low": 61.0, "high": 60.0, "middle": 60.5}, 200)
    assert sorted(found, key=lambda name: found[name]) == ["high", "middle", "low"]


def test_long_name_keeps_both_ends() -> None:
    assert len(short_name("TemporallyAugmented(HoeffdingTree(grace_period=100), order=2)")) == 24
    assert short_name("KNN") == "KNN"


def test_nothing_is_named_where_nothing_ends() -> None:
    assert end_labels({}, (0.0, 1.0), 100, {}) == []


def test_every_line_of_a_figure_is_named() -> None:
    names = [f"learner {i}" for i in range(12)]
    frame = pa.table(
        {"series": [n for n in names for _ in "ab"], "rows": [1, 2] * 12, "value": [0.5, 0.6] * 12}
    )
    chart = metric_curve(frame, "accuracy", title="t", context=names[3:])
    assert {each["name"] for each in marks(chart)["text"]} == set(names)
