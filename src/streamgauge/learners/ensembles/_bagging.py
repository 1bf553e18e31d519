"""The base of online and leveraging bagging: trees that learn rows with random weights."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from streamgauge._support.errors import UsageError, check_integer
from streamgauge._support.jit import inlined, lean_inner, lean_kernel
from streamgauge._support.rng import new_rng, poisson, poisson_steps
from streamgauge._support.types import LEARN, Floats, Longs, Schema
from streamgauge.detectors.adwin_pool import (
    AdwinPool,
    detects_increase,
    new_adwins,
    reset_window,
    window_mean,
)
from streamgauge.learners._probabilities import normalise_votes
from streamgauge.learners.base import CompiledLearner, Events, state_bytes
from streamgauge.learners.ensembles._members import check_n_models
from streamgauge.learners.trees._growth import learn_tree
from streamgauge.learners.trees._leaves import vote
from streamgauge.learners.trees._nodes import (
    Pools,
    descend,
    doubled,
    has_room_for,
    make_leaf,
    new_pools,
    new_tree,
    release_subtree,
)
from streamgauge.learners.trees._params import LeafPrediction, Params, SplitCriterion, TreeOptions

_WINDOW_DELTA: Final = 0.002


class _Members(NamedTuple):
    """The members of the ensemble; their trees share the pools."""

    roots: Longs  # [member]: root of its tree
    windows: AdwinPool  # errors of each member; no windows in online bagging
    poisson_steps: Floats  # of the random row weights
    votes: Floats  # [class]: scratch space for the sum of votes


class Bagging(CompiledLearner):
    """Hoeffding trees that learn each row with a Poisson weight and vote equally."""

    _mean_weight = 1.0  # of the Poisson distribution
    _has_windows = False  # whether an ADWIN watches each member's errors

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
        check_n_models(repr(self), n_models)
        self._options = TreeOptions(grace_period, delta, tau, leaf_prediction, split_criterion)
        self._options.check(repr(self))

    def start(self, schema: Schema, seed: int) -> None:
        self._schema = schema
        self._params = self._options.for_schema(schema)
        self._pools = new_pools(schema, len(schema.features), new_rng(seed))
        self._make_room()
        roots = np.array([new_tree(self._pools) for _ in range(self.n_models)])
        windows = new_adwins(self.n_models if self._has_windows else 0)
        votes = np.empty(len(schema.classes))
        self._members = _Members(roots, windows, poisson_steps(self._mean_weight), votes)

    @property
    def nbytes(self) -> int:
        """Size of the model in bytes."""
        return sum(map(state_bytes, self._pools)) + state_bytes(self._members.windows)

    def play(self, events: Events) -> None:
        done = 0
        while True:
            rest = events.cut(done, len(events.ops))
            done += _play(rest, self._pools, self._params, self._members)
            if done == len(events.ops):
                return
            self._make_room()

    def _make_room(self) -> None:
        """Enlarge the pools until every member can split."""
        while not has_room_for(self._pools, self.n_models):
            self._pools = doubled(self._pools)


@lean_inner
def _reset_worst(pools: Pools, params: Params, members: _Members) -> None:
    """Reset the member with the highest error rate."""
    worst, highest = -1, 0.0
    for i in range(len(members.roots)):
        error_rate = window_mean(members.windows, i)
        if error_rate > highest:
            worst, highest = i, error_rate
    if worst >= 0:
        release_subtree(pools, params.cardinality, members.roots[worst])
        make_leaf(pools, members.roots[worst])
        reset_window(members.windows, worst)


@inlined
def _learn(
    pools: Pools, params: Params, members: _Members, X: Floats, row: int, y: int, w: float
) -> None:
    """Train every member with a Poisson weight, then add its error on the row to its window."""
    drift = False
    for i in range(len(members.roots)):
        times = poisson(pools.allocator.rng, members.poisson_steps)
        if times > 0:
            learn_tree(pools, params, members.roots[i], X, row, y, w * times)
        if i < len(members.windows.totals):
            node, parent = descend(pools.nodes, members.roots[i], X, row)
            predicted, _ = vote(pools, params, node, parent, X, row, False)
            error = 0.0 if max(predicted, 0) == y else 1.0
            drift = detects_increase(members.windows, i, error, _WINDOW_DELTA) or drift
    if drift:
        _reset_worst(pools, params, members)


@inlined
def _predict(pools: Pools, params: Params, members: _Members, X: Floats, row: int) -> int:
    """Return the class with the highest sum of probabilities; -1 if all members abstain."""
    sums, votes = members.votes, pools.scratch.votes
    any_vote = False
    for c in range(len(sums)):
        sums[c] = 0.0
    for i in range(len(members.roots)):
        node, parent = descend(pools.nodes, members.roots[i], X, row)
        predicted, _ = vote(pools, params, node, parent, X, row, True)
        if predicted >= 0:
            any_vote = True
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
    return best if any_vote else -1


@lean_kernel
def _play(events: Events, pools: Pools, params: Params, members: _Members) -> int:
    """Work through the events until there might be too little room; return how many are done."""
    X, y, ops, slots, _, weight, label, proba = events
    for e in range(len(ops)):
        row = slots[e]
        if ops[e] == LEARN:
            if weight[e] > 0:
                if not has_room_for(pools, len(members.roots)):
                    return e
                _learn(pools, params, members, X, row, y[row], weight[e])
        else:
            label[e] = _predict(pools, params, members, X, row)
            if len(proba):
                normalise_votes(members.votes, label[e] < 0, proba, e)
    return len(ops)
