"""Ensembles of trees that a background tree replaces on drift, and that vote by their accuracy."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from streamgauge._support.cpu_clock import helpers
from streamgauge._support.jit import inlined, lean_inner, lean_kernel
from streamgauge._support.rng import poisson
from streamgauge._support.types import LEARN, Floats, Longs, Schema
from streamgauge.detectors.adwin_pool import AdwinPool, detects_increase, reset_window
from streamgauge.learners._probabilities import normalise_votes
from streamgauge.learners._rows import copy_row
from streamgauge.learners.base import CompiledLearner, Events, state_bytes
from streamgauge.learners.ensembles._votes import count_votes, events_at_once
from streamgauge.learners.trees._growth import learn_and_vote, learn_tree
from streamgauge.learners.trees._leaves import vote
from streamgauge.learners.trees._nodes import (
    SUBSPACE,
    Pools,
    descend,
    doubled,
    draw_features,
    has_room_for,
    make_leaf,
    new_tree,
    release_siblings,
    release_subtree,
    restart_moa_draws,
)
from streamgauge.learners.trees._params import TreeParams

# Windows of a member.
_WARNING: Final = 0
_DRIFT: Final = 1

# Entries of BackgroundMember.roots, and rows of the member's subspaces if it has any.
_FOREGROUND: Final = 0
_BACKGROUND: Final = 1

# Entries of BackgroundMember.record.
_RIGHT_WEIGHT: Final = 0
_TOTAL_WEIGHT: Final = 1


class BackgroundMember(NamedTuple):
    """A tree, its background tree and its record."""

    pools: Pools
    windows: AdwinPool
    roots: Longs  # of the tree and the background tree, -1 if none
    record: Floats  # weight of the rows the tree got right, and of all rows


class Replacing(NamedTuple):
    """How rows are weighted and trees replaced, the same for all members."""

    warning_delta: float
    drift_delta: float
    poisson_steps: Floats  # of the random row weights; empty if rows are not resampled
    background_resamples: bool  # whether background trees learn with the random weights, too
    keeps_background: bool  # whether a background tree that took over remains one, too


class BackgroundTrees(CompiledLearner):
    """The base of ensembles whose members meet only in the vote."""

    n_models: int
    n_jobs: int
    _schema: Schema
    _params: TreeParams
    _replacing: Replacing
    _members: list[BackgroundMember]

    @property
    def nbytes(self) -> int:
        return sum(
            sum(map(state_bytes, member.pools)) + state_bytes(member.windows)
            for member in self._members
        )

    def play(self, events: Events) -> None:
        n, k = self.n_models, len(self._schema.classes)
        size = events_at_once(n, k)
        with helpers(self.n_jobs) as each:
            for batch in events.parts(size):
                votes = np.empty((n, len(batch.ops), k + 1))
                list(each(self._play_member, range(n), [batch] * n, votes))
                _, _, ops, _, _, _, label, proba = batch
                count_votes(votes, 0, len(ops), ops, label, proba, np.empty(k))

    def _play_member(self, i: int, events: Events, votes: Floats) -> None:
        """Work through all events with one member, independently of the others."""
        done = 0
        while True:
            member = self._members[i]
            rest = events.cut(done, len(events.ops))
            done += _play(rest, member, self._params, self._replacing, votes[done:])
            if done == len(events.ops):
                return
            self._members[i] = member._replace(pools=doubled(member.pools))


@inlined
def _start_subspace(pools: Pools, which: int) -> None:
    """Draw the features of a new tree, if whole trees observe the same."""
    if len(pools.allocator.subspaces):
        pools.allocator.counters[SUBSPACE] = which
        draw_features(pools.allocator, pools.allocator.subspaces, which)


@lean_inner
def _start_background(member: BackgroundMember, params: TreeParams) -> None:
    """After a warning: start a new background tree."""
    pools, windows, roots, _ = member
    own = roots[_BACKGROUND] >= 0 and roots[_BACKGROUND] != roots[_FOREGROUND]
    if own:
        release_subtree(pools, params.cardinality, roots[_BACKGROUND])
    restart_moa_draws(pools)
    _start_subspace(pools, _BACKGROUND)
    if own:
        make_leaf(pools, roots[_BACKGROUND])
    else:
        roots[_BACKGROUND] = new_tree(pools)
    reset_window(windows, _WARNING)


@lean_inner
def _replace(member: BackgroundMember, params: TreeParams, keeps_background: bool) -> None:
    """After a drift: replace the tree by the background tree, or by a new one if there is none."""
    pools, windows, roots, record = member
    record[_RIGHT_WEIGHT] = 0.0
    record[_TOTAL_WEIGHT] = 0.0
    if roots[_BACKGROUND] == roots[_FOREGROUND]:
        return
    release_subtree(pools, params.cardinality, roots[_FOREGROUND])
    if roots[_BACKGROUND] >= 0:
        release_siblings(pools, roots[_FOREGROUND], 1)
        roots[_FOREGROUND] = roots[_BACKGROUND]
        if len(pools.allocator.subspaces):
            subspaces = pools.allocator.subspaces
            copy_row(subspaces, _BACKGROUND, subspaces, _FOREGROUND)
        if not keeps_background:
            roots[_BACKGROUND] = -1
        reset_window(windows, _WARNING)
    else:
        restart_moa_draws(pools)
        _start_subspace(pools, _FOREGROUND)
        make_leaf(pools, roots[_FOREGROUND])
    reset_window(windows, _DRIFT)


@inlined
def _learn(
    member: BackgroundMember, params: TreeParams, replacing: Replacing, X: Floats, row: int, y: int,
    w: float, times: float, node: int, parent: int, bayes_label: int,
) -> None:  # fmt: skip
    """Train both trees with a row that arrived at this node of the first; watch its error."""
    pools, background = member.pools, member.roots[_BACKGROUND]
    pools.allocator.counters[SUBSPACE] = _FOREGROUND
    predicted = learn_and_vote(pools, params, node, parent, X, row, y, w * times, bayes_label)
    if background >= 0:
        pools.allocator.counters[SUBSPACE] = _BACKGROUND
        background_weight = w * times if replacing.background_resamples else w
        learn_tree(pools, params, background, X, row, y, background_weight)
    error = 0.0 if max(predicted, 0) == y else 1.0
    if detects_increase(member.windows, _WARNING, error, replacing.warning_delta):
        _start_background(member, params)
    if detects_increase(member.windows, _DRIFT, error, replacing.drift_delta):
        _replace(member, params, replacing.keeps_background)


@lean_kernel
def _play(
    events: Events,
    member: BackgroundMember,
    params: TreeParams,
    replacing: Replacing,
    votes: Floats,
) -> int:
    """Work through the events until there might be too little room; return how many are done.

    votes[e] takes the member's probabilities times its accuracy, and 1 if it votes, else 0.
    """
    X, y, ops, slots, _, weight, _, _ = events
    pools, _, roots, record = member
    k = votes.shape[1] - 1
    # The row predicted last, if none was learned since, its node and naive Bayes' prediction.
    known_row, node, parent, predicted, bayes_label = -1, 0, 0, -1, -1
    for e in range(len(ops)):
        row, w = slots[e], weight[e]
        learns = ops[e] == LEARN
        if learns and w == 0:
            continue
        if learns and not has_room_for(pools, 2):
            return e
        if not learns or known_row != row:
            node, parent = descend(pools.nodes, roots[_FOREGROUND], X, row)
            predicted, by_bayes = vote(pools, params, node, parent, X, row, not learns)
            bayes_label = predicted if by_bayes else -1
        if learns:
            known_row = -1
            record[_TOTAL_WEIGHT] += w
            record[_RIGHT_WEIGHT] += w if max(predicted, 0) == y[row] else 0.0
            times = 1.0
            if len(replacing.poisson_steps):
                times = poisson(pools.allocator.rng, replacing.poisson_steps)
            if times > 0:
                _learn(
                    member, params, replacing, X, row, y[row], w, times, node, parent, bayes_label
                )
            continue
        known_row = row
        normalise_votes(pools.scratch.votes, False, votes, e)
        right = record[_RIGHT_WEIGHT]
        percent = 100.0 * right / record[_TOTAL_WEIGHT] if right > 0 else 1.0
        for c in range(k):
            votes[e, c] *= percent
        votes[e, k] = 1.0 if predicted >= 0 else 0.0
    return len(ops)
