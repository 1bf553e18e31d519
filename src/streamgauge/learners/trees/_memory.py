"""The memory budget of a tree.

A tree starts with as many watched features as fit; when memory runs out later, the least promising
leaves become inactive.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np

from streamgauge._support.errors import UsageError
from streamgauge._support.rng import Rng
from streamgauge._support.types import Codes, Longs, Schema
from streamgauge.learners._parameters import Memory
from streamgauge.learners.base import state_bytes
from streamgauge.learners.trees._nodes import (
    EMPTY,
    FREE_LEAVES,
    INACTIVE,
    LAST_ATTEMPT,
    LEAF,
    USED_LEAVES,
    USED_NODES,
    Leaves,
    Nodes,
    Pools,
    doubled,
    make_leaf,
    new_pools,
    release_leaf,
)
from streamgauge.learners.trees._tables import padded
from streamgauge.learners.trees._value_counts import of_leaves, places_per_leaf

_BYTES: Final = {"sensor": 100_000, "handheld": 32_000_000, "server": 400_000_000}  # Kirkby 2007
_SPARE: Final = 10  # one in ten rows of Leaves is kept free for future splits


def budget(name: str, max_byte_size: int | None, memory: Memory) -> int | None:
    """Return the maximum number of bytes of a tree, None if it is unlimited."""
    if memory is None:
        return max_byte_size
    if max_byte_size is not None:
        raise UsageError(f"{name}: memory and max_byte_size are both limits; give one of them")
    return _BYTES[memory]


def pool_bytes(pools: Pools) -> int:
    """Return the size of the arrays, without `lanes`: temporary, and the same for every tree."""
    return sum(map(state_bytes, pools)) - pools.scratch.lanes.nbytes


class Watched(NamedTuple):
    """What the leaves of a tree may watch."""

    schema: Schema  # the stream's, in which features that are never watched have no values
    features: Codes  # the others, of which each leaf draws `per_leaf`
    per_leaf: int
    most: int | None  # bytes of a tree
    warning: str | None = None  # what is left out

    def pools(self, rng: Rng) -> Pools:
        """Return arrays without a tree."""
        pools = new_pools(self.schema, self.per_leaf, rng, reserves=self.most is not None)
        return pools._replace(allocator=pools.allocator._replace(permutation=self.features.copy()))


def watched_within(
    schema: Schema, rng: Rng, max_byte_size: int | None, name: str, n_trees: int = 1,
    beside: int = 0,
) -> Watched:  # fmt: skip
    """Return what trees can watch in `max_byte_size`, with room for a split in each.

    `beside`: the bytes of all that is not a tree. Each leaf draws fewer features, but not fewer
    than the root of their number, the usual choice of forests. If that is not enough, the nominal
    features with the most values, whose splits are the widest, are left out.
    """
    d = len(schema.features)
    most = None if max_byte_size is None else (max_byte_size - beside) // n_trees
    every = Watched(schema, np.arange(d, dtype=np.int32), d, most)
    if most is None or _least_bytes(every.pools(rng)) <= most:
        return every
    left = every
    while True:
        wide = [j for j in left.features.tolist() if left.schema.cardinality[j] > 2]
        fewest = 1 if not wide else math.isqrt(len(left.features) - 1) + 1
        per_leaf = _most_per_leaf(left, rng, most)
        if per_leaf >= fewest:
            break
        if not wide:
            least = n_trees * _least_bytes(left._replace(per_leaf=1).pools(rng)) + beside
            trees = "a tree" if n_trees == 1 else f"{n_trees} trees"
            raise UsageError(
                f"{name}: expected at least {least:,} bytes for {trees} with a single split on "
                "this stream; raise the limit or use fewer features"
            )
        widest = max(wide, key=lambda j: left.schema.cardinality[j])
        values = tuple(() if j == widest else v for j, v in enumerate(left.schema.values))
        features = left.features[left.features != widest]
        left = Watched(replace(left.schema, values=values), features, len(features), most)
    unwatched = sorted(set(range(d)) - set(left.features.tolist()))
    shown = ", ".join(repr(schema.features[j]) for j in unwatched)
    without = f", none of them {shown}" if unwatched else ""
    warning = (
        f"a tree of {most:,} bytes has leaves that watch only {per_leaf} of {d} features{without}; "
        "raise the memory limit to watch all."
    )
    return left._replace(per_leaf=per_leaf, warning=warning)


def _most_per_leaf(watched: Watched, rng: Rng, max_byte_size: int) -> int:
    """Return how many features a leaf can watch; 0 if none."""
    low, high = 0, len(watched.features) + 1  # fits, does not fit
    while high - low > 1:
        middle = (low + high) // 2
        if _least_bytes(watched._replace(per_leaf=middle).pools(rng)) <= max_byte_size:
            low = middle
        else:
            high = middle
    return low


class Sizes(NamedTuple):
    """Bytes of a tree's parts."""

    per_node: int
    per_leaf: int
    fixed: int


