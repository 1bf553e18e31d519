"""Ranks of many learners over many streams: Friedman, Iman–Davenport, Nemenyi, Holm–Wilcoxon.

Demšar (2006); semantics §10. Rank 1 is the best; tied scores share their mean rank.
"""

from __future__ import annotations

import itertools
import math
from typing import NamedTuple

import numpy as np
from scipy.special import chdtrc, fdtrc

from streamgauge._support.types import Floats
from streamgauge.comparison._holm import holm


class Friedman(NamedTuple):
    """Friedman's χ² of the ranks, corrected for ties, and its p-value."""

    chi2: float
    freedom: int
    p: float


class ImanDavenport(NamedTuple):
    """Iman and Davenport's F statistic from Friedman's χ², and its p-value."""

    f: float
    freedom: tuple[int, int]
    p: float


class WilcoxonPair(NamedTuple):
    """The signed-rank test of two learners: its p-value, plain and with Holm's correction."""

    a: str
    b: str
    p: float
    p_holm: float


def rank_rows(scores: Floats, lower_is_better: bool) -> Floats:
    """The rank of each learner (columns) on each stream (rows); NaN ranks last."""
    from scipy.stats import rankdata  # slow to import

    worth = -scores if lower_is_better else scores
    worth = np.where(np.isnan(worth), -np.inf, worth)
    return np.asarray(rankdata(-worth, axis=1), np.float64)


def friedman_test(ranks: Floats) -> Friedman:
    """Friedman's test; NaN if all learners tie on every stream."""
    n, k = ranks.shape
    spread = float(((ranks - (k + 1) / 2) ** 2).sum())
    if spread == 0:
        return Friedman(math.nan, k - 1, math.nan)
    between = float(((ranks.sum(axis=0) - n * (k + 1) / 2) ** 2).sum())
    chi2 = (k - 1) * between / spread
    return Friedman(chi2, k - 1, float(chdtrc(k - 1, chi2)))


def iman_davenport_test(friedman: Friedman, n: int) -> ImanDavenport:
    """From Friedman's χ² over n streams; F is infinite if all streams give the same ranks."""
    freedom = (friedman.freedom, friedman.freedom * (n - 1))
    rest = n * friedman.freedom - friedman.chi2
    if math.isnan(friedman.chi2):
        return ImanDavenport(math.nan, freedom, math.nan)
    if rest <= 1e-12 * n * friedman.freedom:
        return ImanDavenport(math.inf, freedom, 0.0)
    f = (n - 1) * friedman.chi2 / rest
    return ImanDavenport(f, freedom, float(fdtrc(*freedom, f)))


def critical_difference(n: int, k: int, alpha: float) -> float:
    """Nemenyi's critical difference between average ranks of k learners over n streams.

    >>> f"{critical_difference(6, 5, 0.05):.2f}"
    '2.49'
    """
    from scipy.stats import studentized_range  # slow to import

    q = float(studentized_range.ppf(1 - alpha, k, np.inf)) / math.sqrt(2)
    return q * math.sqrt(k * (k + 1) / (6 * n))


def nemenyi_p(difference: Floats, n: int, k: int) -> Floats:
    """Nemenyi's p-values of differences between average ranks."""
    from scipy.stats import studentized_range  # slow to import

    q = np.abs(difference) / math.sqrt(k * (k + 1) / (6 * n)) * math.sqrt(2)
    return np.asarray(studentized_range.sf(q, k, np.inf))


def wilcoxon_pairs(names: tuple[str, ...], scores: Floats) -> tuple[WilcoxonPair, ...]:
    """Wilcoxon's signed-rank test of every pair; p = 1 for learners that never differ."""
    from scipy.stats import wilcoxon  # slow to import

    pairs = list(itertools.combinations(range(len(names)), 2))
    p = []
    for i, j in pairs:
        difference = scores[:, i] - scores[:, j]
        difference = difference[difference != 0]
        p.append(float(wilcoxon(difference).pvalue) if len(difference) else 1.0)
    return tuple(
        WilcoxonPair(names[i], names[j], one, corrected)
        for (i, j), one, corrected in zip(pairs, p, holm(p).tolist(), strict=True)
    )


def groups_of(average: Floats, difference: float) -> list[list[int]]:
    """The largest groups of learners whose average ranks span at most the critical difference.

    Groups have two or more learners; the best group comes first.
    """
    order = np.argsort(average, kind="stable")
    sorted_ranks = average[order]
    found: list[list[int]] = []
    reached = 0
    for first in range(len(order)):
        within = sorted_ranks <= sorted_ranks[first] + difference * (1 + 1e-12)
        last = int(within.sum())
        if last - first > 1 and last > reached:
            found.append(order[first:last].tolist())
            reached = last
    return found
