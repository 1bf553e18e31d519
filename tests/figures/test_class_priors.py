"""Class priors: a line per class."""

from __future__ import annotations

import pyarrow as pa
import pytest

from streamgauge.figures.class_priors import class_priors
from tests.figures.specs import marks

pytest.importorskip("altair")

FRAME = pa.table({"series": ["a", "b"], "rows": [100, 100], "share": [0.25, 0.75]})


def test_shares_are_drawn_between_0_and_1() -> None:
    chart = class_priors(FRAME, 100)
    spec = chart.to_dict()
    assert spec["encoding"]["y"]["scale"]["domain"] == [0, 1]
    assert spec["title"]["text"] == "Classes among the last 100 labels"
    assert marks(chart)["line"] == FRAME.to_pylist()
    assert class_priors(FRAME.slice(0, 0), 100) is None
