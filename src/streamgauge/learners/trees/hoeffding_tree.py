"""The Hoeffding tree (VFDT), as in MOA: a leaf splits once its best split is clear."""

from __future__ import annotations

from streamgauge._support.jit import lean_kernel
from streamgauge._support.rng import new_rng
from streamgauge._support.types import LEARN, Schema
from streamgauge.learners._parameters import (
    CompatBranches,
    Delta,
    GracePeriod,
    LeafPrediction,
    Memory,
    SplitCriterion,
    Tau,
)
from streamgauge.learners._probabilities import normalise_votes
from streamgauge.learners.base import CompiledLearner, Events
from streamgauge.learners.trees._growth import learn_at, needs_room
from streamgauge.learners.trees._leaves import vote
from streamgauge.learners.trees._memory import (
    budget,
    enlarged_within,
    pool_bytes,
    watched_within,
)
from streamgauge.learners.trees._nodes import (
    EMPTY,
    USED_NODES,
    Pools,
    descend,
    new_tree,
)
from streamgauge.learners.trees._params import TreeOptions, TreeParams


class HoeffdingTree(CompiledLearner):
    """Hoeffding tree (VFDT): a leaf splits once enough rows show which split is best.

    That is when the best split leads the second by more than Hoeffding's bound. Numeric features
    are summarised by one Gaussian per class, with ten candidate thresholds; nominal features split
    into all their values, or one against the rest. Defaults are CapyMOA's.

    Parameters
    ----------
    max_byte_size
        Memory limit in bytes. When it is reached, the least promising leaves only count classes. If
        a tree with a single split would exceed it, each leaf watches fewer features, drawn at
        random, and nominal features with many values are left out; a warning says so.

    References
    ----------
    domingos2000, holmes2005 (docs/bibliography.md)

    Examples
    --------
    >>> import streamgauge as sg
    >>> run = sg.evaluate(sg.STAGGER(2000, seed=1), sg.HoeffdingTree())
    >>> print(f"accuracy {run.summary['accuracy']:.3f} with {run.learner.node_count} nodes")
    accuracy 0.993 with 7 nodes
    """

    moa_never_abstains = True

    def __init__(
        self,
        grace_period: GracePeriod = 200,
        delta: Delta = 1e-3,
        tau: Tau = 0.05,
        leaf_prediction: LeafPrediction = "nba",
        split_criterion: SplitCriterion = "info_gain",
        max_byte_size: int | None = None,
        memory: Memory = None,
        compat: CompatBranches = None,
    ) -> None:
        self.grace_period, self.delta, self.tau = grace_period, delta, tau
        self.leaf_prediction: LeafPrediction = leaf_prediction
        self.split_criterion: SplitCriterion = split_criterion
        self.max_byte_size = max_byte_size
        self.memory: Memory = memory
        self.compat: CompatBranches = compat
        self._options = TreeOptions(
            grace_period, delta, tau, leaf_prediction, split_criterion, compat
        )
        self._most = budget(repr(self), max_byte_size, memory)

    @property
    def random(self) -> bool:  # type: ignore[override]
        """Whether it draws the features that its leaves watch: it may, to keep within a budget."""
        return self._most is not None

    def start(self, schema: Schema, seed: int) -> None:
        self._schema = schema
        rng = new_rng(seed)
        watched = watched_within(schema, rng, self._most, repr(self))
        self.warning = watched.warning
        self._params = self._options.for_schema(watched.schema)
        pools = watched.pools(rng)
        if self._most is not None and pool_bytes(pools) > self._most:
            pools = enlarged_within(pools, self._most)
        new_tree(pools)
        self._pools = pools

    @property
    def nbytes(self) -> int:
        return pool_bytes(self._pools)

    @property
    def node_count(self) -> int:
        """Number of splits and leaves."""
        used = self._pools.allocator.counters[USED_NODES]
        return int((self._pools.nodes.kind[:used] != EMPTY).sum())

    def play(self, events: Events) -> None:
        while (done := _play(events, self._pools, self._params)) < len(events.ops):
            self._pools = enlarged_within(self._pools, self._most)
            events = events.cut(done, len(events.ops))


@lean_kernel
def _play(events: Events, pools: Pools, params: TreeParams) -> int:
    """Work through the events until a split would not fit; return how many are done."""
    X, y, ops, slots, _, weight, label, proba = events
    nodes, _, _, scratch, _ = pools
    # The last row predicted, if none was learned since, its node and naive Bayes' prediction.
    known_row, node, parent, bayes_label = -1, 0, 0, -1
    for e in range(len(ops)):
        row, w = slots[e], weight[e]
        learns = ops[e] == LEARN
        if learns and w == 0:
            continue
        if known_row != row:
            node, parent = descend(nodes, 0, X, row)
            known_row, bayes_label = row, -1
        if not learns:
            predicted, by_bayes = vote(pools, params, node, parent, X, row, len(proba) > 0)
            bayes_label = predicted if by_bayes else -1
            label[e] = predicted
            if len(proba):
                normalise_votes(scratch.votes, predicted < 0, proba, e)
            continue

        if needs_room(pools, params, node, y[row], w):
            return e
        learn_at(pools, params, node, X, row, y[row], w, bayes_label)
        known_row = -1
    return len(ops)
