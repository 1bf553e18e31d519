"""DynamicWeightedMajority: dynamic weighted majority (Kolter & Maloof 2007), as in MOA."""

from __future__ import annotations

import math
from typing import Final, Literal, NamedTuple

import numpy as np

from streamgauge._support.errors import UsageError, check_integer
from streamgauge._support.jit import inlined, lean_inner, lean_kernel
from streamgauge._support.rng import new_rng
from streamgauge._support.types import LEARN, Floats, Longs, Schema
from streamgauge.learners._probabilities import normalise_votes
from streamgauge.learners.base import CompiledLearner, Events, state_bytes
from streamgauge.learners.trees._growth import learn_at
from streamgauge.learners.trees._leaves import vote
from streamgauge.learners.trees._memory import pool_bytes, repacked
from streamgauge.learners.trees._nodes import (
    FREE_LEAVES,
    USED_NODES,
    Pools,
    descend,
    doubled,
    has_room_for,
    new_pools,
    new_tree,
    padded,
    release_siblings,
    release_subtree,
)
from streamgauge.learners.trees._params import Params, TreeOptions

BaseLearner = Literal["naive_bayes", "hoeffding_tree"]

# Entries of _Experts.counters.
_N: Final = 0  # number of experts
_LEARNED: Final = 1  # rows learned
_N_COUNTERS: Final = 2

_FIRST_EXPERTS: Final = 16  # room for them at the start


class _Experts(NamedTuple):
    """The experts, oldest first; their trees share the pools."""

    roots: Longs  # [expert]
    weights: Floats
    node: Longs  # that the last row asked about arrived at
    predicted: Longs  # for that row; -1 abstains
    by_bayes: Longs  # 1 if naive Bayes predicted it
    votes: Floats  # [class]
    counters: Longs


class _WeightParams(NamedTuple):
    period: int
    beta: float
    theta: float
    max_experts: int


class DynamicWeightedMajority(CompiledLearner):
    """Dynamic weighted majority (DWM): experts that lose weight by mistakes, and are replaced.

    Every expert learns every row. At every `update_period`-th row an expert that is wrong has its
    weight multiplied by `beta`; weights are then scaled so that the largest is 1, experts below
    `theta` are removed, and a new one with weight 1 is added if the ensemble was wrong. Each expert
    votes for one class with its weight. Defaults are CapyMOA's.

    Parameters
    ----------
    base_learner
        The experts: "naive_bayes", or "hoeffding_tree" with the defaults of `HoeffdingTree`.
    update_period
        Rows between two updates of weights and experts.
    beta
        Factor by which a mistake reduces the weight of an expert.
    theta
        Remove an expert whose weight is below this fraction of the largest.
    max_experts
        Maximum number of experts. When it is reached, the one with the lowest weight makes room.

    References
    ----------
    kolter2007 (docs/bibliography.md)

    Examples
    --------
    >>> import streamgauge as sg
    >>> concepts = [sg.STAGGER(1500, seed=1), sg.STAGGER(1500, seed=2, classification_function=2)]
    >>> stream = sg.drift(concepts, at=[1500])
    >>> for run in sg.evaluate(stream, [sg.NaiveBayes(), sg.DynamicWeightedMajority()]):
    ...     print(f"{run.name}: {run.summary['accuracy']:.3f}")
    NaiveBayes: 0.703
    DynamicWeightedMajority: 0.975
    """

    def __init__(
        self,
        base_learner: BaseLearner = "naive_bayes",
        update_period: int = 50,
        beta: float = 0.5,
        theta: float = 0.01,
        max_experts: int = 10_000,
    ) -> None:
        self.base_learner: BaseLearner = base_learner
        self.update_period, self.beta, self.theta = update_period, beta, theta
        self.max_experts = max_experts
        for name, count in (("update_period", update_period), ("max_experts", max_experts)):
            check_integer(f"DynamicWeightedMajority({name})", count)
        if base_learner not in ("naive_bayes", "hoeffding_tree"):
            raise UsageError(f"{self}: expected base_learner naive_bayes or hoeffding_tree")
        if update_period < 1 or max_experts < 2 or not (0 < beta < 1 and 0 <= theta <= 1):
            raise UsageError(
                f"{self}: expected update_period >= 1, 0 < beta < 1, 0 <= theta <= 1 and "
                "max_experts >= 2"
            )
        self._weight_params = _WeightParams(update_period, float(beta), float(theta), max_experts)

    def start(self, schema: Schema, seed: int) -> None:
        self._schema = schema
        pools = new_pools(schema, len(schema.features), new_rng(seed))
        if self.base_learner == "naive_bayes":  # a tree that is never due to split
            options = TreeOptions(1, 0.5, 0.0, "nb", "info_gain")
            self._params = options.for_schema(schema)._replace(grace_period=math.inf)
            pools = repacked(pools, 2 * _FIRST_EXPERTS, _FIRST_EXPERTS)
        else:
            self._params = TreeOptions(200, 1e-3, 0.05, "nba", "info_gain").for_schema(schema)
        n = _FIRST_EXPERTS
        none = np.zeros(n, np.int64)
        self._pools = pools
        self._experts = _Experts(
            none, np.zeros(n), none.copy(), none.copy(), none.copy(), np.zeros(len(schema.classes)),
            np.zeros(_N_COUNTERS, np.int64),
        )  # fmt: skip
        self._make_room()
        _add_expert(self._pools, self._experts)

    @property
    def nbytes(self) -> int:
        """Size of the model in bytes."""
        return pool_bytes(self._pools) + state_bytes(self._experts)

    @property
    def n_experts(self) -> int:
        """Number of experts."""
        return int(self._experts.counters[_N])

    def play(self, events: Events) -> None:
        done = 0
        while True:
            rest = events.cut(done, len(events.ops))
            done += _play(rest, self._pools, self._params, self._experts, self._weight_params)
            if done == len(events.ops):
                return
            self._make_room()

    def _make_room(self) -> None:
        """Make room for one more expert, and for a split of each."""
        experts, n = self._experts, len(self._experts.roots)
        if self.n_experts == n:
            self._experts = experts._replace(
                roots=padded(experts.roots, n), weights=padded(experts.weights, n),
                node=padded(experts.node, n), predicted=padded(experts.predicted, n),
                by_bayes=padded(experts.by_bayes, n),
            )  # fmt: skip
        while not _has_room(self._pools, self._params, self._experts):
            self._pools = doubled(self._pools)


