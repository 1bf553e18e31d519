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
_LN2: Final = math.log(2.0)
_ROOT_TWO_PI: Final = math.sqrt(2 * math.pi)
_ROOT_TWO: Final = math.sqrt(2.0)


class Rule(NamedTuple):
    """When to split."""

    criterion: int
    grace: float
    delta: float
    tie: float


@kernel
def _impurity(counts: Floats, total: float, criterion: int) -> float:
    """Of a node or branch with this weight in all."""
    if criterion == GINI:
        gini = 1.0
        for d in counts:
            gini -= (d / total) ** 2 if total > 0 else 0.0
        return gini
    if total == 0:
        return 0.0
    spread = 0.0
    for d in counts:
        if d > 0:
            spread -= d * (math.log(d) / _LN2)
    return (spread + total * (math.log(total) / _LN2)) / total


@kernel
def _merit(before: float, branches: Floats, used: int, criterion: int) -> float:
    """How much purer the branches are; minus infinity if fewer than two have weight worth it."""
    total, left, largest, others = 0.0, 0.0, 0.0, 0.0
    for b in range(used):
        weight = 0.0
        for d in branches[b]:
            weight += d
        total += weight
        if weight > largest:
            largest, others = weight, largest
        elif weight > others:
            others = weight
        left += weight * _impurity(branches[b], weight, criterion)
    if total == 0:
        return -np.inf
    if criterion == GINI:
        return 1.0 - left / total
    return before - left / total if others / total > _LEAST_SHARE else -np.inf


class _Seen(NamedTuple):
    """What one leaf has seen, by class and feature: its slice of `Leaves`."""

    seen: Floats
    mean: Floats
    spread: Floats
    low: Floats
    high: Floats
    counts: Floats
    values_seen: Floats


@kernel
def _seen_by(leaves: Leaves, leaf: int) -> _Seen:
    return _Seen(
        leaves.seen[leaf],
        leaves.mean[leaf],
        leaves.spread[leaf],
        leaves.low[leaf],
        leaves.high[leaf],
        leaves.counts[leaf],
        leaves.values_seen[leaf],
    )


@kernel
def _divide(
    seen: Floats, mean: Floats, sd: Floats, low: Floats, high: Floats, threshold: float,
    branches: Floats,
) -> None:  # fmt: skip
    """Of each class how much lies on either side, by its Gaussian; all by class, of one feature."""
    for c in range(branches.shape[1]):
        weight = seen[c]
        left, right = 0.0, 0.0
        if weight > 0:
            if threshold < low[c]:
                right = weight
            elif threshold >= high[c]:
                left = weight
            else:
                if sd[c] > 0:
                    z = (threshold - mean[c]) / sd[c]
                    equal = weight * math.exp(-z * z / 2) / (_ROOT_TWO_PI * sd[c])
                    less = weight * 0.5 * math.erfc(-z / _ROOT_TWO) - equal
                else:
                    equal = weight if threshold == mean[c] else 0.0
                    less = weight - equal if threshold < mean[c] else 0.0
                left = less + equal
                right = max(0.0, weight - equal - less)
        branches[0, c] = left
        branches[1, c] = right


@kernel
def _deviations(spread: Floats, seen: Floats) -> Floats:
    """Standard deviations, 0 where there is none."""
    sd = np.zeros(len(seen))
    for c in range(len(seen)):
        if seen[c] > 1 and spread[c] > 0:
            sd[c] = math.sqrt(spread[c] / (seen[c] - 1))
    return sd


@kernel
def _one_or_other(counts: Floats, seen: Floats, value: int, branches: Floats) -> None:
    """Of each class how much has this nominal value, and how much another."""
    for c in range(branches.shape[1]):
        branches[0, c] = counts[c, value]
        branches[1, c] = seen[c] - counts[c, value]


