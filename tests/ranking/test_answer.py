"""The answer of a ranking: who is first and clearly ahead of whom, in lines that fit."""

from __future__ import annotations

import numpy as np

import streamgauge as sg
from tests.widths import LONG, details_fit, fits

CLEAR = np.random.default_rng(1).normal(size=(14, 3)) + np.arange(3) * 9


def test_the_first_and_whom_it_is_ahead_of() -> None:
    ranking = sg.rank(CLEAR, names=["low", "middle", "high"])
    assert isinstance(ranking, sg.Ranking)
    lines = str(ranking).splitlines()
    assert lines[1] == "▲ better: high ranks first, clearly ahead of all others."
    outcomes = {line.split()[0]: line.split("  ")[-1] for line in lines[4:]}
    assert outcomes["low"] == outcomes["middle"] == "▼ worse"


def test_no_clear_difference_and_too_few_streams() -> None:
    alike = sg.rank(np.random.default_rng(2).normal(size=(14, 3)))
    assert str(alike).splitlines()[1].startswith("· no clear difference: ")
    few = sg.rank(CLEAR[:2])
    assert str(few).splitlines()[1].startswith("too few streams to say: ")
    same = sg.rank(np.ones((5, 3)))
    assert str(same).splitlines()[1].startswith("= equal: ")


def test_outcomes_against_a_control() -> None:
    ranking = sg.rank(CLEAR, names=["low", "middle", "high"], control="middle", equal_within=0.1)
    assert "▲ better than middle: high; ▼ worse than middle: low." in str(ranking)
    assert "No pair is shown to be equal within ± 0.1." in str(ranking)
    equal = sg.rank(CLEAR, equal_within=99.0)
    assert "= equal within ± 99: " in str(equal)


def test_what_is_left_out_stays_visible() -> None:
    scores = CLEAR.copy()
    scores[3, 1] = np.nan
    assert "Left out: stream 4" in str(sg.rank(scores, missing="drop"))
    assert "ranked last there" in str(sg.rank(scores, missing="worst"))


def test_streams_under_several_policies_are_counted_once() -> None:
    scores = {
        "stream": [f"s{i}" for i in range(14)] * 2,
        "labels": ["Immediate()"] * 14 + ["Delay(100)"] * 14,
        LONG: [*CLEAR[:, 0], *CLEAR[:, 0]],
        "high": [*CLEAR[:, 1], *CLEAR[:, 1]],
    }
    rankings = sg.rank(scores)
    assert isinstance(rankings, sg.Rankings)
    assert str(rankings).startswith("2 learners · 14 streams under 2 label policies · ")
    assert "Immediate(): ▲ better: high ranks first" in str(rankings)
    fits(rankings)
    details_fit(rankings)


def test_details_keep_the_tests_and_both_fit_the_terminal() -> None:
    names = [LONG, f"{LONG} again", "tree"]
    ranking = sg.rank(CLEAR, names=names, equal_within=0.1)
    assert isinstance(ranking, sg.Ranking)
    facts = [
        f"χ² = {ranking.friedman.chi2:.2f}", f"F = {ranking.iman_davenport.f:.2f}"
        if np.isfinite(ranking.iman_davenport.f) else "F = ∞",
        f"{ranking.critical_difference:.2f}", "Holm–Wilcoxon", "Nemenyi",
        "Bayesian signed-rank test",
    ]  # fmt: skip
    assert [fact for fact in facts if fact not in ranking.details] == []
    fits(ranking)
    details_fit(ranking)
