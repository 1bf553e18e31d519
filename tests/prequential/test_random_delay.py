"""Random delays: their distributions, seeds and time-outs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import stats

import streamgauge as sg
from streamgauge._support.call_parser import build
from streamgauge._support.errors import UsageError
from streamgauge._support.types import Longs
from streamgauge.prequential.random_delay import RandomDelay
from streamgauge.testing import check_label_policy
from tests.prequential.agenda_cases import block_of, write

ROWS = 50_000


def waits(policy: RandomDelay, rows: int = ROWS) -> Longs:
    return policy.timetable(block_of(rows)).revealed - np.arange(rows)


@pytest.mark.parametrize(
    ("text", "cdf"),
    [
        ("geometric(0.1)", stats.geom(0.1).cdf),
        ("geometric(1)", lambda w: w >= 1),
        ("poisson(30)", stats.poisson(30).cdf),
        ("uniform(5, 20)", stats.randint(5, 21).cdf),
        ("exponential(40)", stats.expon(scale=40).cdf),
        ("lognormal(3, 1)", stats.lognorm(1, scale=np.exp(3)).cdf),
        ("lognormal(3, 0)", lambda w: w >= np.exp(3)),
    ],
)
def test_waits_follow_the_distribution_rounded_up_to_whole_rows(text: str, cdf: Any) -> None:
    """P(wait <= w) of a wait rounded up is that of the distribution itself, for w = 1, 2, …"""
    drawn = waits(RandomDelay(text, seed=2))
    w = np.arange(1, 201)
    found = np.searchsorted(np.sort(drawn), w, side="right") / ROWS
    assert drawn.min() >= 1
    assert np.abs(found - cdf(w)).max() < 1.95 / np.sqrt(ROWS)  # Kolmogorov's bound at 0.001


def test_observed_waits_are_drawn_equally_often() -> None:
    drawn = waits(RandomDelay([2, 7, 7, 300], seed=1))
    values, counts = np.unique(drawn, return_counts=True)
    assert values.tolist() == [2, 7, 300]
    assert np.abs(counts / ROWS - [0.25, 0.5, 0.25]).max() < 4 * 0.5 / np.sqrt(ROWS)


@pytest.mark.parametrize(
    "policy",
    [
        RandomDelay("geometric(0.2)"),
        RandomDelay("lognormal(2, 2)", seed=7, timeout=40),
        RandomDelay([1, 2, 30], seed=4),
    ],
    ids=repr,
)
def test_keeps_every_promise_of_a_label_policy(policy: RandomDelay) -> None:
    check_label_policy(policy)
    assert build(repr(policy), "label policy") == policy


def test_label_more_than_the_timeout_late_never_comes() -> None:
    policy = RandomDelay([2, 5, 40], seed=1, timeout=5)
    late = waits(policy, 300)
    revealed = {row for op, row in write(policy, block_of(300), [120]) if op == "L"}
    assert revealed == set(np.flatnonzero(late <= 5).tolist())
    run = sg.evaluate(sg.SEA(300, seed=1), sg.NaiveBayes(), labels=policy)
    assert (run.counts.scored, run.counts.unlabelled) == (len(revealed), 300 - len(revealed))


def test_without_a_seed_the_runs_seed_decides() -> None:
    stream = sg.SEA(300, seed=1)

    def run(policy: RandomDelay, seed: int) -> sg.Run:
        return sg.evaluate(stream, sg.NaiveBayes(), labels=policy, seed=seed)

    free, fixed = RandomDelay("poisson(30)"), RandomDelay("poisson(30)", seed=5)
    assert run(free, 5).settings.labels == "RandomDelay('poisson(30)', seed=5)"
    assert run(free, 5).predictions.equals(run(fixed, 9).predictions)
    assert not run(free, 6).predictions.equals(run(free, 5).predictions)
    inside = sg.evaluate(
        stream, sg.NaiveBayes(), labels=sg.Sampled(0.5, labels=free), seed=8
    ).settings.labels
    assert inside == "Sampled(0.5, seed=8, labels=RandomDelay('poisson(30)', seed=8))"


def test_many_observed_waits_are_shown_by_a_hash_of_them() -> None:
    many = list(range(1, 101))
    assert repr(RandomDelay(many)).startswith("RandomDelay(<100 waits, sha256 ")
    assert repr(RandomDelay(many)) == repr(RandomDelay(np.array(many)))
    assert repr(RandomDelay(many)) != repr(RandomDelay(many[::-1]))


@pytest.mark.parametrize(
    ("given", "match"),
    [
        ("gaussian(3)", "'gaussian\\(3\\)' is not a distribution of waits: .*expected one of geom"),
        ("geometric(0)", "geometric\\(0\\): expected a probability, 0 < p <= 1"),
        ("geometric(1.5)", "expected a probability"),
        ("poisson(-1)", "expected a mean above 0"),
        ("poisson(1e9)", "at most 1,000,000"),
        ("uniform(0, 5)", "1 <= low <= high"),
        ("uniform(5, 2)", "1 <= low <= high"),
        ("uniform(1.5, 2)", "whole numbers"),
        ("exponential(0)", "a mean above 0"),
        ("lognormal(3, -1)", "sigma 0 or more"),
        ("lognormal('x', 1)", "expected numbers"),
        ("lognormal(3)", "missing 1 required positional argument"),
        ("", "is not a distribution of waits"),
        ([], "expected a distribution such as 'geometric"),
        ([1, 0], "each 1 or more"),
        ([1.5], "in whole rows"),
        ([[1], [2]], "a list of observed waits"),
        (7, "a list of observed waits"),
    ],
)
def test_invalid_distributions_are_refused(given: Any, match: str) -> None:
    with pytest.raises(UsageError, match=match):
        RandomDelay(given)


@pytest.mark.parametrize(
    ("wrong", "match"),
    [
        ({"seed": -1}, "expected an integer, 0 or more"),
        ({"timeout": 0}, "timeout=0\\): expected at least one row"),
        ({"timeout": 2.5}, "timeout"),
    ],
)
def test_invalid_options_are_refused(wrong: dict[str, Any], match: str) -> None:
    with pytest.raises(UsageError, match=match):
        RandomDelay("poisson(3)", **wrong)
