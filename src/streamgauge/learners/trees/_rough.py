"""Rough merits of splits by information gain, to see quickly that a leaf will not split.

Logarithms and normal probabilities are interpolated linearly in tables. The error is at most the
square of the step times the largest second derivative, over 8: 3e-6 for the logarithm and
e = 8e-6 for the probability. The entropies of k classes after a split then differ by at most
2 e (log2(k / e) + log2(1 / e)), because |p log p - q log q| <= -|p - q| log |p - q|.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from streamgauge._support.jit import inlined, lean_inner
from streamgauge._support.types import Floats
from streamgauge.learners.trees._nodes import MAX, MEAN, MIN, WEIGHT

ROUGH_LEAD: Final = 2e-3  # largest error of the difference between two merits
_ROUGH_SHARE: Final = 2e-5  # largest error of a branch's share of the weight

_LOG_BITS: Final = 8  # of the mantissa that choose a place in the table
_LOG_SIZE: Final = 1 << _LOG_BITS
_LOG2: Final = np.log2(1 + np.arange(_LOG_SIZE + 1) / _LOG_SIZE)
_REST_BITS: Final = 52 - _LOG_BITS
_REST: Final = (1 << _REST_BITS) - 1
_REST_STEP: Final = 2.0**-_REST_BITS

_FARTHEST: Final = 8.0  # standard deviations from the mean; beyond, the probability is 0 or 1
_STEPS: Final = 64  # per standard deviation
_PLACES: Final = range(int(-_FARTHEST * _STEPS), int(_FARTHEST * _STEPS) + 2)
_ANY_PLACE: Final = 2047
_NORMAL: Final = np.array([math.erfc(-place / _STEPS / math.sqrt(2.0)) / 2 for place in _PLACES])

_LEAST_DEVIATION: Final = 1e-9  # below, the exact branches are rounded differently
_MOST: Final = 1e150  # of means and deviations, and of weights and their inverse: none overflows


@inlined
def rough_log2(x: float) -> float:
    """Return the binary logarithm of a positive number; if it is 0 or tiny, some number."""
    bits = np.float64(x).view(np.int64)
    place = (bits >> _REST_BITS) & (_LOG_SIZE - 1)
    low, high = _LOG2[place], _LOG2[place + 1]
    return float((bits >> 52) - 1023 + low + (bits & _REST) * _REST_STEP * (high - low))


@inlined
def _rough_normal(z: float) -> float:
    """Return the probability that a standard normal variable is at most z."""
    z = z if z > -_FARTHEST else -_FARTHEST
    at = ((z if z < _FARTHEST else _FARTHEST) + _FARTHEST) * _STEPS
    place = int(at) & _ANY_PLACE  # so that no index is checked for being negative
    low, high = _NORMAL[place], _NORMAL[place + 1]
    return float(low + (at - place) * (high - low))


@inlined
def has_rough_size(total: float) -> bool:
    """Return whether rough logarithms are right for those parts of a weight that count."""
    return 1 / _MOST < total < _MOST


@inlined
def _invert(stats: Floats, leaf: int, i: int, sd: Floats) -> bool:
    """Turn `sd` into its inverse; return whether rough probabilities of the feature are right."""
    right = True
    for c in range(len(sd)):
        if stats[leaf, c, i, WEIGHT] > 0 and stats[leaf, c, i, MIN] < stats[leaf, c, i, MAX]:
            right = right and _LEAST_DEVIATION < sd[c] < _MOST
            right = right and abs(stats[leaf, c, i, MEAN]) < _MOST
        sd[c] = 1 / sd[c] if sd[c] > 0 else 0.0
    return right


@inlined
def _rough_merit(
    stats: Floats, leaf: int, i: int, inverse_sd: Floats, threshold: float, before: float,
    total: float, least: float, left_weights: Floats,
) -> float:  # fmt: skip
    """Return the rough merit of a threshold; infinity if a branch has about the `least` share."""
    left = 0.0
    for c in range(len(inverse_sd)):
        weight, mean = stats[leaf, c, i, WEIGHT], stats[leaf, c, i, MEAN]
        share = _rough_normal((threshold - mean) * inverse_sd[c])
        share = 1.0 if threshold >= stats[leaf, c, i, MAX] else share
        left_weights[0, c] = weight * (0.0 if threshold < stats[leaf, c, i, MIN] else share)
        left += left_weights[0, c]
    right = total - left
    smaller = min(left, right)
    if smaller <= (least + _ROUGH_SHARE) * total:
        return -np.inf if smaller < (least - _ROUGH_SHARE) * total else np.inf
    impurity = left * rough_log2(left) + right * rough_log2(right)
    for c in range(len(inverse_sd)):
        n = left_weights[0, c]
        m = stats[leaf, c, i, WEIGHT] - n
        impurity -= n * rough_log2(n) + m * rough_log2(m)
    return before - impurity / total


@lean_inner
def rough_thresholds(
    stats: Floats, leaf: int, i: int, sd: Floats, low: float, high: float, step: float,
    steps: int, before: float, least: float, floor: float, branches: Floats,
) -> tuple[float, int]:  # fmt: skip
    """Return the best rough merit of thresholds in a range, and which have at least `floor`.

    The latter has a bit for each threshold. The standard deviations are lost.
    """
    total = 0.0
    for c in range(len(sd)):
        total += stats[leaf, c, i, WEIGHT]
    if not (_invert(stats, leaf, i, sd) and has_rough_size(total)):
        return np.inf, -1
    best, chosen = -np.inf, 0
    for s in range(1, steps + 1):
        at = step * s + low
        if low < at < high:
            merit = _rough_merit(stats, leaf, i, sd, at, before, total, least, branches)
            best = max(best, merit)
            chosen |= int(merit >= floor) << s
    return best, chosen
