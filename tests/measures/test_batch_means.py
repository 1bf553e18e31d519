"""The batch-means test equals the oracle, and seldom calls dependent noise a difference."""

from __future__ import annotations

import math
from typing import get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from streamgauge._support.types import Floats
from streamgauge.measures.batch_means import Word, batch_means_test
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
    word, t, freedom = oracle.batch_means_rule(d.tolist())
    assert (test.word, test.freedom) == (word, freedom)
    assert test.t == pytest.approx(t, rel=1e-9, abs=1e-12, nan_ok=True)
    bound = None if regression else 1.0
    strict = batch_means_test(d, 0.999, min_rows=256, bound=bound)
    assert strict.word == oracle.batch_means_rule(d.tolist(), 256, 0.001, bound)[0]


def test_every_word_occurs() -> None:
    """The hypothesis test would prove little if one word never came."""
    found = {
        batch_means_test(differences(n, run, seed, shift)).word
        for n in (200, 2000)
        for run in (1, 200)
        for shift in (-0.4, 0.0, 0.4)
        for seed in range(5)
    }
    found.add(batch_means_test(np.zeros(1000)).word)
    assert found == set(get_args(Word))


def test_what_never_differs_is_equal() -> None:
    test = batch_means_test(np.zeros(1000))
    assert test.word == "equal"
    assert math.isnan(test.t)
    assert test.p == 1


def test_a_constant_difference_is_clear_only_if_it_could_not_be_larger() -> None:
    """Its sums are rounded, so the batch means are not exactly equal."""
    test = batch_means_test(np.full(1003, 0.1), bound=0.1)
    assert (test.word, test.t, test.p) == ("better", math.inf, 0.0)
    assert test.interval(0.98) == pytest.approx((0.1, 0.1))
    for bound in (None, 1.0):  # what costs 1 may be rare and not seen yet
        assert batch_means_test(np.full(1003, 0.1), bound=bound).word == "no clear difference"


def test_rare_large_losses_that_were_not_seen_are_allowed_for() -> None:
    """A differs in 40 rows by 1; a loss of 20 may come in two of them."""
    d = np.zeros(1000)
    d[::25] = 1.0
    assert batch_means_test(d, bound=1.0).word == "better"
    assert batch_means_test(d, bound=20.0).word != "better"


def test_a_few_large_losses_decide_nothing() -> None:
    d = np.random.default_rng(1).normal(0.5, 1, 1000)
    assert batch_means_test(d).word == "better"
    d[::100] = 300.0
    test = batch_means_test(d)
    assert (test.word, test.by_few_rows) == ("open", True)
    assert test.effective == pytest.approx((d**2).sum() ** 2 / (d**4).sum())


def test_the_last_quarter_has_a_word_of_its_own_if_the_sign_changed() -> None:
    d = differences(10_000, 1, 1, -0.1)
    assert batch_means_test(d).recent is None
    d[7500:] = differences(2500, 1, 2, 0.3)
    test = batch_means_test(d)
    assert (test.recent, test.recent_rows) == ("better", 2500)
    assert test.recent_mean == pytest.approx(d[7500:].mean())
    assert batch_means_test(d[:3000]).recent_rows == 0  # too few for a quarter of their own


def test_who_looks_often_needs_more() -> None:
    d = differences(10_000, 1, 1, 0.05)
    test = batch_means_test(d)
    (low, high), (least, most) = test.interval(0.99), test.lasting(10_000)
    assert least < low < high < most
    assert (least + most) / 2 == pytest.approx(test.mean)
    strong = batch_means_test(differences(10_000, 1, 1, 0.3))
    assert strong.lasting_word(10_000) == "better"
    assert batch_means_test(differences(1500, 1, 1, 0.5)).lasting_word(1500) == (
        "too few rows to say"
    )


def test_an_infinite_loss_decides_nothing() -> None:
    d = differences(1000, 1, 0, 0.5)
    d[3] = -math.inf
    assert batch_means_test(d).word == "no clear difference"


def test_dependence_is_the_longest_correlated_batch() -> None:
    """Twenty runs of 500: batches of 100, 200 and 400 rows are correlated."""
    test = batch_means_test(differences(10_000, 500, 1, 0.0))
    assert (test.word, test.dependence, test.batches, test.length) == ("open", 400, 100, 100)
    assert test.by_cosines
    assert test.dependent
    parts = differences(10_000, 500, 1, 0.0).reshape(10, 1000).mean(axis=1)
    assert test.parts == pytest.approx(parts)
    alone = batch_means_test(differences(10_000, 1, 2, 0.0))
    assert (alone.dependence, alone.dependent) == (0, False)


def test_within_a_margin_by_the_interval() -> None:
    test = batch_means_test(differences(10_000, 1, 1, 0.0))
    low, high = test.interval(0.98)
    margin = max(-low, high)
    assert test.is_within(margin * 1.001, 0.98)
    assert not test.is_within(margin * 0.999, 0.98)
    assert not batch_means_test(np.zeros(200)).is_within(1.0, 0.98)


def test_long_dependence_shows_no_equality() -> None:
    test = batch_means_test(differences(10_000, 500, 1, 0.0))
    assert test.by_cosines
    assert not test.is_within(1.0, 0.99)


def test_differences_in_few_parts_show_no_equality() -> None:
    d = np.zeros(10_000)
    d[:2000] = differences(2000, 1, 1, 0.0)
    assert not batch_means_test(d).is_within(1.0, 0.99)
    assert batch_means_test(np.zeros(10_000)).is_within(0.01, 0.99)  # they never differ
