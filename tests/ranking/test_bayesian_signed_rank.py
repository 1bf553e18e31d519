"""The Bayesian signed-rank test against closed forms and an oracle with loops."""

from __future__ import annotations

import numpy as np
import pytest

from streamgauge.ranking._bayesian_signed_rank import draw_weights, posterior
from tests.oracles import ranking as oracle


def test_one_difference_has_a_closed_form() -> None:
    """w0 ~ Beta(1/2, 1), so that P(w0 < x) = √x."""
    weights = draw_weights(1)
    error = 4 * 0.5 / np.sqrt(len(weights))
    far = posterior(np.array([5.0]), 1.0, weights)  # A unless w0² > 1/2
    assert far.a == pytest.approx(0.5**0.25, abs=error)
    assert far.b == 0
    near = posterior(np.array([-1.5]), 1.0, weights)  # B only if (1 - w0)² > 1/2
    assert near.b == pytest.approx(np.sqrt(1 - 0.5**0.5), abs=error)
    assert near.equal == pytest.approx(1 - near.b)
    assert posterior(np.array([1.0]), 1.0, weights) == (0.0, 1.0, 0.0)  # the border is inside


@pytest.mark.parametrize(
    "differences",
    [
        [0.02, -0.01, 0.03, 0.05, 0.0, 0.015],
        [0.004, -0.002, 0.001, 0.012, -0.011],
        [-0.2, -0.1, 0.3, -0.02],
    ],
)
def test_probabilities_match_oracle(differences: list[float]) -> None:
    found = posterior(np.array(differences), 0.01, draw_weights(len(differences)))
    expected = oracle.bayesian(differences, 0.01, 4000, seed=1)
    assert found == pytest.approx(expected, abs=4 * 0.5 / np.sqrt(4000))
    assert sum(found) == pytest.approx(1)
    turned = posterior(-np.array(differences), 0.01, draw_weights(len(differences)))
    assert (turned.a, turned.equal, turned.b) == (found.b, found.equal, found.a)


def test_many_small_differences_are_equivalent_and_large_ones_are_not() -> None:
    random = np.random.default_rng(1)
    weights = draw_weights(20)
    assert posterior(random.normal(0, 0.002, 20), 0.01, weights).equal > 0.999
    assert posterior(random.normal(0.1, 0.02, 20), 0.01, weights).a > 0.999
