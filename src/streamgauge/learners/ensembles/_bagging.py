"""The base of online and leveraging bagging: trees that learn each row with a random weight."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from streamgauge._support.errors import UsageError, check_integer
from streamgauge._support.jit import inlined, lean_inner, lean_kernel
from streamgauge._support.rng import new_rng, poisson, poisson_steps
from streamgauge._support.types import LEARN, Floats, Longs, Schema
from streamgauge.detectors.adwin_pool import Windows, empty, error_rate, new_windows, rises
from streamgauge.learners._probabilities import to_probabilities
from streamgauge.learners.base import CompiledLearner, Events, state_bytes
from streamgauge.learners.trees._growth import teach_tree
from streamgauge.learners.trees._leaves import vote
from streamgauge.learners.trees._nodes import (
    Pools,
    find,
    make_leaf,
    new_pools,
    new_tree,
    room_for,
    twice,
    vacate,
)
from streamgauge.learners.trees._params import Growth, LeafPrediction, Rule, SplitCriterion

_WINDOW_DELTA: Final = 0.002


class _Bag(NamedTuple):
    """The members, whose trees share their pools."""

    roots: Longs  # [member]: the root of its tree
    windows: Windows  # of the errors of each member; none in a bag that nobody watches
    lots: Floats  # how often a member learns a row
    sums: Floats  # [class]: votes, for a moment


class Bagging(CompiledLearner):
    """The base of bagging: Hoeffding trees that learn each row with a Poisson weight.

    The trees vote with equal weight.
    """

    _mean = 1.0  # of the Poisson number
    _watched = False  # does an adaptive window watch each member's errors?

    def __init__(
        self,
        n_models: int = 10,
        grace_period: int = 200,
        delta: float = 1e-7,
        tau: float = 0.05,
        leaf_prediction: LeafPrediction = "nba",
        split_criterion: SplitCriterion = "info_gain",
    ) -> None:
        check_integer(f"{type(self).__name__}(n_models)", n_models)
        self.n_models = n_models
        self.grace_period, self.delta, self.tau = grace_period, delta, tau
        self.leaf_prediction: LeafPrediction = leaf_prediction
        self.split_criterion: SplitCriterion = split_criterion
        if n_models < 1:
            raise UsageError(f"{self}: expected n_models >= 1")
        self._growth = Growth(grace_period, delta, tau, leaf_prediction, split_criterion)
        self._growth.check(repr(self))

    def start(self, schema: Schema, seed: int) -> None:
        self._schema = schema
        self._rule = self._growth.on(schema)
        self._pools = new_pools(schema, len(schema.features), new_rng(seed))
        self._make_room()
        roots = np.array([new_tree(self._pools) for _ in range(self.n_models)])
        windows = new_windows(self.n_models if self._watched else 0)
        self._bag = _Bag(roots, windows, poisson_steps(self._mean), np.empty(len(schema.classes)))

    @property
    def nbytes(self) -> int:
        return sum(map(state_bytes, self._pools)) + state_bytes(self._bag.windows)

    def play(self, events: Events) -> None:
        done = 0
        while True:
            rest = events.cut(done, len(events.ops))
            done += _play(rest, self._pools, self._rule, self._bag)
            if done == len(events.ops):
                return
            self._make_room()

    def _make_room(self) -> None:
        """For a split of every member."""
        while not room_for(self._pools, self.n_models):
            self._pools = twice(self._pools)


@lean_inner
def _renew_worst(pools: Pools, rule: Rule, bag: _Bag) -> None:
    """Let the member with the most errors start anew."""
    worst, most = -1, 0.0
    for i in range(len(bag.roots)):
        errors = error_rate(bag.windows, i)
        if errors > most:
            worst, most = i, errors
    if worst >= 0:
        vacate(pools, rule.sizes, bag.roots[worst])
        make_leaf(pools, bag.roots[worst])
        empty(bag.windows, worst)


@inlined
def _learn(pools: Pools, rule: Rule, bag: _Bag, X: Floats, row: int, c: int, w: float) -> None:
    """Every member learns a row as often as the lot says, then notes whether it knows it now."""
    changed = False
    for i in range(len(bag.roots)):
        times = poisson(pools.room.rng, bag.lots)
        if times > 0:
            teach_tree(pools, rule, bag.roots[i], X, row, c, w * times)
        if i < len(bag.windows.whole):
            node, above = find(pools.nodes, bag.roots[i], X, row)
            answer, _ = vote(pools, rule, node, above, X, row, False)
            wrong = 0.0 if max(answer, 0) == c else 1.0
            changed = rises(bag.windows, i, wrong, _WINDOW_DELTA) or changed
    if changed:
        _renew_worst(pools, rule, bag)


@inlined
def _ask(pools: Pools, rule: Rule, bag: _Bag, X: Floats, row: int) -> int:
    """The sum of all members' shares decides; -1 if no member knows anything."""
    sums, votes = bag.sums, pools.scratch.votes
    known = False
    for c in range(len(sums)):
        sums[c] = 0.0
    for i in range(len(bag.roots)):
        node, above = find(pools.nodes, bag.roots[i], X, row)
        answer, _ = vote(pools, rule, node, above, X, row, True)
        if answer >= 0:
            known = True
            total = 0.0
            for c in range(len(sums)):
                total += votes[c]
            for c in range(len(sums)):
                if total > 0:
                    sums[c] += votes[c] / total
    best = 0
    for c in range(1, len(sums)):
        if sums[c] > sums[best]:
            best = c
    return best if known else -1


@lean_kernel
def _play(events: Events, pools: Pools, rule: Rule, bag: _Bag) -> int:
    """Go through the events until members might not find room to split; how many were done."""
    X, y, ops, slots, _, weight, label, proba = events
    for e in range(len(ops)):
        row = slots[e]
        if ops[e] == LEARN:
            if weight[e] > 0:
                if not room_for(pools, len(bag.roots)):
                    return e
                _learn(pools, rule, bag, X, row, y[row], weight[e])
        else:
            label[e] = _ask(pools, rule, bag, X, row)
            if len(proba):
                to_probabilities(bag.sums, label[e] < 0, proba, e)
    return len(ops)
