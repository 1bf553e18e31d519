"""The experts of dynamic weighted majority: how they play, vote, lose weight and are replaced.

Experts meet in the vote and where weights are updated. Between two updates each plays on its own,
all events of a batch, which ends at the next update at the latest.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from streamgauge._support.index import as_index
from streamgauge._support.jit import inlined, lean_kernel
from streamgauge._support.types import LEARN, Codes, Floats, Longs
from streamgauge.learners._probabilities import normalise_votes
from streamgauge.learners.base import Events
from streamgauge.learners.trees._growth import learn_at, needs_room
from streamgauge.learners.trees._leaves import vote
from streamgauge.learners.trees._nodes import (
    FREE_LEAVES,
    USED_NODES,
    Pools,
    descend,
    has_room_for,
    new_tree,
    release_siblings,
    release_subtree,
)
from streamgauge.learners.trees._params import TreeParams
from streamgauge.learners.trees._tables import padded

# Entries of Experts.counters.
N_EXPERTS: Final = 0  # number of experts
_LEARNED: Final = 1  # rows learned
_N_COUNTERS: Final = 2

# Entries of ExpertBatch.span.
_START: Final = 0
STOP: Final = 1  # the event after the last
_UPDATED: Final = 2  # 1 if the first event learns a row at which experts were updated
DUE: Final = 3  # 1 if the event at STOP learns a row at which experts are updated
_SPAN: Final = 4

# What lacks room.
NOTHING: Final = 0
EXPERTS: Final = 1  # the arrays of experts
POOLS: Final = 2

FIRST_EXPERTS: Final = 16  # room for them at the start
_MOST_EVENTS: Final = 1000  # in a batch; no power of 2, for the processor's cache


class Experts(NamedTuple):
    """The experts, oldest first."""

    team: Longs  # [expert]: the thread that plays it, in whose pools its tree is
    roots: Longs
    weights: Floats
    node: Longs  # that the row of the next update arrived at
    predicted: Longs  # for that row; -1 abstains
    by_bayes: Longs  # 1 if naive Bayes predicted it
    votes: Floats  # [class]
    counters: Longs


class ExpertBatch(NamedTuple):
    """A batch of events, and what experts note down at each."""

    span: Longs
    played: Longs  # [expert]: the event after the last that it has played
    predicted: Codes  # [expert, event]


class WeightParams(NamedTuple):
    """How weights are updated: the parameters of DynamicWeightedMajority."""

    period: int
    beta: float
    theta: float
    max_experts: int


def new_experts(k: int) -> Experts:
    """Return room for a few experts that vote on k classes."""
    n, whole = FIRST_EXPERTS, np.int64
    return Experts(
        np.zeros(n, whole), np.zeros(n, whole), np.zeros(n), np.zeros(n, whole), np.zeros(n, whole),
        np.zeros(n, whole), np.zeros(k), np.zeros(_N_COUNTERS, whole),
    )  # fmt: skip


def new_batch(experts: Experts) -> ExpertBatch:
    """Return an empty batch before the first event."""
    n = len(experts.roots)
    noted = np.empty((n, _MOST_EVENTS), np.int32)
    return ExpertBatch(np.zeros(_SPAN, np.int64), np.zeros(n, np.int64), noted)


def doubled_experts(experts: Experts, batch: ExpertBatch) -> tuple[Experts, ExpertBatch]:
    """Return the same experts with twice the room."""
    n = len(experts.roots)
    columns = [name for name in Experts._fields if name not in ("votes", "counters")]
    longer = {name: padded(getattr(experts, name), n) for name in columns}
    span, played, predicted = batch
    return experts._replace(**longer), ExpertBatch(span, padded(played, n), padded(predicted, n))


@lean_kernel
def lacks_room(pools: Pools, params: TreeParams, experts: Experts) -> int:
    """Return what has to grow before an expert is added: nothing, the experts, or the pools."""
    if experts.counters[N_EXPERTS] == len(experts.roots):
        return EXPERTS
    if params.grace_period < np.inf:
        return NOTHING if has_room_for(pools, 1) else POOLS
    counters = pools.allocator.counters
    fits = counters[FREE_LEAVES] > 0 and counters[USED_NODES] < len(pools.nodes.kind)
    return NOTHING if fits else POOLS


@lean_kernel
def add_expert(pools: Pools, experts: Experts, team: int) -> None:
    """Add an expert with weight 1 that has learned nothing."""
    n = experts.counters[N_EXPERTS]
    experts.team[n] = team
    experts.roots[n] = new_tree(pools)
    experts.node[n] = experts.roots[n]
    experts.weights[n] = 1.0
    experts.predicted[n] = -1
    experts.by_bayes[n] = 0
    experts.counters[N_EXPERTS] = n + 1


@lean_kernel
def remove_expert(pools: Pools, params: TreeParams, experts: Experts, which: int) -> None:
    """Remove an expert; the younger ones move up."""
    release_subtree(pools, params.cardinality, experts.roots[which])
    release_siblings(pools, experts.roots[which], 1)
    experts.counters[N_EXPERTS] -= 1
    for i in range(which, experts.counters[N_EXPERTS]):
        experts.team[i] = experts.team[i + 1]
        experts.roots[i] = experts.roots[i + 1]
        experts.weights[i] = experts.weights[i + 1]
        experts.node[i] = experts.node[i + 1]
        experts.predicted[i] = experts.predicted[i + 1]
        experts.by_bayes[i] = experts.by_bayes[i + 1]


@lean_kernel
def update_weights(experts: Experts, settings: WeightParams, y: int) -> bool:
    """Reduce the weights of experts that are wrong about a row; return whether their vote is."""
    weights, votes, n = experts.weights, experts.votes, experts.counters[N_EXPERTS]
    largest = 0.0
    for c in range(len(votes)):
        votes[c] = 0.0
    for i in range(n):
        predicted = max(experts.predicted[i], 0)
        if predicted != y:
            weights[i] *= settings.beta
        votes[predicted] += weights[i]
        largest = max(largest, weights[i])
    for i in range(n):
        weights[i] *= 1.0 / largest
    return bool(_winner(votes) != y)


@lean_kernel
def to_be_removed(experts: Experts, settings: WeightParams, is_wrong: bool) -> int:
    """Return the next expert to be removed after an update of weights, -1 if there is none.

    The youngest of low weight; without any, the weakest where a new one would not fit.
    """
    weights, n = experts.weights, experts.counters[N_EXPERTS]
    for i in range(n - 1, -1, -1):
        if weights[i] < settings.theta:
            return i
    if not is_wrong or n < settings.max_experts:
        return -1
    weakest = 0
    for i in range(1, n):
        if weights[i] < weights[weakest]:
            weakest = i
    return weakest


@inlined
def _winner(votes: Floats) -> int:
    """Return the class with the most votes, the first of equal ones."""
    best = 0
    for c in range(1, len(votes)):
        if votes[c] > votes[best]:
            best = c
    return best


@lean_kernel
def count_votes(events: Events, experts: Experts, batch: ExpertBatch) -> None:
    """Predict by the weighted votes of the experts at every event of a batch."""
    _, _, ops, _, _, _, label, proba = events
    weights, votes, n = experts.weights, experts.votes, experts.counters[N_EXPERTS]
    start = batch.span[_START]
    for e in range(start, batch.span[STOP]):
        if ops[e] == LEARN:
            continue
        for c in range(len(votes)):
            votes[c] = 0.0
        for i in range(n):
            votes[max(batch.predicted[i, e - start], 0)] += weights[i]
        abstains = batch.predicted[0, e - start] < 0  # before the first label
        label[e] = -1 if abstains else _winner(votes)
        if len(proba):
            normalise_votes(votes, abstains, proba, e)


@lean_kernel
def start_next(
    events: Events, experts: Experts, batch: ExpertBatch, settings: WeightParams
) -> bool:
    """Start the next batch; return whether any events are left."""
    ops, weight, span = events.ops, events.weight, batch.span
    start, updated = span[STOP], span[DUE]
    stop, due = start, 0
    most = min(start + batch.predicted.shape[1], len(ops))
    while stop < most:
        if ops[stop] == LEARN and weight[stop] > 0 and not (updated and stop == start):
            experts.counters[_LEARNED] += 1
            if experts.counters[_LEARNED] % settings.period == 0:
                due = 1
                break
        stop += 1
    span[_START], span[STOP], span[_UPDATED], span[DUE] = start, stop, updated, due
    for i in range(experts.counters[N_EXPERTS]):
        batch.played[i] = start
    return bool(start < stop or due)


@lean_kernel
def play_team(
    events: Events, pools: Pools, params: TreeParams, experts: Experts, batch: ExpertBatch,
    settings: WeightParams, team: int, alone: bool,
) -> int:  # fmt: skip
    """Play the batch with a team, and all after it if it is `alone`; return what lacks room."""
    while True:
        for i in range(experts.counters[N_EXPERTS]):
            own = experts.team[i] == team
            if own and not _play_expert(events, pools, params, experts, batch, i):
                return POOLS
        if not alone:
            return NOTHING
        due = batch.span[DUE] == 1
        lacks = lacks_room(pools, params, experts) if due else NOTHING
        if lacks != NOTHING:
            return lacks
        count_votes(events, experts, batch)
        if due:
            is_wrong = update_weights(experts, settings, events.y[events.slots[batch.span[STOP]]])
            which = to_be_removed(experts, settings, is_wrong)
            while which >= 0:
                remove_expert(pools, params, experts, which)
                which = to_be_removed(experts, settings, is_wrong)
            if is_wrong:
                add_expert(pools, experts, team)
        if not start_next(events, experts, batch, settings):
            return NOTHING


@inlined
def _play_expert(
    events: Events,
    pools: Pools,
    params: TreeParams,
    experts: Experts,
    batch: ExpertBatch,
    which: int,
) -> bool:
    """Play the rest of the batch with an expert; return whether there was room."""
    X, y, ops, slots, _, weight, _, _ = events
    span, played, noted = batch
    i, root, start, stop = as_index(which), experts.roots[which], span[_START], span[STOP]
    # The last row asked about, if none was learned since, its node and prediction.
    known_row, node, predicted, by_bayes = -1, root, -1, False
    if span[_UPDATED] and played[i] == start:
        known_row, node = slots[start], experts.node[i]
        predicted, by_bayes = experts.predicted[i], experts.by_bayes[i] == 1
    for e in range(played[i], stop + span[DUE]):
        row, w = slots[e], weight[e]
        learns = ops[e] == LEARN
        if learns and w == 0:
            continue
        if known_row != row:
            node, parent = descend(pools.nodes, root, X, row)
            predicted, by_bayes = vote(pools, params, node, parent, X, row, False)
            known_row = row
        if not learns:
            noted[i, as_index(e - start)] = predicted
        elif e < stop:
            if needs_room(pools, params, node, y[row], w):
                played[i] = e
                return False
            learn_at(pools, params, node, X, row, y[row], w, predicted if by_bayes else -1)
            known_row = -1
    played[i] = stop
    experts.node[i], experts.predicted[i], experts.by_bayes[i] = node, predicted, int(by_bayes)
    return True
