"""Trees in arrays: nodes, their children, and what active leaves have seen. Pools that grow."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from streamgauge.compiled import kernel
from streamgauge.types import Codes, Flags, Floats, Longs, Schema

LEAF: Final = 0  # observes rows and may split
INACTIVE: Final = 1  # counts classes only
NUMERIC: Final = 2  # left if the value is at most the threshold
MULTIWAY: Final = 3  # a child for each nominal value
IS_VALUE: Final = 4  # left if the nominal value is the threshold

_USED_NODES: Final = 0
_USED_CHILDREN: Final = 1
_FREE_LEAVES: Final = 2


class Nodes(NamedTuple):
    """Every node: what it is, where its children are listed, the classes it has seen."""

    kind: Flags
    feature: Codes
    threshold: Floats
    children: Longs  # where its children begin in `child`
    counts: Floats  # [node, class]: weight seen, at a split as it was then
    leaf: Longs  # its place among the leaves, if it is one
    child: Codes  # nodes, -1 = none yet
    free: Longs  # a stack of places for leaves
    used: Longs  # [nodes, children, free places]


class Leaves(NamedTuple):
    """What leaves have seen, by class and feature: numbers as Gaussians, nominal values counted."""

    ready: Flags  # has it seen a row?
    seen: Floats  # [leaf, class, feature]: weight of the values not missing
    mean: Floats
    spread: Floats  # Welford's sum of squared deviations
    narrowness: Floats  # 1 / (2 variance), for the short cut; 0 if there is none
    low: Floats
    high: Floats
    base: Floats  # [leaf, class]: log of the densities at the mean; NaN = no short cut
    counts: Floats  # [leaf, class, nominal value of any feature]
    values_seen: Floats  # [leaf, class, feature]: highest value code seen + 1
    right: Floats  # [leaf, 2]: weight that majority and Bayes got right
    judged_at: Floats  # [leaf]: weight seen when a split was last considered


class Pools(NamedTuple):
    """A tree."""

    nodes: Nodes
    leaves: Leaves


def new_pools(schema: Schema) -> Pools:
    """A tree of one leaf that has seen nothing."""
    k = len(schema.classes)
    nodes = Nodes(
        np.empty(0, np.uint8), np.empty(0, np.int32), np.empty(0), np.empty(0, np.int64),
        np.empty((0, k)), np.empty(0, np.int64), np.empty(0, np.int32), np.empty(0, np.int64),
        np.zeros(3, np.int64),
    )  # fmt: skip
    d, values = len(schema.features), sum(schema.cardinality)
    per_feature = (0, k, d)
    gaussians: list[Any] = [np.empty(per_feature) for _ in range(6)]
    others = np.empty((0, k)), np.empty((0, k, values)), np.empty(per_feature), np.empty((0, 2))
    leaves = Leaves(np.empty(0, np.uint8), *gaussians, *others, np.empty(0))  # type: ignore[call-arg]
    pools = grown(Pools(nodes, leaves), width_of(schema))
    add_leaf(pools.nodes, pools.leaves)
    return pools


def width_of(schema: Schema) -> int:
    """How many children the widest split has."""
    return max(2, *schema.cardinality) if schema.cardinality else 2


def grown(pools: Pools, width: int) -> Pools:
    """The same tree with room for more: at least one split of the widest kind."""
    nodes, leaves = pools
    more = max(2 * width, len(nodes.kind))
    used = nodes.used.copy()
    places = len(leaves.ready)
    free = np.empty(places + more, np.int64)
    free[: used[_FREE_LEAVES]] = nodes.free[: used[_FREE_LEAVES]]
    fresh = slice(used[_FREE_LEAVES], used[_FREE_LEAVES] + more)
    free[fresh] = np.arange(places + more - 1, places - 1, -1)
    used[_FREE_LEAVES] += more
    kind, feature, threshold, children, counts, leaf, child, _, _ = nodes
    nodes = Nodes(
        longer(kind, more), longer(feature, more), longer(threshold, more),
        longer(children, more), longer(counts, more), longer(leaf, more),
        longer(child, more + len(child) // 2), free, used,
    )  # fmt: skip
    columns: list[Any] = [longer(column, more) for column in leaves]
    return Pools(nodes, Leaves(*columns))


def longer(column: npt.NDArray[Any], more: int) -> npt.NDArray[Any]:
    """An array with so many more entries, all 0."""
    return np.concatenate([column, np.zeros((more, *column.shape[1:]), column.dtype)])


@kernel
def add_leaf(nodes: Nodes, leaves: Leaves) -> int:
    """A new leaf that has seen nothing; its node."""
    node = nodes.used[_USED_NODES]
    nodes.used[_USED_NODES] += 1
    nodes.used[_FREE_LEAVES] -= 1
    leaf = nodes.free[nodes.used[_FREE_LEAVES]]
    nodes.kind[node] = LEAF
    nodes.leaf[node] = leaf
    nodes.counts[node] = 0.0
    leaves.ready[leaf] = 0
    leaves.seen[leaf] = 0.0
    leaves.mean[leaf] = 0.0
    leaves.spread[leaf] = 0.0
    leaves.narrowness[leaf] = 0.0
    leaves.base[leaf] = 0.0
    leaves.counts[leaf] = 0.0
    leaves.values_seen[leaf] = 0.0
    leaves.right[leaf] = 0.0
    leaves.judged_at[leaf] = 0.0
    return int(node)


@kernel
def release(nodes: Nodes, node: int) -> None:
    """A node is an active leaf no more: its place may be taken."""
    nodes.free[nodes.used[_FREE_LEAVES]] = nodes.leaf[node]
    nodes.used[_FREE_LEAVES] += 1
    nodes.leaf[node] = -1


@kernel
def list_children(nodes: Nodes, node: int, width: int) -> int:
    """Room for so many children; where it begins."""
    start = nodes.used[_USED_CHILDREN]
    nodes.used[_USED_CHILDREN] += width
    nodes.children[node] = start
    for i in range(width):
        nodes.child[start + i] = -1
    return int(start)
