"""The test of independence of errors."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import streamgauge as sg
from streamgauge.detection.independence import dependence_of
from tests.oracles import alarms as oracle


@given(
    st.lists(st.sampled_from([0.0, 1.0, 0.5]), max_size=30),
    st.lists(st.integers(-2, 32), max_size=3),
)
def test_autocorrelation_matches_oracle(errors: list[float], cuts: list[int]) -> None:
    found = dependence_of(np.array(errors), cuts).autocorrelation
    np.testing.assert_allclose(found, oracle.autocorrelation(errors, cuts), atol=1e-12)


@given(
    st.lists(st.sampled_from([0.0, 1.0, 0.5]), min_size=1, max_size=8),
    st.lists(st.integers(-2, 8), max_size=1),
)
def test_p_is_that_of_all_orders(errors: list[float], cuts: list[int]) -> None:
    """Exact: every order of the rows of a concept is as likely as any other."""
    found = dependence_of(np.array(errors), cuts).p
    np.testing.assert_allclose(found, oracle.runs_p(errors, cuts), atol=1e-9)


def test_p_of_many_rows_is_nearly_exact(monkeypatch: pytest.MonkeyPatch) -> None:
    errors = (np.random.default_rng(5).random(4_000) < 0.3).astype(float)
    exact = dependence_of(errors, [1_000]).p
    monkeypatch.setattr("streamgauge.detection.independence._EXACT", 0)
    assert dependence_of(errors, [1_000]).p == pytest.approx(exact, abs=0.005)


def test_independent_rows_with_few_errors_are_rarely_called_dependent() -> None:
    """Two errors in a row, of three in 100, are no evidence: a normal margin would say so."""
    errors = np.zeros(100)
    errors[[20, 21, 60]] = 1
    found = dependence_of(errors)
    assert found.autocorrelation > 2.58 / math.sqrt(found.pairs)
    assert found.p > 0.05
    assert not found.fails


def test_dependent_errors_give_a_warning() -> None:
    """Errors in runs are warned of; independent ones are not, even where a drift changes their
    rate."""
    random = np.random.default_rng(1)
    rate = np.repeat([0.1, 0.6], 5_000)
    free = (random.random(10_000) < rate).astype(float)
    in_runs = np.repeat(free[::10], 10)
    alarms = [5_100]
    assert "independent" not in sg.score_detectors(alarms, [5_000], 10_000, errors=free).details
    card = sg.score_detectors(alarms, [5_000], 10_000, errors=in_runs)
    assert card.dependence.autocorrelation > 0.8
    assert "Errors are not independent: one follows another more often" in card.details
    assert "Proposition 8" in card.details
    in_turns = np.arange(1_000) % 2.0
    assert "less often" in sg.score_detectors([5], [], 1_000, errors=in_turns).details
    of_runs = sg.score_detectors([alarms, alarms], [5_000], 10_000, errors=[in_runs, free])
    assert of_runs.dependence.pairs == 2 * 9_998
    assert 0.3 < of_runs.dependence.autocorrelation < 0.7
    nothing = sg.score_detectors([5], [], 10, errors=np.zeros(10)).dependence
    assert math.isnan(nothing.autocorrelation)
    assert not nothing.fails


def test_a_change_of_the_error_rate_is_no_dependence() -> None:
    """Where drifts are unknown, errors are compared within stretches."""
    random = np.random.default_rng(1)
    errors = (random.random(10_000) < np.repeat([0.1, 0.6], 5_000)).astype(float)
    assert dependence_of(errors).fails
    assert not dependence_of(errors, [5_000]).fails
    assert not dependence_of(errors, None).fails
    assert not sg.detect(errors, [sg.DDM()]).dependence.fails
    assert dependence_of(np.repeat(errors[:5_000], 2), None).fails


@given(st.lists(st.sampled_from([0.0, 1.0]), min_size=1, max_size=700))
def test_stretches_are_at_most_twenty_of_a_hundred_rows_or_more(errors: list[float]) -> None:
    stretches = max(1, len(errors) // 100)
    cuts = [len(errors) * i // stretches for i in range(1, stretches)]
    assert dependence_of(np.array(errors), None) == dependence_of(np.array(errors), cuts)
