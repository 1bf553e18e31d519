"""A metric over the bins of the wait: lines, bands, and who is best in each bin."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest

from streamgauge.figures.colours import GREY
from streamgauge.figures.wait_bins import wait_bins
from tests.figures.specs import caption, heading, marks, units

pytest.importorskip("altair")


def frame(**series: list[float | None]) -> pa.Table:
    rows = [
        {"series": name, "bin": float(b), "value": value,
         "low": None if value is None else value - 0.05,
         "high": None if value is None else value + 0.05}
        for name, values in series.items()
        for b, value in enumerate(values)
    ]  # fmt: skip
    kind = pa.schema([("series", pa.string()), *((c, pa.float64()) for c in ("bin", "value"))])
    for edge in ("low", "high"):
        kind = kind.append(pa.field(edge, pa.float64()))
    return pa.Table.from_pylist(rows, kind)


def draw(table: pa.Table, **options: Any) -> Any:
    return wait_bins(table, "accuracy", title="flights", final=2, **options)


def test_every_bin_of_every_series_is_a_point_with_a_band() -> None:
    chart = draw(frame(tree=[0.5, 0.6, 0.7], Majority=[0.4, 0.4, 0.4]), references=["Majority"])
    found = marks(chart)
    assert [row["value"] for row in found["line"]] == [0.5, 0.6, 0.7, 0.4, 0.4, 0.4]
    assert found["area"] == found["line"]
    assert {row["bin"] for row in found["point"]} == {0, 2}, "first and final prediction"
    band = next(each for each in units(chart.to_dict()) if each["mark"]["type"] == "area")
    assert (band["encoding"]["y"]["field"], band["encoding"]["y2"]["field"]) == ("low", "high")
    colours = band["encoding"]["color"]["scale"]
    assert colours["domain"] == ["tree", "Majority"]
    assert colours["range"][1] == GREY
    assert heading(chart) == "flights"


def test_strip_shows_the_best_of_each_bin_and_where_bands_overlap() -> None:
    chart = draw(frame(tree=[0.5, 0.6, 0.8], bayes=[0.58, 0.61, 0.6]))
    best = marks(chart)["rect"]
    assert [(row["series"], row["clear"]) for row in best] == [
        ("bayes", False),
        ("bayes", False),
        ("tree", True),
    ]
    assert "Highest accuracy: bayes in bins 0 to 1, tree in bin 2." in caption(chart)
    lowest = draw(frame(tree=[0.5, 0.6, 0.8], bayes=[0.58, 0.61, 0.6]), direction="lower")
    assert [row["series"] for row in marks(lowest)["rect"]] == ["tree", "tree", "bayes"]
    assert "Lowest accuracy" in caption(lowest)
    neither = draw(frame(tree=[0.5, 0.6, 0.8], bayes=[0.58, 0.61, 0.6]), direction=None)
    assert "rect" not in marks(neither)


def test_ties_name_all_and_many_changes_are_counted() -> None:
    tied = draw(frame(a=[0.5, 0.5, 0.5], b=[0.5, 0.4, 0.4]))
    assert "a and b in bin 0, a in bins 1 to 2" in caption(tied)
    changing = draw(frame(a=[0.5, 0.4] * 4, b=[0.4, 0.5] * 4))
    assert "a in 4, b in 4 of 8 bins" in caption(changing)
    always = draw(frame(a=[0.5, 0.5], b=[0.4, 0.4]))
    assert "a in every bin" in caption(always)


def test_undefined_values_stay_undefined_and_one_series_has_no_strip() -> None:
    found = marks(draw(frame(tree=[None, 0.6, 0.7])))
    assert found["line"][0]["value"] is None
    assert "rect" not in found


def test_all_undefined_says_why() -> None:
    chart = draw(frame(tree=[None, None, None]))
    (text,) = marks(chart)["text"]
    assert text["why"] == "accuracy is undefined in every bin"
