"""Tallies: neither the sampling of the curve nor block boundaries change a value."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from streamgauge._support.types import Codes, Floats
from tests.measures.scored_rows import CASES, scored_rows, tally


@given(scored_rows(), st.integers(1, 30))
def test_curve_sampling_and_block_boundaries_change_no_value(
    rows: tuple[int, Codes, Codes, Floats, list[int]], every: int
) -> None:
    k, y, answers, shares, cuts = rows
    cost = np.ones((k, k))
    forget = [case[0] for case in CASES]
    full = tally(k, y, answers, shares, [], forget, cost)
    sampled = tally(k, y, answers, shares, cuts, forget, cost, every)
    points = sorted({*range(every, len(y) + 1, every), len(y)})
    assert sampled.rows.tolist() == points
    for ours, theirs in zip(sampled.values, full.values, strict=True):
        np.testing.assert_array_equal(ours, theirs[[p - 1 for p in points]])  # to the bit


@given(scored_rows(), st.integers(1, 30))
def test_points_are_measured_a_few_at_a_time_with_the_same_values(
    rows: tuple[int, Codes, Codes, Floats, list[int]], every: int
) -> None:
    k, y, answers, shares, cuts = rows
    forget = [case[0] for case in CASES]
    at_once = tally(k, y, answers, shares, cuts, forget, np.ones((k, k)), every)
    one_by_one = tally(k, y, answers, shares, cuts, forget, np.ones((k, k)), every, max_pending=1)
    for ours, theirs in zip(one_by_one.values, at_once.values, strict=True):
        np.testing.assert_array_equal(ours, theirs)
