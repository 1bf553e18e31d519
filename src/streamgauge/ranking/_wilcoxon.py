"""Wilcoxon's signed-rank test of pairs of learners: different, or equal within a margin?

Semantics §10. Exact given tied differences, up to 100 streams; streams on which two learners have
the same score say nothing about which is better and are left out.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy.special import ndtr

from streamgauge._support.types import Floats
from streamgauge.measures.holm import holm
from streamgauge.ranking._bayesian_signed_rank import Probabilities, draw_weights, posterior
from streamgauge.ranking._ranks import decimals_of, round_to

_MOST_EXACT = 100  # streams; beyond, the normal distribution


class SignedRank(NamedTuple):
    """The signed-rank test of differences: one-sided p-values, and how many are not zero."""

    above: float  # p-value if differences are expected above zero
    below: float
    used: int

    @property
    def p(self) -> float:
        """Two-sided p-value."""
        return min(1.0, 2 * min(self.above, self.below))


class WilcoxonPair(NamedTuple):
    """The signed-rank test of two learners: its p-value, plain and with Holm's correction."""

    a: str
    b: str
    advantage: float  # mean by which a is better; negative if b is
    better: str | None  # the one that the signed ranks favour
    tied: int  # streams with equal scores, left out
    p: float
    p_holm: float


class EquivalentPair(NamedTuple):
    """Are two learners equal within a margin? By two one-sided tests, and in probabilities."""

    a: str
    b: str
    margin: float
    p: float
    p_holm: float
    bayesian: Probabilities


def signed_rank(values: Floats) -> SignedRank:
    """Test whether differences lie around zero."""
    from scipy.stats import rankdata  # slow to import

    values = values[values != 0]
    used = len(values)
    if not used:
        return SignedRank(1.0, 1.0, 0)
    ranks = np.rint(2 * rankdata(np.abs(values))).astype(np.int64)  # whole numbers
    positive, total = int(ranks[values > 0].sum()), int(ranks.sum())
    if used > _MOST_EXACT:
        z = (positive - total / 2) / math.sqrt(float((ranks.astype(np.float64) ** 2).sum()) / 4)
        return SignedRank(float(ndtr(-z)), float(ndtr(z)), used)
    probability = np.zeros(total + 1)  # of each sum of positive ranks, if signs are random
    probability[0] = 1.0
    for rank in ranks:
        added = probability / 2
        probability = added.copy()
        probability[rank:] += added[: total + 1 - rank]
    above, below = probability[positive:].sum(), probability[: positive + 1].sum()
    return SignedRank(min(1.0, float(above)), min(1.0, float(below)), used)


def wilcoxon_pairs(
    names: Sequence[str], worth: Floats, pairs: Sequence[tuple[int, int]]
) -> tuple[WilcoxonPair, ...]:
    """Test pairs of columns of `worth` (higher is better), Holm's correction over all of them."""
    places = decimals_of(worth)
    tests = [signed_rank(round_to(worth[:, i] - worth[:, j], places)) for i, j in pairs]
    corrected = holm([test.p for test in tests]).tolist()
    found = []
    for (i, j), test, p_holm in zip(pairs, tests, corrected, strict=True):
        favoured = None if test.above == test.below else names[i if test.above < test.below else j]
        advantage = float((worth[:, i] - worth[:, j]).mean())
        tied = len(worth) - test.used
        found.append(WilcoxonPair(names[i], names[j], advantage, favoured, tied, test.p, p_holm))
    return tuple(found)


def equivalent_pairs(
    names: Sequence[str], worth: Floats, pairs: Sequence[tuple[int, int]], margin: float
) -> tuple[EquivalentPair, ...]:
    """Test pairs of columns for differences of `margin` or more, Holm's correction over all.

    Two one-sided signed-rank tests: the larger p-value counts. It is below α if the 1 - 2α interval
    of the difference lies within ±margin.
    """
    places, weights = decimals_of(worth), draw_weights(len(worth))
    p, bayesian = [], []
    for i, j in pairs:
        difference = worth[:, i] - worth[:, j]
        above_low = signed_rank(round_to(difference + margin, places)).above
        below_high = signed_rank(round_to(difference - margin, places)).below
        p.append(max(above_low, below_high))
        bayesian.append(posterior(round_to(difference, places), margin, weights))
    return tuple(
        EquivalentPair(names[i], names[j], margin, one, p_holm, chances)
        for (i, j), one, p_holm, chances in zip(pairs, p, holm(p).tolist(), bayesian, strict=True)
    )
