"""Q and the signed McNemar statistic: functions of sums under any forgetting (semantics §9).

Positive values favour B: the loss of A is larger.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.special import bdtr, chdtrc, chdtri

from streamgauge._support.types import Codes, Floats, Longs, Mask
from streamgauge.comparison.options import Options
from streamgauge.measures.curves import Curve, Sampler
from streamgauge.measures.folding import Shape
from streamgauge.measures.forgetting import Fading, Forgetting
from streamgauge.measures.sums import divide

_CURVE_POINTS = 500

# A row adds one to the row count, and one to "only A wrong", "only B wrong" or neither.
_ROWS, _ONLY_A, _ONLY_B, _NEITHER = range(4)
_SHAPE = Shape(counts=4, cells=2, values=2, classes=0)
_LOSS_A, _LOSS_B = 4, 5
_EXACT = 100  # rows that exactly one got wrong; fewer are tested exactly
_ROUNDING = 1e-12  # relative: faded counts that differ by less are equal
_NO_ERRORS = "this loss does not distinguish right from wrong predictions"

METRICS = {
    "loss_a": "no row scored",
    "loss_b": "no row scored",
    "q": "the loss of one of the two is 0",
    "only_a_wrong": _NO_ERRORS,
    "only_b_wrong": _NO_ERRORS,
    "mcnemar": _NO_ERRORS,
    "p": _NO_ERRORS,
}


class PairedLosses(NamedTuple):
    """The losses of A and B (of all participants, before they are paired)."""

    losses: Floats  # participants × rows
    wrong: Mask | None  # participants × rows; None without classes
    times: Longs | None  # when the labels were revealed
    loss: str  # its name
    bound: float | None  # two losses never differ by more; None = unbounded

    @property
    def difference(self) -> Floats:
        """Loss of A minus loss of B."""
        with np.errstate(over="ignore", invalid="ignore"):  # infinite losses are data, too
            return np.asarray(self.losses[0] - self.losses[1])


def q_statistic(lost_a: Floats, lost_b: Floats, smooth: float = 0.0) -> Floats:
    """ln(S_A / S_B), negative if the loss of A is smaller; 0 if both are 0, undefined if one is.

    >>> q_statistic(np.array([2.0, 0.0, 0.0]), np.array([1.0, 0.0, 3.0])).round(3).tolist()
    [0.693, 0.0, nan]
    """
    a, b = lost_a + smooth, lost_b + smooth
    out = np.where((a == 0) & (b == 0), 0.0, np.nan)
    defined = (a > 0) & (b > 0)
    out[defined] = np.log(a[defined]) - np.log(b[defined])
    return out


def mcnemar_statistic(only_a: Floats, only_b: Floats, variance: Floats) -> Floats:
    """sign(n01 − n10)·(n01 − n10)² / variance, where n01 counts rows only A got wrong; 0/0 is 0.

    If neither is better, the variance of n01 − n10 is the sum of the squared weights of the rows
    that exactly one got wrong: n01 + n10 without fading.

    >>> mcnemar_statistic(np.array([20.0]), np.array([5.0]), np.array([25.0])).tolist()
    [9.0]
    """
    more = only_a - only_b
    more = np.where(np.abs(more) <= _ROUNDING * (only_a + only_b), 0.0, more)
    # Not more² / variance: both underflow after many rows without a disagreement.
    ratio = np.divide(more, variance, out=np.zeros_like(more), where=variance > 0)
    return np.asarray(ratio * np.abs(more))


def mcnemar_threshold(confidence: float) -> float:
    """The value that |M| exceeds if it is significant.

    >>> f"{mcnemar_threshold(0.99):.3f}"
    '6.635'
    """
    return float(chdtri(1, 1 - confidence))


def mcnemar_p(statistic: Floats, only_a: Floats, only_b: Floats) -> Floats:
    """Two-sided p-value, if rows are independent; exact, by the binomial, for small whole counts.

    >>> p = mcnemar_p(np.array([5.0]), np.array([5.0]), np.array([0.0]))
    >>> p.tolist(), 2 / 2**5
    ([0.0625], 0.0625)
    """
    p = np.asarray(chdtrc(1, np.abs(statistic)))
    whole = (only_a % 1 == 0) & (only_b % 1 == 0)
    few = whole & (only_a + only_b < _EXACT)
    a, b = only_a[few], only_b[few]
    p[few] = np.minimum(1.0, 2 * bdtr(np.minimum(a, b), (a + b).astype(int), 0.5))
    return p


@np.errstate(over="ignore", invalid="ignore")  # infinite losses are data, too
def pair_curve(pair: PairedLosses, options: Options) -> Curve:
    """All of `METRICS` along the stream, and after the last row."""
    n = pair.losses.shape[1]
    sampler = Sampler(options.every or max(1, n // _CURVE_POINTS))
    cuts = sampler.cuts(n)
    if sampler.last_is_due:
        cuts = np.append(cuts, n)
    cells = _cells(pair)
    values = [_measure(pair, cells, cuts, each, options) for each in options.forget]
    forget = tuple(options.forget)
    return Curve(cuts, tuple(METRICS), tuple(METRICS.values()), forget, tuple(values))


def _cells(pair: PairedLosses) -> Codes:
    cells = np.full((pair.losses.shape[1], 2), _NEITHER, np.int32)
    cells[:, 0] = _ROWS
    if pair.wrong is not None:
        a, b = pair.wrong
        cells[a & ~b, 1] = _ONLY_A
        cells[b & ~a, 1] = _ONLY_B
    return cells


def _measure(
    pair: PairedLosses, cells: Codes, cuts: Longs, forgetting: Forgetting, options: Options
) -> Floats:
    """Points × metrics under one forgetting."""
    sums = _fold(pair, cells, cuts, forgetting)
    lost_a, lost_b = sums[:, _LOSS_A], sums[:, _LOSS_B]
    columns = [divide(lost_a, sums[:, _ROWS]), divide(lost_b, sums[:, _ROWS])]
    columns.append(q_statistic(lost_a, lost_b, options.smooth))
    if pair.wrong is None:
        return np.stack([*columns, *np.full((4, len(cuts)), np.nan)], axis=1)
    only_a, only_b = sums[:, _ONLY_A], sums[:, _ONLY_B]
    variance = only_a + only_b
    if isinstance(forgetting, Fading) and options.compat is None:
        squared = _fold(pair, cells, cuts, Fading(forgetting.a**2))
        variance = squared[:, _ONLY_A] + squared[:, _ONLY_B]
    statistic = mcnemar_statistic(only_a, only_b, variance)
    return np.stack(
        [*columns, only_a, only_b, statistic, mcnemar_p(statistic, only_a, only_b)], axis=1
    )


def _fold(pair: PairedLosses, cells: Codes, cuts: Longs, forgetting: Forgetting) -> Floats:
    values = np.ascontiguousarray(pair.losses.T)
    times = np.arange(len(cells)) if pair.times is None else pair.times
    return forgetting.fold(_SHAPE).add(cells, values, cuts, times)
