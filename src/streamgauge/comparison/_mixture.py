"""The gamma-exponential mixture of Howard et al. (2021), and the boundary where it reaches a level.

(The library `confseq` has the same boundary, but needs a C++ build with Boost.)
"""

from __future__ import annotations

import math

import numpy as np
from scipy.special import gammainc, gammaln

from streamgauge._support.types import Floats

_NEWTON_STEPS = 60
_CLOSE = 1e-10


def rho_for(v: float, level: float) -> float:
    """The parameter of the mixture at which the boundary is tightest around `v`."""
    return v / (2 * level + math.log(1 + 2 * level))


def log_mixture(s: Floats, v: Floats, rho: float) -> Floats:
    """ln of the mixture of exp(λs − ψ(λ)v), ψ(λ) = −ln(1−λ) − λ, over bets λ in [0, 1).

    1 − λ follows a Gamma(rho, rho) distribution truncated at 1; s >= 0, in units of the scale.
    """
    v = v + rho
    start = rho * math.log(rho) - gammaln(rho) - np.log(gammainc(rho, rho))
    late = gammaln(v) + np.log(gammainc(v, s + v)) - v * np.log(s + v)
    return np.asarray(start + late + s + v - rho)


def boundary(v: Floats, rho: float, level: float | Floats) -> Floats:
    """The s >= 0 at which the mixture reaches e^level, by Newton's method.

    ln m is convex and increasing in s: the first step overshoots the root, and every later step
    approaches it from above.
    """
    s = np.sqrt(2 * (v + rho) * level)
    for _ in range(_NEWTON_STEPS):
        a = v + rho
        # d/ds ln P(a, x) is the gamma density at x divided by P.
        density = np.exp((a - 1) * np.log(s + a) - s - a - gammaln(a)) / gammainc(a, s + a)
        step = (log_mixture(s, v, rho) - level) / (s / (s + a) + density)
        s = np.maximum(s - step, 0.0)
        if (np.abs(step) <= _CLOSE * (1 + s)).all():
            break
    return np.asarray(s)
