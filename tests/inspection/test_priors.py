"""The test of changing priors against the oracle."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import streamgauge as sg
from tests.inspection.test_profile import label_stream
from tests.oracles import inspection_claims as oracle


def moving(seed: int, rows: int, run: int, change: float, rare: float) -> list[int]:
    """Labels in runs whose share of 1 moves; a third class is rare, a few labels are missing."""
    random = np.random.default_rng(seed)
    share = 0.4 + change * np.arange(rows) / rows
    y = np.where(random.random(rows) < share, 1, 0)
    y = np.repeat(y[::run], run)[:rows]
    y = np.where(random.random(rows) < rare, 2, y)
    return np.where(random.random(rows) < 0.03, -1, y).tolist()  # type: ignore[no-any-return]


@settings(max_examples=40)
@given(
    st.integers(0, 10_000),
    st.integers(200, 3000) | st.sampled_from([256, 2048, 2049, 2113, 4100]),
    st.integers(1, 60),
    st.sampled_from([0.0, 0.2, 0.5]),
    st.sampled_from([0.0, 0.003, 0.1]),
)
def test_prior_change_matches_oracle(
    seed: int, rows: int, run: int, change: float, rare: float
) -> None:
    y = moving(seed, rows, run, change, rare)
    found = sg.inspect(label_stream(y)).priors.change
    statistic, critical, label = oracle.prior_change(y, 3)
    assert found.statistic == pytest.approx(statistic, rel=1e-9, nan_ok=True)
    assert found.critical == pytest.approx(critical, rel=1e-9, nan_ok=True)
    assert found.label == label
    assert found.clear == (statistic > critical)


@pytest.mark.parametrize("run", [1, 20])
def test_slow_drift_and_step_are_found(run: int) -> None:
    random = np.random.default_rng(1)
    for share in (np.linspace(0.3, 0.7, 20_000), np.repeat([0.35, 0.65], 10_000)):
        y = np.repeat(random.random(20_000 // run) < share[::run], run).astype(int)
        profile = sg.inspect(label_stream(y.tolist(), 2))
        assert profile.priors.change.clear
        assert "Class priors change along the stream" in str(profile)


def test_long_runs_are_no_change() -> None:
    random = np.random.default_rng(2)
    clear = 0
    for _ in range(40):
        lengths = random.geometric(1 / 200, 200)
        y = np.repeat(np.arange(200) % 2, lengths)[:10_000]
        clear += sg.inspect(label_stream(y.tolist(), 2), lags=1).priors.change.clear
    assert clear <= 3


def test_nothing_is_tested_on_few_rows_or_one_class() -> None:
    for y in ([0, 1] * 127, [1] * 1000, [-1] * 1000):
        change = sg.inspect(label_stream(y, 2)).priors.change
        assert math.isnan(change.statistic)
        assert not change.clear


def test_labels_without_spread_change_only_if_they_drift() -> None:
    assert not sg.inspect(label_stream([0, 1] * 2048, 2)).priors.change.clear
