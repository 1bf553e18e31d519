"""What happens at a leaf on every row: class counts, naive Bayes' answer, the row observed."""

from __future__ import annotations

import math

import numpy as np

from streamgauge.compiled import inlined, lean_kernel
from streamgauge.learners.tree_nodes import (
    BY_BAYES,
    BY_COUNTS,
    HIGH,
    LOW,
    MEAN,
    NARROWNESS,
    READY,
    SEEN,
    SPREAD,
)
from streamgauge.types import Codes, Floats, Longs

_ROOT_TWO_PI = math.sqrt(2 * math.pi)
_POINT = 1e308  # narrowness of a feature without variance: nothing but its mean is possible
_NEVER = 1e100  # from this exponent on a product is 0 for sure
_WIDEST_SHORT_CUT = 128  # features; with more, a product of narrownesses might overflow


def short_cut(sizes: Longs) -> bool:
    """May naive Bayes compare logarithms, without an exp? Only if all features are numbers."""
    return not sizes.any() and len(sizes) <= _WIDEST_SHORT_CUT


@inlined
def weigh(counts: Floats, at: int) -> tuple[float, int]:
    """The weight a node has seen, and its most frequent class."""
    total, best = 0.0, 0
    for c in range(counts.shape[1]):
        total += counts[at, c]
        if counts[at, c] > counts[at, best]:
            best = c
    return total, best


@inlined
def bayes(
    X: Floats, row: int, at: int, leaf: int, total: float, counts: Floats, stats: Floats,
    base: Floats, values: Floats, tally: Floats, features: Codes, offset: Longs, brief: bool,
    wanted: bool, votes: Floats,
) -> int:  # fmt: skip
    """Naive Bayes' answer at a leaf; if wanted, its votes too, up to a factor common to all.

    Where it is `brief`, logarithms are compared. That is taken only where the products of `multiply`
    would come out in the same order for sure: none can leave the range of doubles on the way, and
    the best two are further apart than rounding could move them.
    """
    told, sure = 0, False
    if tally[leaf, READY] == 0:
        for c in range(counts.shape[1]):  # no row yet, only what the split left it
            votes[c] = counts[at, c]
            if counts[at, c] > counts[at, told]:
                told = c
    else:
        if brief:
            highest, second, sure = -np.inf, -np.inf, True
            for c in range(counts.shape[1]):
                exponent = 0.0
                for i in range(features.shape[1]):
                    off = X[row, features[leaf, i]] - stats[leaf, c, i, MEAN]
                    exponent += off * off * stats[leaf, c, i, NARROWNESS]
                score = base[leaf, c] - exponent if exponent < _NEVER else -np.inf
                votes[c] = score
                sure = sure and (exponent < 300 or exponent > _NEVER) and not np.isnan(score)
                if score > highest:
                    told, highest, second = c, score, highest
                elif score > second:
                    second = score
            sure = sure and highest > second + 1e-9
            if sure and wanted:
                for c in range(counts.shape[1]):
                    votes[c] = math.exp(votes[c] - highest)
        if not sure:
            multiply(X, row, at, leaf, total, counts, stats, values, features, offset, votes)
            told = 0  # by comparison, not argmax: that would prefer NaN, an overflow times 0
            for c in range(1, counts.shape[1]):
                if votes[c] > votes[told]:
                    told = c
    return told


@lean_kernel
def multiply(
    X: Floats, row: int, at: int, leaf: int, total: float, counts: Floats, stats: Floats,
    values: Floats, features: Codes, offset: Longs, products: Floats,
) -> None:  # fmt: skip
    """Of each class: its prior times the likelihood of every value, factor by factor as in MOA."""
    for c in range(counts.shape[1]):
        product = counts[at, c] / total
        for i in range(features.shape[1]):
            j = features[leaf, i]
            value, n = X[row, j], stats[leaf, c, i, SEEN]
            if np.isnan(value):
                continue
            if n == 0:
                product *= 0.0  # not = 0: an overflow times 0 is NaN, in MOA too
            elif offset[j] >= 0:
                known = stats[leaf, c, i, HIGH] + 1
                product *= (values[leaf, c, offset[j] + int(value)] + 1) / (n + known)
            else:
                off = value - stats[leaf, c, i, MEAN]
                sd = math.sqrt(stats[leaf, c, i, SPREAD] / (n - 1)) if n > 1 else 0.0
                if sd > 0:
                    product *= 1 / (_ROOT_TWO_PI * sd) * math.exp(-(off * off / (2 * sd * sd)))
                elif off != 0:
                    product *= 0.0
        products[c] = product


@inlined
def observe(
    X: Floats, row: int, c: int, w: float, at: int, leaf: int, counts: Floats, stats: Floats,
    base: Floats, values: Floats, tally: Floats, features: Codes, offset: Longs, brief: bool,
) -> None:  # fmt: skip
    """A row of class c, with weight w, is learned at a leaf."""
    counts[at, c] += w
    tally[leaf, READY] = 1.0
    large, small = 1.0, 1.0
    for i in range(features.shape[1]):
        j = features[leaf, i]
        value, n = X[row, j], stats[leaf, c, i, SEEN]
        if np.isnan(value):
            pass
        elif offset[j] >= 0:
            values[leaf, c, offset[j] + int(value)] += w
            stats[leaf, c, i, HIGH] = value if n == 0 else max(stats[leaf, c, i, HIGH], value)
            stats[leaf, c, i, SEEN] = n + w
        elif n == 0:
            stats[leaf, c, i, SEEN] = w
            stats[leaf, c, i, MEAN] = value
            stats[leaf, c, i, LOW] = value
            stats[leaf, c, i, HIGH] = value
            stats[leaf, c, i, NARROWNESS] = _POINT
        else:
            before = stats[leaf, c, i, MEAN]
            after = before + w * (value - before) / (n + w)
            spread = stats[leaf, c, i, SPREAD] + w * (value - before) * (value - after)
            stats[leaf, c, i, SEEN] = n + w
            stats[leaf, c, i, MEAN] = after
            stats[leaf, c, i, SPREAD] = spread
            stats[leaf, c, i, LOW] = min(stats[leaf, c, i, LOW], value)
            stats[leaf, c, i, HIGH] = max(stats[leaf, c, i, HIGH], value)
            if n + w > 1 and spread > 0:
                stats[leaf, c, i, NARROWNESS] = (n + w - 1) / (2 * spread)
        narrowness = stats[leaf, c, i, NARROWNESS]
        if narrowness <= 1:
            small *= narrowness
        elif narrowness < _POINT:
            large *= narrowness
    if brief:
        tame = large < 1e200 and small > 1e-200
        prior = counts[at, c]
        base[leaf, c] = 0.5 * math.log(large * small * prior * prior) if tame else np.nan


@inlined
def prefers_counts(tally: Floats, leaf: int) -> bool:
    """Was the most frequent class right more often here than naive Bayes?"""
    return bool(tally[leaf, BY_COUNTS] > tally[leaf, BY_BAYES])


@inlined
def shares(votes: Floats, unknown: bool, proba: Floats, e: int) -> None:
    """Votes as probabilities; all 0 when every product underflowed, shared by those that
    overflowed."""
    total, infinite = 0.0, 0
    for vote in votes:
        total += vote
        infinite += 1 if np.isinf(vote) else 0
    for c in range(len(votes)):
        if unknown:
            proba[e, c] = np.nan
        elif infinite:
            proba[e, c] = 1.0 / infinite if np.isinf(votes[c]) else 0.0
        else:
            proba[e, c] = votes[c] / total if total > 0 else 0.0
