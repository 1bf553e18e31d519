"""The anytime confidence sequence: bounds on the mean loss difference, valid at every row.

Howard, Ramdas, McAuliffe and Sekhon (2021), Theorem 4, with their gamma-exponential mixture; Choe
and Ramdas (2023) compare forecasters with it. For differences d_i in [-B, B] and any guesses g_i
made before d_i is known, with probability 1 - alpha for all t together

    | mean of d_1..d_t - mean of E[d_i | what was known] |  <=  u(V_t) / t,   V_t = Σ (d_i - g_i)²

where m(u, V_t) = 2 / alpha and m is a mixture of exp(λs - ψ(λ)v) over bets λ in [0, 1/c), c = 2B.
The rows need be neither independent nor identically distributed. (The library `confseq` has the
same bound, but needs a C++ build with Boost.)

If labels come late, d_i is unknown when the next row is predicted, and the argument fails. It holds
again for every `wait`-th row, so each of these interleaved subsequences gets its own bound at
alpha / wait, and the bounds add up.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from scipy.special import gammainc, gammaln

from streamgauge._support.jit import kernel
from streamgauge._support.types import Floats, Longs

_TIGHTEST_AT = 1000.0  # Σ d² at which the bound is tightest; elsewhere it is nearly so
_NEWTON_STEPS = 60
_CLOSE = 1e-10


@dataclass(frozen=True)
class Anytime:
    """Bounds on the mean loss difference (A minus B) expected before each row, after `rows` rows.

    All `low` and `high` hold together with probability `confidence`. Values above 0 favour B.
    """

    confidence: float
    wait: int  # number of subsequences; 1 if labels are immediate
    rows: Longs = field(repr=False)
    mean: Floats = field(repr=False)
    low: Floats = field(repr=False)
    high: Floats = field(repr=False)

    @property
    def sign(self) -> int:
        """At the end: 1 if B is better, -1 if A is, 0 if neither is clearly better."""
        return int(self.low[-1] > 0) - int(self.high[-1] < 0)

    @property
    def first_clear(self) -> int | None:
        """The row count of the first point at which one was clearly better; None if never."""
        clear = (self.low > 0) | (self.high < 0)
        return int(self.rows[np.argmax(clear)]) if clear.any() else None


@kernel
def _add_up(
    difference: Floats,
    places: Longs,
    cuts: Longs,
    count: Floats,
    total: Floats,
    spread: Floats,
    means: Floats,
    spreads: Floats,
) -> None:
    """Σ (d − g)² of each subsequence after each cut; g is its mean so far, started with one 0."""
    total_so_far = 0.0
    row = 0
    for cut in range(len(cuts)):
        for i in range(row, cuts[cut]):
            d, place = difference[i], places[i]
            guess = total[place] / (count[place] + 1.0)
            spread[place] += (d - guess) ** 2
            count[place] += 1.0
            total[place] += d
            total_so_far += d
        row = cuts[cut]
        means[cut] = total_so_far / row
        spreads[cut] = spread


def confidence_sequence(
    difference: Floats,
    ids: Longs,
    cuts: Longs,
    bound: float,
    wait: int = 1,
    confidence: float = 0.99,
) -> Anytime:
    """The bounds after each of `cuts` rows; `ids` are row numbers, which define subsequences."""
    means, spreads = np.empty(len(cuts)), np.empty((len(cuts), wait))
    count, total, spread = np.zeros((3, wait))
    _add_up(difference, ids % wait, cuts, count, total, spread, means, spreads)
    scale = 2 * bound
    level = math.log(2 * wait / (1 - confidence))
    rho = rho_for(wait, level)
    reach = scale * boundary(spreads / scale**2, rho, level).sum(axis=1) / cuts
    return Anytime(
        confidence,
        wait,
        cuts,
        means,
        np.maximum(means - reach, -bound),
        np.minimum(means + reach, bound),
    )


def sums_along(difference: Floats) -> tuple[Floats, Floats]:
    """Σ d and Σ (d − g)² after every row, if labels are immediate."""
    every = np.arange(1, len(difference) + 1)
    means, spreads = np.empty(len(every)), np.empty((len(every), 1))
    count, total, spread = np.zeros((3, 1))
    _add_up(difference, np.zeros_like(every), every, count, total, spread, means, spreads)
    return means * every, spreads[:, 0]


def rho_for(wait: int, level: float) -> float:
    """The parameter of the mixture at which the boundary is tightest around `_TIGHTEST_AT`."""
    spread = _TIGHTEST_AT / 4 / wait
    return max(1e-3, spread / (2 * level + math.log(1 + 2 * level)))


def log_mixture(s: Floats, v: Floats, rho: float) -> Floats:
    """ln of the mixture of exp(λs − ψ(λ)v), ψ(λ) = −ln(1−λ) − λ, over bets λ in [0, 1).

    1 − λ follows a Gamma(rho, rho) distribution truncated at 1; s >= 0, in units of the scale.
    """
    v = v + rho
    start = rho * math.log(rho) - gammaln(rho) - np.log(gammainc(rho, rho))
    late = gammaln(v) + np.log(gammainc(v, s + v)) - v * np.log(s + v)
    return np.asarray(start + late + s + v - rho)


def boundary(v: Floats, rho: float, level: float) -> Floats:
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
