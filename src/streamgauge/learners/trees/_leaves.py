"""What happens at a leaf on every row: an answer by class counts or naive Bayes, and learning."""

from __future__ import annotations

import math

import numpy as np

from streamgauge._support.jit import inlined, lean_inner
from streamgauge._support.types import Floats
from streamgauge.learners.trees._nodes import (
    BY_BAYES,
    BY_COUNTS,
    HIGH,
    JUDGED_AT,
    LEAF,
    LOW,
    MEAN,
    NARROWNESS,
    READY,
    SEEN,
    SPREAD,
    Pools,
)
from streamgauge.learners.trees._params import ADAPTIVE, MAJORITY, Rule

_ROOT_TWO_PI = math.sqrt(2 * math.pi)
_PER_PI = 1 / math.pi
_POINT = 1e308  # narrowness of a feature without variance: nothing but its mean is possible
_NEVER = 1e100  # from this exponent on a product is 0 for sure
_RAREST = 1e-250  # shares of nominal values whose product is below might leave the range of doubles


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
def vote(
    pools: Pools, rule: Rule, node: int, above: int, X: Floats, row: int, wanted: bool
) -> tuple[int, bool]:
    """The answer for a row that comes to a node (-1 abstains), and is it naive Bayes' there?

    If wanted, scratch.votes has votes too, up to a factor common to all.
    """
    nodes, leaves, _, scratch = pools
    at = node
    total, best = weigh(nodes.counts, at)
    if total == 0:  # a branch that nothing has come down yet knows less than its split
        at = above
        total, best = weigh(nodes.counts, at)
    by_bayes = nodes.kind[at] == LEAF and rule.mode != MAJORITY
    if by_bayes and rule.mode == ADAPTIVE:
        leaf = nodes.leaf[at]
        by_bayes = leaves.tally[leaf, BY_COUNTS] <= leaves.tally[leaf, BY_BAYES]
    answer = best
    if by_bayes:
        answer = _bayes(pools, rule, at, total, X, row, wanted)
    elif wanted:
        for c in range(nodes.counts.shape[1]):
            scratch.votes[c] = nodes.counts[at, c]
    if total == 0:
        answer = -1
    return answer, by_bayes and at == node


@inlined
def _bayes(
    pools: Pools, rule: Rule, at: int, total: float, X: Floats, row: int, wanted: bool
) -> int:
    """Naive Bayes' answer at a leaf; if wanted, its votes too.

    Logarithms are compared where the rule allows it and where the products of `_multiply` would
    come out in the same order for sure: none can leave the range of doubles on the way, and the
    best two are further apart than rounding could move them.
    """
    counts, votes = pools.nodes.counts, pools.scratch.votes
    stats, base, values, tally, features = pools.leaves
    leaf = pools.nodes.leaf[at]
    told, sure = 0, False
    if tally[leaf, READY] == 0:
        for c in range(counts.shape[1]):  # no row yet, only what the split left it
            votes[c] = counts[at, c]
            if counts[at, c] > counts[at, told]:
                told = c
    else:
        if rule.brief:
            highest, second, sure = -np.inf, -np.inf, True
            for c in range(counts.shape[1]):
                votes[c] = -np.inf
                if base[leaf, c] == -np.inf:  # never seen here
                    continue
                exponent = 0.0
                for i in range(features.shape[1]):  # of a nominal one it adds 0, missing NaN
                    off = X[row, features[leaf, i]] - stats[leaf, c, i, MEAN]
                    exponent += off * off * stats[leaf, c, i, NARROWNESS]
                if values.shape[2] > 0:
                    share = _share(pools, rule, leaf, c, X, row)
                    exponent -= math.log(share)
                    sure = sure and share > _RAREST
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
            _multiply(pools, rule, at, total, X, row)
            told = 0  # by comparison, not argmax: that would prefer NaN, an overflow times 0
            for c in range(1, counts.shape[1]):
                if votes[c] > votes[told]:
                    told = c
    return told


@inlined
def _share(pools: Pools, rule: Rule, leaf: int, c: int, X: Floats, row: int) -> float:
    """How likely the nominal values of a row are in a class; NaN if one is missing or none was ever
    seen."""
    stats, _, values, _, features = pools.leaves
    offset, share = rule.offset, 1.0
    for i in range(features.shape[1]):
        j = features[leaf, i]
        if offset[j] >= 0:
            value, n = X[row, j], stats[leaf, c, i, SEEN]
            if n == 0 or np.isnan(value):
                share = np.nan
            else:
                known = stats[leaf, c, i, HIGH] + 1
                share *= (values[leaf, c, offset[j] + int(value)] + 1) / (n + known)
    return share


@lean_inner
def _multiply(pools: Pools, rule: Rule, at: int, total: float, X: Floats, row: int) -> None:
    """Of each class: its prior times the likelihood of every value, factor by factor as in MOA."""
    counts, offset = pools.nodes.counts, rule.offset
    stats, _, values, _, features = pools.leaves
    leaf = pools.nodes.leaf[at]
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
        pools.scratch.votes[c] = product


@inlined
def learn(
    pools: Pools, rule: Rule, node: int, X: Floats, row: int, c: int, w: float, told: int
) -> None:
    """A leaf learns a row; `told` is what naive Bayes said of it there, -1 if it was not asked."""
    nodes, leaves, _, _ = pools
    if rule.mode == ADAPTIVE:
        total, best = weigh(nodes.counts, node)
        if total > 0:
            if told < 0:
                told = _bayes(pools, rule, node, total, X, row, False)
            leaf = nodes.leaf[node]
            leaves.tally[leaf, BY_COUNTS] += w if best == c else 0.0
            leaves.tally[leaf, BY_BAYES] += w if told == c else 0.0
    _observe(pools, rule, node, X, row, c, w)


@inlined
def _observe(pools: Pools, rule: Rule, node: int, X: Floats, row: int, c: int, w: float) -> None:
    stats, base, values, tally, features = pools.leaves
    leaf, offset = pools.nodes.leaf[node], rule.offset
    pools.nodes.counts[node, c] += w
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
        if offset[j] >= 0:
            continue
        narrowness = stats[leaf, c, i, NARROWNESS]  # squared density at the mean, but for pi
        if narrowness <= 1:
            small *= narrowness * _PER_PI
        elif narrowness < _POINT:
            large *= narrowness * _PER_PI
    if rule.brief:
        tame = large < 1e200 and small > 1e-200
        prior = pools.nodes.counts[node, c]
        base[leaf, c] = 0.5 * math.log(large * small * prior * prior) if tame else np.nan


@inlined
def is_due(pools: Pools, rule: Rule, node: int, w: float) -> bool:
    """With w more, will a leaf have seen enough since it last considered a split?"""
    total, _ = weigh(pools.nodes.counts, node)
    return bool(total + w - pools.leaves.tally[pools.nodes.leaf[node], JUDGED_AT] >= rule.grace)
