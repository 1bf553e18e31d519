"""Autocorrelation by lag, its band, and marks at the seasons."""

from __future__ import annotations

import pyarrow as pa
import pytest

from streamgauge.figures.autocorrelation import autocorrelation
from tests.figures.specs import marks

pytest.importorskip("altair")

FRAME = pa.table({"lag": [1, 2, 3], "value": [0.5, None, 0.6], "band": [0.1, 0.1, 0.2]})


def test_lags_band_and_peaks_are_drawn() -> None:
    found = marks(autocorrelation(FRAME, peaks=[3]))
    assert [row["lag"] for row in found["line"]] == [1, 3]
    assert [(row["below"], row["band"]) for row in found["area"]] == [(-0.1, 0.1), (-0.2, 0.2)]
    assert [row["lag"] for row in found["text"]] == [3]
    assert "text" not in marks(autocorrelation(FRAME))


def test_all_undefined_is_no_panel() -> None:
    assert autocorrelation(FRAME.slice(1, 1)) is None
