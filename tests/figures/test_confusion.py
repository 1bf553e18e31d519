"""Confusion: a panel per part of the stream, a cell per pair of classes."""

from __future__ import annotations

import pyarrow as pa
import pytest

from streamgauge.figures.confusion import confusion
from tests.figures.specs import marks, units

pytest.importorskip("altair")

FRAME = pa.table(
    {
        "part": ["rows 1 to 5"] * 4 + ["rows 6 to 9"] * 4,
        "true": ["a", "a", "b", "b"] * 2,
        "predicted": ["a", "b"] * 4,
        "rows": [3, 1, 0, 1, 4, 0, 0, 0],
        "share": [0.75, 0.25, 0.0, 1.0, 1.0, 0.0, None, None],
    }
)


def test_each_part_is_a_panel_and_missing_classes_are_left_white() -> None:
    chart = confusion(FRAME, ["a", "b"], ["a", "b"], title="flights")
    spec = chart.to_dict()
    assert [each["title"]["text"] for each in spec["concat"]] == ["rows 1 to 5", "rows 6 to 9"]
    cells = marks(chart)["rect"]
    assert len(cells) == 6
    assert [cell["ink"] for cell in cells[:2]] == ["black", "white"]
    domains = [unit["encoding"]["y"]["scale"]["domain"] for unit in units(spec)]
    assert domains == [["a", "b"]] * 4, "all panels have all classes"


def test_no_row_says_why() -> None:
    (text,) = marks(confusion(FRAME.slice(6), ["a", "b"], ["a", "b"], title="x"))["text"]
    assert text["why"] == "no row was scored"
