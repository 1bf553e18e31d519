"""Trains a regression tree with one row: room first, then splits, leaves and scales."""

from __future__ import annotations

from typing import Final

from streamgauge._support.index import as_index
from streamgauge._support.jit import inlined
from streamgauge._support.types import Floats
from streamgauge.learners.trees._regression_alternates import (
    ALTERNATE,
    MAIN,
    Routes,
    update_alternate_splits,
    update_splits,
)
from streamgauge.learners.trees._regression_leaves import predict_at, update_leaf
from streamgauge.learners.trees._regression_nodes import (
    FIRST,
    LAST_CHECK,
    PLACES_USED,
    SCALE_WEIGHT,
    UNIT,
    WEIGHT,
    Trees,
    free_unreachable,
)
from streamgauge.learners.trees._regression_params import RegressionParams
from streamgauge.learners.trees._regression_scales import update_scales
from streamgauge.learners.trees._target_bins import flush_buffer, is_binned, reserve_bins

# A row may split a leaf and an alternate's leaf in two trees, and start alternates or a tree.
_PLACES_PER_ROW: Final = 8


@inlined
def make_room(trees: Trees) -> bool:
    """Return whether there are enough free nodes and leaves for a row.

    If not, those that no tree reaches are freed, which is enough if they are half of all.
    """
    used, places = trees.used, len(trees.places)
    if used[PLACES_USED] + _PLACES_PER_ROW <= places:
        return True
    free_unreachable(trees)
    return bool(2 * used[PLACES_USED] <= places)


@inlined
def reserve(trees: Trees, params: RegressionParams, routes: Routes, t: int, w: float) -> bool:
    """Make room for a row in the buffers and bins of its leaves; False if the bin table is full."""
    stats, bins, features = trees.nodes.stats, trees.bins, trees.leaves.features
    for side in (MAIN, ALTERNATE):
        node = routes.leaf[t, side]
        if node < 0:
            continue
        node = as_index(node)
        leaf = as_index(trees.nodes.leaf[node])
        since = (stats[node, WEIGHT] + w) - stats[node, LAST_CHECK]  # rounded as `update_leaf` does
        if trees.leaves.depth[leaf] >= params.max_depth:
            continue
        full = bins.buffered[leaf] == bins.buffer.shape[1]
        if full or (since >= params.grace_period and is_binned(bins, leaf)):
            if not reserve_bins(
                bins, trees.used, params.max_bins, features, trees.cardinality, leaf
            ):
                return False
            if full:
                flush_buffer(bins, params.max_bins, features, trees.cardinality, leaf)
    return True


@inlined
def learn_row(
    trees: Trees, params: RegressionParams, routes: Routes, t: int, X: Floats, row: int, z: Floats,
    y: float, w: float,
) -> None:  # fmt: skip
    """Train tree `t` with a row whose route is known."""
    scale, leaf = trees.target_scale, routes.leaf
    seen, unit = scale[t, SCALE_WEIGHT], scale[t, UNIT]
    target = y - (scale[t, FIRST] if seen > 0 else y)
    residual, alternate_residual = 0.0, 0.0
    if seen > 0:
        residual = y - predict_at(trees, t, leaf[t, MAIN], z)
        if leaf[t, ALTERNATE] >= 0:
            alternate_residual = y - predict_at(trees, t, leaf[t, ALTERNATE], z)
    error = abs(residual) / unit if unit > 0 else 0.0
    alternate_error = abs(alternate_residual) / unit if unit > 0 else 0.0

    may_split = update_splits(
        trees, params, routes, t, target, w, error, residual, alternate_residual
    )
    if leaf[t, ALTERNATE] >= 0:
        update_alternate_splits(trees, routes, t, X, row, target, w, alternate_error)
    for side in (MAIN, ALTERNATE):
        if leaf[t, side] >= 0:
            update_leaf(
                trees, params, t, leaf[t, side], X, row, z, target, w,
                residual if side == MAIN else alternate_residual,
                may_split or side == ALTERNATE, unit,
            )  # fmt: skip
    update_scales(trees, t, X, row, y, w)
