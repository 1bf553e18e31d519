"""The report of a comparison."""

from __future__ import annotations

import json
import math
import warnings
from typing import Any

import numpy as np
import pytest

import streamgauge as sg
from streamgauge._support.types import Floats
from tests.oracles import verdict as oracle

STREAM = sg.SEA(3000, seed=1, noise=0.1)


@pytest.fixture(scope="module")
def runs() -> sg.Runs:
    return sg.evaluate(STREAM, [sg.NaiveBayes(), sg.Majority(), sg.HoeffdingTree()])


def test_report_states_answer_and_tests(runs: sg.Runs) -> None:
    pair = sg.compare(runs[0], runs[1], forget=[sg.Cumulative(), sg.Fading(0.99)])
    assert pair.better == "NaiveBayes"
    a, b = pair.pair.losses.mean(axis=1)
    answer, batches, anytime, now, mcnemar = pair.details.split("\n\n")[1].splitlines()
    low, high = pair.batch_means.interval(0.99)
    assert answer == (
        f"NaiveBayes is better than Majority: error rate {100 * a:.2f} % against {100 * b:.2f} %, "
        f"a loss lower by {-100 * high:.2f} to {-100 * low:.2f} percentage points."
    )
    assert anytime == (
        "Anytime bounds (99 %, on these rows, however often you look): the loss of NaiveBayes is "
        "lower by "
        f"{-100 * pair.anytime.high[-1]:.2f} to {-100 * pair.anytime.low[-1]:.2f} percentage "
        "points."
    )
    word, t, freedom = oracle.batch_means_rule(pair.pair.difference.tolist(), bound=1.0)
    assert pair.batch_means.t == pytest.approx(t)
    assert (pair.batch_means.word, pair.batch_means.freedom) == (word, freedom)
    assert batches == (
        "Batch means, which allow for differences that come in runs, at the end: NaiveBayes is "
        f"better (t = {t:.1f}, {freedom + 1} batches of 54 rows).".replace("-", "−")
    )
    low, high = pair.now().low[-1], pair.now().high[-1]
    assert now == (
        "Now, on the last 1,000 rows (anytime bounds that start again every 1,000): the loss of "
        f"NaiveBayes is lower by {-100 * high:.2f} to {-100 * low:.2f} percentage points."
    )
    assert mcnemar.startswith(
        "McNemar's test, which assumes independent rows, under Cumulative(): M = −"
    )
    assert "significant beyond ± 6.635" in mcnemar
    assert "positive values favour B" in pair.details
    assert sg.compare(runs[1], runs[0]).answer == "B"


def test_report_of_identical_participants(runs: sg.Runs) -> None:
    pair = sg.compare(runs[0], runs[0])
    assert pair.names == ("NaiveBayes", "NaiveBayes #2")
    assert pair.answer == "neither"
    assert pair.better is None
    assert pair.summary["q"] == 0
    assert (pair.summary["mcnemar"], pair.summary["p"]) == (0, 1)
    assert math.isnan(pair.batch_means.t)
    assert math.isnan(pair.autocorrelation)
    assert pair.anytime.low[-1] < 0 < pair.anytime.high[-1]
    assert [s.better for s in pair.stretches] == [None]
    assert "NaiveBayes and NaiveBayes #2 never differ" in pair.details
    json.dumps(pair.to_dict(), allow_nan=False)


def test_report_of_one_row() -> None:
    pair = sg.compare(["x"], ["y"], y=["x"])
    assert pair.answer == "neither"
    assert pair.batch_means.word == "too few rows to say"
    assert pair.details.splitlines()[2].startswith("Too few rows to say whether A or B is better: ")


def given(d: Floats, **options: Any) -> sg.Comparison:
    """A comparison of two columns of losses with these differences."""
    pair = sg.compare(np.maximum(d, 0), np.maximum(-d, 0), loss="given", bound=1, **options)
    assert isinstance(pair, sg.Comparison)
    return pair


