"""OnlineAccuracyUpdatedEnsemble: OAUE (Brzezinski & Stefanowski 2014), as in MOA."""

from __future__ import annotations

from itertools import repeat
from typing import Final, NamedTuple

import numpy as np

from streamgauge._support.cpu_clock import helpers
from streamgauge._support.jit import inlined, lean_kernel
from streamgauge._support.rng import new_rng
from streamgauge._support.types import LEARN, Floats, Longs, Schema
from streamgauge.learners._parameters import (
    Count,
    Delta,
    GracePeriod,
    LeafPrediction,
    NJobs,
    NModels,
    SplitCriterion,
    Tau,
)
from streamgauge.learners._probabilities import normalise_votes
from streamgauge.learners.base import CompiledLearner, Events, state_bytes
from streamgauge.learners.ensembles._votes import count_votes, events_at_once
from streamgauge.learners.trees._growth import learn_at, needs_room
from streamgauge.learners.trees._leaves import vote
from streamgauge.learners.trees._memory import (
    budget,
    enlarged_within,
    pool_bytes,
    watched_within,
)
from streamgauge.learners.trees._nodes import (
    Pools,
    descend,
    new_tree,
)
from streamgauge.learners.trees._params import TreeOptions, TreeParams

# Entries of _Member.record.
_ERROR: Final = 0  # mean squared error in the window
_WEIGHT: Final = 1
_AGE: Final = 2  # rows since it joined the ensemble; -1 for the candidate

_TINY: Final = 1e-300  # so that a member without errors has a finite weight


class _Member(NamedTuple):
    """A tree of the ensemble, or the candidate; its root is node 0."""

    pools: Pools
    record: Floats
    errors: Floats  # [row of the window]: squared errors
    probabilities: Floats  # [1, class]: of the last row asked about


class _ClassWindow(NamedTuple):
    """The classes of the last rows learned."""

    labels: Longs
    counts: Longs  # [class]
    learned: Longs  # one entry: rows learned so far
    error: Floats  # one entry: mean squared error of a random prediction from these counts


class OnlineAccuracyUpdatedEnsemble(CompiledLearner):
    """Online accuracy updated ensemble (OAUE): trees weighted by their errors in a window.

    A new tree learns each window of rows; at its end it joins the ensemble, or replaces the member
    with the lowest weight if its own is higher. The weight of a member is 1 / (its mean squared
    error in the last window of rows + that of random predictions from their class distribution),
    updated at each row. All members learn every row. Abstains during the first window. Defaults
    are MOA's.

    Parameters
    ----------
    n_models
        Maximum number of trees.
    window_size
        Rows between two new trees, over which errors are averaged.
    max_byte_size
        Memory limit in bytes, in equal parts for all members and the candidate. When a tree reaches
        its own, the least promising leaves only count classes.

    References
    ----------
    brzezinski2014 (docs/bibliography.md)

    Examples
    --------
    >>> import streamgauge as sg
    >>> concepts = [sg.STAGGER(1500, seed=1), sg.STAGGER(1500, seed=2, classification_function=2)]
    >>> stream = sg.splice(concepts, at=[1500])
    >>> learners = [sg.HoeffdingTree(), sg.OnlineAccuracyUpdatedEnsemble(window_size=100)]
    >>> for run in sg.evaluate(stream, learners):
    ...     print(f"{type(run.learner).__name__}: {run.summary['accuracy']:.3f}")
    HoeffdingTree: 0.706
    OnlineAccuracyUpdatedEnsemble: 0.943
    """

    def __init__(
        self,
        n_models: NModels = 10,
        window_size: Count = 500,
        grace_period: GracePeriod = 100,
        delta: Delta = 0.01,
        tau: Tau = 0.05,
        leaf_prediction: LeafPrediction = "nba",
        split_criterion: SplitCriterion = "info_gain",
        max_byte_size: int | None = None,
        n_jobs: NJobs = 1,
    ) -> None:
        self.n_models, self.window_size, self.n_jobs = n_models, window_size, n_jobs
        self.grace_period, self.delta, self.tau = grace_period, delta, tau
        self.leaf_prediction: LeafPrediction = leaf_prediction
        self.split_criterion: SplitCriterion = split_criterion
        self.max_byte_size = max_byte_size
        self._options = TreeOptions(grace_period, delta, tau, leaf_prediction, split_criterion)
        self._most = budget(repr(self), max_byte_size, None)

    @property
    def random(self) -> bool:  # type: ignore[override]
        """Whether it draws the features that its leaves watch: it may, to keep within a budget."""
        return self._most is not None

    def start(self, schema: Schema, seed: int) -> None:
        self._schema, self._seed = schema, seed
        k = len(schema.classes)
        self._window = _ClassWindow(
            np.zeros(self.window_size, np.int64), np.zeros(k, np.int64), np.zeros(1, np.int64),
            np.zeros(1),
        )  # fmt: skip
        n_trees = self.n_models + 1
        beside = state_bytes(self._window) + n_trees * state_bytes(self._new_history(k))
        self._watched = watched_within(
            schema, new_rng(seed), self._most, repr(self), n_trees, beside
        )
        self.warning = self._watched.warning
        self._params = self._options.for_schema(self._watched.schema)
        self._members = [self._new_candidate()]  # the candidate is the last

    def _new_candidate(self) -> _Member:
        """Return a tree that has learned nothing.

        Not one that was in use: at its memory limit, that has no room even for a root.
        """
        most = self._watched.most
        pools = self._watched.pools(new_rng(self._seed))
        if most is not None and pool_bytes(pools) > most:
            pools = enlarged_within(pools, most)
        new_tree(pools)
        return _Member(pools, *self._new_history(len(self._schema.classes)))

    def _new_history(self, k: int) -> tuple[Floats, Floats, Floats]:
        """Return what a member has beside its tree."""
        return np.array([0.0, 0.0, -1.0]), np.zeros(self.window_size), np.zeros((1, k))

    @property
    def nbytes(self) -> int:
        return state_bytes(self._window) + sum(
            pool_bytes(member.pools) + state_bytes(member[1:]) for member in self._members
        )

    def play(self, events: Events) -> None:
        k, n_events, done = len(self._schema.classes), len(events.ops), 0
        most = events_at_once(self.n_models, k)
        with helpers(self.n_jobs) as each:
            while True:
                batch = events.cut(done, min(done + most, n_events))
                learned = self._window.learned[0]
                random_errors = np.empty(len(batch.ops))
                n = _count_classes(batch, self._window, random_errors)
                batch, members = batch.cut(0, n), range(len(self._members))
                votes = np.zeros((len(members), n, k + 1))
                list(each(self._play_member, members, repeat(batch), repeat(random_errors), votes))
                _, _, ops, _, _, _, label, proba = batch
                count_votes(votes, 0, len(ops), ops, label, proba, np.empty(k))
                done += n
                if self._window.learned[0] // self.window_size > learned // self.window_size:
                    self._admit_candidate()
                if done == n_events:
                    return

    def _play_member(self, i: int, events: Events, random_errors: Floats, votes: Floats) -> None:
        """Work through all events with one member, independently of the others."""
        done = 0
        while True:
            member = self._members[i]
            rest = events.cut(done, len(events.ops))
            done += _play(rest, member, self._params, random_errors[done:], votes[done:])
            if done == len(events.ops):
                return
            pools = enlarged_within(member.pools, self._watched.most)
            self._members[i] = member._replace(pools=pools)

    def _admit_candidate(self) -> None:
        """After a window: let the candidate join if it is better than the worst member."""
        *members, candidate = self._members
        candidate.record[_AGE] = 0.0
        candidate.record[_WEIGHT] = 1.0 / (self._window.error[0] + _TINY)
        if len(members) < self.n_models:
            self._members.append(self._new_candidate())
            return
        worst = int(np.argmin([member.record[_WEIGHT] for member in members]))
        if members[worst].record[_WEIGHT] < candidate.record[_WEIGHT]:
            self._members[worst] = candidate
        self._members[-1] = self._new_candidate()


