"""Rankings of learners: published tables, reports, missing scores, diagrams."""

from __future__ import annotations

import json
from fractions import Fraction

import numpy as np
import pytest

import streamgauge as sg
from tests.figures.specs import caption, rows_with, units
from tests.oracles import ranking as oracle
from tests.ranking import tenet


def test_ranking_of_tenet_table_iii() -> None:
    """ziffer2024: six real streams, five learners; CD = 2.49."""
    ranking = sg.rank(tenet.TABLE_III, names=tenet.LEARNERS)
    assert ranking.critical_difference == pytest.approx(2.49, abs=0.005)
    printed = dict(zip(tenet.LEARNERS, [4.3, 2.8, 3.8, 2.3, 1.7], strict=True))
    for learner, rank in printed.items():
        assert ranking.average_ranks[learner] == pytest.approx(rank, abs=0.051)
    np.testing.assert_array_equal(ranking.ranks, tenet.RANKS_III)
    assert next(iter(ranking.average_ranks)) == "cLSTM"
    assert ranking.groups == (
        ("cLSTM", "SWT ARF", "ARF", "SWT HAT"),
        ("SWT ARF", "ARF", "SWT HAT", "HAT"),
    )
    text = ranking.details
    assert (
        "cLSTM ranks first, clearly ahead of HAT (Nemenyi, critical difference 2.49 at alpha 0.05)"
        in text
    )
    assert "No significant difference among cLSTM, SWT ARF, ARF and SWT HAT." in text
    assert (
        "too few streams for a significant difference in any of 10 pairs" in text
    )  # Wilcoxon: p >= 1/32


def test_ranking_of_tenet_table_ii() -> None:
    """Synthetic streams, original and injected; average ranks as printed, to two digits."""
    both = np.vstack([tenet.RANKS_II_ORIGINAL, tenet.RANKS_II_INJECTED])
    for scores, ranks, printed in (
        (tenet.TABLE_II_ORIGINAL, tenet.RANKS_II_ORIGINAL, [3.29, 2.21, 3.86, 3.36, 2.29]),
        (tenet.TABLE_II_INJECTED, tenet.RANKS_II_INJECTED, [4.5, 4.5, 2.57, 2.43, 1.0]),
        (
            np.vstack([tenet.TABLE_II_ORIGINAL, tenet.TABLE_II_INJECTED]),
            both,
            [3.89, 3.36, 3.21, 2.89, 1.64],
        ),
    ):
        ranking = sg.rank(scores, names=tenet.LEARNERS)
        np.testing.assert_array_equal(ranking.ranks, ranks)
        for learner, rank in zip(tenet.LEARNERS, printed, strict=True):
            assert ranking.average_ranks[learner] == pytest.approx(rank, abs=0.0051)
    # Their Fig. 5a, on all streams: cLSTM is alone, the others do not differ significantly.
    assert ranking.groups == (("SWT ARF", "SWT HAT", "ARF", "HAT"),)
    assert "cLSTM ranks first, clearly ahead of all others" in ranking.details
    assert ranking.friedman.p < 0.001
    assert ranking.friedman.method == "permutations"
    assert "p < 0.0001 by 100,000 random permutations" in ranking.details


def test_two_learners_with_the_same_order_on_every_stream() -> None:
    ranking = sg.rank([[2.0, 1.0]] * 6)
    assert ranking.average_ranks == {"learner 1": 1.0, "learner 2": 2.0}
    assert ranking.friedman.chi2 == pytest.approx(6.0)
    assert ranking.iman_davenport.f == np.inf
    assert ranking.friedman.p == pytest.approx(2 / 2**6)
    assert "Iman–Davenport F = ∞, exact p = 0.0312" in ranking.details
    assert ranking.holm_wilcoxon[0].p == pytest.approx(2 / 2**6)  # exact
    json.dumps(ranking.to_dict(), allow_nan=False)


