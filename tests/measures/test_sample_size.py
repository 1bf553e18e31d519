"""Sample sizes and fading factors for a given precision."""

from __future__ import annotations

import numpy as np
import pytest

from streamgauge.measures import sample_size


def test_sample_sizes_match_gama2013() -> None:
    """Examples of gama2013 §3.4: its 3 % at 1000 rows is a half-width, its 18444 rounded down."""
    assert sample_size.half_width(1000) == pytest.approx(0.03, abs=0.002)
    assert sample_size.rows_for(0.01) == 10_000
    assert sample_size.hoeffding_rows(0.01) - 1 == 18_444
    assert 2 * np.exp(-2 * 18_445 * 0.01**2) < 0.05 < 2 * np.exp(-2 * 18_444 * 0.01**2)
    assert sample_size.important_rows(0.995, 2.9e-7) == pytest.approx(3000, abs=5)
    a = sample_size.fading_for(500)
    weights = a ** np.arange(20_000)
    assert weights.sum() ** 2 / (weights**2).sum() == pytest.approx(500)  # semantics §3
    assert [sample_size.rows_for(sample_size.half_width(n)) for n in (7, 400, 12_345)] == [
        7, 400, 12_345,
    ]  # fmt: skip