@lean_kernel
def _count_classes(events: Events, window: _ClassWindow, random_errors: Floats) -> int:
    """Count the classes of the events up to the end of a window; return how many events these are.

    random_errors[e] takes the error of random predictions after LEARN event e.
    """
    y, ops, slots, weight = events.y, events.ops, events.slots, events.weight
    labels, counts, learned, error = window
    size = len(labels)
    for e in range(len(ops)):
        if ops[e] != LEARN or weight[e] == 0:
            continue
        place, label = learned[0] % size, y[slots[e]]
        if learned[0] >= size:
            counts[labels[place]] -= 1
        counts[label] += 1
        labels[place] = label
        learned[0] += 1
        error[0] = 0.0
        for c in range(len(counts)):
            p = counts[c] / size
            error[0] += p * ((1 - p) * (1 - p))
        random_errors[e] = error[0]
        if learned[0] % size == 0:
            return e + 1
    return len(ops)


@inlined
def _update_weight(member: _Member, error: float, random_error: float) -> None:
    """Add a squared error to a member's window and update its weight."""
    record, errors = member.record, member.errors
    size = len(errors)
    record[_AGE] += 1.0
    age = record[_AGE]
    place = int(age) % size
    if age > size:
        record[_ERROR] += error / size - errors[place] / size
    else:
        record[_ERROR] = record[_ERROR] * (age - 1) / age + error / age
    errors[place] = error
    record[_WEIGHT] = 1.0 / (random_error + max(record[_ERROR], 0.0) + _TINY)  # not below 0


@lean_kernel
def _play(
    events: Events, member: _Member, params: TreeParams, random_errors: Floats, votes: Floats
) -> int:
    """Work through the events until a split would not fit; return how many are done.

    votes[e] takes the member's probabilities times its weight, and 1 if it votes. The candidate
    does not vote.
    """
    X, y, ops, slots, _, weight, _, _ = events
    pools, record, _, _ = member
    k, is_member = votes.shape[1] - 1, record[_AGE] >= 0
    # The last row asked about, if none was learned since, its node and prediction.
    known_row, node, parent, predicted, by_bayes = -1, 0, 0, -1, False
    for e in range(len(ops)):
        row, w = slots[e], weight[e]
        learns = ops[e] == LEARN
        if (learns and w == 0) or not (learns or is_member):
            continue
        if known_row != row:
            node, parent = descend(pools.nodes, 0, X, row)
            known_row = row
            if is_member:
                predicted, by_bayes = vote(pools, params, node, parent, X, row, True)
                normalise_votes(pools.scratch.votes, False, member.probabilities, 0)
        if not learns:
            for c in range(k):
                votes[e, c] = member.probabilities[0, c] * record[_WEIGHT]
            votes[e, k] = 1.0 if predicted >= 0 else 0.0
            continue

        if needs_room(pools, params, node, y[row], w):
            return e
        if is_member:
            off = 1.0 - member.probabilities[0, y[row]]
            _update_weight(member, off * off, random_errors[e])
        learn_at(pools, params, node, X, row, y[row], w, predicted if by_bayes else -1)
        known_row = -1
    return len(ops)
