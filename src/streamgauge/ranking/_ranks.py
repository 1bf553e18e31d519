"""Ranks of many learners over many streams, Nemenyi's test and its groups.

demsar2006; semantics §10. Rank 1 is the best; tied scores share their mean rank.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import cache

import numpy as np

from streamgauge._support.types import Floats


def rank_rows(scores: Floats, lower_is_better: bool) -> Floats:
    """The rank of each learner (columns) on each stream (rows); NaN ranks last."""
    from scipy.stats import rankdata  # slow to import

    lines = zip(scores, decimals_of(scores), strict=True)
    rounded = np.array([round_to(row, [places] * len(row)) for row, places in lines])
    loss = rounded if lower_is_better else -rounded
    return np.asarray(rankdata(np.where(np.isnan(loss), np.inf, loss), axis=1), np.float64)


def decimals_of(scores: Floats) -> list[int]:
    """Decimals that hold twelve digits of each row's largest score; beyond is rounding noise."""
    largest = np.where(np.isfinite(scores), np.abs(scores), 0).max(axis=1).tolist()
    return [12 - math.ceil(math.log10(size)) if size else 12 for size in largest]


def round_to(values: Iterable[float], decimals: Sequence[int]) -> Floats:
    """Round each value to its number of decimals: 0.9 - 0.8 and 0.8 - 0.7 become equal."""
    return np.array([round(float(x), d) for x, d in zip(values, decimals, strict=True)])


@cache
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