def test_learners_that_always_tie() -> None:
    ranking = sg.rank(np.ones((4, 3)))
    assert np.isnan(ranking.friedman.chi2)
    assert np.isnan(ranking.friedman.p)
    assert not ranking.significant
    assert [pair.p for pair in ranking.holm_wilcoxon] == [1.0] * 3
    assert "All learners tie on every stream" in ranking.details
    assert ranking.groups == (("learner 1", "learner 2", "learner 3"),)


def test_ties_are_not_wins() -> None:
    tied = {"A": [3, 2, 3, 1, 2.0], "B": [2, 3, 3, 1, 2.0], "C": [1, 1, 1, 1, 1.0]}
    ranking = sg.rank(tied)
    text = ranking.details
    assert "A and B share the first rank, not clearly ahead of any other (Nemenyi" in text
    lines = [line.split() for line in text.splitlines()]
    assert ["A", "1.60", "1", "stream,", "tied", "on", "3", "2.2"] in lines
    assert ["C", "2.80", "0", "streams,", "tied", "on", "1", "1"] in lines


def test_no_pair_is_called_different_unless_friedman_finds_something() -> None:
    """Four wins of four: Nemenyi's approximation says p = 0.046, the exact p is 0.125."""
    ranking = sg.rank([[2.0, 1.0]] * 4)
    assert ranking.critical_difference < 1
    assert ranking.friedman.p == pytest.approx(1 / 8)
    assert ranking.groups == (("learner 1", "learner 2"),)
    text = ranking.details
    assert "learner 1 ranks first, not clearly ahead of any other." in text
    assert "Too few streams: if all 4 agreed, p would be 0.1250." in text
    assert "Holm" not in text
    unclear = sg.rank([[2.0, 1.0], [1.0, 2.0]] * 4).details
    assert "The learners are not shown to differ: no pair is called different." in unclear


def test_comparison_with_a_control() -> None:
    both = np.vstack([tenet.TABLE_II_ORIGINAL, tenet.TABLE_II_INJECTED])
    ranking = sg.rank(both, names=tenet.LEARNERS, control="ARF")
    text = ranking.details
    assert "cLSTM (p = 0.0014) is better than ARF (Wilcoxon, Holm's correction over 4" in text
    assert "No significant difference from ARF: HAT, SWT HAT and SWT ARF." in text
    assert "Nemenyi" not in text
    assert "are worse than cLSTM" in sg.rank(both, names=tenet.LEARNERS, control="cLSTM").details
    small = sg.rank(tenet.TABLE_III, names=tenet.LEARNERS, control="ARF").details
    assert "Against ARF: too few streams for a significant difference" in small
    frame = ranking.to_frame("control", "pandas")
    assert frame["a"].tolist() == ["HAT", "SWT HAT", "SWT ARF", "cLSTM"]
    assert ranking.to_dict()["against_control"][3]["better"] == "cLSTM"
    with pytest.raises(sg.UsageError, match="against_control: no control; name one with"):
        _ = sg.rank(both).against_control


def test_equality_within_a_margin() -> None:
    random = np.random.default_rng(1)
    base = random.random(12)
    scores = {"A": base, "B": base + random.normal(0, 0.002, 12), "C": base - 0.1}
    ranking = sg.rank(scores, equal_within=0.01)
    equal, *others = ranking.equivalence
    assert (equal.a, equal.b) == ("A", "B")
    assert equal.p_holm < 0.01
    assert equal.bayesian.equal > 0.99
    assert all(pair.p == 1 and pair.bayesian.a > 0.99 for pair in others)
    text = ranking.details
    assert "Holm's correction over 3 pairs)? Yes: A and B (p = 0.0007)." in text
    assert text.splitlines()[-3].split() == ["A,", "B", "0.000", "1.000", "0.000"]
    written = json.loads(json.dumps(ranking.to_dict(), allow_nan=False))
    assert written["equivalence"][0]["p_equal"] == equal.bayesian.equal
    losses = sg.rank(
        {name: -np.array(column) for name, column in scores.items()},
        lower_is_better=True,
        equal_within=0.01,
    )
    assert losses.equivalence == ranking.equivalence
    with_control = sg.rank(scores, equal_within=0.01, control="C")
    assert [(pair.a, pair.b) for pair in with_control.equivalence] == [("A", "C"), ("B", "C")]
    assert "over 2 pairs)? Not shown for any pair." in with_control.details
    few = sg.rank([[1.0, 1.0]] * 3 + [[1.0, 1.001]], equal_within=0.1)
    assert "over 1 pair)? Too few streams" in few.details
    with pytest.raises(sg.UsageError, match="equivalence: no margin; give one"):
        _ = sg.rank(scores).equivalence


