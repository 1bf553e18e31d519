"""Periods against the oracle, and on streams whose periods are known."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import streamgauge as sg
from streamgauge.inspection._periods import MOST_ROWS
from tests.inspection.test_profile import label_stream, regression_stream
from tests.oracles import inspection
from tests.oracles import inspection_claims as oracle


def repeated(seed: int, rows: int, period: int, noise: float, missing: float) -> list[int]:
    """A repeated pattern of three labels, with some drawn again and some missing."""
    random = np.random.default_rng(seed)
    y = np.resize(random.integers(0, 3, period), rows)
    y = np.where(random.random(rows) < noise, random.integers(0, 3, rows), y)
    return np.where(random.random(rows) < missing, -1, y).tolist()  # type: ignore[no-any-return]


def found(y: list[int]) -> list[int]:
    return [peak.lag for peak in sg.inspect(label_stream(y)).autocorrelation.peaks]


@settings(max_examples=40)
@given(
    st.integers(0, 10_000),
    st.integers(30, 500),
    st.integers(2, 40),
    st.floats(0.1, 0.9),
    st.sampled_from([0.0, 0.1]),
)
def test_periods_match_oracle(
    seed: int, rows: int, period: int, noise: float, missing: float
) -> None:
    y = repeated(seed, rows, period, noise, missing)
    lags = range(1 + rows // 4)
    r = [inspection.autocorrelation(y, 3, lag) for lag in lags]
    assert found(y) == oracle.seasons(oracle.label_series(y, 3), r, len(inspection.known(y)))


@settings(max_examples=20)
@given(st.integers(0, 10_000), st.floats(2.5, 30), st.floats(0, 2), st.booleans())
def test_periods_of_values_match_oracle(
    seed: int, period: float, height: float, walk: bool
) -> None:
    random = np.random.default_rng(seed)
    noise = random.normal(size=400)
    y = height * np.sin(2 * np.pi * np.arange(400) / period) + (np.cumsum(noise) if walk else noise)
    values = np.where(random.random(400) < 0.05, np.nan, y).tolist()
    known = sum(not math.isnan(v) for v in values)
    r = [1.0] + [inspection.target_autocorrelation(values, lag) for lag in range(1, 101)]
    profile = sg.inspect(regression_stream(values))
    peaks = [peak.lag for peak in profile.autocorrelation.peaks]
    assert peaks == oracle.seasons(oracle.value_series(values), r, known)


@pytest.mark.parametrize("period", [2, 3, 7, 24, 48, 100])
def test_right_period_is_named(period: int) -> None:
    """Neither its harmonics nor its multiples."""
    random = np.random.default_rng(period)
    pattern = random.permutation(np.resize([0, 1], period))
    y = np.where(random.random(4000) < 0.3, random.integers(0, 2, 4000), np.resize(pattern, 4000))
    assert found(y.tolist()) == [period]


def test_period_that_is_no_whole_number_has_the_lag_of_a_whole_number_of_periods() -> None:
    y = (np.sin(2 * np.pi * np.arange(3000) / 12.5) > 0.3).astype(int)
    wrong = np.random.default_rng(1).random(3000) < 0.2
    assert found(np.where(wrong, 1 - y, y).tolist()) == [25]


def test_half_a_year_within_a_year_is_no_second_season() -> None:
    """A harmonic of a clearer season says nothing else, whatever multiple of it is highest."""
    random = np.random.default_rng(5)
    turn = 2 * np.pi * np.arange(18_000) / 360.5
    share = 0.3 + 0.12 * np.sin(turn) + 0.08 * np.sin(2 * turn + 2)
    y = (random.random(18_000) < share).astype(int).tolist()
    (lag,) = found(y)
    assert lag == pytest.approx(360.5, abs=4)


def test_day_within_a_week_is_named_beside_it() -> None:
    random = np.random.default_rng(2)
    hour, day = np.arange(6720) % 24, np.arange(6720) // 24 % 7
    share = 0.2 + 0.4 * (hour > 11) * (day < 5) + 0.2 * (hour > 11)
    y = (random.random(6720) < share).astype(int).tolist()
    assert found(y) == [24, 168]


@pytest.mark.parametrize("run", [1, 20, 200])
def test_runs_have_no_period(run: int) -> None:
    random = np.random.default_rng(3)
    lengths = random.geometric(1 / run, 8000 // run)
    y = np.repeat(np.arange(len(lengths)) % 2 if run > 1 else random.integers(0, 2, 8000), lengths)
    assert found(y[:8000].tolist()) == []


@pytest.mark.parametrize(("rows", "named"), [(360, []), (440, [40])])
def test_wave_is_seen_ten_times(rows: int, named: list[int]) -> None:
    noise = np.random.default_rng(1).normal(size=rows)
    y = np.sin(2 * np.pi * np.arange(rows) / 40) + noise / 5
    peaks = sg.inspect(regression_stream(y.tolist())).autocorrelation.peaks
    assert [peak.lag for peak in peaks] == named


def test_later_rows_than_the_first_million_are_not_searched() -> None:
    random = np.random.default_rng(6)
    early = random.integers(0, 2, MOST_ROWS)
    late = np.resize([0, 0, 0, 1, 1, 0, 1], 300_000)
    stream = label_stream(np.concatenate([early, late]).tolist())
    assert sg.inspect(stream, lags=20).autocorrelation.peaks == ()
