"""Δ(ℓ): a line per class, all classes together in grey."""

from __future__ import annotations

import pyarrow as pa
import pytest

from streamgauge.figures.colours import GREY
from streamgauge.figures.repeats import repeats
from tests.figures.specs import marks

pytest.importorskip("altair")

FRAME = pa.table({"series": ["a", "a", "all"], "times": [0, 1, 1], "delta": [-0.5, None, -0.4]})


def test_defined_points_are_drawn_and_all_classes_are_grey() -> None:
    chart = repeats(FRAME, "all")
    assert [row["delta"] for row in marks(chart)["line"]] == [-0.5, -0.4]
    scale = chart.to_dict()["encoding"]["color"]["scale"]
    assert dict(zip(scale["domain"], scale["range"], strict=True))["all"] == GREY
    assert repeats(FRAME.slice(1, 1), "all") is None


def test_a_single_length_makes_no_panel() -> None:
    assert repeats(FRAME.slice(0, 1), "all") is None
