"""The batch-means test equals the oracle, and seldom calls dependent noise a difference."""

from __future__ import annotations

import math

import numpy as np
import pytest
from bench.tests_under_h0.batch_means import ROWS, decide
from bench.tests_under_h0.batch_means import settings as all_settings
from hypothesis import given
from hypothesis import strategies as st

from streamgauge._support.types import Floats
from streamgauge.measures.batch_means import BatchMeansTest, batch_means_test
from tests.oracles import verdict as oracle


def differences(n: int, run: int, seed: int, shift: float, regression: bool = False) -> Floats:
    """Differences in runs of equal ones."""
    random = np.random.default_rng(seed)
    count = n // run + 1
    if regression:
        values = random.normal(shift, 1, count)
    else:
        values = random.choice([-1.0, 0.0, 1.0], count, p=[0.3 - shift / 2, 0.4, 0.3 + shift / 2])
    return np.repeat(values, run)[:n]


@given(
    st.integers(0, 3000),
    st.sampled_from([1, 5, 30, 200, 2000]),
    st.integers(0, 10_000),
    st.sampled_from([0.0, 0.1, 0.5]),
    st.booleans(),
)
def test_word_and_t_equal_the_oracle(
    n: int, run: int, seed: int, shift: float, regression: bool
) -> None:
    d = differences(n, run, seed, shift, regression)
    test = batch_means_test(d)
    word, t, batches = oracle.batch_means_rule(d.tolist())
    assert (test.word, test.batches) == (word, batches)
    assert test.t == pytest.approx(t, rel=1e-9, abs=1e-12, nan_ok=True)
    strict = batch_means_test(d, 0.999, min_rows=256)
    assert strict.word == oracle.batch_means_rule(d.tolist(), 256, 0.9995)[0]


def test_every_word_occurs() -> None:
    """The hypothesis test would prove little if one word never came."""
    found = {
        batch_means_test(differences(n, run, seed, shift)).word
        for n in (200, 2000)
        for run in (1, 200)
        for shift in (-0.4, 0.0, 0.4)
        for seed in range(5)
    }
    assert found == {"better", "worse", "no clear difference", "open", "too few rows to say"}


def test_equal_learners_do_not_differ() -> None:
    test = batch_means_test(np.zeros(1000))
    assert test.word == "no clear difference"
    assert math.isnan(test.t)
    assert test.p == 1


def test_a_constant_difference_is_clear() -> None:
    """Its sums are rounded, so the batch means are not exactly equal."""
    test = batch_means_test(np.full(1003, 0.1))
    assert (test.word, test.t, test.p) == ("better", math.inf, 0.0)
    assert test.interval(0.98) == pytest.approx((0.1, 0.1))


def test_an_infinite_loss_decides_nothing() -> None:
    d = differences(1000, 1, 0, 0.5)
    d[3] = -math.inf
    assert batch_means_test(d).word == "no clear difference"


def test_dependence_is_the_longest_correlated_batch() -> None:
    """Twenty runs of 500: batches of 100, 200 and 400 rows are correlated."""
    test = batch_means_test(differences(10_000, 500, 1, 0.0))
    assert (test.word, test.dependence, test.batches, test.length) == ("open", 400, 10, 1000)
    parts = differences(10_000, 500, 1, 0.0).reshape(10, 1000).mean(axis=1)
    assert test.parts == pytest.approx(parts)
    assert batch_means_test(differences(10_000, 1, 2, 0.0)).dependence == 0


def test_within_a_margin_by_the_interval() -> None:
    test = batch_means_test(differences(10_000, 1, 1, 0.0))
    low, high = test.interval(0.98)
    margin = max(-low, high)
    assert test.is_within(margin * 1.001, 0.98)
    assert not test.is_within(margin * 0.999, 0.98)
    assert not batch_means_test(np.zeros(200)).is_within(1.0, 0.98)


def test_within_a_margin_by_parts_needs_all_ten() -> None:
    test = BatchMeansTest("open", 0.0, 1.0, 0.0, 0.001, 10, 100, 50, (0.02,) + (0.0,) * 9)
    assert not test.is_within(0.01, 0.98)
    assert test.is_within(0.021, 0.98)


@pytest.mark.parametrize(
    ("kind", "run"), [("independent rows", 1), ("geometric runs", 100), ("sign regimes", 100)]
)
def test_false_decisions_are_few(kind: str, run: int) -> None:
    """The long tier and docs/compare.md have more streams, and longer ones."""
    decisions = decide(kind, run, 2500, streams=150)
    assert decisions.false <= 0.03
    if run == 1:
        assert decisions.found > 0.95


@pytest.mark.long
@pytest.mark.parametrize(("kind", "run"), list(all_settings()))
def test_false_decisions_are_at_most_2_percent(kind: str, run: int) -> None:
    """Runs of up to a tenth of the stream; with longer ones no rule holds."""
    for rows in ROWS:
        if 10 * run <= rows:
            assert decide(kind, run, rows).false <= 0.02


@pytest.mark.long
def test_runs_of_a_third_of_the_stream_are_beyond_any_rule() -> None:
    assert 0.08 < decide("sign regimes", 10_000 // 3, 10_000).false < 0.2
