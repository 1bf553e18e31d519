"""The base of bagging: trees that learn rows with random weights, and may be reset on drift.

Members meet in the vote and where one is reset: the one with the highest error rate, after the
error rate of any has increased. A reset changes no other member. So each plays many events on its
own and notes its error rates; then the alarms are looked at in order, and the member that one of
them resets plays the events after it again, from an empty tree. The numbers are those of members
that play event by event.
"""

from __future__ import annotations

from concurrent.futures import Executor, ThreadPoolExecutor
from typing import Final, NamedTuple

import numpy as np

from streamgauge._support.errors import UsageError, check_integer
from streamgauge._support.jit import lean_kernel
from streamgauge._support.rng import Rng, new_rng, poisson, poisson_steps
from streamgauge._support.types import LEARN, Flags, Floats, Schema
from streamgauge.detectors.adwin_pool import (
    AdwinPool,
    detects_increase,
    new_adwins,
    reset_window,
    window_mean,
)
from streamgauge.learners.base import CompiledLearner, Events, state_bytes
from streamgauge.learners.ensembles._members import check_n_models
from streamgauge.learners.ensembles._votes import count_votes, events_at_once
from streamgauge.learners.trees._growth import learn_and_vote, learn_at, needs_room
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
_ROOT: Final = 0  # the first node of a member's pools

# Events between two looks at the alarms: fewer while alarms are frequent, for a member that is
# reset plays the rest of them twice.
_FEWEST: Final = 512
_MOST: Final = 1 << 14


class _Member(NamedTuple):
    """A tree and the window of its errors."""

    pools: Pools
    window: AdwinPool  # none in online bagging


class _Notes(NamedTuple):
    """What members know and note down at each event, in arrays [member, event]."""

    times: Flags  # how often the member learns the row
    error_rates: Floats  # after the event; no columns without windows
    alarms: Flags  # 1 where the error rate increased
    votes: Floats  # [member, event, class]; then 1 if it votes, else 0


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
        n_jobs: int = 1,
    ) -> None:
        self.n_models, self.n_jobs = n_models, n_jobs
        self.grace_period, self.delta, self.tau = grace_period, delta, tau
        self.leaf_prediction: LeafPrediction = leaf_prediction
        self.split_criterion: SplitCriterion = split_criterion
        for name, count in (("n_models", n_models), ("n_jobs", n_jobs)):
            check_integer(f"{type(self).__name__}({name})", count)
        if n_models < 1 or n_jobs < 1:
            raise UsageError(f"{self}: expected n_models >= 1 and n_jobs >= 1")
        check_n_models(repr(self), n_models)
        self._options = TreeOptions(grace_period, delta, tau, leaf_prediction, split_criterion)
        self._options.check(repr(self))
        self._poisson_steps = poisson_steps(self._mean_weight)

    def start(self, schema: Schema, seed: int) -> None:
        self._schema = schema
        self._params = self._options.for_schema(schema)
        self._rng = new_rng(seed)
        self._members = [self._new_member() for _ in range(self.n_models)]

    def _new_member(self) -> _Member:
        features = len(self._schema.features)
        pools = new_pools(self._schema, features, self._rng, first_splits=2)
        new_tree(pools)
        return _Member(pools, new_adwins(1 if self._has_windows else 0))

    @property
    def nbytes(self) -> int:
        """Size of the model in bytes."""
        return sum(
            sum(map(state_bytes, member.pools)) + state_bytes(member.window)
            for member in self._members
        )

    def play(self, events: Events) -> None:
        most = min(_MOST, events_at_once(self.n_models, len(self._schema.classes)))
        done, size = 0, min(_FEWEST, most) if self._has_windows else most
        with ThreadPoolExecutor(self.n_jobs) as threads:
            while done < len(events.ops):
                resets = self._play_batch(events.cut(done, done + size), threads)
                done += size
                size = min(most, 2 * size) if resets == 0 else min(_FEWEST, most)

    def _play_batch(self, events: Events, threads: Executor) -> int:
        """Play the events with all members, then settle the alarms; return how many resets."""
        n, k, length = self.n_models, len(self._schema.classes), len(events.ops)
        noted = length if self._has_windows else 0
        notes = _Notes(
            np.zeros((n, length), np.uint8), np.empty((n, noted)), np.zeros((n, noted), np.uint8),
            np.empty((n, length, k + 1)),
        )  # fmt: skip
        _draw_times(self._rng, self._poisson_steps, events.ops, events.weight, notes.times)
        each = threads.map if self.n_jobs > 1 else map
        list(each(self._play_member, range(n), [events] * n, [notes] * n, [0] * n))
        resets, settled = 0, 0
        while len(alarms := np.flatnonzero(notes.alarms[:, settled:].any(axis=0))):
            settled += int(alarms[0]) + 1
            error_rates = notes.error_rates[:, settled - 1]
            worst = int(error_rates.argmax())
            if error_rates[worst] > 0:
                _reset(self._members[worst], self._params)
                self._play_member(worst, events, notes, settled)
                resets += 1
        count_votes(notes.votes, events.ops, events.label, events.proba, np.empty(k))
        return resets

    def _play_member(self, i: int, events: Events, notes: _Notes, start: int) -> None:
        """Work through the events from `start` on with one member, independently of the others."""
        done = start
        while True:
            member = self._members[i]
            done = _play(events, done, member, self._params, notes, i)
            if done == len(events.ops):
                return
            self._members[i] = member._replace(pools=doubled(member.pools))


@lean_kernel
def _draw_times(rng: Rng, steps: Floats, ops: Flags, weight: Floats, times: Flags) -> None:
    """Draw how often each member learns each row."""
    for e in range(len(ops)):
        if ops[e] == LEARN and weight[e] > 0:
            for i in range(len(times)):
                times[i, e] = int(poisson(rng, steps))


@lean_kernel
def _reset(member: _Member, params: Params) -> None:
    """Start again with an empty tree and an empty window."""
    release_subtree(member.pools, params.cardinality, _ROOT)
    make_leaf(member.pools, _ROOT)
    reset_window(member.window, 0)


@lean_kernel
def _play(
    events: Events, start: int, member: _Member, params: Params, notes: _Notes, i: int
) -> int:
    """Work through the events with member i until a split would not fit; return where it stops."""
    X, y, ops, slots, _, weight, _, _ = events
    pools, window = member
    times, error_rates, alarms, votes = notes
    k = votes.shape[2] - 1
    # The row predicted last, if none was learned since, its node and naive Bayes' prediction.
    known_row, node, parent, predicted, bayes_label = -1, 0, 0, -1, -1
    for e in range(start, len(ops)):
        row = slots[e]
        learns = ops[e] == LEARN
        if learns and weight[e] == 0:
            continue
        is_known = known_row == row
        if not is_known:
            node, parent = descend(pools.nodes, _ROOT, X, row)
            bayes_label = -1
        if learns:
            w = weight[e] * times[i, e]
            if needs_room(pools, params, node, y[row], w) and not has_room_for(pools, 1):
                return e
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
            alarms[i, e] = detects_increase(window, 0, error, _WINDOW_DELTA)
            error_rates[i, e] = window_mean(window, 0)
            continue
        predicted, by_bayes = vote(pools, params, node, parent, X, row, True)
        known_row, bayes_label = row, predicted if by_bayes else -1
        total = 0.0
        for c in range(k):
            total += pools.scratch.votes[c]
        for c in range(k):
            votes[i, e, c] = pools.scratch.votes[c] / total if total > 0 else 0.0
        votes[i, e, k] = 1.0 if predicted >= 0 else 0.0
    return len(ops)
