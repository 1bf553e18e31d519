"""Split decisions of classification leaves."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from streamgauge._support.jit import inlined, lean_inner
from streamgauge._support.types import Floats
from streamgauge.learners.trees._approximate_gain import (
    LEAD_ERROR,
    approximate_log2,
    approximate_thresholds,
    has_approximate_size,
)
from streamgauge.learners.trees._nodes import (
    BY_SPLIT,
    INACTIVE,
    IS_VALUE,
    LAST_ATTEMPT,
    M2,
    MAX,
    MEAN,
    MIN,
    MULTIWAY,
    NUMERIC,
    WEIGHT,
    Pools,
    allocate_siblings,
    make_leaf,
    release_leaf,
)
from streamgauge.learners.trees._params import GINI, TreeParams
from streamgauge.learners.trees._value_counts import ValueCounts, count_of

_CANDIDATES: Final = 10  # thresholds tried between a feature's minimum and maximum
_MIN_FRACTION: Final = 0.01  # of the weight; at least two branches must have more
NO_SPLIT: Final = -1
_LN2: Final = math.log(2.0)
_ROOT_TWO_PI: Final = math.sqrt(2 * math.pi)
_ROOT_TWO: Final = math.sqrt(2.0)


@inlined
def _log2(x: float, approximate: bool) -> float:
    """Return the binary logarithm as MOA rounds it, or an approximate one."""
    return approximate_log2(x) if approximate else math.log(x) / _LN2


@inlined
def impurity_of(counts: Floats, at: int, total: float, criterion: int, approximate: bool) -> float:
    """Return the impurity of row `at` of counts, whose sum is `total`.

    The terms are added as in MOA: rounding decides between equally good splits.
    """
    if total == 0:
        return 1.0 if criterion == GINI else 0.0
    rest = 1.0 if criterion == GINI else 0.0
    for c in range(counts.shape[1]):
        n = counts[at, c]
        if criterion == GINI:
            rest -= (n / total) ** 2
        elif n > 0:
            rest -= n * _log2(n, approximate)
    if criterion == GINI:
        return rest
    return (rest + total * _log2(total, approximate)) / total


@inlined
def _merit(before: float, branches: Floats, used: int, criterion: int, approximate: bool) -> float:
    """Return the merit of a split into branches; minus infinity if fewer than two have weight.

    A approximate merit is infinite where it may be far from the exact one.
    """
    total, largest, second = 0.0, 0.0, 0.0
    for b in range(used):
        weight = _weight(branches, b)
        total += weight
        if weight > largest:
            largest, second = weight, largest
        elif weight > second:
            second = weight
    if approximate and total > 0 and not has_approximate_size(total):
        return np.inf
    # Before the logarithms: where values are skewed, most thresholds end here.
    if total == 0 or (criterion != GINI and not second / total > _MIN_FRACTION):
        return -np.inf
    impurity = 0.0
    for b in range(used):
        weight = _weight(branches, b)
        impurity += weight * impurity_of(branches, b, weight, criterion, approximate)
    return 1.0 - impurity / total if criterion == GINI else before - impurity / total


@inlined
def _weight(branches: Floats, b: int) -> float:
    """Return the weight of a branch."""
    weight = 0.0
    for c in range(branches.shape[1]):
        weight += branches[b, c]
    return weight


@inlined
def _split_gaussians(
    stats: Floats, leaf: int, i: int, sd: Floats, threshold: float, branches: Floats
) -> None:
    """Split each class's Gaussian at a threshold; write the weights to the two branches."""
    for c in range(branches.shape[1]):
        weight = stats[leaf, c, i, WEIGHT]
        left, right = 0.0, 0.0
        if weight > 0:
            if threshold < stats[leaf, c, i, MIN]:
                right = weight
            elif threshold >= stats[leaf, c, i, MAX]:
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
    """Write the standard deviation of a feature in each class to `sd`, 0 if undefined."""
    for c in range(len(sd)):
        n, m2 = stats[leaf, c, i, WEIGHT], stats[leaf, c, i, M2]
        sd[c] = math.sqrt(m2 / (n - 1)) if n > 1 and m2 > 0 else 0.0


@inlined
def _known_values(stats: Floats, leaf: int, i: int) -> int:
    """Return the highest value code seen of a nominal feature, plus 1."""
    known = 0.0
    for c in range(stats.shape[1]):
        if stats[leaf, c, i, WEIGHT] > 0:
            known = max(known, stats[leaf, c, i, MAX] + 1)
    return int(known)


