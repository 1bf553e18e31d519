"""What leaves of regression trees do with a row: find the leaf, predict, learn."""

from __future__ import annotations

from typing import Final

import numpy as np

from streamgauge._support.index import as_index
from streamgauge._support.jit import inlined
from streamgauge._support.types import Floats
from streamgauge.learners.trees._nodes import INACTIVE, NUMERIC
from streamgauge.learners.trees._regression_nodes import (
    ERROR,
    FIRST,
    LAST_CHECK,
    MEAN,
    SUM,
    UNIT,
    WEIGHT,
    RegressionNodes,
    Trees,
)
from streamgauge.learners.trees._regression_params import RegressionParams
from streamgauge.learners.trees._regression_splits import attempt_split
from streamgauge.learners.trees._target_bins import flush_buffer, is_binned

_ROUNDING: Final = 1 + 1e-9  # more than the order of a sum changes it


@inlined
def child_for(nodes: RegressionNodes, node: int, X: Floats, row: int) -> int:
    """Return the child a row goes to; for a missing value the one that more rows have taken."""
    first, stats = as_index(nodes.first_child[node]), nodes.stats
    value = X[row, as_index(int(nodes.feature[node]))]
    if np.isnan(value):
        return int(first + (1 if stats[first + 1, WEIGHT] > stats[first, WEIGHT] else 0))
    if nodes.kind[node] == NUMERIC:
        return int(first + (0 if value <= nodes.threshold[node] else 1))
    return int(first + (0 if value == nodes.threshold[node] else 1))


@inlined
def find_leaf(nodes: RegressionNodes, root: int, X: Floats, row: int) -> int:
    """Return the leaf below `root` that a row arrives at."""
    node = as_index(root)
    while nodes.kind[node] > INACTIVE:
        node = child_for(nodes, node, X, row)
    return node


@inlined
def predict_at(trees: Trees, t: int, node: int, z: Floats) -> float:
    """Return the prediction of a leaf of tree `t` for the row with normalised features `z`."""
    stats, node = trees.nodes.stats, as_index(node)
    leaf = as_index(trees.nodes.leaf[node])
    perceptron, target_scale = trees.leaves.perceptron, trees.target_scale
    if perceptron.shape[1] > 0:
        score = 0.0
        for j in range(len(z)):
            score += perceptron[leaf, j] * z[j]
        return float(target_scale[t, MEAN] + target_scale[t, UNIT] * score)
    if stats[node, WEIGHT] > 0:
        return float(target_scale[t, FIRST] + stats[node, SUM] / stats[node, WEIGHT])
    return float(target_scale[t, FIRST] + trees.leaves.initial_mean[leaf])


@inlined
def update_leaf(
    trees: Trees, params: RegressionParams, t: int, node: int, X: Floats, row: int, z: Floats,
    target: float, w: float, residual: float, may_split: bool, unit: float,
) -> None:  # fmt: skip
    """Update a leaf's statistics, perceptron and buffer with a row; split it if it is time.

    `target` is relative to the tree's first target, `unit` the target's unit before this row.
    """
    stats, node = trees.nodes.stats, as_index(node)
    leaf = as_index(trees.nodes.leaf[node])
    error = abs(residual) / unit if unit > 0 else 0.0
    stats[node, WEIGHT] += w
    stats[node, SUM] += w * target
    stats[node, ERROR] += w * error
    if len(z) > 0 and unit > 0:
        _update_perceptron(trees, params, leaf, z, w, residual / unit)
    if trees.leaves.depth[leaf] >= params.max_depth:
        return
    _buffer_row(trees, leaf, X, row, target, w)
    if may_split and stats[node, WEIGHT] - stats[node, LAST_CHECK] >= params.grace_period:
        stats[node, LAST_CHECK] = stats[node, WEIGHT]
        if stats[node, WEIGHT] * _ROUNDING < 2 * params.min_weight:
            return  # no split has enough weight on both sides
        if is_binned(trees.bins, leaf):
            features = trees.leaves.features
            flush_buffer(trees.bins, params.max_bins, features, trees.cardinality, leaf)
        attempt_split(trees, params, t, node)


@inlined
def _update_perceptron(
    trees: Trees, params: RegressionParams, leaf: int, z: Floats, w: float, residual: float
) -> None:
    """Move a leaf's perceptron towards a row's target; the residual is normalised."""
    perceptron, rows = trees.leaves.perceptron, trees.leaves.perceptron_rows
    rows[leaf] += w
    norm = 0.0
    for j in range(len(z)):
        norm += z[j] * z[j]
    rate = params.learning_rate / (1 + rows[leaf] * params.learning_decay)
    shift = residual * _step(rate, norm, w)
    for j in range(len(z)):
        perceptron[leaf, j] += shift * z[j]


@inlined
def _step(rate: float, norm: float, w: float) -> float:
    """Return the step for a row of weight w: that of w rows of weight 1, without overshooting."""
    if rate * norm >= 1:
        return 1 / norm
    if w == 1:
        return rate
    return float((1 - (1 - rate * norm) ** w) / norm)


@inlined
def _buffer_row(trees: Trees, leaf: int, X: Floats, row: int, target: float, w: float) -> None:
    """Append a row to a leaf's buffer, which must have room."""
    features, buffer, buffered = trees.leaves.features, trees.bins.buffer, trees.bins.buffered
    m, rank = features.shape[1], as_index(int(buffered[leaf]))
    for i in range(m):
        buffer[leaf, rank, i] = X[row, as_index(int(features[leaf, i]))]
    buffer[leaf, rank, m] = w
    buffer[leaf, rank, m + 1] = target
    buffered[leaf] = rank + 1
