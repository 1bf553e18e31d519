"""Curves as frames and small tables."""

from __future__ import annotations

import math

import numpy as np

from streamgauge.papers.gama2013.series import PaperCurve, curves_frame, curves_sheet, panels_frame

LINE = PaperCurve(np.array([10, 20, 30]), np.array([0.1, np.nan, 0.3]))


def test_value_at_a_row_is_the_last_one_up_to_it() -> None:
    assert (LINE.at(10), LINE.at(19), LINE.at(99)) == (0.1, 0.1, 0.3)
    assert math.isnan(LINE.at(9))
    assert LINE.since(30).tolist() == [0.3]


def test_frames_have_a_row_per_point_and_null_where_undefined() -> None:
    table = curves_frame({"a": LINE, "b": LINE})
    assert table["series"].to_pylist() == ["a"] * 3 + ["b"] * 3
    assert table["value"].to_pylist()[:3] == [0.1, None, 0.3]
    assert panels_frame({"a": LINE}).column_names == ["panel", "rows", "value", "low", "high"]


def test_sheet_has_the_values_at_the_ends_of_equal_parts() -> None:
    sheet = curves_sheet({"a": LINE}, 30, ".2f", 3)
    assert sheet.header == ["", "row 10", "row 20", "row 30"]
    assert [cell.text for cell in sheet.lines[0]] == ["a", "0.10", "-", "0.30"]