@inlined
def _count_values(
    stats: Floats, counts: ValueCounts, leaf: int, i: int, values: int, known: int, branches: Floats
) -> None:
    """Write each class's weight to one branch per nominal value."""
    for v in range(known):
        for c in range(branches.shape[1]):
            branches[v, c] = count_of(counts, stats, leaf, c, i, values, v)


@inlined
def _count_value_and_rest(
    stats: Floats, counts: ValueCounts, leaf: int, i: int, values: int, value: int, branches: Floats
) -> None:
    """Write each class's weight to two branches: one nominal value and all others."""
    for c in range(branches.shape[1]):
        count = count_of(counts, stats, leaf, c, i, values, value)
        branches[0, c] = count
        branches[1, c] = stats[leaf, c, i, WEIGHT] - count


@lean_inner
def _best_value(
    stats: Floats, counts: ValueCounts, leaf: int, i: int, values: int, before: float,
    criterion: int, branches: Floats, approximate: bool,
) -> tuple[int, float, float]:  # fmt: skip
    """Return the best split on a nominal feature: into all values, or one against the rest."""
    known = _known_values(stats, leaf, i)
    _count_values(stats, counts, leaf, i, values, known, branches)
    kind, threshold, merit = MULTIWAY, 0.0, _merit(before, branches, known, criterion, approximate)
    for v in range(known):
        _count_value_and_rest(stats, counts, leaf, i, values, v, branches)
        each_merit = _merit(before, branches, 2, criterion, approximate)
        if each_merit > merit:
            kind, threshold, merit = IS_VALUE, float(v), each_merit
    return kind, threshold, merit


@lean_inner
def _best_threshold(
    stats: Floats, leaf: int, i: int, before: float, criterion: int, sd: Floats, branches: Floats,
    lanes: Floats, approximate: bool, floor: float,
) -> tuple[int, float, float]:  # fmt: skip
    """Return the best split on a numeric feature; no split if it is constant."""
    kind, threshold, merit = NO_SPLIT, 0.0, -np.inf
    low, high = np.inf, -np.inf
    for c in range(stats.shape[1]):
        if stats[leaf, c, i, WEIGHT] > 0:
            low = min(low, stats[leaf, c, i, MIN])
            high = max(high, stats[leaf, c, i, MAX])
    if not low < high:
        return kind, threshold, merit
    step, chosen = (high - low) / (_CANDIDATES + 1.0), -1
    _deviations(stats, leaf, i, sd)
    if approximate or floor > -np.inf:
        merit, chosen = approximate_thresholds(
            stats, leaf, i, sd, low, high, step, _CANDIDATES, before, _MIN_FRACTION, floor, lanes
        )
        if approximate or chosen == 0:
            return NUMERIC if chosen else NO_SPLIT, 0.0, merit
        _deviations(stats, leaf, i, sd)
    for s in range(1, _CANDIDATES + 1):
        at = step * s + low
        if low < at < high and (chosen >> s) & 1:
            _split_gaussians(stats, leaf, i, sd, at, branches)
            each_merit = _merit(before, branches, 2, criterion, False)
            if kind == NO_SPLIT or each_merit > merit:
                kind, threshold, merit = NUMERIC, at, each_merit
    return kind, threshold, merit


@lean_inner
def best_candidate(
    pools: Pools,
    params: TreeParams,
    leaf: int,
    i: int,
    before: float,
    approximate: bool,
    floor: float,
) -> tuple[int, float, float]:
    """Return kind, threshold and merit of the best split on the i-th feature that a leaf observes.

    `before` is the impurity without a split. Candidates that do not reach the approximate merit
    `floor` may be left out. Of an approximate split only the merit is of use.
    """
    stats, branches = pools.leaves.stats, pools.scratch.branches
    values = params.cardinality[pools.leaves.features[leaf, i]]
    if values:
        return _best_value(
            stats,
            pools.counts,
            leaf,
            i,
            values,
            before,
            params.split_criterion,
            branches,
            approximate,
        )
    return _best_threshold(
        stats, leaf, i, before, params.split_criterion, pools.scratch.deviations, branches,
        pools.scratch.lanes, approximate, floor,
    )  # fmt: skip


