"""The p-value of Student's t, in plain Python: SciPy's takes longer to import than a run takes.

p is the incomplete beta function I_x(f/2, 1/2) at x = f / (f + t²), by a continued fraction: of
f / t², whose terms are all positive, or near 0 of 1 - x (https://dlmf.nist.gov/8.17.E22).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import count

_EXACT = 2.0**-53


def two_sided_p(t: float, freedom: int) -> float:
    """The probability of a t at least as far from 0, given its degrees of freedom.

    >>> round(two_sided_p(-2.228, 10), 4), two_sided_p(0.0, 5)
    (0.05, 1.0)
    """
    square = t * t
    if not math.isfinite(square):
        return 0.0 if math.isinf(square) else math.nan
    a, rest = freedom / 2, square / (freedom + square)
    scale = math.exp(-a * math.log1p(square / freedom)) / _beta(freedom)
    if square > 1:
        return scale / (a * math.sqrt(rest) * _fraction(_far(a, freedom / square)))
    return 1 - 2 * scale * math.sqrt(rest) / _fraction(_near(a, rest))


def _beta(freedom: int) -> float:
    """The beta function of freedom / 2 and 1 / 2."""
    steps = range(2 - freedom % 2, freedom, 2)
    return math.prod((k / (k + 1) for k in steps), start=math.pi if freedom % 2 else 2.0)


def _far(a: float, z: float) -> Iterator[float]:
    for m in count():
        yield (a + m) * (m + 0.5) * z / ((a + 2 * m) * (a + 2 * m + 1))
        yield (m + 1) * (a + m + 0.5) * z / ((a + 2 * m + 1) * (a + 2 * m + 2))


def _near(a: float, x: float) -> Iterator[float]:
    for m in count():
        yield -(m + 0.5) * (a + m + 0.5) * x / ((2 * m + 0.5) * (2 * m + 1.5))
        yield (m + 1) * (a - m - 1) * x / ((2 * m + 1.5) * (2 * m + 2.5))


def _fraction(terms: Iterator[float]) -> float:
    """1 + first / (1 + second / (1 + …)), from the top by Lentz's method."""
    value, above, below = 1.0, 1.0, 0.0
    for term in terms:
        below = 1 / (1 + term * below)
        above = 1 + term / above
        value *= above * below
        if abs(above * below - 1) <= _EXACT:
            break
    return value
