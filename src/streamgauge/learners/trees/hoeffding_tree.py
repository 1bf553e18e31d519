"""HoeffdingTree: the Hoeffding tree (VFDT), as in MOA."""

from __future__ import annotations

from streamgauge._support.jit import lean_kernel
from streamgauge._support.rng import new_rng
from streamgauge._support.types import LEARN, Schema
from streamgauge.learners._probabilities import to_probabilities
from streamgauge.learners.base import CompiledLearner, Events
from streamgauge.learners.trees._growth import needs_room, teach
from streamgauge.learners.trees._leaves import vote
from streamgauge.learners.trees._memory import Memory, budget, size_of, within
from streamgauge.learners.trees._nodes import (
    EMPTY,
    Pools,
    find,
    new_pools,
    new_tree,
    room_for,
)
from streamgauge.learners.trees._params import Growth, LeafPrediction, Rule, SplitCriterion


class HoeffdingTree(CompiledLearner):
    """Hoeffding tree (VFDT): a leaf splits once enough rows show which split is best.

    That is when the best split leads the second by more than Hoeffding's bound. Numeric features
    are kept as one Gaussian per class with ten candidate thresholds; nominal features split into
    all their values, or one against the rest. Defaults are CapyMOA's.

    Parameters
    ----------
    grace_period
        Rows a leaf sees between two attempts to split.
    delta
        Confidence of Hoeffding's bound.
    tau
        Split when the bound is below this, even if the best two splits tie.
    leaf_prediction
        Class counts ("mc"), naive Bayes ("nb"), or at each leaf the more accurate of both ("nba").
    split_criterion
        Information gain ("info_gain") or the Gini index ("gini").
    max_byte_size
        Memory limit in bytes. When it is reached, the least promising leaves stop observing rows.
    memory
        A memory limit by name: "sensor" (100 kB), "handheld" (32 MB) or "server" (400 MB).
    """

    def __init__(
        self,
        grace_period: int = 200,
        delta: float = 1e-3,
        tau: float = 0.05,
        leaf_prediction: LeafPrediction = "nba",
        split_criterion: SplitCriterion = "info_gain",
        max_byte_size: int | None = None,
        memory: Memory | None = None,
    ) -> None:
        self.grace_period, self.delta, self.tau = grace_period, delta, tau
        self.leaf_prediction: LeafPrediction = leaf_prediction
        self.split_criterion: SplitCriterion = split_criterion
        self.max_byte_size = max_byte_size
        self.memory: Memory | None = memory
        self._growth = Growth(grace_period, delta, tau, leaf_prediction, split_criterion)
        self._growth.check(repr(self))
        self._most = budget(repr(self), max_byte_size, memory)

    def start(self, schema: Schema, seed: int) -> None:
        self._schema = schema
        self._rule = self._growth.on(schema)
        pools = new_pools(schema, len(schema.features), new_rng(seed))
        if self._most is not None and size_of(pools) > self._most:
            pools = within(pools, self._most, repr(self))
        new_tree(pools)
        self._pools = pools

    @property
    def nbytes(self) -> int:
        return size_of(self._pools)

    @property
    def node_count(self) -> int:
        """The number of nodes, splits and leaves."""
        return int((self._pools.nodes.kind[: self._pools.room.used[0]] != EMPTY).sum())

    def play(self, events: Events) -> None:
        while (done := _play(events, self._pools, self._rule)) < len(events.ops):
            self._pools = within(self._pools, self._most, repr(self))
            events = events.cut(done, len(events.ops))


@lean_kernel
def _play(events: Events, pools: Pools, rule: Rule) -> int:
    """Go through the events until there is no room for another split; how many were done."""
    X, y, ops, slots, _, weight, label, proba = events
    nodes, _, _, scratch = pools
    # Of the row asked last, if nothing was learned since: where it came, what Bayes said there.
    asked, node, above, told = -1, 0, 0, -1
    for e in range(len(ops)):
        row, w = slots[e], weight[e]
        learns = ops[e] == LEARN
        if learns and w == 0:
            continue
        if asked != row:
            node, above = find(nodes, 0, X, row)
            asked, told = row, -1
        if not learns:
            answer, by_bayes = vote(pools, rule, node, above, X, row, len(proba) > 0)
            told = answer if by_bayes else -1
            label[e] = answer
            if len(proba):
                to_probabilities(scratch.votes, answer < 0, proba, e)
            continue

        if needs_room(pools, rule, node, w) and not room_for(pools, 1):
            return e
        teach(pools, rule, node, X, row, y[row], w, told)
        asked = -1
    return len(ops)
