"""Which split a regression leaf's rows ask for, and whether they have asked for long enough."""

from __future__ import annotations

import math
from typing import NamedTuple

from streamgauge._support.jit import inner
from streamgauge.learners._rows import copy_row
from streamgauge.learners.trees._nodes import IS_VALUE, NUMERIC
from streamgauge.learners.trees._regression_nodes import (
    LEAVES,
    NODES,
    PH_LOW,
    PH_SUM,
    WEIGHT,
    Trees,
    make_leaf,
)
from streamgauge.learners.trees._target_bins import Cut, best_cut, best_value


class Rule(NamedTuple):
    """How a tree grows and adapts."""

    grace: float
    delta: float
    tie: float
    least: float  # weight on either side of a split
    bins: int  # of a number at a leaf
    rate: float  # the perceptron's
    decay: float
    drift_delta: float  # Page–Hinkley's
    drift_threshold: float


@inner
def consider(trees: Trees, node: int, rule: Rule) -> None:
    """Split a leaf if its rows have settled on how.

    Best is what leaves the least variance (of features with missing values: of the rows that have
    one). The second best feature's gain must be less than the best's by a share that is
    Hoeffding's bound, or the bound below `tie`.
    """
    leaf = trees.nodes.leaf[node]
    sizes, (record, start, _, filled, _, _) = trees.sizes, trees.bins
    best, second, feature, kind = Cut(0.0, 0.0, 0.0, 0.0, 0.0, 0.0), 0.0, -1, NUMERIC
    for i in range(filled.shape[1]):
        j = trees.leaves.features[leaf, i]
        if sizes[j] > 0:
            cut = best_value(record, start[leaf, i], filled[leaf, i], rule.least)
        else:
            cut = best_cut(record, start[leaf, i], filled[leaf, i], rule.least)
        if cut.gain >= best.gain:
            second = best.gain
            best, feature, kind = cut, j, IS_VALUE if sizes[j] > 0 else NUMERIC
        elif cut.gain > second:
            second = cut.gain
    if best.gain <= 0:
        return
    bound = math.sqrt(math.log(1 / rule.delta) / (2 * trees.nodes.counts[node, WEIGHT]))
    if second / best.gain < 1 - bound or bound < rule.tie:
        first = _split(trees, node, feature, kind, best.at)
        left, right = trees.nodes.leaf[first], trees.nodes.leaf[first + 1]
        trees.leaves.before[left] = best.left_mass / best.left
        trees.leaves.before[right] = (best.mass - best.left_mass) / (best.weight - best.left)


@inner
def _split(trees: Trees, node: int, feature: int, kind: int, threshold: float) -> int:
    """Let a leaf be a split; its first child, which takes over its place and perceptron."""
    nodes, linear = trees.nodes, trees.leaves.linear
    leaf = nodes.leaf[node]
    first, place = trees.used[NODES], trees.used[LEAVES]
    trees.used[NODES] += 2
    trees.used[LEAVES] += 1
    copy_row(linear, leaf, linear, place)
    make_leaf(trees, first, leaf)
    make_leaf(trees, first + 1, place)
    nodes.kind[node] = kind
    nodes.feature[node] = feature
    nodes.threshold[node] = threshold
    nodes.first[node] = first
    nodes.leaf[node] = -1
    nodes.counts[node, PH_SUM] = 0.0
    nodes.counts[node, PH_LOW] = 0.0
    return int(first)
