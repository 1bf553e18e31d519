"""Trees in arrays: nodes, and what active leaves have seen. Pools that grow, for many trees."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from streamgauge._support.jit import inlined, lean_inner, lean_kernel
from streamgauge._support.rng import Rng, java_below, java_state, next_uniform
from streamgauge._support.types import Codes, Flags, Floats, Longs, Schema
from streamgauge.learners._rows import clear_row, copy_row, put_in_order

EMPTY: Final = 0  # a branch that no row has come down yet
LEAF: Final = 1  # observes rows and may split
INACTIVE: Final = 2  # counts classes only
NUMERIC: Final = 3  # left if the value is at most the threshold
MULTIWAY: Final = 4  # a child for each nominal value
IS_VALUE: Final = 5  # left if the nominal value is the threshold

# Columns of Leaves.stats, of numbers; of a nominal feature SEEN and HIGH (its highest code seen).
SEEN: Final = 0  # weight of the values not missing
MEAN: Final = 1
SPREAD: Final = 2  # Welford's sum of squared deviations
NARROWNESS: Final = 3  # 1 / (2 variance), for a short cut; 0 if there is none
LOW: Final = 4
HIGH: Final = 5
_STATS: Final = 6

# Columns of Leaves.tally.
READY: Final = 0  # 1 once it has seen a row
BY_COUNTS: Final = 1  # weight that the most frequent class got right
BY_BAYES: Final = 2  # weight that naive Bayes got right
JUDGED_AT: Final = 3  # weight seen when a split was last considered
_TALLY: Final = 4

_USED_NODES: Final = 0
_FREE_LEAVES: Final = 1

_MOA_DRAWS: Final = java_state(1)  # whatever the seed of the forest


class Nodes(NamedTuple):
    """Every node: what it is, where its children are, the classes it has seen."""

    kind: Flags
    feature: Codes
    threshold: Floats
    first: Longs  # its first child; the others follow it
    leaf: Longs  # its place among the leaves, if it is one
    counts: Floats  # [node, class]: weight seen, at a split as it was then


class Leaves(NamedTuple):
    """What leaves have seen, by class and feature: numbers as Gaussians, nominal values counted."""

    stats: Floats  # [leaf, class, feature of the leaf's, column]
    base: Floats  # [leaf, class]: log of prior and densities at the mean; NaN = no short cut
    values: Floats  # [leaf, class, nominal value of any feature]
    tally: Floats  # [leaf, column]
    features: Codes  # [leaf, feature of the leaf's]: which one of the stream's


class Room(NamedTuple):
    """What may be taken, and the rng for it."""

    free: Longs  # a stack of places for leaves
    vacant: Longs  # [width]: siblings so many that were given up, linked by `first`; -1 = none
    used: Longs  # [nodes, free places]
    deck: Codes  # the features, as the last draw left them
    rng: Rng
    java: Longs  # one number: what features are drawn by as in MOA; none = by the rng


class Scratch(NamedTuple):
    """Where kernels write things down for a moment."""

    votes: Floats  # [class]
    branches: Floats  # [branch, class]
    deviations: Floats  # [class]
    queue: Longs  # [node]


class Pools(NamedTuple):
    """One tree or several."""

    nodes: Nodes
    leaves: Leaves
    room: Room
    scratch: Scratch


def new_pools(schema: Schema, subspace: int, rng: Rng, as_moa: bool = False) -> Pools:
    """No tree yet. Each leaf will watch so many features, drawn for it, if as in MOA then from each
    tree's beginning by the same numbers."""
    k, d, values = len(schema.classes), len(schema.features), sum(schema.cardinality)
    nodes = Nodes(
        np.empty(0, np.uint8), np.empty(0, np.int32), np.empty(0), np.empty(0, np.int64),
        np.empty(0, np.int64), np.empty((0, k)),
    )  # fmt: skip
    leaves = Leaves(
        np.empty((0, k, subspace, _STATS)), np.empty((0, k)), np.empty((0, k, values)),
        np.empty((0, _TALLY)), np.empty((0, subspace), np.int32),
    )  # fmt: skip
    width = width_of(schema)
    room = Room(
        np.empty(0, np.int64), np.full(width + 1, -1), np.zeros(2, np.int64),
        np.arange(d, dtype=np.int32), rng, np.full(1 if as_moa else 0, _MOA_DRAWS),
    )  # fmt: skip
    scratch = Scratch(np.empty(k), np.empty((width, k)), np.empty(k), np.empty(0, np.int64))
    return grown(Pools(nodes, leaves, room, scratch), 32 * width, 16 * width)