@lean_kernel
def _has_room(pools: Pools, params: Params, experts: _Experts) -> bool:
    """Return whether one more expert fits, and a split of each if they split at all."""
    n = experts.counters[_N]
    if n == len(experts.roots):
        return False
    if params.grace_period < np.inf:
        return has_room_for(pools, n + 1)
    counters = pools.allocator.counters
    return bool(counters[FREE_LEAVES] > 0 and counters[USED_NODES] < len(pools.nodes.kind))


@lean_kernel
def _add_expert(pools: Pools, experts: _Experts) -> None:
    """Add an expert with weight 1 that has learned nothing."""
    n = experts.counters[_N]
    experts.roots[n] = new_tree(pools)
    experts.node[n] = experts.roots[n]
    experts.weights[n] = 1.0
    experts.predicted[n] = -1
    experts.by_bayes[n] = 0
    experts.counters[_N] = n + 1


@lean_inner
def _remove_expert(pools: Pools, params: Params, experts: _Experts, which: int) -> None:
    """Remove an expert; the younger ones move up."""
    release_subtree(pools, params.cardinality, experts.roots[which])
    release_siblings(pools, experts.roots[which], 1)
    experts.counters[_N] -= 1
    for i in range(which, experts.counters[_N]):
        experts.roots[i] = experts.roots[i + 1]
        experts.weights[i] = experts.weights[i + 1]
        experts.node[i] = experts.node[i + 1]
        experts.predicted[i] = experts.predicted[i + 1]
        experts.by_bayes[i] = experts.by_bayes[i + 1]


@lean_inner
def _update_experts(
    pools: Pools, params: Params, experts: _Experts, settings: _WeightParams, y: int
) -> None:
    """Reduce the weights of experts that are wrong about a row, remove weak ones, add a new one."""
    weights, counters = experts.weights, experts.counters
    largest = 0.0
    for i in range(counters[_N]):
        if max(experts.predicted[i], 0) != y:
            weights[i] *= settings.beta
        largest = max(largest, weights[i])
    is_wrong = _winner(experts) != y
    for i in range(counters[_N]):
        weights[i] *= 1.0 / largest
    for i in range(counters[_N] - 1, -1, -1):
        if weights[i] < settings.theta:
            _remove_expert(pools, params, experts, i)
    if is_wrong:
        if counters[_N] == settings.max_experts:
            weakest = 0
            for i in range(1, counters[_N]):
                if weights[i] < weights[weakest]:
                    weakest = i
            _remove_expert(pools, params, experts, weakest)
        _add_expert(pools, experts)


@inlined
def _ask(pools: Pools, params: Params, experts: _Experts, X: Floats, row: int) -> None:
    """Ask every expert about a row."""
    for i in range(experts.counters[_N]):
        node, parent = descend(pools.nodes, experts.roots[i], X, row)
        predicted, by_bayes = vote(pools, params, node, parent, X, row, False)
        experts.node[i] = node
        experts.predicted[i] = predicted
        experts.by_bayes[i] = 1 if by_bayes else 0


@lean_inner
def _winner(experts: _Experts) -> int:
    """Add up the weights of the experts for each class; return the class with the most."""
    votes = experts.votes
    for c in range(len(votes)):
        votes[c] = 0.0
    for i in range(experts.counters[_N]):
        votes[max(experts.predicted[i], 0)] += experts.weights[i]
    best = 0
    for c in range(1, len(votes)):
        if votes[c] > votes[best]:
            best = c
    return best


@lean_kernel
def _play(
    events: Events, pools: Pools, params: Params, experts: _Experts, settings: _WeightParams
) -> int:
    """Work through the events until there might be too little room; return how many are done."""
    X, y, ops, slots, _, weight, label, proba = events
    counters, known_row = (
        experts.counters,
        -1,
    )  # the last row asked about, if none was learned since
    for e in range(len(ops)):
        row, w = slots[e], weight[e]
        learns = ops[e] == LEARN
        if learns and w == 0:
            continue
        if learns and not _has_room(pools, params, experts):
            return e
        if known_row != row:
            _ask(pools, params, experts, X, row)
            known_row = row
        if learns:
            counters[_LEARNED] += 1
            if counters[_LEARNED] % settings.period == 0:
                _update_experts(pools, params, experts, settings, y[row])
            for i in range(counters[_N]):
                bayes_label = experts.predicted[i] if experts.by_bayes[i] else -1
                learn_at(pools, params, experts.node[i], X, row, y[row], w, bayes_label)
            known_row = -1
            continue
        abstains = experts.predicted[0] < 0  # before the first label
        best = _winner(experts)
        label[e] = -1 if abstains else best
        if len(proba):
            normalise_votes(experts.votes, abstains, proba, e)
    return len(ops)
