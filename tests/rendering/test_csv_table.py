"""CSV text."""

from __future__ import annotations

import csv
import io
import math

import numpy as np

from streamgauge.rendering.csv_table import csv_table, full_precision


def test_cells_read_back() -> None:
    lines = [["stream", "NB"], ['a, "b"', "0.5"]]
    text = csv_table(lines)
    assert not text.endswith("\n")
    assert list(csv.reader(io.StringIO(text))) == lines


def test_numbers_keep_every_digit() -> None:
    assert full_precision(np.float64(0.1) + 0.2) == "0.30000000000000004"
    assert full_precision(np.arange(4)[3]) == "3"
    assert full_precision(math.nan) == ""