def sizes_of(pools: Pools) -> Sizes:
    """Return the bytes of each node, of each row of Leaves, and of all that does not grow."""
    nodes, leaves, allocator, scratch, counts = pools
    per_node = (state_bytes(nodes) + scratch.queue.nbytes) // max(1, len(nodes.kind))
    per_leaf = state_bytes(leaves) // max(1, len(leaves.tally)) + allocator.free_leaves.itemsize
    per_leaf += places_per_leaf(counts) * counts.table.itemsize
    fixed = pool_bytes(pools) - per_node * len(nodes.kind) - per_leaf * len(leaves.tally)
    return Sizes(per_node, per_leaf, fixed)


def _least_bytes(pools: Pools) -> int:
    """Return the bytes of a tree with a single split."""
    per_node, per_leaf, fixed = sizes_of(pools)
    width = len(pools.allocator.released)
    return fixed + 2 * width * per_node + (2 * width + 1) * per_leaf


def enlarged_within(pools: Pools, max_byte_size: int | None) -> Pools:
    """Return the same tree with room for another split, in at most `max_byte_size`.

    If there cannot be any, the leaves that fit go on learning but never split.
    """
    if max_byte_size is None or 2 * pool_bytes(pools) <= max_byte_size:
        return doubled(pools)
    per_node, per_leaf, fixed = sizes_of(pools)
    used, width = int(pools.allocator.counters[USED_NODES]), len(pools.allocator.released)
    max_nodes = used + used // _SPARE + 2 * width
    max_leaves = (max_byte_size - fixed - max_nodes * per_node) // per_leaf
    if max_leaves > 2 * width:
        _keep_promising(pools, max_leaves - max(2 * width, max_leaves // _SPARE))
        return repacked(pools, max_nodes, max_leaves)
    max_leaves = max(0, (max_byte_size - fixed - used * per_node) // per_leaf)
    _keep_promising(pools, max_leaves)
    full = repacked(pools, used, max_leaves)
    full.nodes.kind[full.nodes.kind == EMPTY] = INACTIVE
    full.leaves.tally[:, LAST_ATTEMPT] = np.inf  # so that no attempt is ever due
    return full


def _keep_promising(pools: Pools, n_active: int) -> None:
    """Keep the `n_active` leaves with the most misclassified weight active, and no others."""
    kind = pools.nodes.kind[: pools.allocator.counters[USED_NODES]]
    ends = np.flatnonzero((kind == LEAF) | (kind == INACTIVE))
    counts = pools.nodes.counts[ends]
    promise = counts.sum(axis=1) - counts.max(axis=1)
    ranked = ends[np.argsort(-promise, kind="stable")]
    for node in ranked[n_active:]:
        if kind[node] == LEAF:
            release_leaf(pools, int(node))
            kind[node] = INACTIVE
    for node in ranked[:n_active]:
        if kind[node] == INACTIVE and pools.allocator.counters[FREE_LEAVES] > 0:
            make_leaf(pools, int(node))


def repacked(pools: Pools, max_nodes: int, max_leaves: int) -> Pools:
    """Return the same tree in arrays of this size; active leaves move to the front."""
    nodes, leaves, allocator, scratch, counts = pools
    counters = allocator.counters.copy()
    used = counters[USED_NODES]
    active = np.flatnonzero(nodes.kind[:used] == LEAF)
    kept: Longs = nodes.leaf[active]
    nodes.leaf[active] = np.arange(len(kept))
    n_free = max_leaves - len(kept)
    counters[FREE_LEAVES] = n_free
    counters[USED_LEAVES] = len(kept)
    free = np.zeros(max_leaves, np.int64)
    free[:n_free] = np.arange(max_leaves - 1, len(kept) - 1, -1)
    return Pools(
        Nodes(*(padded(column[:used], max_nodes - used) for column in nodes)),
        Leaves(*(padded(column[kept], n_free) for column in leaves)),
        allocator._replace(free_leaves=free, counters=counters),
        scratch._replace(queue=np.empty(max_nodes, np.int64)),
        of_leaves(counts, kept, n_free),
    )