def width_of(schema: Schema) -> int:
    """How many children the widest split has."""
    return max(2, *schema.cardinality) if schema.cardinality else 2


def twice(pools: Pools) -> Pools:
    """The same trees with twice the room."""
    return grown(pools, len(pools.nodes.kind), len(pools.leaves.tally))


def grown(pools: Pools, more_nodes: int, more_leaves: int) -> Pools:
    """The same trees with room for so many more nodes and leaves."""
    nodes, leaves, room, scratch = pools
    used, places = room.used.copy(), len(leaves.tally)
    fresh = np.arange(places + more_leaves - 1, places - 1, -1)
    free = np.empty(places + more_leaves, np.int64)
    free[: used[_FREE_LEAVES]] = room.free[: used[_FREE_LEAVES]]
    free[used[_FREE_LEAVES] : used[_FREE_LEAVES] + more_leaves] = fresh
    used[_FREE_LEAVES] += more_leaves
    return Pools(
        Nodes(*(longer(column, more_nodes) for column in nodes)),
        Leaves(*(longer(column, more_leaves) for column in leaves)),
        Room(free, room.vacant, used, room.deck, room.rng, room.java),
        scratch._replace(queue=longer(scratch.queue, more_nodes)),
    )


def longer(column: npt.NDArray[Any], more: int) -> Any:
    """An array with so many more entries, all 0."""
    return np.concatenate([column, np.zeros((more, *column.shape[1:]), column.dtype)])


@inlined
def branch(nodes: Nodes, node: int, value: float) -> int:
    """The child of a split that a value, not missing, leads to."""
    kind, threshold = nodes.kind[node], nodes.threshold[node]
    if kind == NUMERIC:
        step = 0 if value <= threshold else 1
    elif kind == MULTIWAY:
        step = int(value)
    else:
        step = 0 if value == threshold else 1
    return int(nodes.first[node] + step)


@inlined
def find(nodes: Nodes, root: int, X: Floats, row: int) -> tuple[int, int]:
    """The node that a row comes to, and the split above it.

    A row whose value is missing stays at the split.
    """
    node, above = root, root
    while nodes.kind[node] > INACTIVE:
        value = X[row, nodes.feature[node]]
        if np.isnan(value):
            break
        above = node
        node = branch(nodes, node, value)
    return node, above


@lean_kernel
def room_for(pools: Pools, splits: int) -> bool:
    """Would so many splits of the widest kind find room, and a root for each?"""
    more = splits * len(pools.room.vacant)
    nodes_left = len(pools.nodes.kind) - pools.room.used[_USED_NODES]
    return bool(nodes_left >= more and pools.room.used[_FREE_LEAVES] >= more)


@lean_inner
def take_siblings(pools: Pools, width: int) -> int:
    """So many empty nodes in a row; the first."""
    nodes, room = pools.nodes, pools.room
    first = room.vacant[width]
    if first >= 0:
        room.vacant[width] = nodes.first[first]
    else:
        first = room.used[_USED_NODES]
        room.used[_USED_NODES] += width
    for node in range(first, first + width):
        nodes.kind[node] = EMPTY
        nodes.leaf[node] = -1
        clear_row(nodes.counts, node)
    return int(first)


@lean_inner
def give_up_siblings(pools: Pools, first: int, width: int) -> None:
    """So many nodes in a row may be taken again."""
    pools.nodes.first[first] = pools.room.vacant[width]
    pools.room.vacant[width] = first


