"""The base of bagging: trees that learn rows with random weights, and may be reset on drift.

Members meet in the vote and where one is reset: the one with the highest error rate, after the
error rate of any has increased. A reset changes no other member. So each plays a batch of events on
its own and notes its error rates; then the alarms are looked at in order, and the member that one
of them resets plays the events after it again, from an empty tree. The numbers are those of members
that play event by event.
"""

from __future__ import annotations

from itertools import repeat
from typing import Final, NamedTuple

import numpy as np

from streamgauge._support.cpu_clock import helpers
from streamgauge._support.index import as_index
from streamgauge._support.jit import inlined, lean_kernel
from streamgauge._support.rng import Rng, new_rng, poisson, poisson_steps
from streamgauge._support.types import LEARN, Flags, Floats, Longs, Schema
from streamgauge.detectors.adwin_pool import (
    AdwinPool,
    detects_increase,
    new_adwins,
    reset_window,
    window_mean,
)
from streamgauge.learners._parameters import (
    Delta,
    GraceWeight,
    LeafPrediction,
    NJobs,
    NModels,
    SplitCriterion,
    Tau,
)
from streamgauge.learners._probabilities import normalise_votes
from streamgauge.learners._rows import clear_row
from streamgauge.learners.base import CompiledLearner, Events, state_bytes
from streamgauge.learners.ensembles._votes import count_votes, events_at_once
from streamgauge.learners.trees._growth import learn_and_vote, learn_at, needs_room
from streamgauge.learners.trees._leaves import vote
from streamgauge.learners.trees._nodes import (
    Pools,
    descend,
    doubled,
    enlarged,
    make_leaf,
    new_pools,
    new_tree,
    release_subtree,
)
from streamgauge.learners.trees._params import TreeOptions, TreeParams

_WINDOW_DELTA: Final = 0.002
_ROOT: Final = 0  # the first node of a member's pools

# Events in a batch: few where members may be reset, for the one that is plays the rest of the batch
# twice; more where several threads have to wait for each other after each.
_ALONE: Final = 128
_TOGETHER: Final = 1024
_MOST: Final = 1 << 14

# Entries of _Batch.span.
_START: Final = 0
_STOP: Final = 1  # the event after the last
_SETTLED: Final = 2  # the event up to which alarms have been looked at


class _Team(NamedTuple):
    """The members that one thread plays: their trees and the windows of their errors."""

    first: int  # number of its first member
    roots: Longs
    pools: Pools
    windows: AdwinPool  # [member]; none in online bagging
    probabilities: Floats  # [1, class]: of the last row predicted


class _Batch(NamedTuple):
    """A batch of events, and what members know and note down at each."""

    span: Longs
    played: Longs  # [member]: the event after the last that it has played
    times: Flags  # [member, event]: how often the member learns the row
    error_rates: Floats  # [member, event]: after the event; no columns without windows
    alarms: Flags  # [member, event]: 1 where the error rate increased
    votes: Floats  # [member, event, class]; then 1 if it votes, else 0
    sums: Floats  # [class]: of the votes


class Bagging(CompiledLearner):
    """Hoeffding trees that learn each row with a Poisson weight and vote equally."""

    _mean_weight = 1.0  # of the Poisson distribution
    _has_windows = False  # whether an ADWIN watches each member's errors

    def __init__(
        self,
        n_models: NModels = 10,
        grace_period: GraceWeight = 200,
        delta: Delta = 1e-7,
        tau: Tau = 0.05,
        leaf_prediction: LeafPrediction = "nba",
        split_criterion: SplitCriterion = "info_gain",
        n_jobs: NJobs = 1,
    ) -> None:
        self.n_models, self.n_jobs = n_models, n_jobs
        self.grace_period, self.delta, self.tau = grace_period, delta, tau
        self.leaf_prediction: LeafPrediction = leaf_prediction
        self.split_criterion: SplitCriterion = split_criterion
        self._options = TreeOptions(grace_period, delta, tau, leaf_prediction, split_criterion)
        self._poisson_steps = poisson_steps(self._mean_weight)

    def start(self, schema: Schema, seed: int) -> None:
        self._schema = schema
        self._params = self._options.for_schema(schema)
        self._rng = new_rng(seed)
        parts = np.array_split(np.arange(self.n_models), min(self.n_jobs, self.n_models))
        self._teams = [self._new_team(int(part[0]), len(part)) for part in parts]

    def _new_team(self, first: int, n: int) -> _Team:
        features = len(self._schema.features)
        pools = enlarged(new_pools(self._schema, features, self._rng, first_splits=2 * n), n, n)
        roots = np.array([new_tree(pools) for _ in range(n)], np.int64)
        windows = new_adwins(n if self._has_windows else 0)
        return _Team(first, roots, pools, windows, np.empty((1, len(self._schema.classes))))

    @property
    def nbytes(self) -> int:
        return sum(
            sum(map(state_bytes, team.pools)) + state_bytes(team.windows) + team.roots.nbytes
            for team in self._teams
        )

    def play(self, events: Events) -> None:
        batch, teams = self._new_batch(len(events.ops)), range(len(self._teams))
        with helpers(len(teams)) as each:
            while True:
                list(each(self._play_team, teams, repeat(events), repeat(batch)))
                if len(teams) == 1:
                    return
                worst = _worst_at_next_alarm(batch)
                if worst >= 0:
                    team = next(each for each in reversed(self._teams) if each.first <= worst)
                    _reset(team, self._params, batch, worst)
                elif not _start_next(events, batch, self._rng, self._poisson_steps):
                    return

    def _new_batch(self, n_events: int) -> _Batch:
        """Return an empty batch before the first event."""
        n, k = self.n_models, len(self._schema.classes)
        size = min(n_events, _MOST, events_at_once(n, k))
        if self._has_windows:
            size = min(size, _ALONE if len(self._teams) == 1 else _TOGETHER)
        noted = size if self._has_windows else 0
        return _Batch(
            np.zeros(3, np.int64), np.zeros(n, np.int64), np.zeros((n, size), np.uint8),
            np.empty((n, noted)), np.zeros((n, noted), np.uint8), np.empty((n, size, k + 1)),
            np.empty(k),
        )  # fmt: skip

    def _play_team(self, which: int, events: Events, batch: _Batch) -> None:
        """Play the batch with a team, and all batches after it if there is no other team."""
        alone = len(self._teams) == 1
        while True:
            team = self._teams[which]
            if _play(events, team, self._params, batch, self._rng, self._poisson_steps, alone):
                return
            self._teams[which] = team._replace(pools=doubled(team.pools))


