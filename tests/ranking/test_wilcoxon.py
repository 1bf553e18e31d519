"""Wilcoxon's signed-rank test of pairs, and the test for equality within a margin."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import streamgauge as sg
from streamgauge.ranking._wilcoxon import equivalent_pairs, signed_rank, wilcoxon_pairs
from tests.oracles import ranking as oracle
from tests.ranking import tenet


@given(st.lists(st.integers(-4, 4), min_size=1, max_size=9))
def test_p_matches_all_signs(differences: list[int]) -> None:
    """Zeros are left out, equal sizes share ranks."""
    test = signed_rank(np.array(differences, float))
    above, below = oracle.signed_rank_p([Fraction(d) for d in differences])
    assert test.above == pytest.approx(float(above))
    assert test.below == pytest.approx(float(below))
    assert test.p == pytest.approx(min(1.0, 2 * float(min(above, below))))
    assert test.used == sum(d != 0 for d in differences)


def test_p_matches_scipy_without_ties_and_with_many_streams() -> None:
    random = np.random.default_rng(2)
    for n in (7, 40, 100):
        values = random.normal(0.2, 1, n)
        expected = stats.wilcoxon(values, method="exact").pvalue
        assert signed_rank(values).p == pytest.approx(expected)
    values = random.normal(0.1, 1, 300)
    expected = stats.wilcoxon(values, method="asymptotic", correction=False).pvalue
    assert signed_rank(values).p == pytest.approx(expected)


def test_differences_of_rounded_scores_tie() -> None:
    """0.9 - 0.8, 0.8 - 0.7 and 0.7 - 0.6 differ in binary but not as printed."""
    worth = np.array([[0.9, 0.8], [0.8, 0.7], [0.7, 0.6], [0.1, 0.3]])
    (pair,) = wilcoxon_pairs(["A", "B"], worth, [(0, 1)])
    tenth = Fraction(1, 10)
    above, below = oracle.signed_rank_p([tenth, tenth, tenth, -2 * tenth])
    assert pair.p == pytest.approx(2 * float(min(above, below)))


def test_small_scores_beside_large_ones_do_not_vanish() -> None:
    worth = np.array([[1e6, 2e6], [1e-7, 2e-7], [3e-7, 5e-7]])
    (pair,) = wilcoxon_pairs(["A", "B"], worth, [(0, 1)])
    assert (pair.tied, pair.better, pair.p) == (0, "B", 0.25)


def test_equal_scores_are_left_out_and_said() -> None:
    random = np.random.default_rng(4)
    a = random.normal(size=12)
    scores = {"A": a + 1, "B": np.where(np.arange(12) < 3, a + 1, a), "C": a - 3}
    ranking = sg.rank(scores)
    pair = ranking.holm_wilcoxon[0]
    assert (pair.a, pair.b, pair.tied, pair.better) == ("A", "B", 3, "A")
    assert pair.p == pytest.approx(2 / 2**9)
    assert "Left out, for equal scores: 3 streams of A and B." in ranking.details


def test_holm_is_over_the_comparisons_with_the_control_alone() -> None:
    both = np.vstack([tenet.TABLE_II_ORIGINAL, tenet.TABLE_II_INJECTED])
    ranking = sg.rank(both, names=tenet.LEARNERS, control="cLSTM")
    assert [pair.a for pair in ranking.against_control] == ["HAT", "ARF", "SWT HAT", "SWT ARF"]
    assert {pair.b for pair in ranking.against_control} == {"cLSTM"}
    plain = {(p.a, p.b): p for p in ranking.holm_wilcoxon}
    for pair in ranking.against_control:
        assert pair.p == plain[pair.a, pair.b].p
        assert pair.p_holm <= plain[pair.a, pair.b].p_holm
        assert pair.advantage < 0
        assert pair.better == "cLSTM"


@settings(max_examples=8, deadline=None)
@given(st.lists(st.integers(-5, 5), min_size=2, max_size=8), st.integers(1, 4))
def test_equivalence_matches_two_one_sided_tests(differences: list[int], margin: int) -> None:
    worth = np.column_stack([np.array(differences, float), np.zeros(len(differences))])
    (pair,) = equivalent_pairs(["A", "B"], worth, [(0, 1)], float(margin))
    expected = oracle.equivalence_p([Fraction(d) for d in differences], Fraction(margin))
    assert pair.p == pytest.approx(float(expected))


@pytest.mark.long
def test_learners_apart_by_the_margin_are_called_equal_in_at_most_the_nominal_share() -> None:
    random = np.random.default_rng(6)
    equal = 0
    trials = 300
    for _ in range(trials):
        worth = random.normal(size=(10, 3)) / 100
        worth[:, 1] += 0.02
        worth[:, 2] -= 0.02  # every pair differs by the margin or more
        pairs = equivalent_pairs(list("abc"), worth, [(0, 1), (0, 2), (1, 2)], 0.02)
        equal += any(pair.p_holm < 0.05 for pair in pairs)
    assert equal / trials <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / trials)
