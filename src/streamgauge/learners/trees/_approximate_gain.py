"""Approximate merits of splits by information gain, to see quickly that a leaf will not split.

Logarithms and normal probabilities are polynomials, for which a processor computes several
thresholds at a time. Their error is below 3e-6 for the logarithm and e = 8e-6 for the probability.
The entropies of k classes after a split then differ by at most 2 e (log2(k / e) + log2(1 / e)),
because |p log p - q log q| <= -|p - q| log |p - q|.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from streamgauge._support.jit import inlined, lean_inner
from streamgauge._support.types import Floats
from streamgauge.learners.trees._nodes import LANES, MAX, MEAN, MIN, WEIGHT

LEAD_ERROR: Final = 2e-3  # largest error of the difference between two merits
_SHARE_ERROR: Final = 2e-5  # largest error of a branch's share of the weight

_MANTISSA: Final = (1 << 52) - 1
_ONE: Final = 1023 << 52  # the bits of 1.0
_NODES: Final = 1.5 + 0.5 * np.cos(np.pi * (np.arange(7) + 0.5) / 7)  # Chebyshev's, between 1 and 2
_L0, _L1, _L2, _L3, _L4, _L5, _L6 = map(
    float, np.linalg.solve(np.vander(_NODES, increasing=True), np.log2(_NODES))
)

# erf(x) is about 1 - (1 + a1 x + ... + a6 x^6)^-16 (Abramowitz and Stegun 1964, 7.1.28); here, x is
# in standard deviations.
_A1: Final = 0.0705230784 * 2**-0.5
_A2: Final = 0.0422820123 * 2**-1
_A3: Final = 0.0092705272 * 2**-1.5
_A4: Final = 0.0001520143 * 2**-2
_A5: Final = 0.0002765672 * 2**-2.5
_A6: Final = 0.0000430638 * 2**-3
_FARTHEST: Final = 8.0  # standard deviations from the mean; beyond, the probability is 0 or 1

# Rows of Scratch.lanes: the weight of the left branch, then the merit, and the sum of n log n.
_LEFT: Final = 0
_TERMS: Final = 1

_LEAST_DEVIATION: Final = 1e-9  # below, the exact branches are rounded differently
_MOST: Final = 1e150  # of means and deviations, and of weights and their inverse: none overflows


@inlined
def approximate_log2(x: float) -> float:
    """Return the binary logarithm of a positive number; if it is 0 or tiny, some number."""
    bits = np.float64(x).view(np.int64)
    m = np.int64((bits & _MANTISSA) | _ONE).view(np.float64)
    log_m = _L0 + m * (_L1 + m * (_L2 + m * (_L3 + m * (_L4 + m * (_L5 + m * _L6)))))
    return float((bits >> 52) - 1023 + log_m)


@inlined
def _approximate_normal(z: float) -> float:
    """Return the probability that a standard normal variable is at most z."""
    x = abs(z)
    x = x if x < _FARTHEST else _FARTHEST
    root = 1.0 + x * (_A1 + x * (_A2 + x * (_A3 + x * (_A4 + x * (_A5 + x * _A6)))))
    power = root * root
    power *= power
    power *= power
    tail = 0.5 / (power * power)
    return tail if z < 0 else 1.0 - tail


@inlined
def has_approximate_size(total: float) -> bool:
    """Return whether approximate logarithms are right for those parts of a weight that count."""
    return 1 / _MOST < total < _MOST


@inlined
def _invert(stats: Floats, leaf: int, i: int, sd: Floats) -> bool:
    """Turn `sd` into its inverse; return whether its approximate probabilities are right."""
    right = True
    for c in range(len(sd)):
        if stats[leaf, c, i, WEIGHT] > 0 and stats[leaf, c, i, MIN] < stats[leaf, c, i, MAX]:
            right = right and _LEAST_DEVIATION < sd[c] < _MOST
            right = right and abs(stats[leaf, c, i, MEAN]) < _MOST
        sd[c] = 1 / sd[c] if sd[c] > 0 else 0.0
    return right


@inlined
def _split_approximately(
    stats: Floats, leaf: int, i: int, c: int, inverse_sd: float, low: float, step: float,
    lanes: Floats,
) -> None:  # fmt: skip
    """Split the Gaussian of a class at each threshold; add to both rows of `lanes`."""
    weight, mean = stats[leaf, c, i, WEIGHT], stats[leaf, c, i, MEAN]
    lowest, highest = stats[leaf, c, i, MIN], stats[leaf, c, i, MAX]
    for s in range(LANES):  # without a branch, so that it is vectorised
        at = step * (s + 1) + low
        share = _approximate_normal((at - mean) * inverse_sd)
        share = 1.0 if at >= highest else share
        n = weight * (0.0 if at < lowest else share)
        m = weight - n
        lanes[_LEFT, s] += n
        lanes[_TERMS, s] += n * approximate_log2(n) + m * approximate_log2(m)


@lean_inner
def approximate_thresholds(
    stats: Floats, leaf: int, i: int, sd: Floats, low: float, high: float, step: float,
    steps: int, before: float, least: float, floor: float, lanes: Floats,
) -> tuple[float, int]:  # fmt: skip
    """Return the best approximate merit of thresholds in a range, and which have at least `floor`.

    The latter has a bit for each threshold. A merit is infinite if a branch has about the `least`
    share. The standard deviations are lost.
    """
    total = 0.0
    for c in range(len(sd)):
        total += stats[leaf, c, i, WEIGHT]
    if not (_invert(stats, leaf, i, sd) and has_approximate_size(total)):
        return np.inf, -1
    for s in range(LANES):
        lanes[_LEFT, s] = 0.0
        lanes[_TERMS, s] = 0.0
    for c in range(len(sd)):
        _split_approximately(stats, leaf, i, c, sd[c], low, step, lanes)
    too_small, large_enough = (least - _SHARE_ERROR) * total, (least + _SHARE_ERROR) * total
    per_weight = 1 / total
    for s in range(LANES):
        left = lanes[_LEFT, s]
        right = total - left
        smaller = left if left < right else right
        impurity = (
            left * approximate_log2(left) + right * approximate_log2(right) - lanes[_TERMS, s]
        )
        unsure = -np.inf if smaller < too_small else np.inf
        lanes[_LEFT, s] = unsure if smaller <= large_enough else before - impurity * per_weight
    best, chosen = -np.inf, 0
    for s in range(1, steps + 1):
        if low < step * s + low < high:
            merit = lanes[_LEFT, s - 1]
            best = max(best, merit)
            chosen |= int(merit >= floor) << s
    return best, chosen