@kernel
def _best_value(
    counts: Floats, seen: Floats, values: int, before: float, criterion: int, branches: Floats
) -> tuple[int, float, float]:
    """The best split on a nominal feature: into all its values, or one against the rest."""
    for v in range(values):
        branches[v] = counts[:, v]
    kind, threshold, merit = MULTIWAY, 0.0, _merit(before, branches, values, criterion)
    for v in range(values):
        _one_or_other(counts, seen, v, branches)
        each = _merit(before, branches, 2, criterion)
        if each > merit:
            kind, threshold, merit = IS_VALUE, float(v), each
    return kind, threshold, merit


@kernel
def _best_threshold(
    seen: Floats, mean: Floats, sd: Floats, low: Floats, high: Floats, before: float,
    criterion: int, branches: Floats,
) -> tuple[int, float, float]:  # fmt: skip
    """The best split on a number; no kind if all values are one."""
    kind, threshold, merit = _NO_SPLIT, 0.0, -np.inf
    lowest, highest = np.inf, -np.inf
    for c in range(len(seen)):
        if seen[c] > 0:
            lowest, highest = min(lowest, low[c]), max(highest, high[c])
    for i in range(_CANDIDATES):
        at = (highest - lowest) / (_CANDIDATES + 1.0) * (i + 1) + lowest
        if lowest < at < highest:
            _divide(seen, mean, sd, low, high, at, branches)
            each = _merit(before, branches, 2, criterion)
            if kind == _NO_SPLIT or each > merit:
                kind, threshold, merit = NUMERIC, at, each
    return kind, threshold, merit


@kernel
def _column(table: Floats, j: int) -> Floats:
    """A feature's numbers, by class, next to each other."""
    return table[:, j].copy()


@kernel
def consider(
    nodes: Nodes, leaves: Leaves, node: int, offset: Longs, sizes: Longs, rule: Rule,
    branches: Floats,
) -> None:  # fmt: skip
    """Split a leaf if its rows have settled on how."""
    counts = nodes.counts[node]
    classes, last, total = 0, 0, 0.0
    for c in range(len(counts)):
        total += counts[c]
        if counts[c] != 0:
            classes += 1
            last = c
    if classes < 2:
        return
    seen, mean, spread, low, high, values, values_seen = _seen_by(leaves, nodes.leaf[node])
    before = _impurity(counts, total, rule.criterion)
    # Not to split is a choice too; information gain puts it last.
    feature, kind, threshold = -1, _NO_SPLIT, 0.0
    best = 1.0 - before if rule.criterion == GINI else -np.inf
    second, choices = -np.inf, 1
    for j in range(len(offset)):
        weight = _column(seen, j)
        if offset[j] >= 0:
            known = int(values_seen[:, j].max())
            its_kind, its_threshold, merit = _best_value(
                values[:, offset[j] :], weight, known, before, rule.criterion, branches
            )
        else:
            its_kind, its_threshold, merit = _best_threshold(
                weight, _column(mean, j), _deviations(_column(spread, j), weight),
                _column(low, j), _column(high, j), before, rule.criterion, branches,
            )  # fmt: skip
        if its_kind == _NO_SPLIT:
            continue
        choices += 1
        if merit >= best:
            second, best = best, merit
            feature, kind, threshold = j, its_kind, its_threshold
        elif merit > second:
            second = merit
    if choices > 1:
        span = 1.0 if rule.criterion == GINI else math.log(max(2, last + 1)) / _LN2
        bound = math.sqrt(span * span * math.log(1 / rule.delta) / (2 * total))
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
    seen, mean, spread, low, high, values, values_seen = _seen_by(leaves, nodes.leaf[node])
    j, used, width = feature, 2, 2
    weight = _column(seen, j)
    if kind == NUMERIC:
        sd = _deviations(_column(spread, j), weight)
        _divide(
            weight, _column(mean, j), sd, _column(low, j), _column(high, j), threshold, branches
        )
    elif kind == MULTIWAY:
        used, width = int(values_seen[:, j].max()), sizes[j]
        for v in range(used):
            branches[v] = values[:, offset[j] + v]
    else:
        _one_or_other(values[:, offset[j] :], weight, int(threshold), branches)
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
