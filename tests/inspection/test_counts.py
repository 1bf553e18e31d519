"""The tests of counted labels against the oracle: independence, the last label, what to beat."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import streamgauge as sg
from tests.inspection.test_profile import LABELS, RUNS, close, label_stream, regression_stream
from tests.oracles import inspection, references
from tests.oracles import inspection_claims as oracle
from tests.oracles.verdict import batch_means_rule


def some_chain(seed: int, rows: int, k: int, stay: float) -> list[int]:
    """Labels that stay with a probability, else are drawn by shares that fall; a few missing."""
    random = np.random.default_rng(seed)
    shares = 0.6 ** np.arange(k)
    y = random.choice(k, rows, p=shares / shares.sum())
    for t in np.flatnonzero(random.random(rows) < stay):
        y[t] = y[t - 1] if t else y[t]
    y[random.random(rows) < 0.02] = -1
    return [int(label) for label in y]


CHAINS = st.builds(
    some_chain,
    st.integers(0, 10_000),
    st.integers(100, 900),
    st.integers(2, 7),
    st.sampled_from([0.0, 0.1, 0.3, 0.9]),
)


@given(LABELS | RUNS | CHAINS)
def test_independence_matches_oracle(y: list[int]) -> None:
    found = sg.inspect(label_stream(y, 7)).independence
    chi2, freedom, p, exact = oracle.independence(y)
    assert found.chi2 == close(chi2)
    assert (found.freedom, found.exact) == (freedom, exact)
    assert found.p == pytest.approx(p, rel=1e-7, abs=1e-12, nan_ok=True)


def test_many_rare_classes_keep_many_cells() -> None:
    """The two rarest are merged, so the groups stay of one size and a cycle is seen."""
    y = list(range(24)) * 40
    found = sg.inspect(label_stream(y, 24)).independence
    assert found.freedom > 50
    assert found.p < 1e-9


@given(LABELS | RUNS | CHAINS)
def test_last_label_matches_oracle(y: list[int]) -> None:
    profile = sg.inspect(label_stream(y, 7))
    p = oracle.last_label(y, 7)
    assert profile.last_label.p == pytest.approx(p, rel=1e-7, abs=1e-12, nan_ok=True)
    assert profile.worth_using == (p < 0.01)


@given(CHAINS)
def test_reference_to_beat_matches_oracle(y: list[int]) -> None:
    profile = sg.inspect(label_stream(y, 7))
    hits = [hits_of(name, y) for name in ("majority", "persistent", "transition", "seasonal")]
    expected = list(profile.references)[oracle.to_beat(hits, oracle.last_label(y, 7) < 0.01)]
    assert profile.to_beat == expected


def hits_of(name: str, y: list[int]) -> list[int]:
    """Whether a reference, by its oracle, is right on each labelled row."""
    rows = [t for t, label in enumerate(y) if label >= 0]
    if name == "seasonal":  # its lags count rows without a label too
        events = [event for t in range(len(y)) for event in (("P", t), ("L", t))[: 1 + (y[t] >= 0)]]
        found = references.seasonal(events, y)
        return [int(found[t] == y[t]) for t in rows]
    labels = inspection.known(y)
    events = [event for t in range(len(labels)) for event in (("P", t), ("L", t))]
    answers = references.predictions(name, events, labels, 7)
    return [int(answers[t] == label) for t, label in enumerate(labels)]


@pytest.mark.parametrize("rows", [4, 60, 299, 300, 700])
def test_cycle_is_to_beat_by_its_successor(rows: int) -> None:
    """Below 300 rows the test of the verdict says nothing, and the binomial test decides."""
    profile = sg.inspect(label_stream(np.resize([0, 1], rows).tolist(), 2))
    assert profile.worth_using == (rows >= 60)
    assert profile.to_beat == ("Transition" if rows >= 60 else "Majority")


@pytest.mark.parametrize("phi", [0.0, 0.5, 0.95])
def test_last_value_is_worth_using_if_it_beats_the_mean(phi: float) -> None:
    noise = np.random.default_rng(4).normal(size=3000)
    y = np.zeros(3000)
    for t in range(1, 3000):
        y[t] = phi * y[t - 1] + noise[t]
    profile = sg.inspect(regression_stream(y.tolist()))
    mean = np.cumsum(y)[:-1] / np.arange(1, 3000)
    gains = np.abs(y[1:] - mean) - np.abs(np.diff(y))
    word, t_statistic, _ = batch_means_rule(gains.tolist())
    assert profile.worth_using == (word == "better") == (phi == 0.95)
    test = profile.choice.against["LastValue"]
    assert test.word == word
    assert test.t == pytest.approx(t_statistic, rel=1e-6)


def test_one_class_has_no_test() -> None:
    profile = sg.inspect(label_stream([1] * 400))
    assert math.isnan(profile.independence.p)
    assert math.isnan(profile.last_label.p)
    assert profile.to_beat == "Majority"
