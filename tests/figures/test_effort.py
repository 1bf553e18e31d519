"""N_C and N_B along the stream, in a panel each."""

from __future__ import annotations

import pyarrow as pa
import pytest

from streamgauge.figures.effort import effort
from tests.figures.specs import marks, units

pytest.importorskip("altair")

FRAME = pa.table({"series": ["tree"] * 2, "rows": [10, 20], "n_c": [3.0, 5.0], "n_b": [0.0, 7.0]})


def test_two_panels_show_both_counts() -> None:
    panels = list(units(effort(FRAME, title="flights").to_dict()))
    assert [each["encoding"]["y"]["field"] for each in panels] == ["n_c", "n_b"]
    assert [each["title"]["text"].partition(":")[0] for each in panels] == ["N_C", "N_B"]


def test_no_label_says_why() -> None:
    (text,) = marks(effort(FRAME.slice(0, 0), title="x"))["text"]
    assert text["why"] == "no label was revealed, so nothing was predicted again"
