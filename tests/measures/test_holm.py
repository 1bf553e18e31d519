"""Holm's correction."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from streamgauge.measures.holm import holm


@given(st.lists(st.floats(0, 1), min_size=1, max_size=8))
def test_holm_matches_step_by_step_computation(p: list[float]) -> None:
    found = holm(p)
    order = sorted(range(len(p)), key=lambda i: p[i])
    highest = 0.0
    for step, i in enumerate(order):
        highest = max(highest, min(1.0, p[i] * (len(p) - step)))
        assert found[i] == pytest.approx(highest)
