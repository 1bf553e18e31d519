"""The tables of bifet2013 and its Figure 1, on its own data."""

from __future__ import annotations

from pathlib import Path

import pytest

from streamgauge.papers.reproduce import reproduce
from tests.conftest import real_data
from tests.papers.constructed import word_of

pytestmark = pytest.mark.long


def test_tables_and_peaks_come_out(tmp_path: Path) -> None:
    for name in ("elec2", "airlines", "kdd99_10pct", "ozone_onehr"):
        real_data(name)
    parts = ["table1", "table2", "figure1"]
    report = reproduce("bifet2013", only=parts, store=tmp_path, progress=False)
    assert report.missing == []
    assert word_of(report.claims, "Only 6 of 16 published accuracies") == "holds"
    assert word_of(report.claims, "Probabilities and accuracies of Electricity") == "holds"
    assert word_of(report.claims, "Probabilities and accuracies of KDD99") == "does not hold"
    assert word_of(report.claims, "The autocorrelation has very clear") == "holds"