def test_nemenyi_p_values_agree_with_the_critical_difference() -> None:
    ranking = sg.rank(tenet.TABLE_III, names=tenet.LEARNERS)
    ranks = ranking.average_ranks
    for (a, b), p in ranking.nemenyi.items():
        assert (p < 0.05) == (abs(ranks[a] - ranks[b]) > ranking.critical_difference)
    for pair in ranking.holm_wilcoxon:
        a, b = (tenet.TABLE_III[:, tenet.LEARNERS.index(name)] for name in (pair.a, pair.b))
        exact = [Fraction(str(x)) - Fraction(str(y)) for x, y in zip(a, b, strict=True)]
        expected = 2 * min(oracle.signed_rank_p(exact))  # the printed differences tie
        assert pair.p == pytest.approx(min(1, float(expected)))
    assert max(p.p_holm for p in ranking.holm_wilcoxon) <= 1


def test_missing_scores_raise_drop_or_rank_last() -> None:
    holes = tenet.TABLE_III.copy()
    holes[2, 1] = holes[2, 3] = np.nan
    with pytest.raises(sg.InputError, match=r"no score of ARF on stream 3 \(2 of 30 are missing\)"):
        sg.rank(holes, names=tenet.LEARNERS)
    dropped = sg.rank(holes, names=tenet.LEARNERS, missing="drop")
    whole = np.delete(tenet.TABLE_III, 2, axis=0)
    assert dropped.average_ranks == sg.rank(whole, names=tenet.LEARNERS).average_ranks
    assert dropped.dropped == {"stream 3": ("ARF", "SWT ARF")}
    assert "Left out: stream 3, without a score of ARF and SWT ARF." in dropped.details
    worst = sg.rank(holes, names=tenet.LEARNERS, missing="worst")
    assert worst.ranks[2].tolist() == [3, 4.5, 2, 4.5, 1]
    assert "Holm" not in worst.details
    assert "No score of ARF on stream 3: ranked last there." in worst.details
    with pytest.raises(sg.UsageError, match="Wilcoxon's test needs every score"):
        _ = worst.holm_wilcoxon
    json.dumps(worst.to_dict(), allow_nan=False)
    with pytest.raises(sg.InputError, match="streams without a missing score: 0"):
        sg.rank([[1, np.nan], [np.nan, 2]], missing="drop")


def test_diagram_shows_ranks_groups_and_what_the_tests_say() -> None:
    names = ["a & b", "<tree>", "SWT HAT", "SWT ARF", "cLSTM"]
    ranking = sg.rank(tenet.TABLE_III, names=names)
    chart = ranking.plot()
    words = {row["text"] for row in rows_with(chart, "x", "y", "text")}
    assert {"CD = 2.49", "cLSTM  1.67", "4.33  a & b"} <= words
    bars = [each for each in units(chart.to_dict()) if each["mark"].get("strokeWidth") == 4]
    (joined,) = [chart.to_dict()["datasets"][each["data"]["name"]] for each in bars]
    assert len(joined) == len(ranking.groups) == 2
    assert "cLSTM ranks first, clearly ahead of a & b" in caption(chart)
    assert ranking.friedman_text in caption(chart)
