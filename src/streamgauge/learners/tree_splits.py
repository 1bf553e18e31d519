"""Which split a leaf's rows ask for, and whether they have asked for long enough."""

from __future__ import annotations

import math
from typing import Final, NamedTuple

import numpy as np

from streamgauge.compiled import kernel
from streamgauge.learners.tree_nodes import (
    INACTIVE,
    IS_VALUE,
    MULTIWAY,
    NUMERIC,
    Leaves,
    Nodes,
    add_leaf,
    list_children,
    release,
)
from streamgauge.types import Floats, Longs

INFO_GAIN: Final = 0
GINI: Final = 1

_CANDIDATES: Final = 10  # thresholds tried between a feature's lowest and highest value
_LEAST_SHARE: Final = 0.01  # at least two branches must get more than this of the weight
_NO_SPLIT: Final = -1


class Rule(NamedTuple):
    """When to split."""

    criterion: int
    grace: float
    delta: float
    tie: float


@kernel
def _entropy(counts: Floats) -> float:
    total, sum_ = 0.0, 0.0
    for d in counts:
        if d > 0:
            total -= d * (math.log(d) / math.log(2.0))
            sum_ += d
    return (total + sum_ * (math.log(sum_) / math.log(2.0))) / sum_ if sum_ > 0 else 0.0


@kernel
def _impurity(counts: Floats, criterion: int) -> float:
    if criterion == INFO_GAIN:
        return _entropy(counts)
    total = counts.sum()
    gini = 1.0
    for d in counts:
        gini -= (d / total) ** 2 if total > 0 else 0.0
    return gini


@kernel
def _merit(before: float, branches: Floats, used: int, criterion: int) -> float:
    """How much purer the branches are; minus infinity if fewer than two have weight worth it."""
    total, left = 0.0, 0.0
    for b in range(used):
        weight = branches[b].sum()
        total += weight
        left += weight * _impurity(branches[b], criterion)
    if criterion == GINI:
        return 1.0 - left / total if total > 0 else -np.inf
    large = 0
    for b in range(used):
        if total > 0 and branches[b].sum() / total > _LEAST_SHARE:
            large += 1
    return before - left / total if large >= 2 else -np.inf


@kernel
def _divide(leaves: Leaves, leaf: int, j: int, threshold: float, branches: Floats) -> None:
    """Of each class how much lies on either side, by its Gaussian."""
    for c in range(branches.shape[1]):
        weight = leaves.seen[leaf, c, j]
        left, right = 0.0, 0.0
        if weight > 0:
            if threshold < leaves.low[leaf, c, j]:
                right = weight
            elif threshold >= leaves.high[leaf, c, j]:
                left = weight
            else:
                mean = leaves.mean[leaf, c, j]
                sd = math.sqrt(leaves.spread[leaf, c, j] / (weight - 1)) if weight > 1 else 0.0
                if sd > 0:
                    z = (threshold - mean) / sd
                    equal = weight * math.exp(-z * z / 2) / (math.sqrt(2 * math.pi) * sd)
                    less = weight * 0.5 * math.erfc(-z / math.sqrt(2.0)) - equal
                else:
                    equal = weight if threshold == mean else 0.0
                    less = weight - equal if threshold < mean else 0.0
                left = less + equal
                right = max(0.0, weight - equal - less)
        branches[0, c] = left
        branches[1, c] = right


@kernel
def _values(leaves: Leaves, leaf: int, j: int) -> int:
    """How many values of a nominal feature the leaf knows of."""
    return int(leaves.values_seen[leaf, :, j].max())


@kernel
def _one_or_other(
    leaves: Leaves, leaf: int, j: int, start: int, value: int, branches: Floats
) -> None:
    """Of each class how much has this value, and how much another."""
    for c in range(branches.shape[1]):
        branches[0, c] = leaves.counts[leaf, c, start + value]
        branches[1, c] = leaves.seen[leaf, c, j] - branches[0, c]


