"""Regression trees in arrays: nodes, leaves and their statistics, and how the arrays grow."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from streamgauge._support.jit import inlined, inner, kernel, lean_inner, lean_kernel
from streamgauge._support.rng import Rng, new_rng, next_uniform
from streamgauge._support.types import Codes, Flags, Floats, Longs, Schema
from streamgauge.learners._rows import clear_row, copy_row, insert_sorted
from streamgauge.learners.base import state_bytes
from streamgauge.learners.trees._nodes import EMPTY, INACTIVE, LEAF
from streamgauge.learners.trees._regression_params import MOST_BINS
from streamgauge.learners.trees._target_bins import (
    TargetBins,
    copy_bins,
    empty_bins,
    new_scratch,
    slots_for,
)

# Columns of RegressionNodes.stats.
WEIGHT: Final = 0  # of the rows that passed
SUM: Final = 1  # weight times target, relative to the tree's first target
ERROR: Final = 2  # weight times absolute error, in units of the target
PH_SUM: Final = 3  # Page–Hinkley test: cumulative sum
PH_MIN: Final = 4  # Page–Hinkley test: its minimum
LOSS: Final = 5  # faded squared error of the subtree since its alternate started
ALTERNATE_LOSS: Final = 6  # the same for the alternate
ALTERNATE_WEIGHT: Final = 7  # weight since the alternate started
# WEIGHT at a leaf's last split attempt, ALTERNATE_WEIGHT at a split's last comparison.
LAST_CHECK: Final = 8
_N_STATS: Final = 9

# Columns of Trees.target_scale, rows of Trees.feature_scale. Sums are of differences from the first
# value, because squares of large numbers lose digits.
SCALE_WEIGHT: Final = 0
SCALE_SUM: Final = 1
SCALE_SQUARES: Final = 2
FIRST: Final = 3
MEAN: Final = 4
UNIT: Final = 5  # three standard deviations of the target; of a feature, the inverse
_N_SCALE: Final = 6

# Entries of Trees.used.
BINS_USED: Final = 0
PLACES_USED: Final = 1


class RegressionNodes(NamedTuple):
    """Splits and leaves, in pairs: the two children of a split, or a root and an unused node."""

    kind: Flags
    feature: Codes
    threshold: Floats
    first_child: Longs
    leaf: Longs  # row in RegressionLeaves and TargetBins
    stats: Floats  # [node, column]


class RegressionLeaves(NamedTuple):
    """What a leaf holds besides its bins."""

    features: Codes  # [leaf, i]: the features it observes, ascending
    perceptron: Floats  # [leaf, feature and intercept]: weights; no columns if leaves predict means
    perceptron_rows: Floats  # [leaf]: weight of the rows that the perceptron has learned
    initial_mean: Floats  # [leaf]: its prediction before its first row
    depth: Codes  # [leaf]: splits above it


class Trees(NamedTuple):
    """A tree, or a tree and one that grows in the background."""

    root: Longs  # [tree]: its root node, -1 if the tree does not exist
    target_scale: Floats  # [tree, column]
    feature_scale: Floats  # [row, feature]; no features if leaves predict means
    nodes: RegressionNodes
    alternate: Longs  # [node]: root of the alternate subtree, -1 if none
    leaves: RegressionLeaves
    bins: TargetBins
    pairs: Longs  # all pairs of nodes, those in use first
    places: Longs  # all rows of RegressionLeaves, those in use first
    in_use: Flags  # [pair or row of RegressionLeaves]: room to mark those in use
    used: Longs  # slots of the bin table in use; pairs and rows of leaves, of which as many are
    cardinality: Longs  # [feature]: number of nominal values, 0 if numeric
    subspaces: Codes  # [tree, i]: the features its leaves observe; no rows if each leaf draws them
    permutation: Codes  # features in the order the last draw left them
    rng: Rng


def new_trees(
    schema: Schema, n_trees: int, leaf_features: int, linear: bool, buffer_rows: int, seed: int
) -> Trees:
    """Return arrays without a tree. Each leaf will draw `leaf_features` features to observe."""
    d = len(schema.features)
    cardinality = np.array(schema.cardinality, np.int64)
    weights = d + 1 if linear else 0
    empty = _arrays(n_trees, cardinality, leaf_features, buffer_rows, weights, 32, 0)
    return empty._replace(permutation=np.arange(d, dtype=np.int32), rng=new_rng(seed))


def trees_in_subspaces(schema: Schema, subspaces: Codes, buffer_rows: int, seed: int) -> Trees:
    """Return arrays for one tree with means at its leaves per subspace, a row of features."""
    n_trees, leaf_features = subspaces.shape
    trees = new_trees(schema, n_trees, leaf_features, False, buffer_rows, seed)
    return trees._replace(subspaces=subspaces)


def _arrays(
    n_trees: int, cardinality: Longs, leaf_features: int, buffer_rows: int, weights: int,
    leaves: int, bins: int,
) -> Trees:  # fmt: skip
    """Return arrays of this size; `weights` is the length of a perceptron."""
    nodes = 2 * leaves
    slots, most_values = slots_for(buffer_rows + 1), int(cardinality.max(initial=0))
    bins += 16 * (slots * leaf_features + int(cardinality.sum()))  # for new leaves
    return Trees(
        root=np.full(n_trees, -1),
        target_scale=np.zeros((n_trees, _N_SCALE)),
        feature_scale=np.zeros((_N_SCALE, len(cardinality) if weights else 0)),
        nodes=RegressionNodes(
            np.zeros(nodes, np.uint8), np.zeros(nodes, np.int32), np.zeros(nodes),
            np.zeros(nodes, np.int64), np.zeros(nodes, np.int64), np.zeros((nodes, _N_STATS)),
        ),
        alternate=np.full(nodes, -1),
        leaves=RegressionLeaves(
            np.zeros((leaves, leaf_features), np.int32), np.zeros((leaves, weights)),
            np.zeros(leaves), np.zeros(leaves), np.zeros(leaves, np.int32),
        ),
        bins=TargetBins(
            np.zeros((3, bins)), np.zeros((leaves, leaf_features), np.int64),
            np.zeros((leaves, leaf_features), np.int32),
            np.zeros((leaves, leaf_features), np.int32),
            np.zeros((leaves, buffer_rows, leaf_features + 2)), np.zeros(leaves, np.int32),
            new_scratch(max(MOST_BINS, buffer_rows, most_values)),
        ),
        pairs=np.arange(leaves),
        places=np.arange(leaves),
        in_use=np.zeros(leaves, np.uint8),
        used=np.zeros(2, np.int64),
        cardinality=cardinality,
        subspaces=np.empty((0, leaf_features), np.int32),
        permutation=np.empty(0, np.int32),
        rng=np.zeros(1, np.uint64),
    )  # fmt: skip


def compacted(trees: Trees) -> Trees:
    """Return the same trees without unreachable nodes, and with at least twice the room."""
    places = trees.places[: _reachable(trees)]
    leaf_features, weights = trees.leaves.features.shape[1], trees.leaves.perceptron.shape[1]
    slots = trees.bins.capacity[places].sum(axis=1, dtype=np.int64)
    # Twice the slots in use, and enough for one leaf's runs to grow all at once.
    bins = int(2 * slots.sum() + 2 * slots.max(initial=0))
    new = _arrays(
        len(trees.root), trees.cardinality, leaf_features, trees.bins.buffer.shape[1], weights,
        2 * len(places) + 32, bins,
    )  # fmt: skip
    new.target_scale[:] = trees.target_scale
    new.feature_scale[:] = trees.feature_scale
    _copy_reachable(trees, new)
    return new._replace(subspaces=trees.subspaces, permutation=trees.permutation, rng=trees.rng)


def count_nodes(trees: Trees) -> int:
    """Return the number of reachable nodes."""
    pairs = trees.pairs[: _reachable(trees)]
    return int(np.count_nonzero(trees.nodes.kind.reshape(-1, 2)[pairs] != EMPTY))


def tree_bytes(trees: Trees) -> int:
    """Return the size of the arrays."""
    parts = trees.nodes, trees.leaves, trees.bins
    scales = trees.target_scale, trees.feature_scale
    places = trees.pairs, trees.places, trees.in_use, trees.used
    arrays = trees.root, *scales, trees.alternate, *places, trees.rng
    return sum(map(state_bytes, parts)) + state_bytes(arrays)


@lean_kernel
def _reachable(trees: Trees) -> int:
    """Free what no tree reaches any more; return how many pairs and leaves are in use."""
    free_unreachable(trees)
    return int(trees.used[PLACES_USED])


@lean_inner
def free_unreachable(trees: Trees) -> None:
    """Free the pairs of nodes and the rows of RegressionLeaves that no tree reaches any more."""
    kind, first_child, alternate = trees.nodes.kind, trees.nodes.first_child, trees.alternate
    pairs, places, n_pairs, n_leaves = trees.pairs, trees.places, 0, 0
    for root in trees.root:
        if root >= 0:
            pairs[n_pairs] = root // 2
            n_pairs += 1
    done = 0
    while done < n_pairs:
        first = 2 * pairs[done]
        done += 1
        for node in range(first, first + 2):
            if kind[node] == LEAF:
                places[n_leaves] = trees.nodes.leaf[node]
                n_leaves += 1
            elif kind[node] > INACTIVE:
                pairs[n_pairs] = first_child[node] // 2
                n_pairs += 1
                if alternate[node] >= 0:
                    pairs[n_pairs] = alternate[node] // 2
                    n_pairs += 1
    _append_free(pairs, n_pairs, trees.in_use)
    _append_free(places, n_leaves, trees.in_use)
    trees.used[PLACES_USED] = n_leaves


@inlined
def _append_free(numbers: Longs, n_used: int, in_use: Flags) -> None:
    """Let all other numbers follow the first `n_used`."""
    for i in range(len(in_use)):
        in_use[i] = 0
    for i in range(n_used):
        in_use[numbers[i]] = 1
    for i in range(len(in_use)):
        if not in_use[i]:
            numbers[n_used] = i
            n_used += 1


@kernel
def _copy_reachable(old: Trees, new: Trees) -> None:
    """Copy all reachable nodes into empty arrays."""
    source = np.full(len(new.nodes.kind), -1)  # [new node]: its old node
    n_nodes, n_leaves = 0, 0
    for t in range(len(old.root)):
        if old.root[t] >= 0:
            source[n_nodes] = old.root[t]
            new.root[t] = n_nodes
            n_nodes += 2
    node = 0
    while node < n_nodes:
        was = source[node]
        if was >= 0:
            new.nodes.kind[node] = old.nodes.kind[was]
            new.nodes.feature[node] = old.nodes.feature[was]
            new.nodes.threshold[node] = old.nodes.threshold[was]
            copy_row(old.nodes.stats, was, new.nodes.stats, node)
            if old.nodes.kind[was] == LEAF:
                new.nodes.leaf[node] = n_leaves
                _copy_leaf(old, old.nodes.leaf[was], new, n_leaves)
                n_leaves += 1
            else:
                new.nodes.first_child[node] = n_nodes
                source[n_nodes] = old.nodes.first_child[was]
                source[n_nodes + 1] = source[n_nodes] + 1
                n_nodes += 2
                if old.alternate[was] >= 0:
                    new.alternate[node] = n_nodes
                    source[n_nodes] = old.alternate[was]
                    n_nodes += 2
        node += 1
    new.used[PLACES_USED] = n_leaves


@inner
def _copy_leaf(old: Trees, was: int, new: Trees, leaf: int) -> None:
    copy_row(old.leaves.features, was, new.leaves.features, leaf)
    copy_row(old.leaves.perceptron, was, new.leaves.perceptron, leaf)
    new.leaves.perceptron_rows[leaf] = old.leaves.perceptron_rows[was]
    new.leaves.initial_mean[leaf] = old.leaves.initial_mean[was]
    new.leaves.depth[leaf] = old.leaves.depth[was]
    new.bins.buffered[leaf] = old.bins.buffered[was]
    for rank in range(old.bins.buffered[was]):
        for column in range(old.bins.buffer.shape[2]):
            new.bins.buffer[leaf, rank, column] = old.bins.buffer[was, rank, column]
    for i in range(new.bins.capacity.shape[1]):
        old_start, start = old.bins.start[was, i], new.used[BINS_USED]
        n, capacity = old.bins.n_bins[was, i], old.bins.capacity[was, i]
        copy_bins(old.bins.table, old_start, n, new.bins.table, start)
        empty_bins(new.bins.table, start, n, capacity)
        new.bins.start[leaf, i] = start
        new.bins.capacity[leaf, i] = capacity
        new.bins.n_bins[leaf, i] = n
        new.used[BINS_USED] += capacity


@inner
def new_root(trees: Trees, t: int, depth: int) -> int:
    """Make an empty leaf, the root of tree `t` or of an alternate in it; return its node."""
    node, leaf = take_place(trees)
    trees.nodes.kind[node + 1] = EMPTY
    make_leaf(trees, t, node, leaf, depth)
    for j in range(trees.leaves.perceptron.shape[1]):
        trees.leaves.perceptron[leaf, j] = 2 * next_uniform(trees.rng) - 1
    return node


@inlined
def take_place(trees: Trees) -> tuple[int, int]:
    """Return the first node of a free pair, and a free row of RegressionLeaves."""
    place = trees.used[PLACES_USED]
    trees.used[PLACES_USED] += 1
    return int(2 * trees.pairs[place]), int(trees.places[place])


@inner
def make_leaf(trees: Trees, t: int, node: int, leaf: int, depth: int) -> None:
    """Make a node of tree `t` an empty leaf that keeps the perceptron at its place."""
    trees.nodes.kind[node] = LEAF
    trees.nodes.leaf[node] = leaf
    clear_row(trees.nodes.stats, node)
    trees.alternate[node] = -1
    trees.leaves.perceptron_rows[leaf] = 0.0
    trees.leaves.initial_mean[leaf] = np.nan
    trees.leaves.depth[leaf] = depth
    for i in range(trees.bins.n_bins.shape[1]):
        trees.bins.n_bins[leaf, i] = 0
    trees.bins.buffered[leaf] = 0
    if len(trees.subspaces) > 0:
        copy_row(trees.subspaces, t, trees.leaves.features, leaf)
    else:
        _draw_features(trees, leaf)


@inner
def _draw_features(trees: Trees, leaf: int) -> None:
    """Draw the features that a leaf observes."""
    features, permutation = trees.leaves.features, trees.permutation
    m = features.shape[1]
    for i in range(m):
        if m == len(permutation):
            features[leaf, i] = i
            continue
        other = i + int(next_uniform(trees.rng) * (len(permutation) - i))
        permutation[i], permutation[other] = permutation[other], permutation[i]
        insert_sorted(features, leaf, i, permutation[i])
