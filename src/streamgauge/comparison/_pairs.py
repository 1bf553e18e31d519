"""Q and the signed McNemar statistic: functions of sums under any forgetting (semantics §9).

In every number here a plus speaks for B: A has lost more.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np
from scipy.special import chdtrc, chdtri

from streamgauge._support.errors import UsageError
from streamgauge._support.types import Codes, Floats, Longs, Mask
from streamgauge.measures.curves import Curve, Sampler
from streamgauge.measures.folding import Shape
from streamgauge.measures.forgetting import Fading, Forgetting
from streamgauge.measures.sums import divide

Compat = Literal["gama2013"] | None

# A row adds one to the count of rows, and one to only A wrong, only B wrong or nowhere.
_ROWS, _ONLY_A, _ONLY_B, _NOWHERE = range(4)
_SHAPE = Shape(counts=4, cells=2, values=2, classes=0)
_LOSS_A, _LOSS_B = 4, 5
_ROUNDING = 1e-12  # faded counts that differ by less, relatively, are equal

METRICS = {
    "loss_a": "no row scored",
    "loss_b": "no row scored",
    "q": "one of the two has lost nothing",
    "only_a_wrong": "this loss knows no right and wrong",
    "only_b_wrong": "this loss knows no right and wrong",
    "mcnemar": "this loss knows no right and wrong",
    "p": "this loss knows no right and wrong",
}


class Pair(NamedTuple):
    """Losses of A and B (or, before they are paired, of all) and who was wrong, if one can say."""

    losses: Floats  # learners × rows
    wrong: Mask | None  # learners × rows
    times: Longs | None  # when the labels came

    @property
    def difference(self) -> Floats:
        """Loss of A minus loss of B."""
        return np.asarray(self.losses[0] - self.losses[1])


def q_statistic(lost_a: Floats, lost_b: Floats, smooth: float = 0.0) -> Floats:
    """ln(S_A / S_B): below 0, A has lost less. Both 0: 0. One 0: undefined.

    >>> q_statistic(np.array([2.0, 0.0, 0.0]), np.array([1.0, 0.0, 3.0])).round(3).tolist()
    [0.693, 0.0, nan]
    """
    a, b = lost_a + smooth, lost_b + smooth
    out = np.where((a == 0) & (b == 0), 0.0, np.nan)
    defined = (a > 0) & (b > 0)
    out[defined] = np.log(a[defined]) - np.log(b[defined])
    return out


def mcnemar_statistic(only_a: Floats, only_b: Floats, variance: Floats) -> Floats:
    """sign(n01 − n10)·(n01 − n10)² / variance, n01 the rows only A got wrong; 0/0 is 0.

    The variance of n01 − n10, if neither is better, is the sum of the squared weights of the rows
    on which one alone was wrong: n01 + n10 when no row has faded.

    >>> mcnemar_statistic(np.array([20.0]), np.array([5.0]), np.array([25.0])).tolist()
    [9.0]
    """
    more = only_a - only_b
    more = np.where(np.abs(more) <= _ROUNDING * (only_a + only_b), 0.0, more)
    # Not more² / variance: after many rows without a disagreement both would be too small.
    ratio = np.divide(more, variance, out=np.zeros_like(more), where=variance > 0)
    return np.asarray(ratio * np.abs(more))


def mcnemar_threshold(confidence: float) -> float:
    """|M| beyond this is significant.

    >>> f"{mcnemar_threshold(0.99):.3f}"
    '6.635'
    """
    return float(chdtri(1, 1 - confidence))


def mcnemar_p(statistic: Floats) -> Floats:
    """Two-sided: the chance of so large a statistic if neither is better and rows independent."""
    return np.asarray(chdtrc(1, np.abs(statistic)))


def pair_curve(
    pair: Pair, forget: Sequence[Forgetting], every: int, smooth: float, compat: Compat
) -> Curve:
    """Every number of `METRICS` after every so many rows, and after the last."""
    n = pair.losses.shape[1]
    sampler = Sampler(every)
    cuts = sampler.cuts(n)
    if sampler.last_is_due:
        cuts = np.append(cuts, n)
    cells = _cells(pair)
    values = [_measure(pair, cells, cuts, each, smooth, compat) for each in forget]
    return Curve(cuts, tuple(METRICS), tuple(METRICS.values()), tuple(forget), tuple(values))


def _cells(pair: Pair) -> Codes:
    cells = np.full((pair.losses.shape[1], 2), _NOWHERE, np.int32)
    cells[:, 0] = _ROWS
    if pair.wrong is not None:
        a, b = pair.wrong
        cells[a & ~b, 1] = _ONLY_A
        cells[b & ~a, 1] = _ONLY_B
    return cells


def _measure(
    pair: Pair, cells: Codes, cuts: Longs, forgetting: Forgetting, smooth: float, compat: Compat
) -> Floats:
    """Points × metrics under one forgetting."""
    sums = _fold(pair, cells, cuts, forgetting)
    lost_a, lost_b = sums[:, _LOSS_A], sums[:, _LOSS_B]
    numbers = [divide(lost_a, sums[:, _ROWS]), divide(lost_b, sums[:, _ROWS])]
    numbers.append(q_statistic(lost_a, lost_b, smooth))
    if pair.wrong is None:
        return np.stack([*numbers, *np.full((4, len(cuts)), np.nan)], axis=1)
    only_a, only_b = sums[:, _ONLY_A], sums[:, _ONLY_B]
    variance = only_a + only_b
    if isinstance(forgetting, Fading) and compat is None:
        squared = _fold(pair, cells, cuts, Fading(forgetting.a**2))
        variance = squared[:, _ONLY_A] + squared[:, _ONLY_B]
    statistic = mcnemar_statistic(only_a, only_b, variance)
    return np.stack([*numbers, only_a, only_b, statistic, mcnemar_p(statistic)], axis=1)


def _fold(pair: Pair, cells: Codes, cuts: Longs, forgetting: Forgetting) -> Floats:
    values = np.ascontiguousarray(pair.losses.T)
    times = np.arange(len(cells)) if pair.times is None else pair.times
    return forgetting.fold(_SHAPE).add(cells, values, cuts, times)


def check_forget(forget: Sequence[Forgetting]) -> tuple[Forgetting, ...]:
    """At least one, each a forgetting of sums."""
    if hasattr(forget, "fold") or not len(forget):
        raise UsageError(f"forget={forget!r}: expected a list, e.g. [Cumulative(), Window(1000)]")
    for each in forget:
        if not hasattr(each, "fold"):
            raise UsageError(
                f"forget: {each!r} is none; expected Cumulative(), Window(w) or Fading(a)"
            )
        if isinstance(each, Fading) and each.estimator != "sums":
            raise UsageError(f"{each} smooths probabilities; a comparison needs sums: Fading(a)")
    return tuple(forget)
