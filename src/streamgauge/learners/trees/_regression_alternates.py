"""What splits of regression trees do with a row: Page–Hinkley tests and alternate subtrees."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from streamgauge._support.index import as_index
from streamgauge._support.jit import inlined
from streamgauge._support.types import Floats, Longs
from streamgauge.learners._rows import copy_row
from streamgauge.learners.trees._nodes import INACTIVE
from streamgauge.learners.trees._regression_leaves import child_for, find_leaf, predict_at
from streamgauge.learners.trees._regression_nodes import (
    ALTERNATE_LOSS,
    ALTERNATE_WEIGHT,
    ERROR,
    LAST_CHECK,
    LOSS,
    PH_MIN,
    PH_SUM,
    SUM,
    WEIGHT,
    Trees,
    new_root,
)
from streamgauge.learners.trees._regression_params import RegressionParams

_FADING: Final = 0.995  # of the losses of a subtree and its alternate
_COMPARE_EVERY: Final = 150.0  # weight between two comparisons of these losses
_MAX_WEIGHT: Final = 1500.0  # after which an alternate that is not better is dropped

# Columns of Routes.leaf.
MAIN: Final = 0
ALTERNATE: Final = 1


class Routes(NamedTuple):
    """The path of the current row through each tree."""

    path: Longs  # [tree, depth]: the splits on its path
    depth: Longs  # [tree]: how many
    fork: Longs  # [tree]: depth of the first split with an alternate, -1 if none has one
    leaf: Longs  # [tree, column]: the leaf it arrives at, and the alternate's leaf (-1 if none)


def new_routes(trees: Trees) -> Routes:
    """Return arrays for routes through trees of this size."""
    n, nodes = len(trees.root), len(trees.nodes.kind)
    return Routes(
        np.empty((n, nodes), np.int64), np.empty(n, np.int64), np.empty(n, np.int64),
        np.empty((n, 2), np.int64),
    )  # fmt: skip


@inlined
def find_route(trees: Trees, routes: Routes, t: int, X: Floats, row: int) -> None:
    """Record the path of a row through tree `t` and its first alternate."""
    nodes, alternate = trees.nodes, trees.alternate
    path, depths, forks, leaf = routes
    node, depth, fork = as_index(trees.root[t]), 0, -1
    while nodes.kind[node] > INACTIVE:
        if alternate[node] >= 0 and fork < 0:
            fork = depth
        path[t, as_index(depth)] = node
        depth += 1
        node = child_for(nodes, node, X, row)
    depths[t], forks[t] = depth, fork
    leaf[t, MAIN] = node
    leaf[t, ALTERNATE] = -1
    if fork >= 0:
        leaf[t, ALTERNATE] = find_leaf(nodes, alternate[path[t, fork]], X, row)


@inlined
def predict_learned_row(
    trees: Trees, routes: Routes, t: int, X: Floats, row: int, z: Floats
) -> float:
    """Return the prediction of tree `t` for the row it has just learned.

    The row still takes its route, also where a value is missing: the heavier child only became
    heavier. Its leaf may have been split, or its subtree replaced.
    """
    node = routes.leaf[t, MAIN]
    return predict_at(
        trees, t, find_leaf(trees.nodes, node if node >= 0 else trees.root[t], X, row), z
    )


@inlined
def update_splits(
    trees: Trees, params: RegressionParams, routes: Routes, t: int, target: float, w: float,
    error: float, residual: float, alternate_residual: float,
) -> bool:  # fmt: skip
    """Update the splits on a row's path: statistics, drift tests, alternates.

    Afterwards `routes.leaf` has the leaves that learn the row, -1 for those that do not. Returns
    whether the main leaf may split, which it may not below a split with an alternate.
    """
    stats, alternate = trees.nodes.stats, trees.alternate
    may_split, alternate_learns = True, False
    if routes.fork[t] >= 0:  # outside the loop, or the compiler computes its power for every row
        fork = as_index(routes.path[t, as_index(routes.fork[t])])
        _add_losses(stats, fork, w, residual, alternate_residual)
    for i in range(routes.depth[t]):
        node = as_index(routes.path[t, i])
        _add_to_stats(stats, node, target, w, error)
        if not may_split:  # a split above has an alternate: one at a time
            stats[node, PH_SUM] = 0.0
            stats[node, PH_MIN] = 0.0
            alternate[node] = -1
        elif alternate[node] >= 0:
            may_split, alternate_learns = False, True
            if stats[node, ALTERNATE_WEIGHT] - stats[node, LAST_CHECK] >= _COMPARE_EVERY:
                stats[node, LAST_CHECK] = stats[node, ALTERNATE_WEIGHT]
                if stats[node, LOSS] > stats[node, ALTERNATE_LOSS]:
                    _replace(trees, routes, t, node)
                    break
                if stats[node, ALTERNATE_WEIGHT] >= _MAX_WEIGHT:
                    alternate[node] = -1
                    may_split, alternate_learns = True, False
        elif _detects_drift(stats, params, node, error):
            _start_alternate(trees, t, node, i)
            may_split = False
    if not alternate_learns:
        routes.leaf[t, ALTERNATE] = -1
    return may_split


@inlined
def _add_to_stats(stats: Floats, node: int, target: float, w: float, error: float) -> None:
    stats[node, WEIGHT] += w
    stats[node, SUM] += w * target
    stats[node, ERROR] += w * error


@inlined
def _add_losses(
    stats: Floats, node: int, w: float, residual: float, alternate_residual: float
) -> None:
    """Add the squared errors of a subtree and its alternate to their faded losses."""
    kept = _FADING**w
    gain = (1 - kept) / (1 - _FADING)
    stats[node, LOSS] = stats[node, LOSS] * kept + gain * residual * residual
    stats[node, ALTERNATE_LOSS] = (
        stats[node, ALTERNATE_LOSS] * kept + gain * alternate_residual * alternate_residual
    )
    stats[node, ALTERNATE_WEIGHT] += w


@inlined
def _replace(trees: Trees, routes: Routes, t: int, node: int) -> None:
    """Replace a subtree by its alternate; the row's old leaf no longer exists."""
    nodes, new, leaf = trees.nodes, trees.alternate[node], routes.leaf
    nodes.kind[node], nodes.feature[node] = nodes.kind[new], nodes.feature[new]
    nodes.threshold[node] = nodes.threshold[new]
    nodes.first_child[node] = nodes.first_child[new]
    nodes.leaf[node] = nodes.leaf[new]
    copy_row(nodes.stats, new, nodes.stats, node)
    trees.alternate[node] = -1
    leaf[t, MAIN] = -1
    if leaf[t, ALTERNATE] == new:
        leaf[t, ALTERNATE] = node


