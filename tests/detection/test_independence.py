"""The test of independence of errors."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import streamgauge as sg
from streamgauge.detection._independence import dependence_of
from tests.oracles import alarms as oracle


@given(
    st.lists(st.sampled_from([0.0, 1.0, 0.5]), max_size=30),
    st.lists(st.integers(-2, 32), max_size=3),
)
def test_autocorrelation_matches_oracle(errors: list[float], cuts: list[int]) -> None:
    found = dependence_of(np.array(errors), cuts).autocorrelation
    np.testing.assert_allclose(found, oracle.autocorrelation(errors, cuts), atol=1e-12)


def test_dependent_errors_give_a_warning() -> None:
    """Errors in runs are warned of; independent ones are not, even where a drift changes their
    rate."""
    random = np.random.default_rng(1)
    rate = np.repeat([0.1, 0.6], 5_000)
    free = (random.random(10_000) < rate).astype(float)
    in_runs = np.repeat(free[::10], 10)
    alarms = [5_100]
    assert "independent" not in str(sg.score_detectors(alarms, [5_000], 10_000, errors=free))
    card = sg.score_detectors(alarms, [5_000], 10_000, errors=in_runs)
    assert card.dependence.autocorrelation > 0.8
    assert "Errors are not independent: one follows another more often" in str(card)
    assert "Proposition 8" in str(card)
    in_turns = np.arange(1_000) % 2.0
    assert "less often" in str(sg.score_detectors([5], [], 1_000, errors=in_turns))
    of_runs = sg.score_detectors([alarms, alarms], [5_000], 10_000, errors=[in_runs, free])
    assert of_runs.dependence.pairs == 2 * 9_998
    assert 0.3 < of_runs.dependence.autocorrelation < 0.7
    nothing = sg.score_detectors([5], [], 10, errors=np.zeros(10)).dependence
    assert math.isnan(nothing.autocorrelation)
    assert not nothing.fails