@inlined
def hoeffding_bound(params: TreeParams, classes: int, total: float) -> float:
    """Return Hoeffding's bound on the merit of a split, after rows of this total weight."""
    span = 1.0 if params.split_criterion == GINI else math.log(max(2, classes)) / _LN2
    return math.sqrt(span * span * math.log(1 / params.delta) / (2 * total))


@lean_inner
def _best_two(
    pools: Pools, params: TreeParams, leaf: int, before: float, approximate: bool, floor: float
) -> tuple[int, int, float, float, float, int]:
    """Return a leaf's best split (feature, kind, threshold), both merits, and how many there are.

    Not splitting is a candidate too; by information gain it comes last.
    """
    best_i, kind, threshold = -1, NO_SPLIT, 0.0
    best = 1.0 - before if params.split_criterion == GINI else -np.inf
    second, candidates = -np.inf, 1
    for i in range(pools.leaves.features.shape[1]):
        its_kind, its_threshold, merit = best_candidate(
            pools, params, leaf, i, before, approximate, floor
        )
        if its_kind == NO_SPLIT:
            continue
        candidates += 1
        if merit >= best:
            second, best = best, merit
            best_i, kind, threshold = i, its_kind, its_threshold
        elif merit > second:
            second = merit
    return best_i, kind, threshold, best, second, candidates


@lean_inner
def attempt_split(pools: Pools, params: TreeParams, node: int) -> bool:
    """Split a leaf if its best split is clear; return whether it split."""
    nodes, leaves = pools.nodes, pools.leaves
    classes, last, total = 0, 0, 0.0
    for c in range(nodes.counts.shape[1]):
        total += nodes.counts[node, c]
        if nodes.counts[node, c] != 0:
            classes += 1
            last = c
    leaves.tally[nodes.leaf[node], LAST_ATTEMPT] = total
    if classes < 2:
        return False
    leaf = nodes.leaf[node]
    before = impurity_of(nodes.counts, node, total, params.split_criterion, False)
    bound = hoeffding_bound(params, last + 1, total)
    floor = -np.inf
    if params.split_criterion != GINI:
        _, _, _, best, second, candidates = _best_two(pools, params, leaf, before, True, floor)
        if candidates > 1 and best - second + LEAD_ERROR <= bound and not bound < params.tau:
            return False  # as most attempts end, without an exact logarithm
        # Neither the best nor the second, unless one of them may be far from the exact one.
        floor = second - LEAD_ERROR if best < np.inf else -np.inf
    best_i, kind, threshold, best, second, candidates = _best_two(
        pools, params, leaf, before, False, floor
    )
    if candidates > 1 and not (best - second > bound or bound < params.tau):
        return False
    if kind == NO_SPLIT:
        release_leaf(pools, node)
        nodes.kind[node] = INACTIVE
        if params.restarts:
            make_leaf(pools, node)
        return False
    split(pools, params, node, best_i, kind, threshold, False)
    return True


@lean_inner
def split(
    pools: Pools, params: TreeParams, node: int, i: int, kind: int, threshold: float,
    keeps_statistics: bool,
) -> None:  # fmt: skip
    """Turn a node into a split on the i-th feature that it observes.

    Each branch that rows have taken gets a leaf.
    """
    nodes, leaves, _, scratch, counts = pools
    branches, leaf = scratch.branches, nodes.leaf[node]
    feature = leaves.features[leaf, i]
    used, width, values = 2, 2, params.cardinality[feature]
    if kind == NUMERIC:
        _deviations(leaves.stats, leaf, i, scratch.deviations)
        _split_gaussians(leaves.stats, leaf, i, scratch.deviations, threshold, branches)
    elif kind == MULTIWAY:
        used, width = _known_values(leaves.stats, leaf, i), values
        _count_values(leaves.stats, counts, leaf, i, values, used, branches)
    else:
        _count_value_and_rest(leaves.stats, counts, leaf, i, values, int(threshold), branches)
    if not keeps_statistics:
        release_leaf(pools, node)
    nodes.kind[node] = kind
    nodes.feature[node] = feature
    nodes.threshold[node] = threshold
    nodes.first_child[node] = allocate_siblings(pools, width)
    for b in range(used):
        child = nodes.first_child[node] + b
        for c in range(branches.shape[1]):
            nodes.counts[child, c] = branches[b, c]
        make_leaf(pools, child)
        leaves.tally[nodes.leaf[child], BY_SPLIT] = 1.0
