"""Classification trees in arrays: nodes, leaf statistics, and their allocation."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from streamgauge._support.index import as_index
from streamgauge._support.java_random import java_below, java_state
from streamgauge._support.jit import inlined, lean_inner, lean_kernel
from streamgauge._support.rng import Rng, next_uniform
from streamgauge._support.types import Codes, Flags, Floats, Longs, Schema
from streamgauge.learners._rows import clear_row, copy_row, insert_sorted
from streamgauge.learners.trees._tables import padded
from streamgauge.learners.trees._value_counts import (
    ValueCounts,
    has_places_for,
    is_reserved,
    lacks_places,
    new_counts,
    of_leaves,
    places_per_leaf,
    release_runs,
    without_gaps,
)

EMPTY: Final = 0  # a branch that no row has taken yet
LEAF: Final = 1  # observes rows and may split
INACTIVE: Final = 2  # a leaf that only counts classes
NUMERIC: Final = 3  # first child if value <= threshold, else second
MULTIWAY: Final = 4  # one child per nominal value
IS_VALUE: Final = 5  # first child if value == threshold, else second

# Columns of Leaves.stats. Nominal features have WEIGHT, MAX, the highest code seen, and in others
# their runs of ValueCounts.
WEIGHT: Final = 0  # of the values that are not missing
MEAN: Final = 1
M2: Final = 2  # sum of squared deviations (Welford)
INV_TWO_VAR: Final = 3  # 1 / (2 variance), for naive Bayes in log space; 0 if unknown
MIN: Final = 4
MAX: Final = 5
_N_STATS: Final = 6

# Columns of Leaves.tally.
HAS_ROWS: Final = 0  # 1 once it has learned a row
MAJORITY_RIGHT: Final = 1  # weight of the rows that the majority class got right
BAYES_RIGHT: Final = 2  # weight of the rows that naive Bayes got right
LAST_ATTEMPT: Final = 3  # weight seen at the last split attempt
BY_SPLIT: Final = 4  # 1 if a split made it, so that MOA has counts of 0 there, not none
_N_TALLY: Final = 5

# Entries of Allocator.counters.
USED_NODES: Final = 0
FREE_LEAVES: Final = 1
USED_LEAVES: Final = 2  # rows of Leaves that were ever in use; those after them are all 0
SUBSPACE: Final = 3  # the row of Allocator.subspaces that new leaves observe
_N_COUNTERS: Final = 4

LANES: Final = 16  # thresholds looked at together, in whole vectors; only the first ten count

_FIRST_BYTES: Final = 1 << 26  # of leaves, unless a leaf is larger

_MOA_RNG: Final = java_state(1)  # MOA ignores the seed of the forest here


class Nodes(NamedTuple):
    """Splits and leaves. The children of a split follow each other."""

    kind: Flags
    feature: Codes
    threshold: Floats
    first_child: Longs
    leaf: Longs  # row in Leaves, -1 if none
    counts: Floats  # [node, class]: weight seen; a split keeps what it saw as a leaf


class Leaves(NamedTuple):
    """Statistics of active leaves: Gaussians of numeric features."""

    stats: Floats  # [leaf, class, feature of the leaf, column]
    log_at_mean: Floats  # [leaf, class]: log of prior times densities at the means; NaN if unsafe
    tally: Floats  # [leaf, column]
    features: Codes  # [leaf, i]: the features it observes, ascending


class Allocator(NamedTuple):
    """Free nodes and leaves, and the random numbers for new leaves."""

    free_leaves: Longs  # a stack of rows in Leaves
    released: Longs  # [width]: first of the released groups of siblings, linked by first_child; -1
    counters: Longs  # nodes used, leaves on the stack, leaves ever used, current subspace
    permutation: Codes  # features in the order the last draw left them
    subspaces: Codes  # [tree, i]: the features a whole tree observes; empty if each leaf draws
    rng: Rng
    java_rng: Longs  # state of java.util.Random, which draws features in MOA; empty to use `rng`


class Scratch(NamedTuple):
    """Temporary arrays of kernels."""

    votes: Floats  # [class]
    scores: Floats  # [class]: naive Bayes' logarithms of the last row that it predicted
    branches: Floats  # [branch, class]: class counts of a candidate split
    deviations: Floats  # [class]
    lanes: Floats  # [row, lane]: of thresholds whose merits are computed together
    queue: Longs  # nodes of a subtree


class Pools(NamedTuple):
    """The arrays of one or several trees."""

    nodes: Nodes
    leaves: Leaves
    allocator: Allocator
    scratch: Scratch
    counts: ValueCounts


def new_pools(
    schema: Schema, leaf_features: int, rng: Rng, as_moa: bool = False, n_subspaces: int = 0,
    first_splits: int = 16, reserves: bool = False,
) -> Pools:  # fmt: skip
    """Return arrays without a tree. Each leaf will draw `leaf_features` features to observe.

    If `as_moa`, every tree draws the same sequence of features, as in MOA. With subspaces, leaves
    observe the features of the current one instead. There is room for `first_splits` at first. If
    it `reserves`, a leaf has places for the counts of all nominal values.
    """
    k, d = len(schema.classes), len(schema.features)
    nodes = Nodes(
        np.empty(0, np.uint8), np.empty(0, np.int32), np.empty(0), np.empty(0, np.int64),
        np.empty(0, np.int64), np.empty((0, k)),
    )  # fmt: skip
    leaves = Leaves(
        np.empty((0, k, leaf_features, _N_STATS)), np.empty((0, k)), np.empty((0, _N_TALLY)),
        np.empty((0, leaf_features), np.int32),
    )  # fmt: skip
    width = width_of(schema)
    allocator = Allocator(
        np.empty(0, np.int64), np.full(width + 1, -1), np.zeros(_N_COUNTERS, np.int64),
        np.arange(d, dtype=np.int32), np.zeros((n_subspaces, leaf_features), np.int32), rng,
        np.full(1 if as_moa else 0, _MOA_RNG),
    )  # fmt: skip
    scratch = Scratch(
        np.empty(k), np.empty(k), np.empty((width, k)), np.empty(k), np.empty((2, LANES)),
        np.empty(0, np.int64),
    )  # fmt: skip
    counts = new_counts(schema, reserves)
    leaf_bytes = 8 * (k * (leaf_features * _N_STATS + 1) + places_per_leaf(counts))
    first_leaves = max(1, min(first_splits * width, _FIRST_BYTES // leaf_bytes))
    pools = Pools(nodes, leaves, allocator, scratch, counts)
    return enlarged(pools, 2 * first_leaves, first_leaves)


def width_of(schema: Schema) -> int:
    """Return the number of children of the widest possible split."""
    return max(2, *schema.cardinality) if schema.cardinality else 2


def doubled(pools: Pools) -> Pools:
    """Return the same trees with twice the room of what lacks room: counts, or all else."""
    if lacks_places(pools.counts):
        used = pools.allocator.counters[USED_LEAVES]
        stats, features = pools.leaves.stats[:used], pools.leaves.features[:used]
        return pools._replace(counts=without_gaps(pools.counts, stats, features))
    return enlarged(pools, len(pools.nodes.kind), len(pools.leaves.tally))


def enlarged(pools: Pools, more_nodes: int, more_leaves: int) -> Pools:
    """Return the same trees with room for more nodes and leaves."""
    nodes, leaves, allocator, scratch, counts = pools
    counters, n_leaves = allocator.counters.copy(), len(leaves.tally)
    n_free, used, n_used = (counters[each] for each in (FREE_LEAVES, USED_LEAVES, USED_NODES))
    # Leaves never used stay at the bottom of the stack, in order, so that memory is used in order.
    free = np.empty(n_leaves + more_leaves, np.int64)
    free[:more_leaves] = np.arange(n_leaves + more_leaves - 1, n_leaves - 1, -1)
    free[more_leaves : more_leaves + n_free] = allocator.free_leaves[:n_free]
    counters[FREE_LEAVES] += more_leaves
    more = n_leaves - used + more_leaves
    return Pools(
        Nodes(*(padded(column[:n_used], len(column) - n_used + more_nodes) for column in nodes)),
        Leaves(*(padded(column[:used], more) for column in leaves)),
        allocator._replace(free_leaves=free, counters=counters),
        scratch._replace(queue=padded(scratch.queue, more_nodes)),
        of_leaves(counts, slice(used), more),
    )


@inlined
def child_for(nodes: Nodes, node: int, value: float) -> int:
    """Return the child of a split for a value that is not missing."""
    kind, threshold = nodes.kind[node], nodes.threshold[node]
    if kind == MULTIWAY:
        step = int(value)
    else:  # without a branch: the processor would often guess wrongly
        is_first = (value <= threshold) & ((kind == NUMERIC) | (value >= threshold))
        step = 1 - int(is_first)
    return as_index(nodes.first_child[node] + step)


@inlined
def descend(nodes: Nodes, root: int, X: Floats, row: int) -> tuple[int, int]:
    """Return the node that a row arrives at, and its parent.

    A row whose value is missing stays at the split.
    """
    row = as_index(row)
    node, parent = root, root
    while nodes.kind[node] > INACTIVE:
        value = X[row, as_index(nodes.feature[node])]
        if np.isnan(value):
            break
        parent = node
        node = child_for(nodes, node, value)
    return node, parent


@inlined
def depth_of(nodes: Nodes, X: Floats, row: int) -> int:
    """Return how many splits a row passes from the first node on."""
    node, depth = 0, 0
    while nodes.kind[node] > INACTIVE and not np.isnan(X[row, nodes.feature[node]]):
        node = child_for(nodes, node, X[row, nodes.feature[node]])
        depth += 1
    return depth


@lean_kernel
def has_room_for(pools: Pools, splits: int) -> bool:
    """Return whether there is room to learn `splits` rows.

    Each may make a split of the widest kind, and a root.
    """
    if not has_places_for(pools.counts, splits):
        return False
    more = splits * len(pools.allocator.released)  # children of the widest split, plus one root
    nodes_left = len(pools.nodes.kind) - pools.allocator.counters[USED_NODES]
    return bool(nodes_left >= more and pools.allocator.counters[FREE_LEAVES] >= more)


@lean_inner
def allocate_siblings(pools: Pools, width: int) -> int:
    """Allocate `width` empty nodes that follow each other; return the first."""
    nodes, allocator = pools.nodes, pools.allocator
    first = allocator.released[width]
    if first >= 0:
        allocator.released[width] = nodes.first_child[first]
    else:
        first = allocator.counters[USED_NODES]
        allocator.counters[USED_NODES] += width
    for node in range(first, first + width):
        nodes.kind[node] = EMPTY
        nodes.leaf[node] = -1
        clear_row(nodes.counts, node)
    return int(first)


@lean_inner
def release_siblings(pools: Pools, first: int, width: int) -> None:
    """Release `width` nodes that follow each other."""
    pools.nodes.first_child[first] = pools.allocator.released[width]
    pools.allocator.released[width] = first


@lean_kernel
def make_leaf(pools: Pools, node: int) -> None:
    """Make a node an active leaf with empty statistics; it keeps its class counts."""
    nodes, leaves, allocator = pools.nodes, pools.leaves, pools.allocator
    allocator.counters[FREE_LEAVES] -= 1
    leaf = allocator.free_leaves[allocator.counters[FREE_LEAVES]]
    nodes.kind[node] = LEAF
    nodes.leaf[node] = leaf
    is_clear = leaf >= allocator.counters[USED_LEAVES]
    if is_clear:
        allocator.counters[USED_LEAVES] = leaf + 1
    for c in range(leaves.log_at_mean.shape[1]):
        leaves.log_at_mean[leaf, c] = -np.inf  # not seen: all products are 0
        if is_clear:
            continue
        for i in range(leaves.stats.shape[2]):
            for column in range(_N_STATS):
                leaves.stats[leaf, c, i, column] = 0.0
    if is_reserved(pools.counts) and not is_clear:
        clear_row(pools.counts.table, leaf)
    seen = 0.0
    for c in range(nodes.counts.shape[1]):
        seen += nodes.counts[node, c]
    clear_row(leaves.tally, leaf)
    leaves.tally[leaf, LAST_ATTEMPT] = seen
    if len(allocator.subspaces):
        copy_row(allocator.subspaces, allocator.counters[SUBSPACE], leaves.features, leaf)
    else:
        draw_features(allocator, leaves.features, leaf)


@inlined
def restart_moa_draws(pools: Pools) -> None:
    """Let a new tree draw the same features as the others, if trees draw as in MOA."""
    if len(pools.allocator.java_rng):
        pools.allocator.java_rng[0] = _MOA_RNG


@lean_kernel
def new_tree(pools: Pools) -> int:
    """Start a tree of one empty leaf; return its node."""
    root = allocate_siblings(pools, 1)
    make_leaf(pools, root)
    return root


@inlined
def _draw_feature(allocator: Allocator, i: int) -> None:
    """Draw the i-th feature of a leaf to permutation[i]."""
    permutation = allocator.permutation
    if len(allocator.java_rng) == 0:
        other = i + int(next_uniform(allocator.rng) * (len(permutation) - i))
        permutation[i], permutation[other] = permutation[other], permutation[i]
        return
    if i == 0:
        for feature in range(len(permutation)):
            permutation[feature] = feature
    other = i + java_below(allocator.java_rng, len(permutation) - i)
    feature = permutation[other]
    for place in range(other, i, -1):  # the others keep their order
        permutation[place] = permutation[place - 1]
    permutation[i] = feature


@lean_kernel
def draw_features(allocator: Allocator, features: Codes, row: int) -> None:
    """Draw the features that a leaf or a tree observes to a row of `features`."""
    permutation, m = allocator.permutation, features.shape[1]
    for i in range(m):
        if m == len(permutation):
            features[row, i] = permutation[i]
            continue
        _draw_feature(allocator, i)
        insert_sorted(features, row, i, permutation[i])


@lean_kernel
def release_leaf(pools: Pools, node: int) -> None:
    """Release the statistics of a leaf that stops being active."""
    nodes, allocator = pools.nodes, pools.allocator
    release_runs(pools.counts, pools.leaves.stats, nodes.leaf[node])
    allocator.free_leaves[allocator.counters[FREE_LEAVES]] = nodes.leaf[node]
    allocator.counters[FREE_LEAVES] += 1
    nodes.leaf[node] = -1


@lean_inner
def width_at(nodes: Nodes, cardinality: Longs, node: int) -> int:
    """Return the number of children of a node."""
    if nodes.kind[node] <= INACTIVE:
        return 0
    return int(cardinality[nodes.feature[node]]) if nodes.kind[node] == MULTIWAY else 2


@lean_inner
def list_subtree(pools: Pools, cardinality: Longs, root: int) -> int:
    """Write a node and all below it to scratch.queue, parents first; return how many."""
    nodes, queue = pools.nodes, pools.scratch.queue
    queue[0] = root
    seen, count = 0, 1
    while seen < count:
        for i in range(width_at(nodes, cardinality, queue[seen])):
            queue[count] = nodes.first_child[queue[seen]] + i
            count += 1
        seen += 1
    return count


@lean_inner
def release_subtree(pools: Pools, cardinality: Longs, root: int) -> None:
    """Release all nodes below a root; the root becomes empty but stays allocated."""
    nodes, queue = pools.nodes, pools.scratch.queue
    for i in range(list_subtree(pools, cardinality, root) - 1, -1, -1):
        node = queue[i]
        width = width_at(nodes, cardinality, node)
        if width:
            release_siblings(pools, nodes.first_child[node], width)
        if nodes.leaf[node] >= 0:
            release_leaf(pools, node)
        nodes.kind[node] = EMPTY
        clear_row(nodes.counts, node)


@lean_inner
def move_tree(pools: Pools, root: int, to: int) -> None:
    """Move a tree to the place of an empty node and release its old root."""
    nodes = pools.nodes
    nodes.kind[to] = nodes.kind[root]
    nodes.feature[to] = nodes.feature[root]
    nodes.threshold[to] = nodes.threshold[root]
    nodes.first_child[to] = nodes.first_child[root]
    nodes.leaf[to] = nodes.leaf[root]
    copy_row(nodes.counts, root, nodes.counts, to)
    release_siblings(pools, root, 1)
