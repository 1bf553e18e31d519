"""Split decisions of regression leaves."""

from __future__ import annotations

import math

from streamgauge._support.index import as_index
from streamgauge._support.jit import lean_inner
from streamgauge.learners._rows import copy_row
from streamgauge.learners.trees._nodes import IS_VALUE, NUMERIC
from streamgauge.learners.trees._regression_nodes import (
    PH_MIN,
    PH_SUM,
    WEIGHT,
    Trees,
    make_leaf,
    take_place,
)
from streamgauge.learners.trees._regression_params import RegressionParams
from streamgauge.learners.trees._target_bins import (
    Cut,
    best_threshold,
    best_value,
    bin_buffer,
    is_binned,
    is_dense,
    sort_bins,
)


@lean_inner
def attempt_split(trees: Trees, params: RegressionParams, t: int, node: int) -> None:
    """Split a leaf of tree `t` if its best split is clear.

    The best split leaves the least variance; rows whose value is missing do not count. The second
    best feature's gain, relative to the best, must fall short of 1 by Hoeffding's bound, or the
    bound must be below `tau`.
    """
    leaf = as_index(trees.nodes.leaf[node])
    cardinality, bins, binned = trees.cardinality, trees.bins, is_binned(trees.bins, leaf)
    table = bins.table if binned else bins.scratch
    best, second_gain, feature, kind = Cut(0.0, 0.0, 0.0, 0.0, 0.0, 0.0), 0.0, -1, NUMERIC
    for i in range(bins.n_bins.shape[1]):
        j = trees.leaves.features[leaf, i]
        values, dense = cardinality[j], is_dense(cardinality[j])
        start, n = bins.start[leaf, i], bins.n_bins[leaf, i]
        if not binned:
            start, n = 0, bin_buffer(bins, leaf, i, values)
        elif not dense:
            sort_bins(table, start, n, bins.scratch)
        if values:
            cut = best_value(table, start, n, dense, params.min_weight)
        else:
            cut = best_threshold(table, start, n, params.min_weight)
        if cut.gain >= best.gain:
            second_gain = best.gain
            best, feature, kind = cut, j, IS_VALUE if values else NUMERIC
        elif cut.gain > second_gain:
            second_gain = cut.gain
    if best.gain <= 0:
        return
    bound = math.sqrt(math.log(1 / params.delta) / (2 * trees.nodes.stats[node, WEIGHT]))
    if second_gain / best.gain < 1 - bound or bound < params.tau:
        first = _split(trees, t, node, feature, kind, best.threshold)
        left, right = trees.nodes.leaf[first], trees.nodes.leaf[first + 1]
        right_weight = best.weight - best.left_weight
        trees.leaves.initial_mean[left] = best.left_total / best.left_weight
        trees.leaves.initial_mean[right] = (best.total - best.left_total) / right_weight


@lean_inner
def _split(trees: Trees, t: int, node: int, feature: int, kind: int, threshold: float) -> int:
    """Turn a leaf into a split; return its first child.

    The first child takes over the leaf's place and perceptron, the second gets a copy.
    """
    nodes, perceptron = trees.nodes, trees.leaves.perceptron
    leaf = nodes.leaf[node]
    depth = trees.leaves.depth[leaf] + 1
    first, new_leaf = take_place(trees)
    copy_row(perceptron, leaf, perceptron, new_leaf)
    make_leaf(trees, t, first, leaf, depth)
    make_leaf(trees, t, first + 1, new_leaf, depth)
    nodes.kind[node] = kind
    nodes.feature[node] = feature
    nodes.threshold[node] = threshold
    nodes.first_child[node] = first
    nodes.leaf[node] = -1
    nodes.stats[node, PH_SUM] = 0.0
    nodes.stats[node, PH_MIN] = 0.0
    return first
