"""Which split a leaf's rows ask for, and whether they have asked for long enough."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from streamgauge._support.jit import inlined, lean_inner
from streamgauge._support.types import Floats
from streamgauge.learners.trees._nodes import (
    HIGH,
    INACTIVE,
    IS_VALUE,
    JUDGED_AT,
    LOW,
    MEAN,
    MULTIWAY,
    NUMERIC,
    SEEN,
    SPREAD,
    Pools,
    make_leaf,
    release,
    take_siblings,
)
from streamgauge.learners.trees._params import GINI, Rule

_CANDIDATES: Final = 10  # thresholds tried between a feature's lowest and highest value
_LEAST_SHARE: Final = 0.01  # at least two branches must get more than this of the weight
_NO_SPLIT: Final = -1
_LN2: Final = math.log(2.0)
_ROOT_TWO_PI: Final = math.sqrt(2 * math.pi)
_ROOT_TWO: Final = math.sqrt(2.0)


@inlined
def _impurity(counts: Floats, at: int, total: float, criterion: int) -> float:
    """Of a node or branch with this weight in all: row `at` of counts.

    Term by term as in MOA: of splits that are equally good rounding decides.
    """
    if total == 0:
        return 1.0 if criterion == GINI else 0.0
    spread = 1.0 if criterion == GINI else 0.0
    for c in range(counts.shape[1]):
        d = counts[at, c]
        if criterion == GINI:
            spread -= (d / total) ** 2
        elif d > 0:
            spread -= d * (math.log(d) / _LN2)
    if criterion == GINI:
        return spread
    return (spread + total * (math.log(total) / _LN2)) / total


@inlined
def _merit(before: float, branches: Floats, used: int, criterion: int) -> float:
    """How much purer the branches are; minus infinity if fewer than two have weight worth it."""
    total, left, largest, others = 0.0, 0.0, 0.0, 0.0
    for b in range(used):
        weight = 0.0
        for c in range(branches.shape[1]):
            weight += branches[b, c]
        total += weight
        if weight > largest:
            largest, others = weight, largest
        elif weight > others:
            others = weight
        left += weight * _impurity(branches, b, weight, criterion)
    if total == 0:
        return -np.inf
    if criterion == GINI:
        return 1.0 - left / total
    return before - left / total if others / total > _LEAST_SHARE else -np.inf


@inlined
def _divide(
    stats: Floats, leaf: int, i: int, sd: Floats, threshold: float, branches: Floats
) -> None:
    """Of each class how much lies on either side of a number, by its Gaussian."""
    for c in range(branches.shape[1]):
        weight = stats[leaf, c, i, SEEN]
        left, right = 0.0, 0.0
        if weight > 0:
            if threshold < stats[leaf, c, i, LOW]:
                right = weight
            elif threshold >= stats[leaf, c, i, HIGH]:
                left = weight
            else:
                mean = stats[leaf, c, i, MEAN]
                if sd[c] > 0:
                    z = (threshold - mean) / sd[c]
                    equal = weight * math.exp(-z * z / 2) / (_ROOT_TWO_PI * sd[c])
                    less = weight * 0.5 * math.erfc(-z / _ROOT_TWO) - equal
                else:
                    equal = weight if threshold == mean else 0.0
                    less = weight - equal if threshold < mean else 0.0
                left = less + equal
                right = max(0.0, weight - equal - less)
        branches[0, c] = left
        branches[1, c] = right


@inlined
def _deviations(stats: Floats, leaf: int, i: int, sd: Floats) -> None:
    """Standard deviations by class, 0 where there is none."""
    for c in range(len(sd)):
        n, spread = stats[leaf, c, i, SEEN], stats[leaf, c, i, SPREAD]
        sd[c] = math.sqrt(spread / (n - 1)) if n > 1 and spread > 0 else 0.0


@inlined
def _known_values(stats: Floats, leaf: int, i: int) -> int:
    """Of a nominal feature: the highest value code seen + 1."""
    known = 0.0
    for c in range(stats.shape[1]):
        if stats[leaf, c, i, SEEN] > 0:
            known = max(known, stats[leaf, c, i, HIGH] + 1)
    return int(known)


@inlined
def _each_value(values: Floats, leaf: int, start: int, known: int, branches: Floats) -> None:
    """Of each class how much has which nominal value."""
    for v in range(known):
        for c in range(branches.shape[1]):
            branches[v, c] = values[leaf, c, start + v]


@inlined
def _one_or_other(
    stats: Floats, values: Floats, leaf: int, i: int, place: int, branches: Floats
) -> None:
    """Of each class how much has this nominal value, and how much another."""
    for c in range(branches.shape[1]):
        branches[0, c] = values[leaf, c, place]
        branches[1, c] = stats[leaf, c, i, SEEN] - values[leaf, c, place]


@lean_inner
def _best_value(
    stats: Floats, values: Floats, leaf: int, i: int, start: int, before: float, criterion: int,
    branches: Floats,
) -> tuple[int, float, float]:  # fmt: skip
    """The best split on a nominal feature: into all its values, or one against the rest."""
    known = _known_values(stats, leaf, i)
    _each_value(values, leaf, start, known, branches)
    kind, threshold, merit = MULTIWAY, 0.0, _merit(before, branches, known, criterion)
    for v in range(known):
        _one_or_other(stats, values, leaf, i, start + v, branches)
        each = _merit(before, branches, 2, criterion)
        if each > merit:
            kind, threshold, merit = IS_VALUE, float(v), each
    return kind, threshold, merit


@lean_inner
def _best_threshold(
    stats: Floats, leaf: int, i: int, before: float, criterion: int, sd: Floats, branches: Floats
) -> tuple[int, float, float]:
    """The best split on a number; no kind if all values are one."""
    kind, threshold, merit = _NO_SPLIT, 0.0, -np.inf
    lowest, highest = np.inf, -np.inf
    for c in range(stats.shape[1]):
        if stats[leaf, c, i, SEEN] > 0:
            lowest = min(lowest, stats[leaf, c, i, LOW])
            highest = max(highest, stats[leaf, c, i, HIGH])
    _deviations(stats, leaf, i, sd)
    for step in range(_CANDIDATES):
        at = (highest - lowest) / (_CANDIDATES + 1.0) * (step + 1) + lowest
        if lowest < at < highest:
            _divide(stats, leaf, i, sd, at, branches)
            each = _merit(before, branches, 2, criterion)
            if kind == _NO_SPLIT or each > merit:
                kind, threshold, merit = NUMERIC, at, each
    return kind, threshold, merit


@lean_inner
def consider(pools: Pools, rule: Rule, node: int) -> bool:
    """Split a leaf if its rows have settled on how; did it?"""
    nodes, leaves, _, scratch = pools
    classes, last, total = 0, 0, 0.0
    for c in range(nodes.counts.shape[1]):
        total += nodes.counts[node, c]
        if nodes.counts[node, c] != 0:
            classes += 1
            last = c
    leaves.tally[nodes.leaf[node], JUDGED_AT] = total
    if classes < 2:
        return False
    leaf, stats, values = nodes.leaf[node], leaves.stats, leaves.values
    sd, branches, offset = scratch.deviations, scratch.branches, rule.offset
    before = _impurity(nodes.counts, node, total, rule.criterion)
    # Not to split is a choice too; information gain puts it last.
    best_i, kind, threshold = -1, _NO_SPLIT, 0.0
    best = 1.0 - before if rule.criterion == GINI else -np.inf
    second, choices = -np.inf, 1
    for i in range(leaves.features.shape[1]):
        start = offset[leaves.features[leaf, i]]
        if start >= 0:
            its_kind, its_threshold, merit = _best_value(
                stats, values, leaf, i, start, before, rule.criterion, branches
            )
        else:
            its_kind, its_threshold, merit = _best_threshold(
                stats, leaf, i, before, rule.criterion, sd, branches
            )
        if its_kind == _NO_SPLIT:
            continue
        choices += 1
        if merit >= best:
            second, best = best, merit
            best_i, kind, threshold = i, its_kind, its_threshold
        elif merit > second:
            second = merit
    if choices > 1:
        span = 1.0 if rule.criterion == GINI else math.log(max(2, last + 1)) / _LN2
        bound = math.sqrt(span * span * math.log(1 / rule.delta) / (2 * total))
        if not (best - second > bound or bound < rule.tie):
            return False
    if kind == _NO_SPLIT:
        release(pools, node)
        nodes.kind[node] = INACTIVE
        return False
    _split(pools, rule, node, best_i, kind, threshold)
    return True


@lean_inner
def _split(pools: Pools, rule: Rule, node: int, i: int, kind: int, threshold: float) -> None:
    """Its kind, on the leaf's i-th feature."""
    nodes, leaves, _, scratch = pools
    branches, leaf = scratch.branches, nodes.leaf[node]
    feature = leaves.features[leaf, i]
    used, width = 2, 2
    if kind == NUMERIC:
        _deviations(leaves.stats, leaf, i, scratch.deviations)
        _divide(leaves.stats, leaf, i, scratch.deviations, threshold, branches)
    elif kind == MULTIWAY:
        used, width = _known_values(leaves.stats, leaf, i), rule.sizes[feature]
        _each_value(leaves.values, leaf, rule.offset[feature], used, branches)
    else:
        place = rule.offset[feature] + int(threshold)
        _one_or_other(leaves.stats, leaves.values, leaf, i, place, branches)
    release(pools, node)
    nodes.kind[node] = kind
    nodes.feature[node] = feature
    nodes.threshold[node] = threshold
    nodes.first[node] = take_siblings(pools, width)
    for b in range(used):
        child = nodes.first[node] + b
        for c in range(branches.shape[1]):
            nodes.counts[child, c] = branches[b, c]
        make_leaf(pools, child)