@lean_kernel
def make_leaf(pools: Pools, node: int) -> None:
    """Let a node watch rows; the classes it has seen stay."""
    nodes, leaves, room = pools.nodes, pools.leaves, pools.room
    room.used[_FREE_LEAVES] -= 1
    leaf = room.free[room.used[_FREE_LEAVES]]
    nodes.kind[node] = LEAF
    nodes.leaf[node] = leaf
    for c in range(leaves.base.shape[1]):
        leaves.base[leaf, c] = -np.inf  # of a class that it has not seen all products are 0
        for i in range(leaves.stats.shape[2]):
            for column in range(_STATS):
                leaves.stats[leaf, c, i, column] = 0.0
        for value in range(leaves.values.shape[2]):
            leaves.values[leaf, c, value] = 0.0
    seen = 0.0
    for c in range(nodes.counts.shape[1]):
        seen += nodes.counts[node, c]
    clear_row(leaves.tally, leaf)
    leaves.tally[leaf, JUDGED_AT] = seen
    _draw(leaves, leaf, room)


@inlined
def begin_draws(pools: Pools) -> None:
    """As in MOA: a new tree draws the numbers that the others drew."""
    if len(pools.room.java):
        pools.room.java[0] = _MOA_DRAWS


@lean_kernel
def new_tree(pools: Pools) -> int:
    """A leaf that has seen nothing; its node."""
    root = take_siblings(pools, 1)
    make_leaf(pools, root)
    return root


@inlined
def _draw_one(room: Room, i: int) -> None:
    """The i-th feature of a draw."""
    deck = room.deck
    if len(room.java) == 0:
        other = i + int(next_uniform(room.rng) * (len(deck) - i))
        deck[i], deck[other] = deck[other], deck[i]
        return
    if i == 0:
        for feature in range(len(deck)):
            deck[feature] = feature
    other = i + java_below(room.java, len(deck) - i)
    feature = deck[other]
    for place in range(other, i, -1):  # the others keep their order
        deck[place] = deck[place - 1]
    deck[i] = feature


@lean_inner
def _draw(leaves: Leaves, leaf: int, room: Room) -> None:
    """Which features a leaf watches, in the stream's order."""
    chosen, deck = leaves.features, room.deck
    m = chosen.shape[1]
    for i in range(m):
        if m == len(deck):
            chosen[leaf, i] = i
            continue
        _draw_one(room, i)
        put_in_order(chosen, leaf, i, deck[i])


@lean_kernel
def release(pools: Pools, node: int) -> None:
    """A node is an active leaf no more: its place may be taken."""
    nodes, room = pools.nodes, pools.room
    room.free[room.used[_FREE_LEAVES]] = nodes.leaf[node]
    room.used[_FREE_LEAVES] += 1
    nodes.leaf[node] = -1


@lean_inner
def width_at(nodes: Nodes, sizes: Longs, node: int) -> int:
    """How many children a node has."""
    if nodes.kind[node] <= INACTIVE:
        return 0
    return int(sizes[nodes.feature[node]]) if nodes.kind[node] == MULTIWAY else 2


@lean_inner
def list_branch(pools: Pools, sizes: Longs, root: int) -> int:
    """A node and all below it, parents first, in scratch.queue; how many."""
    nodes, queue = pools.nodes, pools.scratch.queue
    queue[0] = root
    seen, count = 0, 1
    while seen < count:
        for i in range(width_at(nodes, sizes, queue[seen])):
            queue[count] = nodes.first[queue[seen]] + i
            count += 1
        seen += 1
    return count


@lean_inner
def vacate(pools: Pools, sizes: Longs, root: int) -> None:
    """Give up a branch: all nodes below; the root becomes empty but keeps its place."""
    nodes, queue = pools.nodes, pools.scratch.queue
    for i in range(list_branch(pools, sizes, root) - 1, -1, -1):
        node = queue[i]
        width = width_at(nodes, sizes, node)
        if width:
            give_up_siblings(pools, nodes.first[node], width)
        elif nodes.kind[node] == LEAF:
            release(pools, node)
        nodes.kind[node] = EMPTY
        clear_row(nodes.counts, node)


@lean_inner
def move(pools: Pools, root: int, to: int) -> None:
    """A tree takes the place of an empty node; its own root may be taken again."""
    nodes = pools.nodes
    nodes.kind[to] = nodes.kind[root]
    nodes.feature[to] = nodes.feature[root]
    nodes.threshold[to] = nodes.threshold[root]
    nodes.first[to] = nodes.first[root]
    nodes.leaf[to] = nodes.leaf[root]
    copy_row(nodes.counts, root, nodes.counts, to)
    give_up_siblings(pools, root, 1)
