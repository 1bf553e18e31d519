"""How trees learn a row: the leaf that it arrives at learns it, and splits when it is time."""

from __future__ import annotations

from streamgauge._support.jit import inlined
from streamgauge._support.types import Floats
from streamgauge.learners.trees._leaves import is_split_due, update_leaf, vote_again
from streamgauge.learners.trees._nodes import (
    EMPTY,
    HAS_ROWS,
    INACTIVE,
    LEAF,
    Pools,
    descend,
    has_room_for,
    make_leaf,
)
from streamgauge.learners.trees._params import ADAPTIVE, TreeParams
from streamgauge.learners.trees._splits import attempt_split
from streamgauge.learners.trees._value_counts import has_places_for


@inlined
def needs_room(pools: Pools, params: TreeParams, node: int, y: int, w: float) -> bool:
    """Return whether a node might not have room to learn a row of class y and weight w."""
    if has_room_for(pools, 1):
        return False
    kind = pools.nodes.kind[node]
    if kind == EMPTY or not has_places_for(pools.counts, 1):
        return True
    return bool(kind == LEAF and is_split_due(pools, params, node, y, w))


@inlined
def learn_at(
    pools: Pools,
    params: TreeParams,
    node: int,
    X: Floats,
    row: int,
    y: int,
    w: float,
    bayes_label: int,
) -> bool:
    """Train the node that a row arrived at; return whether it split.

    `bayes_label` is naive Bayes' prediction there, -1 if it was not computed. A row with a missing
    value stays at a split, which learns nothing.
    """
    nodes, split = pools.nodes, False
    if nodes.kind[node] == EMPTY:
        make_leaf(pools, node)
    if nodes.kind[node] == INACTIVE:
        nodes.counts[node, y] += w
    elif nodes.kind[node] == LEAF:
        due = is_split_due(pools, params, node, y, w)
        update_leaf(pools, params, node, X, row, y, w, bayes_label)
        if due:
            split = attempt_split(pools, params, node)
    return split


@inlined
def learn_tree(
    pools: Pools, params: TreeParams, root: int, X: Floats, row: int, y: int, w: float
) -> None:
    """Train a tree with a row; the pools must have room for a split."""
    node, _ = descend(pools.nodes, root, X, row)
    learn_at(pools, params, node, X, row, y, w, -1)


@inlined
def learn_and_vote(
    pools: Pools, params: TreeParams, node: int, parent: int, X: Floats, row: int, y: int, w: float,
    bayes_label: int,
) -> int:  # fmt: skip
    """Train the node that a row arrived at; return the class that the tree then predicts for it.

    Naive Bayes' scores of the other classes are still those from before: only y is scored again.
    `bayes_label` is naive Bayes' prediction at the node, just made, -1 if it was not.
    """
    nodes, changed = pools.nodes, -1
    if nodes.kind[node] == LEAF and pools.leaves.tally[nodes.leaf[node], HAS_ROWS] > 0:
        changed = y if bayes_label >= 0 or params.leaf_prediction == ADAPTIVE else -1
    if learn_at(pools, params, node, X, row, y, w, bayes_label):
        node, parent = descend(nodes, node, X, row)
        changed = -1
    label, _ = vote_again(pools, params, node, parent, X, row, False, changed)
    return label
