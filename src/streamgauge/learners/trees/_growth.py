"""How trees learn a row: the leaf that it arrives at learns it, and splits when it is time."""

from __future__ import annotations

from streamgauge._support.jit import inlined
from streamgauge._support.types import Floats
from streamgauge.learners.trees._leaves import is_split_due, update_leaf
from streamgauge.learners.trees._nodes import EMPTY, INACTIVE, LEAF, Pools, descend, make_leaf
from streamgauge.learners.trees._params import Params
from streamgauge.learners.trees._splits import attempt_split


@inlined
def needs_room(pools: Pools, params: Params, node: int, y: int, w: float) -> bool:
    """Return whether a node might need room when it learns a row of class y and weight w."""
    kind = pools.nodes.kind[node]
    return kind == EMPTY or (kind == LEAF and is_split_due(pools, params, node, y, w))


@inlined
def learn_at(
    pools: Pools, params: Params, node: int, X: Floats, row: int, y: int, w: float, bayes_label: int
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
    pools: Pools, params: Params, root: int, X: Floats, row: int, y: int, w: float
) -> None:
    """Train a tree with a row; the pools must have room for a split."""
    node, _ = descend(pools.nodes, root, X, row)
    learn_at(pools, params, node, X, row, y, w, -1)
