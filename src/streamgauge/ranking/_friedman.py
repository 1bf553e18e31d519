"""Friedman's test: exact with few streams, by random permutations or Iman–Davenport with more.

Semantics §10. Under the null hypothesis each stream's ranks are in random order. Given the ties,
that fixes the distribution of the rank sums, and so the p-value.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from scipy.special import fdtrc

from streamgauge._support.types import Floats, Longs

PERMUTATIONS = 100_000
_AT_ONCE = 10_000
_MOST_SUMS = 1_000_000  # rank sums formed by the exact test, about half a second
_MOST_ORDERS = 50_000  # distinct orders of one stream's ranks: eight learners without ties
_MOST_RANKS = 300  # ranks permuted at random, about a second; with more, F is accurate


class Friedman(NamedTuple):
    """Friedman's χ², corrected for ties, and its p-value, which Iman and Davenport's F shares."""

    chi2: float
    freedom: int
    p: float
    method: str  # "exact", "permutations" or "F distribution"


class ImanDavenport(NamedTuple):
    """Iman and Davenport's F: a function of Friedman's χ², with degrees of freedom."""

    f: float
    freedom: tuple[int, int]


def friedman_test(ranks: Floats) -> Friedman:
    """Test whether all learners (columns) are equal; NaN if they tie on every stream."""
    n, k = ranks.shape
    spread = float(((ranks - (k + 1) / 2) ** 2).sum())
    if spread == 0:
        return Friedman(math.nan, k - 1, math.nan, "exact")
    between = float(((ranks.sum(axis=0) - n * (k + 1) / 2) ** 2).sum())
    chi2 = (k - 1) * between / spread
    doubled = np.rint(2 * ranks).astype(np.int64)  # shared ranks are multiples of 1/2
    p = exact_p(doubled)
    if p is not None:
        return Friedman(chi2, k - 1, p, "exact")
    if ranks.size <= _MOST_RANKS:
        return Friedman(chi2, k - 1, permutation_p(doubled), "permutations")
    f, freedom = iman_davenport(chi2, n, k)
    return Friedman(chi2, k - 1, float(fdtrc(*freedom, f)), "F distribution")


def iman_davenport(chi2: float, n: int, k: int) -> ImanDavenport:
    """From Friedman's χ² over n streams; F is infinite if all streams give the same ranks."""
    freedom = (k - 1, (k - 1) * (n - 1))
    rest = n * (k - 1) - chi2
    if math.isnan(chi2):
        return ImanDavenport(math.nan, freedom)
    if rest <= 1e-12 * n * (k - 1):
        return ImanDavenport(math.inf, freedom)
    return ImanDavenport((n - 1) * chi2 / rest, freedom)


def smallest_p(n: int, k: int) -> float:
    """The p-value when n streams rank k learners in the same order, without ties."""
    return float(math.factorial(k)) ** (1 - n) if k < 100 else 0.0


def exact_p(ranks: Longs, most_sums: int = _MOST_SUMS) -> float | None:
    """The exact p-value of integer ranks; None if it would take more than `most_sums` sums.

    Adds one stream after another to the distribution of the rank sums. The order of the learners
    does not matter to it, so that sorted sums stand for all their orders.
    """
    n, k = ranks.shape
    base = int(ranks.max()) * n + 1
    if base ** (k - 1) >= 2**63:  # the sums would not fit in one integer
        return None
    places = base ** np.arange(k - 1)  # the last sum follows from the others
    sums, probability = np.sort(ranks[:1]), np.ones(1)
    formed = 0
    for row in ranks[1:]:
        count = _orders(row)
        formed += len(sums) * count
        if formed > most_sums or count > _MOST_ORDERS:
            return None
        orders = np.array(list(_arrangements(sorted(row.tolist()))))
        added = np.sort((sums[:, None] + orders).reshape(-1, k), axis=1)
        _, first, same = np.unique(added[:, :-1] @ places, return_index=True, return_inverse=True)
        probability = np.bincount(same, np.repeat(probability, count)) / count
        sums = added[first]
    extreme = _squares(sums) >= _squares(ranks.sum(axis=0))
    return min(1.0, float(probability[extreme].sum()))


def permutation_p(ranks: Longs) -> float:
    """The p-value among random permutations, of which the observed ranks are one."""
    random, k = np.random.default_rng(0), ranks.shape[1]
    observed, extreme = _squares(ranks.sum(axis=0)), 0
    for start in range(0, PERMUTATIONS, _AT_ONCE):
        count = min(_AT_ONCE, PERMUTATIONS - start)
        sums = np.zeros((count, k), np.int64)
        for row in ranks:
            sums += random.permuted(np.tile(row, (count, 1)), axis=1)
        extreme += int((_squares(sums) >= observed).sum())
    return (extreme + 1) / (PERMUTATIONS + 1)


def _squares(sums: Longs) -> Longs:
    """Friedman's χ² grows with the sum of the squared rank sums; integers compare exactly."""
    return np.asarray((sums**2).sum(axis=-1))


def _orders(row: Longs) -> int:
    """The number of distinct orders of a row's ranks."""
    _, tied = np.unique(row, return_counts=True)
    return math.factorial(len(row)) // math.prod(map(math.factorial, tied.tolist()))


def _arrangements(values: list[int]) -> Iterator[list[int]]:
    """Every distinct order of sorted values, once."""
    if len(values) < 2:
        yield values
        return
    for i, value in enumerate(values):
        if i == 0 or value != values[i - 1]:
            for rest in _arrangements(values[:i] + values[i + 1 :]):
                yield [value, *rest]
