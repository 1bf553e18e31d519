"""ExtremelyFastDecisionTree: the extremely fast decision tree (EFDT), as in MOA."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from streamgauge._support.errors import UsageError
from streamgauge._support.jit import inlined, lean_inner, lean_kernel
from streamgauge._support.rng import new_rng
from streamgauge._support.types import LEARN, Flags, Floats, Longs, Schema
from streamgauge.learners._parameters import (
    CompatBranches,
    Count,
    Delta,
    GracePeriod,
    LeafPrediction,
    Memory,
    SplitCriterion,
    Tau,
)
from streamgauge.learners._probabilities import normalise_votes
from streamgauge.learners._rows import clear_row, copy_row
from streamgauge.learners.base import Events, state_bytes
from streamgauge.learners.trees._leaves import update_leaf, update_statistics, vote
from streamgauge.learners.trees._memory import pool_bytes, repacked, sizes_of
from streamgauge.learners.trees._nodes import (
    EMPTY,
    FREE_LEAVES,
    INACTIVE,
    LEAF,
    MULTIWAY,
    NUMERIC,
    USED_NODES,
    Pools,
    child_for,
    depth_of,
    descend,
    doubled,
    enlarged,
    has_room_for,
    list_subtree,
    make_leaf,
    new_pools,
    new_tree,
    release_siblings,
    release_subtree,
    width_at,
    width_of,
)
from streamgauge.learners.trees._params import GINI, TreeParams
from streamgauge.learners.trees._splits import (
    NO_SPLIT,
    best_candidate,
    hoeffding_bound,
    impurity_of,
    split,
)
from streamgauge.learners.trees._tables import padded
from streamgauge.learners.trees._value_counts import has_places_for, lacks_places
from streamgauge.learners.trees.hoeffding_tree import HoeffdingTree

# Columns of _Records.counts.
_ROWS: Final = 0  # seen by a leaf
_ATTEMPTS: Final = 1  # evaluations of the splits since the node became a leaf or a split
_CLASSES: Final = 2  # highest class seen when the node became a split, plus 1
_N_COUNTS: Final = 3

# Entries of _Records.tree.
_LEARNED: Final = 0  # rows learned by the tree
_FULL: Final = 1  # 1 once the memory limit is reached
_N_TREE: Final = 2

_MIN_GAIN: Final = 1e-10  # of a split
_DEEP: Final = 24  # splits on a path; only where places for fewer are left they are counted


class _Records(NamedTuple):
    """What decides about splits, beside the statistics; one row for each row of Leaves."""

    gains: Floats  # [leaf, feature]: sum over all evaluations
    counts: Longs  # [leaf, column]
    used: Flags  # [leaf, feature]: 1 for the nominal splits directly above a leaf
    tree: Longs  # counters of the whole tree


class ExtremelyFastDecisionTree(HoeffdingTree):
    """Extremely fast decision tree (EFDT): splits early and revises its splits later.

    A leaf splits as soon as its best split is clearly better than no split; a Hoeffding tree waits
    until it is clearly better than the second best. Splits keep their statistics. Every
    `min_samples_reevaluate` rows, each split that the row passes is compared with the best split
    there: if that is clearly better, it replaces the split and all below it. Gains are averages
    over all evaluations of a node. Defaults are CapyMOA's; MOA's leaves always predict as "nba".

    Parameters
    ----------
    min_samples_reevaluate
        Rows the tree learns between two evaluations of its splits.
    tau
        Split when the bound is below this, however small the gain. A split is then replaced if the
        gain is half of it.
    max_byte_size
        Memory limit in bytes. When it is reached, the tree grows only into room that a replaced
        branch leaves.

    References
    ----------
    manapragada2018 (docs/bibliography.md)

    Examples
    --------
    >>> import streamgauge as sg
    >>> concepts = [sg.STAGGER(1500, seed=1), sg.STAGGER(1500, seed=2, classification_function=2)]
    >>> stream = sg.splice(concepts, at=[1500])
    >>> for run in sg.evaluate(stream, [sg.HoeffdingTree(), sg.ExtremelyFastDecisionTree()]):
    ...     print(f"{run.name}: {run.summary['accuracy']:.3f}, {run.learner.node_count} nodes")
    HoeffdingTree: 0.706, 7 nodes
    ExtremelyFastDecisionTree: 0.733, 13 nodes
    """

    def __init__(
        self,
        grace_period: GracePeriod = 200,
        min_samples_reevaluate: Count = 200,
        delta: Delta = 1e-3,
        tau: Tau = 0.05,
        leaf_prediction: LeafPrediction = "nba",
        split_criterion: SplitCriterion = "info_gain",
        max_byte_size: int | None = None,
        memory: Memory = None,
        compat: CompatBranches = None,
    ) -> None:
        self.min_samples_reevaluate = min_samples_reevaluate
        super().__init__(
            grace_period,
            delta,
            tau,
            leaf_prediction,
            split_criterion,
            max_byte_size,
            memory,
            compat,
        )

    def start(self, schema: Schema, seed: int) -> None:
        self._schema = schema
        self._params = self._options.for_schema(schema)
        reserves = self._most is not None
        self._pools = new_pools(schema, len(schema.features), new_rng(seed), reserves=reserves)
        d, n = len(schema.features), len(self._pools.leaves.tally)
        self._records = _Records(
            np.zeros((n, d)), np.zeros((n, _N_COUNTS), np.int64), np.zeros((n, d), np.uint8),
            np.zeros(_N_TREE, np.int64),
        )  # fmt: skip
        if self._most is not None and self.nbytes > self._most:
            self._shrink(self._most)
        new_tree(self._pools)

    def _shrink(self, most: int) -> None:
        """Reduce the arrays, which have no tree yet, to this number of bytes."""
        fixed, per_leaf = self._sizes()
        n, least = (most - fixed) // per_leaf, width_of(self._schema) + 2
        if n < least:  # the root, its children, and room for one more
            raise UsageError(
                f"{self}: expected at least {fixed + least * per_leaf:,} bytes for a tree with a "
                "single split on this stream; raise the limit or use fewer features"
            )
        self._pools = repacked(self._pools, 2 * n, n)
        gains, counts, used, tree = self._records
        self._records = _Records(gains[:n].copy(), counts[:n].copy(), used[:n].copy(), tree)

    def _sizes(self) -> tuple[int, int]:
        """Return the bytes of an empty tree, and those of a leaf and its two nodes."""
        n, (per_node, per_leaf, _) = len(self._pools.leaves.tally), sizes_of(self._pools)
        of_record = state_bytes(self._records[:-1]) // n
        each = per_leaf + 2 * per_node + of_record
        return self.nbytes - n * each, each

    @property
    def nbytes(self) -> int:
        return pool_bytes(self._pools) + state_bytes(self._records)

    def play(self, events: Events) -> None:
        done = 0
        while True:
            rest = events.cut(done, len(events.ops))
            done += _play(
                rest, self._pools, self._params, self._records, self.min_samples_reevaluate
            )
            if done == len(events.ops):
                return
            self._make_room()

    def _make_room(self) -> None:
        """Double the arrays, or use up what the memory limit leaves."""
        if lacks_places(self._pools.counts):
            self._pools = doubled(self._pools)
            return
        n = more = len(self._pools.leaves.tally)
        if self._most is not None:
            more = min(n, (self._most - self.nbytes) // self._sizes()[1])
        if more < 1:
            self._records.tree[_FULL] = 1
            return
        self._pools = enlarged(self._pools, 2 * more, more)
        gains, counts, used, tree = self._records
        self._records = _Records(
            padded(gains, more), padded(counts, more), padded(used, more), tree
        )


@lean_inner
def _best_split(
    pools: Pools, params: TreeParams, records: _Records, node: int, total: float
) -> tuple[int, int, float, float]:
    """Evaluate the splits on all features and add up their gains.

    Return the best: its feature, kind, threshold and gain.
    """
    leaf = pools.nodes.leaf[node]
    before = impurity_of(pools.nodes.counts, node, total, params.split_criterion, False)
    nothing = 1.0 - before if params.split_criterion == GINI else 0.0  # merit of no split
    feature, kind, threshold, best = -1, NO_SPLIT, 0.0, -np.inf
    records.counts[leaf, _ATTEMPTS] += 1
    for j in range(records.gains.shape[1]):
        its_kind, its_threshold, merit = best_candidate(
            pools, params, leaf, j, before, False, -np.inf
        )
        if its_kind == NO_SPLIT:
            continue
        gain = merit - nothing
        records.gains[leaf, j] += gain
        if gain >= best:
            feature, kind, threshold, best = j, its_kind, its_threshold, gain
    return feature, kind, threshold, best


@inlined
def _clear_record(records: _Records, leaf: int) -> None:
    """Let the record of a new leaf begin."""
    clear_row(records.gains, leaf)
    clear_row(records.counts, leaf)
    clear_row(records.used, leaf)


@lean_inner
def _split_on(
    pools: Pools, params: TreeParams, records: _Records, node: int, j: int, kind: int,
    threshold: float, classes: int,
) -> None:  # fmt: skip
    """Turn a node without children into a split on feature j; it keeps statistics and gains."""
    nodes, leaf = pools.nodes, pools.nodes.leaf[node]
    split(pools, params, node, j, kind, threshold, True)
    for child in range(
        nodes.first_child[node], nodes.first_child[node] + width_at(nodes, params.cardinality, node)
    ):
        if nodes.kind[child] == LEAF:
            its_leaf = nodes.leaf[child]
            _clear_record(records, its_leaf)
            if kind != NUMERIC:
                copy_row(records.used, leaf, records.used, its_leaf)
                records.used[its_leaf, j] = 1
    clear_row(records.used, leaf)
    records.counts[leaf, _ATTEMPTS] = 0  # as in MOA, though the gains are kept
    records.counts[leaf, _CLASSES] = classes


@lean_inner
def _has_room_to_split(
    pools: Pools, params: TreeParams, j: int, kind: int, freed_width: int, freed_leaves: int
) -> bool:
    """Return whether there is room for a split on feature j.

    Before it, siblings of `freed_width` and the statistics of `freed_leaves` nodes are released. At
    the memory limit this is all the room that there may be.
    """
    counters, released = pools.allocator.counters, pools.allocator.released
    width = params.cardinality[j] if kind == MULTIWAY else 2
    nodes_left = len(pools.nodes.kind) - counters[USED_NODES]
    has_nodes = width == freed_width or released[width] >= 0 or nodes_left >= width
    return bool(has_nodes and counters[FREE_LEAVES] + freed_leaves >= width)


@lean_inner
def _attempt_split(pools: Pools, params: TreeParams, records: _Records, node: int) -> None:
    """Split a leaf if its best split is clearly better than no split."""
    counts, leaf = pools.nodes.counts, pools.nodes.leaf[node]
    classes, highest, total = 0, 0, 0.0
    for c in range(counts.shape[1]):
        total += counts[node, c]
        if counts[node, c] != 0:
            classes += 1
            highest = c + 1
    if classes < 2:
        return
    j, kind, threshold, gain = _best_split(pools, params, records, node, total)
    if gain < _MIN_GAIN or records.used[leaf, j]:
        return
    bound = hoeffding_bound(params, highest, total)
    mean_gain = records.gains[leaf, j] / records.counts[leaf, _ATTEMPTS]
    is_better = mean_gain > bound or bound < params.tau
    if is_better and _has_room_to_split(pools, params, j, kind, 0, 0):
        _split_on(pools, params, records, node, j, kind, threshold, highest)


@lean_inner
def _reevaluate(pools: Pools, params: TreeParams, records: _Records, node: int) -> bool:
    """Replace a split and all below it if another is clearly better; return whether it did."""
    nodes, leaf = pools.nodes, pools.nodes.leaf[node]
    total, highest = 0.0, 0
    for c in range(nodes.counts.shape[1]):
        total += nodes.counts[node, c]
        if nodes.counts[node, c] != 0:
            highest = c + 1
    j, kind, threshold, _ = _best_split(pools, params, records, node, total)
    if kind == NO_SPLIT:
        return False
    attempts, gains = records.counts[leaf, _ATTEMPTS], records.gains
    lead = gains[leaf, j] / attempts - gains[leaf, nodes.feature[node]] / attempts
    bound = hoeffding_bound(params, records.counts[leaf, _CLASSES], total)
    if not (lead > bound or (bound < params.tau and lead > params.tau / 2)):
        return False
    first, width = nodes.first_child[node], width_at(nodes, params.cardinality, node)
    below = 0  # leaves and splits with statistics
    for i in range(1, list_subtree(pools, params.cardinality, node)):
        below += nodes.leaf[pools.scratch.queue[i]] >= 0
    if not _has_room_to_split(pools, params, j, kind, width, below):
        return False
    for child in range(first, first + width):
        release_subtree(pools, params.cardinality, child)
    release_siblings(pools, first, width)
    _split_on(pools, params, records, node, j, kind, threshold, highest)
    return True


@inlined
def _learn(
    pools: Pools, params: TreeParams, records: _Records, every: int, X: Floats, row: int, y: int,
    w: float, bayes_label: int,
) -> None:  # fmt: skip
    """Train all splits on a row's path, then its leaf; evaluate them when it is time.

    `bayes_label` is naive Bayes' prediction at the leaf, -1 if it was not computed. A row whose
    path ends at a missing value or at a split that it replaced trains no leaf.
    """
    nodes, node = pools.nodes, 0
    reevaluates = records.tree[_LEARNED] % every == 0
    records.tree[_LEARNED] += 1
    while nodes.kind[node] > INACTIVE:
        update_statistics(pools, params, node, X, row, y, w, False)
        value = X[row, nodes.feature[node]]
        if (reevaluates and _reevaluate(pools, params, records, node)) or np.isnan(value):
            return
        node = child_for(nodes, node, value)
    if nodes.kind[node] == EMPTY:
        if pools.allocator.counters[FREE_LEAVES] == 0:
            return
        make_leaf(pools, node)
        _clear_record(records, nodes.leaf[node])
    update_leaf(pools, params, node, X, row, y, w, bayes_label)
    counts, leaf = records.counts, nodes.leaf[node]
    counts[leaf, _ROWS] += 1
    if counts[leaf, _ROWS] % int(params.grace_period) == 0:
        _attempt_split(pools, params, records, node)


@lean_kernel
def _play(events: Events, pools: Pools, params: TreeParams, records: _Records, every: int) -> int:
    """Work through the events until there might be too little room; return how many are done."""
    X, y, ops, slots, _, weight, label, proba = events
    # The last row predicted, if none was learned since, and naive Bayes' prediction at its leaf.
    known_row, bayes_label = -1, -1
    for e in range(len(ops)):
        row, w = slots[e], weight[e]
        if ops[e] == LEARN:
            if w == 0:
                continue
            if not (has_room_for(pools, 1) or records.tree[_FULL] == 1):
                return e
            if not (
                has_places_for(pools.counts, _DEEP)  # every node on the path learns
                or has_places_for(pools.counts, depth_of(pools.nodes, X, row) + 1)
            ):
                return e
            _learn(
                pools, params, records, every, X, row, y[row], w,
                bayes_label if known_row == row else -1,
            )  # fmt: skip
            known_row = -1
            continue
        node, parent = descend(pools.nodes, 0, X, row)
        predicted, by_bayes = vote(pools, params, node, parent, X, row, len(proba) > 0)
        known_row, bayes_label = row, predicted if by_bayes else -1
        label[e] = predicted
        if len(proba):
            normalise_votes(pools.scratch.votes, predicted < 0, proba, e)
    return len(ops)
