"""The Bayesian signed-rank test with a region of practical equivalence (benavoli2017).

The posterior of the distribution of differences is a Dirichlet process: random weights of the
observed differences and of one prior difference of 0. In one draw of the weights a region (A
better, equivalent, B better) weighs as much as the pairs of differences whose mean lies in it.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from streamgauge._support.types import Floats

_PRIOR = 0.5  # weight of the prior difference; an observed one has 1
_DRAWS = 50_000


class Probabilities(NamedTuple):
    """The probability that A is better, that both are equivalent, and that B is better."""

    a: float
    equal: float
    b: float


@lru_cache(maxsize=1)  # several rankings of one experiment have as many streams
def draw_weights(n: int) -> Floats:
    """Posterior weights of the prior difference and n observed ones, one draw a row."""
    random = np.random.default_rng(0)
    return np.asarray(random.dirichlet([_PRIOR] + [1.0] * n, _DRAWS))


def posterior(differences: Floats, margin: float, weights: Floats) -> Probabilities:
    """How often each region is the most probable; positive differences favour A.

    >>> weights = draw_weights(1)
    >>> p = posterior(np.array([5.0]), 1.0, weights)  # P(A) = P(w0² < 1/2), w0 ~ Beta(1/2, 1)
    >>> abs(p.a - 0.5**0.25) < 0.01, p.b
    (True, 0.0)
    """
    values = np.concatenate([[0.0], differences])
    means = (values[:, None] + values) / 2
    inside = np.abs(means) <= margin * (1 + 1e-9)
    regions = (~inside & (means > 0), inside, ~inside & (means < 0))
    mass = np.stack([((weights @ region) * weights).sum(axis=1) for region in regions])
    first = mass.argmax(axis=0)
    a, equal, b = (float((first == i).mean()) for i in range(3))
    return Probabilities(a, equal, b)