@inlined
def _detects_drift(stats: Floats, params: RegressionParams, node: int, error: float) -> bool:
    """Add an error to a split's Page–Hinkley test; return whether it raises an alarm."""
    mean = stats[node, ERROR] / stats[node, WEIGHT]
    stats[node, PH_SUM] += error - mean - params.drift_delta
    stats[node, PH_MIN] = min(stats[node, PH_MIN], stats[node, PH_SUM])
    return bool(stats[node, PH_SUM] - stats[node, PH_MIN] > params.drift_threshold)


@inlined
def _start_alternate(trees: Trees, t: int, node: int, depth: int) -> None:
    """Start an alternate at a split of tree `t`."""
    stats, new = trees.nodes.stats, new_root(trees, t, depth)
    trees.leaves.initial_mean[trees.nodes.leaf[new]] = stats[node, SUM] / stats[node, WEIGHT]
    trees.alternate[node] = new
    for column in (PH_SUM, PH_MIN, LOSS, ALTERNATE_LOSS, ALTERNATE_WEIGHT, LAST_CHECK):
        stats[node, column] = 0.0


@inlined
def update_alternate_splits(
    trees: Trees, routes: Routes, t: int, X: Floats, row: int, target: float, w: float,
    error: float,
) -> None:  # fmt: skip
    """Update the statistics of the splits on a row's path through the alternate."""
    nodes, fork = trees.nodes, routes.path[t, routes.fork[t]]
    replaced = routes.leaf[t, MAIN] < 0
    node = fork if replaced else trees.alternate[fork]
    while nodes.kind[node] > INACTIVE:
        _add_to_stats(nodes.stats, node, target, w, error)
        node = child_for(nodes, node, X, row)
