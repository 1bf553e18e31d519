"""Critical differences and groups of learners."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from streamgauge.ranking._ranks import critical_difference, groups_of, rank_rows
from tests.oracles import comparison as oracle


@pytest.mark.parametrize(
    ("k", "q"), [(2, 1.960), (3, 2.343), (5, 2.728), (10, 3.164)]
)  # Demšar (2006), Table 5(a); cut off after three digits, not rounded
def test_critical_values_match_demsar(k: int, q: float) -> None:
    found = critical_difference(10, k, 0.05) / np.sqrt(k * (k + 1) / 60)
    assert found == pytest.approx(q, abs=1e-3)


def test_scores_that_differ_by_rounding_noise_tie() -> None:
    scores = np.array([[0.1 + 0.2, 0.3, 0.2], [-np.inf, 1e-3, 1e-3 + 1e-9], [np.nan, 0.0, 0.0]])
    assert rank_rows(scores, False).tolist() == [[1.5, 1.5, 3], [3, 2, 1], [3, 1.5, 1.5]]
    assert rank_rows(-scores, True).tolist() == rank_rows(scores, False).tolist()


@given(st.lists(st.integers(4, 40), min_size=2, max_size=7), st.integers(0, 40))
def test_groups_match_oracle(quarters: list[int], gap: int) -> None:
    average = [q / 4 for q in quarters]
    found = [sorted(group) for group in groups_of(np.array(average), gap / 4)]
    assert found == oracle.groups(average, gap / 4)
