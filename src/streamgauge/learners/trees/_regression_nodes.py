"""Regression trees in arrays: nodes, leaves and what they have seen; pools that are cleared out."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from streamgauge._support.jit import inner, kernel
from streamgauge._support.rng import Rng, new_rng, next_uniform
from streamgauge._support.types import Codes, Floats, Longs, Schema
from streamgauge.learners._rows import clear_row, copy_row, put_in_order
from streamgauge.learners.base import state_bytes
from streamgauge.learners.trees._nodes import LEAF, Nodes
from streamgauge.learners.trees._target_bins import Bins

# Columns of Nodes.counts. `SUM` and the like are of targets counted from the tree's first one.
WEIGHT: Final = 0  # of the rows that came by
SUM: Final = 1
ERROR: Final = 2  # of its answers, in units of three deviations of the target
PH_SUM: Final = 3  # Page–Hinkley's sum and
PH_LOW: Final = 4  # its least value
LOSS: Final = 5  # faded, since a rival grows beside it; and the rival's
RIVAL_LOSS: Final = 6
TRIED: Final = 7  # weight since then
JUDGED: Final = 8  # a leaf's weight when a split was last considered; TRIED when last compared
_COUNTS: Final = 9

# Columns of Trees.target and Trees.spans: what the tree has seen of the target and of a number.
SEEN: Final = 0
TOTAL: Final = (
    1  # of deviations from `ORIGIN`, the first value: squares of large numbers lose digits
)
SQUARES: Final = 2
ORIGIN: Final = 3
MIDDLE: Final = 4  # the mean
REACH: Final = 5  # of the target three deviations, of a feature 1 / (three deviations)
_SPAN: Final = 6

# Places of Trees.used.
RECORDS: Final = 0
NODES: Final = 1
LEAVES: Final = 2


class Leaves(NamedTuple):
    """What leaves know besides their bins."""

    features: Codes  # [leaf, feature of the leaf's]: which one of the stream's
    linear: Floats  # [leaf, feature and one more]: the perceptron's weights; none in a mean's leaf
    lessons: Floats  # [leaf]: weight that the perceptron has learned from
    before: Floats  # [leaf]: what a mean's leaf answers before its first row


class Trees(NamedTuple):
    """A tree, or two of which the second grows in the background."""

    root: Longs  # [tree]: a node, -1 = no such tree
    target: Floats  # [tree, column]
    spans: Floats  # [feature, column], for perceptrons alone
    nodes: Nodes
    rival: Longs  # [node]: the root of a tree that may replace what is below, -1 = none
    leaves: Leaves
    bins: Bins
    used: Longs
    sizes: Longs  # [feature]: how many nominal values, 0 = a number
    deck: Codes  # the features, as the last draw left them
    rng: Rng


def new_trees(
    schema: Schema, trees: int, watched: int, linear: bool, waiting: int, seed: int
) -> Trees:
    """No tree yet. Each leaf will watch so many features, drawn for it, and let so many rows wait
    before it sorts them into bins."""
    d = len(schema.features)
    sizes = np.array(schema.cardinality, np.int64)
    empty = _pools(trees, sizes, watched, waiting, d + 1 if linear else 0, 64, 32, 0)
    return empty._replace(deck=np.arange(d, dtype=np.int32), rng=new_rng(seed))


def _pools(
    trees: int, sizes: Longs, watched: int, waiting: int, weights: int, nodes: int, leaves: int,
    records: int,
) -> Trees:  # fmt: skip
    records += 16 * ((waiting + 1) * watched + int(sizes.sum()))  # what some new leaves ask for
    return Trees(
        root=np.full(trees, -1),
        target=np.zeros((trees, _SPAN)),
        spans=np.zeros((len(sizes) if weights else 0, _SPAN)),
        nodes=Nodes(
            np.zeros(nodes, np.uint8), np.zeros(nodes, np.int32), np.zeros(nodes),
            np.zeros(nodes, np.int64), np.zeros(nodes, np.int64), np.zeros((nodes, _COUNTS)),
        ),
        rival=np.full(nodes, -1),
        leaves=Leaves(
            np.zeros((leaves, watched), np.int32), np.zeros((leaves, weights)),
            np.zeros(leaves), np.zeros(leaves),
        ),
        bins=Bins(
            np.zeros((records, 3)), np.zeros((leaves, watched), np.int64),
            np.zeros((leaves, watched), np.int32), np.zeros((leaves, watched), np.int32),
            np.zeros((leaves, waiting, watched + 2)), np.zeros(leaves, np.int32),
        ),
        used=np.zeros(3, np.int64),
        sizes=sizes,
        deck=np.empty(0, np.int32),
        rng=np.zeros(1, np.uint64),
    )  # fmt: skip


def cleared(trees: Trees) -> Trees:
    """The same trees without what was given up, and with room for at least as much again."""
    live, leaves = _live(trees)
    watched, weights = trees.leaves.features.shape[1], trees.leaves.linear.shape[1]
    rooms = trees.bins.room[trees.nodes.leaf[leaves]].sum(axis=1, dtype=np.int64)
    # Twice what there is, and what one leaf's bins would take if they all had to grow at once.
    records = int(2 * rooms.sum() + 2 * rooms.max(initial=0))
    new = _pools(
        len(trees.root), trees.sizes, watched, trees.bins.waiting.shape[1], weights,
        2 * len(live) + 64, 2 * len(leaves) + 32, records,
    )  # fmt: skip
    new.target[:] = trees.target
    new.spans[:] = trees.spans
    _move(trees, new)
    return new._replace(deck=trees.deck, rng=trees.rng)


def count_nodes(trees: Trees) -> int:
    """Those that are in use."""
    return len(_live(trees)[0])


def bytes_of_trees(trees: Trees) -> int:
    """How large they are."""
    parts = trees.nodes, trees.leaves, trees.bins
    arrays = trees.root, trees.target, trees.spans, trees.rival, trees.used, trees.rng
    return sum(map(state_bytes, parts)) + state_bytes(arrays)


@kernel
def _live(trees: Trees) -> tuple[Longs, Longs]:
    """All nodes that can still be reached, and the leaves among them."""
    kind, first, rival = trees.nodes.kind, trees.nodes.first, trees.rival
    found, leaves = np.empty(len(kind), np.int64), np.empty(len(kind), np.int64)
    count, leaf_count, done = 0, 0, 0
    for root in trees.root:
        if root >= 0:
            found[count] = root
            count += 1
    while done < count:
        node = found[done]
        done += 1
        if kind[node] == LEAF:
            leaves[leaf_count] = node
            leaf_count += 1
            continue
        found[count], found[count + 1] = first[node], first[node] + 1
        count += 2
        if rival[node] >= 0:
            found[count] = rival[node]
            count += 1
    return found[:count], leaves[:leaf_count]


@kernel
def _move(old: Trees, new: Trees) -> None:
    """Copy what can be reached into empty pools."""
    here = np.empty(len(new.nodes.kind), np.int64)  # of each new node: where it was
    for t in range(len(old.root)):
        if old.root[t] >= 0:
            here[new.used[NODES]] = old.root[t]
            new.root[t] = new.used[NODES]
            new.used[NODES] += 1
    node = 0
    while node < new.used[NODES]:
        was = here[node]
        new.nodes.kind[node] = old.nodes.kind[was]
        new.nodes.feature[node] = old.nodes.feature[was]
        new.nodes.threshold[node] = old.nodes.threshold[was]
        copy_row(old.nodes.counts, was, new.nodes.counts, node)
        if old.nodes.kind[was] == LEAF:
            new.nodes.leaf[node] = new.used[LEAVES]
            new.used[LEAVES] += 1
            _move_leaf(old, old.nodes.leaf[was], new, new.nodes.leaf[node])
        else:
            first = new.used[NODES]
            new.nodes.first[node] = first
            here[first], here[first + 1] = old.nodes.first[was], old.nodes.first[was] + 1
            new.used[NODES] += 2
            if old.rival[was] >= 0:
                new.rival[node] = new.used[NODES]
                here[new.used[NODES]] = old.rival[was]
                new.used[NODES] += 1
        node += 1


@inner
def _move_leaf(old: Trees, was: int, new: Trees, leaf: int) -> None:
    copy_row(old.leaves.features, was, new.leaves.features, leaf)
    copy_row(old.leaves.linear, was, new.leaves.linear, leaf)
    new.leaves.lessons[leaf] = old.leaves.lessons[was]
    new.leaves.before[leaf] = old.leaves.before[was]
    new.bins.waits[leaf] = old.bins.waits[was]
    for rank in range(old.bins.waits[was]):
        for column in range(old.bins.waiting.shape[2]):
            new.bins.waiting[leaf, rank, column] = old.bins.waiting[was, rank, column]
    for i in range(new.bins.room.shape[1]):
        begin, start, n = old.bins.start[was, i], new.used[RECORDS], old.bins.filled[was, i]
        for r in range(n):
            copy_row(old.bins.record, begin + r, new.bins.record, start + r)
        new.bins.start[leaf, i] = start
        new.bins.room[leaf, i] = old.bins.room[was, i]
        new.bins.filled[leaf, i] = n
        new.used[RECORDS] += old.bins.room[was, i]


@inner
def plant(trees: Trees) -> int:
    """A new tree of one leaf that has seen nothing; its node."""
    node = trees.used[NODES]
    trees.used[NODES] += 1
    leaf = trees.used[LEAVES]
    trees.used[LEAVES] += 1
    make_leaf(trees, node, leaf)
    for j in range(trees.leaves.linear.shape[1]):
        trees.leaves.linear[leaf, j] = 2 * next_uniform(trees.rng) - 1
    return int(node)


@inner
def make_leaf(trees: Trees, node: int, leaf: int) -> None:
    """Let a node be a leaf at this place, which has seen nothing; its perceptron stays."""
    trees.nodes.kind[node] = LEAF
    trees.nodes.leaf[node] = leaf
    clear_row(trees.nodes.counts, node)
    trees.rival[node] = -1
    trees.leaves.lessons[leaf] = 0.0
    trees.leaves.before[leaf] = np.nan
    for i in range(trees.bins.filled.shape[1]):
        trees.bins.filled[leaf, i] = 0
    trees.bins.waits[leaf] = 0
    _draw(trees, leaf)


@inner
def _draw(trees: Trees, leaf: int) -> None:
    """Which features a leaf watches, in the stream's order."""
    chosen, deck = trees.leaves.features, trees.deck
    m = chosen.shape[1]
    for i in range(m):
        if m == len(deck):
            chosen[leaf, i] = i
            continue
        other = i + int(next_uniform(trees.rng) * (len(deck) - i))
        deck[i], deck[other] = deck[other], deck[i]
        put_in_order(chosen, leaf, i, deck[i])