@kernel
def _best_of(
    leaves: Leaves, leaf: int, j: int, offset: Longs, before: float, criterion: int,
    branches: Floats,
) -> tuple[int, float, float]:  # fmt: skip
    """The best split on a feature: its kind, threshold and merit; no kind if there is none."""
    kind, threshold, merit = _NO_SPLIT, 0.0, -np.inf
    if offset[j] >= 0:
        values = _values(leaves, leaf, j)
        for v in range(values):
            branches[v] = leaves.counts[leaf, :, offset[j] + v]
        kind, merit = MULTIWAY, _merit(before, branches, values, criterion)
        for v in range(values):
            _one_or_other(leaves, leaf, j, offset[j], v, branches)
            each = _merit(before, branches, 2, criterion)
            if each > merit:
                kind, threshold, merit = IS_VALUE, float(v), each
        return kind, threshold, merit
    low, high = np.inf, -np.inf
    for c in range(leaves.seen.shape[1]):
        if leaves.seen[leaf, c, j] > 0:
            low, high = min(low, leaves.low[leaf, c, j]), max(high, leaves.high[leaf, c, j])
    for i in range(_CANDIDATES):
        at = (high - low) / (_CANDIDATES + 1.0) * (i + 1) + low
        if low < at < high:
            _divide(leaves, leaf, j, at, branches)
            each = _merit(before, branches, 2, criterion)
            if kind == _NO_SPLIT or each > merit:
                kind, threshold, merit = NUMERIC, at, each
    return kind, threshold, merit


@kernel
def consider(
    nodes: Nodes, leaves: Leaves, node: int, offset: Longs, sizes: Longs, rule: Rule,
    branches: Floats,
) -> None:  # fmt: skip
    """Split a leaf if its rows have settled on how."""
    counts, leaf = nodes.counts[node], nodes.leaf[node]
    classes, highest = 0, 0
    for c in range(len(counts)):
        if counts[c] != 0:
            classes += 1
            highest = c
    if classes < 2:
        return
    before = _impurity(counts, rule.criterion)
    # Not to split is a choice too; information gain puts it last.
    feature, kind, threshold = -1, _NO_SPLIT, 0.0
    best = 1.0 - before if rule.criterion == GINI else -np.inf
    second, choices = -np.inf, 1
    for j in range(len(offset)):
        its_kind, its_threshold, merit = _best_of(
            leaves, leaf, j, offset, before, rule.criterion, branches
        )
        if its_kind == _NO_SPLIT:
            continue
        choices += 1
        if merit >= best:
            second, best = best, merit
            feature, kind, threshold = j, its_kind, its_threshold
        elif merit > second:
            second = merit
    if choices > 1:
        span = 1.0 if rule.criterion == GINI else math.log(max(2, highest + 1)) / math.log(2.0)
        bound = math.sqrt(span * span * math.log(1 / rule.delta) / (2 * counts.sum()))
        if not (best - second > bound or bound < rule.tie):
            return
    if kind == _NO_SPLIT:
        release(nodes, node)
        nodes.kind[node] = INACTIVE
        return
    _split(nodes, leaves, node, feature, kind, threshold, offset, sizes, branches)


@kernel
def _split(
    nodes: Nodes, leaves: Leaves, node: int, feature: int, kind: int, threshold: float,
    offset: Longs, sizes: Longs, branches: Floats,
) -> None:  # fmt: skip
    leaf = nodes.leaf[node]
    used, width = 2, 2
    if kind == NUMERIC:
        _divide(leaves, leaf, feature, threshold, branches)
    else:
        values = _values(leaves, leaf, feature)
        if kind == MULTIWAY:
            used, width = values, sizes[feature]
            for v in range(values):
                branches[v] = leaves.counts[leaf, :, offset[feature] + v]
        else:
            _one_or_other(leaves, leaf, feature, offset[feature], int(threshold), branches)
    release(nodes, node)
    nodes.kind[node] = kind
    nodes.feature[node] = feature
    nodes.threshold[node] = threshold
    start = list_children(nodes, node, width)
    for b in range(used):
        child = add_leaf(nodes, leaves)
        nodes.child[start + b] = child
        nodes.counts[child] = branches[b]
        leaves.judged_at[nodes.leaf[child]] = branches[b].sum()
