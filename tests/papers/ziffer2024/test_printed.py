"""The printed tables are transcribed correctly."""

from __future__ import annotations

import pytest

from streamgauge.papers.ziffer2024 import printed
from streamgauge.papers.ziffer2024.figures import fig_5_real, fig_5_synthetic
from streamgauge.papers.ziffer2024.plan import PROFILES, synthetic
from tests.papers.ziffer2024.miniature import printed_scores


def test_averages_and_ranks_match_the_printed_ones() -> None:
    scores, full = printed_scores(), PROFILES["full"]
    names = (*printed.LEARNERS, printed.NO_CHANGE)
    for injected, means in (
        (False, (80.4, 83.98, 79.51, 81.75, 84.53, -0.59)),
        (True, (32.0, 31.8, 45.65, 45.66, 66.78, 48.14)),
    ):
        streams = [synthetic(*key) for key in full.keys(injected)]
        assert scores.table(streams, names).mean(axis=0) == pytest.approx(means, abs=0.006)
    real = scores.table(list(printed.TABLE_III), printed.LEARNERS).mean(axis=0)
    assert real == pytest.approx((34.3, 47.6, 36.5, 59.9, 67.8), abs=0.06)
    both = fig_5_synthetic(scores, full).ours
    assert both is not None
    assert both.average_ranks == pytest.approx(
        {"HAT": 3.89, "ARF": 3.36, "SWT HAT": 3.21, "SWT ARF": 2.89, "cLSTM": 1.64}, abs=0.006
    )
    assert fig_5_real(scores, full).paper.critical_difference == pytest.approx(2.49, abs=0.005)
