"""Pooled adaptive windows against their oracle."""

from __future__ import annotations

from typing import Any

import numba
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from streamgauge.detectors.adwin_pool import Windows, error_rate, feed, new_windows, width
from tests.oracles.adaptive_trees import Window


@numba.njit  # type: ignore[untyped-decorator]
def fed(windows: Windows, error: float) -> tuple[bool, float, float, float]:
    """Feed the second window an error; Python cannot call inner kernels."""
    shrunk = feed(windows, 1, error, 0.002)
    return shrunk, width(windows, 1), error_rate(windows, 1), width(windows, 0)


@given(
    st.lists(st.tuples(st.integers(1, 400), st.floats(0, 1)), min_size=1, max_size=6), st.randoms()
)
@settings(max_examples=60, deadline=None)
def test_windows_are_the_oracles(stretches: list[tuple[int, float]], random: Any) -> None:
    windows, oracle = new_windows(2), Window(0.002)
    for length, rate in stretches:
        for _ in range(length):
            error = float(random.random() < rate)
            shrunk, size, rate_there, size_beside = fed(windows, error)
            assert shrunk == oracle.feed(error)
            assert size == oracle.n
            assert rate_there == pytest.approx(oracle.rate, abs=1e-9)
            assert size_beside == 0
