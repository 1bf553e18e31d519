"""A tree learns a row: the leaf it comes to does, and splits when it is time."""

from __future__ import annotations

from streamgauge._support.jit import inlined
from streamgauge._support.types import Floats
from streamgauge.learners.trees._leaves import is_due, learn
from streamgauge.learners.trees._nodes import EMPTY, INACTIVE, LEAF, Pools, find, make_leaf
from streamgauge.learners.trees._params import Rule
from streamgauge.learners.trees._splits import consider


@inlined
def needs_room(pools: Pools, rule: Rule, node: int, w: float) -> bool:
    """Might a node take room when it learns a row of this weight?"""
    kind = pools.nodes.kind[node]
    return kind == EMPTY or (kind == LEAF and is_due(pools, rule, node, w))


@inlined
def teach(
    pools: Pools, rule: Rule, node: int, X: Floats, row: int, c: int, w: float, told: int
) -> bool:
    """The node that a row came to learns it; did it split?

    `told` is what naive Bayes said of it there, -1 if it was not asked. At a split, where a row
    stays whose value is missing, nobody learns.
    """
    nodes, split = pools.nodes, False
    if nodes.kind[node] == EMPTY:
        make_leaf(pools, node)
    if nodes.kind[node] == INACTIVE:
        nodes.counts[node, c] += w
    elif nodes.kind[node] == LEAF:
        due = is_due(pools, rule, node, w)
        learn(pools, rule, node, X, row, c, w, told)
        if due:
            split = consider(pools, rule, node)
    return split


@inlined
def teach_tree(pools: Pools, rule: Rule, root: int, X: Floats, row: int, c: int, w: float) -> None:
    """A tree learns a row, there being room for a split."""
    node, _ = find(pools.nodes, root, X, row)
    teach(pools, rule, node, X, row, c, w, -1)
