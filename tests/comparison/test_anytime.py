"""The anytime bounds: against the oracle, at every row, and with labels that come late."""

from __future__ import annotations

import math

import numpy as np
import pytest
from bench.tests_under_h0 import RUN, differences, ever_outside, late, measure
from hypothesis import given, settings
from hypothesis import strategies as st

import streamgauge as sg
from streamgauge.comparison._anytime import boundary, confidence_sequence, log_mixture
from tests.oracles import comparison as oracle


@settings(max_examples=25)
@given(
    st.lists(st.sampled_from([-1.0, -0.4, 0.0, 0.0, 1.0]), min_size=1, max_size=40),
    st.integers(1, 3),
    st.sampled_from([0.9, 0.99]),
    st.sampled_from([1.0, 2.5]),
)
def test_bounds_match_oracle(
    found: list[float], wait: int, confidence: float, bound: float
) -> None:
    rows = np.cumsum(np.random.default_rng(len(found)).integers(1, 3, len(found)))
    cuts = np.array([len(found)])
    bounds = confidence_sequence(np.array(found), rows, cuts, bound, wait, confidence)
    low, high = oracle.anytime(found, rows.tolist(), bound, wait, confidence)
    assert bounds.low[-1] == pytest.approx(low, abs=1e-7)
    assert bounds.high[-1] == pytest.approx(high, abs=1e-7)


@pytest.mark.parametrize("v", [0.0, 0.3, 10.0, 300.0])
@pytest.mark.parametrize("rho", [0.2, 20.0])
def test_log_mixture_matches_numerical_integral(v: float, rho: float) -> None:
    for s in (0.0, 1.0, 30.0):
        found = float(log_mixture(np.array([s]), np.array([v]), rho)[0])
        assert found == pytest.approx(math.log(oracle.mixture(s, v, rho)), abs=1e-6)


def test_mixture_reaches_its_level_at_the_boundary() -> None:
    v = np.array([0.0, 1e-3, 1.0, 1e3, 1e6, 1e9])
    s = boundary(v, 20.0, 6.0)
    np.testing.assert_allclose(log_mixture(s, v, 20.0), 6.0, atol=1e-4)
    assert (np.diff(s) > 0).all()


def test_bounds_do_not_depend_on_the_other_points() -> None:
    d = np.random.default_rng(1).choice([-1.0, 0.0, 1.0], 300)
    every = np.arange(1, 301)
    often = confidence_sequence(d, every - 1, every, 1.0)
    rarely = confidence_sequence(d, every - 1, every[99::100], 1.0)
    np.testing.assert_allclose(often.low[99::100], rarely.low, rtol=1e-9)


def test_bounds_find_a_real_difference() -> None:
    random = np.random.default_rng(2)
    d = random.choice([-1.0, 0.0, 1.0], p=[0.05, 0.85, 0.1], size=20_000)
    every = np.arange(1, len(d) + 1)
    bounds = confidence_sequence(d, every - 1, every, 1.0)
    assert ((bounds.low <= 0.05) & (bounds.high >= 0.05)).all()
    assert bounds.sign == 1
    first = bounds.first_clear
    assert first is not None
    assert 100 < first < 5000
    assert bounds.high[-1] - bounds.low[-1] < 0.04
    none = confidence_sequence(np.zeros(500), np.arange(500), np.array([500]), 1.0)
    assert none.sign == 0
    assert none.first_clear is None
    assert 0 < none.high[-1] < 0.1


def test_late_labels_widen_the_bounds() -> None:
    run_a, run_b = (
        sg.evaluate(
            sg.SEA(4000, seed=1, noise=0.1), [sg.NaiveBayes(), sg.Majority()], labels=labels
        )
        for labels in (sg.Immediate(), sg.Delay(20))
    )
    at_once, delayed = (
        sg.compare(run_a[0], run_a[1]).anytime,
        sg.compare(run_b[0], run_b[1]).anytime,
    )
    assert (at_once.wait, delayed.wait) == (1, 20)
    width = [float(bounds.high[-1] - bounds.low[-1]) for bounds in (at_once, delayed)]
    assert 3 * width[0] < width[1]
    chunks = sg.evaluate(
        sg.SEA(4000, seed=1), [sg.NaiveBayes(), sg.Majority()], labels=sg.Chunks(8)
    )
    assert sg.compare(chunks[0], chunks[1]).anytime.wait == 8
    sampled = sg.evaluate(
        sg.SEA(4000, seed=1), [sg.NaiveBayes(), sg.Majority()], labels=sg.Sampled(0.5)
    )
    assert sg.compare(sampled[0], sampled[1]).anytime.wait == 1


def test_study_uses_the_public_bounds() -> None:
    """Its short cut, the mixture alone, says the same as the bounds after every row."""
    for seed in range(6):
        for run in (1, RUN):
            d = differences(seed, 2000, run)
            every = np.arange(1, len(d) + 1)
            bounds = confidence_sequence(d, every - 1, every, 1.0, 1, 0.95)
            outside = (bounds.low > 0) | (bounds.high < 0)
            assert ever_outside(d, 0.05) == (bool(outside.any()), bool(outside[-1]))


def test_error_rates_under_h0_on_few_streams() -> None:
    """The long tier has 2,000 streams of 20,000 rows."""
    alike = measure(0.05, 1, streams=100, rows=5000)
    assert alike.anytime_ever <= 0.05
    assert alike.mcnemar_ever > 0.3
    in_runs = measure(0.01, RUN, streams=100, rows=5000)
    assert in_runs.batch_means <= 0.06
    assert in_runs.mcnemar_end > 0.4


@pytest.mark.long
def test_error_rates_under_h0_at_every_row() -> None:
    alike = measure(0.05, 1)
    assert alike.anytime_ever <= 0.05
    assert alike.mcnemar_ever > 0.5  # most streams
    assert alike.batch_means == pytest.approx(0.05, abs=0.015)
    assert alike.stretches <= 0.065
    strict = measure(0.01, 1)
    assert strict.anytime_ever <= 0.01
    assert strict.mcnemar_ever > 0.15


@pytest.mark.long
def test_error_rates_under_h0_with_differences_in_runs() -> None:
    in_runs = measure(0.01, RUN)
    assert in_runs.mcnemar_end == pytest.approx(0.55, abs=0.04)  # semantics §9
    assert in_runs.batch_means <= 0.02
    assert in_runs.stretches <= 0.025


@pytest.mark.long
def test_late_labels_need_subsequences() -> None:
    at_once, interleaved = late(0.05)
    assert at_once > 0.9
    assert interleaved <= 0.05
