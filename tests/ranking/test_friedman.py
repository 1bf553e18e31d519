"""Friedman's test: the exact p-value, random permutations, and the share of false findings."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import streamgauge as sg
from streamgauge.ranking._friedman import exact_p, friedman_test, permutation_p, smallest_p
from streamgauge.ranking._ranks import rank_rows
from tests.oracles import ranking as oracle
from tests.ranking import tenet


def test_three_streams_in_full_agreement() -> None:
    friedman = friedman_test(np.array([[1.0, 2, 3]] * 3))
    assert friedman.p == pytest.approx(6 / 216)
    assert friedman.method == "exact"
    assert friedman.p == pytest.approx(smallest_p(3, 3))


@given(
    st.sampled_from([(2, 2), (5, 2), (2, 3), (3, 3), (4, 3), (2, 4)]),
    st.integers(1, 6),
    st.integers(0, 10_000),
)
def test_exact_p_matches_all_permutations(shape: tuple[int, int], levels: int, seed: int) -> None:
    """With few levels most scores tie."""
    scores = np.random.default_rng(seed).integers(0, levels, shape).astype(float)
    ranks = [oracle.ranks(row) for row in scores.tolist()]
    np.testing.assert_array_equal(rank_rows(scores, False), np.array(ranks, float))
    if all(len(set(row)) == 1 for row in ranks):
        assert np.isnan(friedman_test(np.array(ranks, float)).p)
        return
    expected = oracle.friedman_p(ranks)
    assert friedman_test(np.array(ranks, float)).p == pytest.approx(float(expected), rel=1e-12)


@given(st.integers(2, 6), st.integers(3, 4), st.integers(0, 1000), st.booleans())
@settings(max_examples=10, deadline=None)
def test_chi2_and_f_match_scipy(n: int, k: int, seed: int, ties: bool) -> None:
    random = np.random.default_rng(seed)
    scores = random.integers(0, 4, (n, k)).astype(float) if ties else random.random((n, k))
    ranking = sg.rank(scores)
    if (ranking.ranks == (k + 1) / 2).all():
        return
    expected = stats.friedmanchisquare(*scores.T)
    chi2 = ranking.friedman.chi2
    assert chi2 == pytest.approx(expected.statistic)
    f, freedom = ranking.iman_davenport
    assert freedom == (k - 1, (k - 1) * (n - 1))
    if np.isfinite(f):
        assert f == pytest.approx((n - 1) * chi2 / (n * (k - 1) - chi2))
    np.testing.assert_allclose(ranking.ranks.sum(axis=1), k * (k + 1) / 2)


def method_of(n: int, k: int) -> str:
    return friedman_test(rank_rows(np.random.default_rng(n).random((n, k)), False)).method


def test_more_learners_use_permutations_and_then_the_f_distribution() -> None:
    assert method_of(4, 5) == "exact"
    assert method_of(3, 9) == "permutations"
    assert method_of(31, 10) == "F distribution"
    agreed = friedman_test(np.array([np.arange(1.0, 9)] * 3))
    assert agreed.method == "permutations"
    assert agreed.p == pytest.approx(1 / 100_001)


@pytest.mark.long
@pytest.mark.parametrize(("k", "most"), [(3, 99), (4, 22), (5, 8), (6, 3), (7, 2), (8, 2)])
def test_number_of_streams_up_to_which_p_is_exact(k: int, most: int) -> None:
    """As docs/semantics.md says, without ties."""
    assert method_of(most, k) == "exact"
    assert method_of(most + 1, k) == "permutations"


def test_permutations_agree_with_the_exact_p() -> None:
    ranks = np.rint(2 * tenet.RANKS_III).astype(np.int64)
    exact = exact_p(ranks)
    assert exact is not None
    assert permutation_p(ranks) == pytest.approx(exact, abs=5 * np.sqrt(exact / 1e5))
    assert permutation_p(ranks) == permutation_p(ranks)  # seeded
    assert exact_p(ranks, most_sums=1000) is None


def test_f_distribution_is_close_where_it_is_used() -> None:
    ranks = np.rint(2 * np.random.default_rng(3).random((31, 10)).argsort(axis=1) + 2)
    ranks[:, 0] -= 1.5
    ranks = np.rint(2 * stats.rankdata(ranks, axis=1)).astype(np.int64)
    friedman = friedman_test(ranks / 2)
    assert friedman.method == "F distribution"
    assert friedman.p == pytest.approx(permutation_p(ranks), abs=0.01)


@pytest.mark.long
@pytest.mark.parametrize("levels", [1, 2, 4, 9])
@pytest.mark.parametrize("shape", [(3, 4), (2, 5), (6, 3), (10, 2), (2, 6)])
def test_exact_p_matches_all_permutations_of_larger_tables(
    shape: tuple[int, int], levels: int
) -> None:
    scores = np.random.default_rng(levels).integers(0, levels, shape).astype(float)
    scores[0, 0] += 0.5
    ranks = [oracle.ranks(row) for row in scores.tolist()]
    expected = float(oracle.friedman_p(ranks))
    assert friedman_test(np.array(ranks, float)).p == pytest.approx(expected, rel=1e-12)


@pytest.mark.long
@pytest.mark.parametrize("levels", [None, 6, 2])
@pytest.mark.parametrize(("n", "k"), [(3, 3), (4, 2), (5, 4), (6, 5), (10, 3), (5, 8), (12, 6)])
def test_equal_learners_are_called_different_in_at_most_the_nominal_share(
    n: int, k: int, levels: int | None
) -> None:
    """Every sentence that calls a pair different, among equal learners, with ties and without."""
    trials = 1000 if n * k < 20 else 200  # few where p comes from permutations
    random = np.random.default_rng(n * 100 + k)
    found = {"friedman": 0, "groups": 0, "text": 0, "control": 0}
    for _ in range(trials):
        scores = random.normal(size=(n, k)) + random.normal(size=(n, 1))
        if levels is not None:
            scores = np.floor(stats.norm.cdf(scores) * levels)
        ranking = sg.rank(scores)
        text = ranking.details
        found["friedman"] += ranking.significant
        found["groups"] += ranking.groups != (tuple(ranking.average_ranks),)
        found["text"] += "clearly ahead of a" in text.replace("not clearly", "") or (
            "significant difference between learner" in text and "Holm–Wilcoxon: sig" in text
        )
        against = sg.rank(scores, control="learner 1").against_control
        found["control"] += any(pair.p_holm < 0.05 for pair in against)
    for what, count in found.items():  # 0.05, and three standard errors of the share
        assert count / trials <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / trials), what


@pytest.mark.long
def test_one_better_learner_does_not_make_equal_ones_differ() -> None:
    """Nemenyi's test when only one of five learners is better: the other four stay together."""
    random = np.random.default_rng(5)
    wrong = 0
    for _ in range(300):
        scores = random.normal(size=(7, 5))
        scores[:, 0] += 5
        groups = sg.rank(scores).groups
        wrong += not any(set(group) >= {f"learner {i}" for i in range(2, 6)} for group in groups)
    assert wrong / 300 <= 0.05


def test_smallest_p_is_that_of_full_agreement() -> None:
    for n, k in ((2, 3), (3, 3), (2, 4), (4, 2)):
        rows = [[Fraction(rank) for rank in range(1, k + 1)]] * n
        assert smallest_p(n, k) == pytest.approx(float(oracle.friedman_p(rows)))
