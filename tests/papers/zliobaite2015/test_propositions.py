"""Proposition 8 on labels: which error rates make errors independent."""

from __future__ import annotations

import numpy as np
import pytest

import streamgauge as sg
from streamgauge.papers.zliobaite2015.propositions import _dependence_at, _printed_rates


@pytest.fixture(scope="module")
def profile() -> sg.Profile:
    rng = np.random.default_rng(1)
    labels = [0]
    for stays in rng.random(20_000):  # P(0|0) = 0.9, P(1|1) = 0.7: priors 0.75 and 0.25
        labels.append(labels[-1] if stays < (0.9, 0.7)[labels[-1]] else 1 - labels[-1])
    return sg.inspect(sg.from_arrays(np.zeros((len(labels), 1)), labels), progress=False)


def test_equal_error_rates_give_independent_errors(profile: sg.Profile) -> None:
    assert _dependence_at(profile, lambda _: np.full(2, 0.3)) == pytest.approx(0, abs=1e-9)


def test_rates_in_the_printed_ratio_do_not(profile: sg.Profile) -> None:
    """Errors' covariance is (e_A − e_B)² λ P(A) P(B): zero only for equal rates."""
    rates = _printed_rates(profile)
    stays, prior = profile.stays, profile.prior
    ratio = (stays[1] - prior[1]) / (stays[0] - prior[0])
    assert rates[0] / rates[1] == pytest.approx(ratio)
    assert rates.max() == 1.0  # the smaller one would be 0.5, but the other is three times it
    found = _dependence_at(profile, _printed_rates)
    rate = float(prior @ rates)
    eigenvalue = stays.sum() - 1
    expected = (rates[0] - rates[1]) ** 2 * eigenvalue * prior.prod() / (rate * (1 - rate))
    assert found == pytest.approx(expected * np.sqrt(profile.labelled) / 2.576, rel=0.01)
    assert found > 1
