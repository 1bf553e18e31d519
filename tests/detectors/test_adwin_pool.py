"""Pooled adaptive windows against their oracle."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from streamgauge.detectors.adwin_pool import (
    AdwinPool,
    new_adwins,
    update_window,
    window_mean,
    window_width,
)
from tests.compiled import compiled
from tests.oracles.adaptive_trees import Window


@compiled
def update_second(pool: AdwinPool, error: float) -> tuple[bool, float, float, float]:
    """Add an error to the second window; Python cannot call inner kernels."""
    shrunk = update_window(pool, 1, error, 0.002)
    return shrunk, window_width(pool, 1), window_mean(pool, 1), window_width(pool, 0)


@given(
    st.lists(st.tuples(st.integers(1, 200), st.floats(0, 1)), min_size=1, max_size=6), st.randoms()
)
def test_adwin_pool_matches_the_oracle(stretches: list[tuple[int, float]], random: Any) -> None:
    pool, oracle = new_adwins(2), Window(0.002)
    for length, rate in stretches:
        for _ in range(length):
            error = float(random.random() < rate)
            shrunk, width, mean, other_width = update_second(pool, error)
            assert shrunk == oracle.update(error)
            assert width == oracle.n
            assert mean == pytest.approx(oracle.mean, abs=1e-9)
            assert other_width == 0