def test_vacuous_bounds_do_not_overrule_the_batch_means() -> None:
    """Labels come 48 rows late: the bounds exclude nothing, but the batch means are clear."""
    d = np.random.default_rng(1).choice([-1.0, 0.0, 1.0], 10_000, p=[0.05, 0.85, 0.1])
    pair = given(d, wait=48)
    assert pair.anytime.sign == 0
    assert (pair.answer, pair.batch_means.word) == ("B", "better")
    answer, batches, anytime, *_ = pair.details.split("\n\n")[1].splitlines()
    assert answer.startswith("B is better than A: mean loss ")
    assert "at the end: B is better (t = +" in batches
    assert "too wide to decide" in anytime
    assert anytime.endswith("(labels come up to 48 rows late).")
    assert given(d).anytime.sign == 1
    assert "however often you look): the loss of B is lower by 0.0" in given(d).details


def test_no_bounds_leave_the_answer_to_the_end() -> None:
    d = np.random.default_rng(1).choice([-1.0, 0.0, 1.0], 4000, p=[0.05, 0.8, 0.15])
    pair = sg.compare(np.maximum(d, 0), np.maximum(-d, 0), loss="given")
    assert pair.answer == "B"
    assert pair.why_not_anytime is not None
    assert f"No anytime bounds: {pair.why_not_anytime}." in pair.details


def test_open_states_the_fact_and_its_limit() -> None:
    d = np.repeat([-1.0, 0.0, 1.0, 1.0, 0.0, -1.0, 1.0, 1.0], 500)
    pair = given(d)
    assert (pair.answer, pair.better) == ("neither", None)
    assert (pair.batch_means.word, pair.batch_means.dependent) == ("open", True)
    low, high = pair.batch_means.interval(0.99)
    assert pair.details.splitlines()[2] == (
        "Open: B had a smaller loss than A on these rows: mean loss 0.25 against 0.5, in 5 of 10 "
        f"parts of the stream, equal in 2, a loss lower by {low:.4g} to {high:.4g}; their "
        "differences depend on each other over about 130 rows or more, so these rows do not show "
        "whether that would hold on more of the same."
    ).replace("-", "−")
    equal = given(np.repeat([-1.0, 1.0], 500)).details
    assert "A and B were equal on these rows: mean loss 0.5 against 0.5, a loss" in equal


def test_equal_within_is_answered_in_words() -> None:
    random = np.random.default_rng(1)
    d = random.choice([-1.0, 0.0, 1.0], 40_000, p=[0.02, 0.96, 0.02])
    wide = given(d, equal_within=0.05)
    assert wide.equivalent is True
    assert "A and B are equal within ± 0.05: the 99 % interval of the batch means" in wide.details
    none = given(d, equal_within=0.0001)
    assert none.equivalent is False
    assert "A and B are not shown to be equal within ± 0.0001: the 99 % interval" in none.details
    assert given(d).equivalent is None
    assert " equal " not in given(d).details
    assert "no interval of the batch means" in given(d[:100], equal_within=0.01).details
    y = [0, 1] * 500
    text = sg.compare(y, y, y=y, equal_within=0.01).details
    assert "equal within ± 1 percentage point on these rows: they never differ" in text


def test_better_and_equal_do_not_exclude_each_other() -> None:
    """A clear difference may be too small to matter."""
    d = np.random.default_rng(1).choice([-1.0, 0.0, 1.0], 40_000, p=[0.01, 0.97, 0.02])
    pair = given(d, equal_within=0.03)
    assert (pair.answer, pair.equivalent) == ("B", True)


def test_losses_whose_sum_overflows_are_shown_without_a_warning() -> None:
    y = np.where(np.arange(300) % 7 < 3, 1.7e308, 5e-324)
    stream = sg.from_arrays(np.zeros((300, 1)), y, task="regression")
    first, second = sg.evaluate(stream, ["Mean", "LastValue"])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        pair = sg.compare(first, second)
        assert "mean loss" in pair.details
        assert np.isnan(pair.autocorrelation)