@lean_kernel
def _worst_at_next_alarm(batch: _Batch) -> int:
    """Return the member to reset after the next alarm, -1 if there is none in the batch."""
    span, _, _, error_rates, alarms, _, _ = batch
    first = span[_START]
    for e in range(span[_SETTLED], span[_STOP] if alarms.shape[1] else 0):
        alarm, worst = False, 0
        for i in range(len(alarms)):
            alarm |= alarms[i, e - first] > 0
            if error_rates[i, e - first] > error_rates[worst, e - first]:
                worst = i
        if alarm and error_rates[worst, e - first] > 0:
            span[_SETTLED] = e + 1
            return worst
    span[_SETTLED] = span[_STOP]
    return -1


@lean_kernel
def _reset(team: _Team, params: TreeParams, batch: _Batch, member: int) -> None:
    """Let a member start again after the last alarm, with an empty tree and an empty window."""
    root = team.roots[member - team.first]
    release_subtree(team.pools, params.cardinality, root)
    make_leaf(team.pools, root)
    reset_window(team.windows, member - team.first)
    batch.played[member] = batch.span[_SETTLED]


@lean_kernel
def _start_next(events: Events, batch: _Batch, rng: Rng, steps: Floats) -> bool:
    """Count the votes of a batch and start the next; return whether any events are left."""
    _, _, ops, _, _, weight, label, proba = events
    span, _, times, _, alarms, votes, sums = batch
    count_votes(votes, span[_START], span[_STOP], ops, label, proba, sums)
    start = span[_STOP]
    stop = min(start + times.shape[1], len(ops))
    span[_START], span[_STOP], span[_SETTLED] = start, stop, start
    for e in range(start, stop):
        if ops[e] == LEARN and weight[e] > 0:
            for i in range(len(times)):
                times[i, e - start] = int(poisson(rng, steps))
    for i in range(len(alarms)):
        clear_row(alarms, i)
    return bool(start < stop)


@lean_kernel
def _play(
    events: Events,
    team: _Team,
    params: TreeParams,
    batch: _Batch,
    rng: Rng,
    steps: Floats,
    alone: bool,
) -> bool:
    """Play the batch with a team, and all after it if it is `alone`; return False without room."""
    while True:
        for i in range(len(team.roots)):
            if not _play_member(events, team, params, batch, i):
                return False
        if not alone:
            return True
        worst = _worst_at_next_alarm(batch)
        if worst >= 0:
            _reset(team, params, batch, worst)
        elif not _start_next(events, batch, rng, steps):
            return True


@inlined
def _play_member(
    events: Events, team: _Team, params: TreeParams, batch: _Batch, which: int
) -> bool:
    """Play the rest of the batch with a member of a team; return whether there was room."""
    X, y, ops, slots, _, weight, _, _ = events
    first, roots, pools, windows, probabilities = team
    span, played, times, error_rates, alarms, votes, _ = batch
    i, root, start, k = as_index(first + which), roots[which], span[_START], votes.shape[2] - 1
    # The row predicted last, if none was learned since, its node and naive Bayes' prediction.
    known_row, node, parent, predicted, bayes_label = -1, 0, 0, -1, -1
    for e in range(played[i], span[_STOP]):
        row, note = slots[e], as_index(e - start)
        learns = ops[e] == LEARN
        if learns and weight[e] == 0:
            continue
        is_known = known_row == row
        if not is_known:
            node, parent = descend(pools.nodes, root, X, row)
            bayes_label = -1
        if learns:
            w = weight[e] * times[i, note]
            if needs_room(pools, params, node, y[row], w):
                played[i] = e
                return False
            known_row = -1
            if alarms.shape[1] == 0:
                if w > 0:
                    learn_at(pools, params, node, X, row, y[row], w, bayes_label)
                continue
            if w > 0:
                predicted = learn_and_vote(
                    pools, params, node, parent, X, row, y[row], w, bayes_label
                )
            elif not is_known:
                predicted, _ = vote(pools, params, node, parent, X, row, False)
            error = 0.0 if max(predicted, 0) == y[row] else 1.0
            alarms[i, note] = detects_increase(windows, which, error, _WINDOW_DELTA)
            error_rates[i, note] = window_mean(windows, which)
            continue
        predicted, by_bayes = vote(pools, params, node, parent, X, row, True)
        known_row, bayes_label = row, predicted if by_bayes else -1
        normalise_votes(pools.scratch.votes, False, probabilities, 0)
        for c in range(k):
            votes[i, note, c] = probabilities[0, c]
        votes[i, note, k] = 1.0 if predicted >= 0 else 0.0
    played[i] = span[_STOP]
    return True
