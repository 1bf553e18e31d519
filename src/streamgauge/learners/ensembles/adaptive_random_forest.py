"""AdaptiveRandomForest: the adaptive random forest (Gomes et al. 2017), as in MOA."""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from typing import Final, Literal, NamedTuple

import numpy as np

from streamgauge._support.errors import UsageError, check_integer
from streamgauge._support.jit import inlined, kernel, lean_inner, lean_kernel
from streamgauge._support.rng import new_rng, poisson, poisson_steps
from streamgauge._support.types import LEARN, Flags, Floats, Longs, Schema, Targets
from streamgauge.detectors.adwin_pool import (
    AdwinPool,
    detects_increase,
    new_adwins,
    reset_window,
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
    release_siblings,
    release_subtree,
    restart_moa_draws,
)
from streamgauge.learners.trees._params import LeafPrediction, Params, SplitCriterion, TreeOptions

# Windows of a member.
_WARNING: Final = 0
_DRIFT: Final = 1

# Entries of _Member.roots.
_FOREGROUND: Final = 0
_BACKGROUND: Final = 1

# Entries of _Member.record.
_RIGHT_WEIGHT: Final = 0
_TOTAL_WEIGHT: Final = 1

_MAX_VOTES = 2_000_000  # kept at a time


class _Member(NamedTuple):
    """A tree of the forest, its background tree and its record."""

    pools: Pools
    windows: AdwinPool
    roots: Longs  # of the tree and the background tree, -1 if none
    record: Floats  # weight of the rows the tree got right, and of all rows


class _ForestParams(NamedTuple):
    """Parameters that all members share."""

    warning_delta: float
    drift_delta: float
    poisson_steps: Floats  # of the random row weights


class AdaptiveRandomForest(CompiledLearner):
    """Adaptive random forest: Hoeffding trees on random feature subsets, replaced on drift.

    Each tree learns a row with a Poisson weight, and each leaf observes a random subset of the
    features. Two adaptive windows (ADWIN) watch the tree's errors: on a warning a new tree starts
    in the background, on a drift it replaces the tree. Votes are weighted by the accuracy of each
    tree. Defaults are CapyMOA's, except that CapyMOA grows 100 trees.

    Parameters
    ----------
    n_models
        Number of trees.
    max_features
        Features a leaf observes: a fraction of all d features (a float up to 1), a number of
        features, or "sqrt" for √d + 1, rounded.
    lambda_value
        Mean of the Poisson weights.
    warning_delta, drift_delta
        Significance levels of the ADWINs for warnings and for drifts.
    grace_period
        Rows a leaf sees between two attempts to split.
    delta
        Significance level of Hoeffding's bound; a smaller value splits later.
    tau
        Split when the bound is below this, even if the best two splits tie.
    leaf_prediction
        Class counts ("mc"), naive Bayes ("nb"), or at each leaf the more accurate of both ("nba").
    split_criterion
        Information gain ("info_gain") or the Gini index ("gini").
    n_jobs
        Number of threads; the result does not depend on it.
    compat
        "moa": draw features as MOA does, which uses the same random numbers for all trees and all
        seeds, so that their roots observe the same features.

    References
    ----------
    gomes2017 (docs/bibliography.md)

    Examples
    --------
    >>> import streamgauge as sg
    >>> run = sg.evaluate(sg.SEA(1000, seed=1), sg.AdaptiveRandomForest(n_models=5))
    >>> print(f"accuracy {run.summary['accuracy']:.3f}")
    accuracy 0.941
    """

    def __init__(
        self,
        n_models: int = 10,
        max_features: float | Literal["sqrt"] = 0.6,
        lambda_value: float = 6.0,
        warning_delta: float = 0.01,
        drift_delta: float = 0.001,
        grace_period: int = 50,
        delta: float = 0.01,
        tau: float = 0.05,
        leaf_prediction: LeafPrediction = "nba",
        split_criterion: SplitCriterion = "info_gain",
        n_jobs: int = 1,
        compat: Literal["moa"] | None = None,
    ) -> None:
        self.n_models, self.n_jobs = n_models, n_jobs
        self.max_features: float | Literal["sqrt"] = max_features
        self.lambda_value = lambda_value
        self.warning_delta, self.drift_delta = warning_delta, drift_delta
        self.grace_period, self.delta, self.tau = grace_period, delta, tau
        self.leaf_prediction: LeafPrediction = leaf_prediction
        self.split_criterion: SplitCriterion = split_criterion
        self.compat: Literal["moa"] | None = compat
        self._options = TreeOptions(grace_period, delta, tau, leaf_prediction, split_criterion)
        for name, count in (("n_models", n_models), ("n_jobs", n_jobs)):
            check_integer(f"AdaptiveRandomForest({name})", count)
        if n_models < 1 or n_jobs < 1 or not 0 < lambda_value < 1000:
            raise UsageError(
                f"{self}: expected n_models >= 1, n_jobs >= 1 and 0 < lambda_value < 1000"
            )
        check_n_models(repr(self), n_models)
        if not (0 < warning_delta < 1 and 0 < drift_delta < 1):
            raise UsageError(f"{self}: expected 0 < warning_delta < 1 and 0 < drift_delta < 1")
        if max_features != "sqrt" and not (
            isinstance(max_features, int | float) and 0 < max_features < math.inf
        ):
            raise UsageError(f"{self}: expected max_features above 0, or 'sqrt'")
        if compat not in (None, "moa"):
            raise UsageError(f"{self}: expected compat None or 'moa'")
        self._options.check(repr(self))
        self._forest_params = _ForestParams(
            float(warning_delta), float(drift_delta), poisson_steps(float(lambda_value))
        )

    def start(self, schema: Schema, seed: int) -> None:
        self._schema = schema
        self._params = self._options.for_schema(schema)
        leaf_features = _count_leaf_features(self.max_features, len(schema.features))
        alike = self.compat == "moa"
        self._members = [
            _new_member(schema, leaf_features, alike, seed, i) for i in range(self.n_models)
        ]

    @property
    def nbytes(self) -> int:
        """Size of the model in bytes."""
        return sum(
            sum(map(state_bytes, member.pools)) + state_bytes(member.windows)
            for member in self._members
        )

    def play(self, events: Events) -> None:
        k = len(self._schema.classes)
        batch_events = max(1, _MAX_VOTES // (self.n_models * (k + 1)))
        with ThreadPoolExecutor(self.n_jobs) as threads:
            each = threads.map if self.n_jobs > 1 else map
            for start in range(0, max(1, len(events.ops)), batch_events):
                batch = events.cut(start, min(start + batch_events, len(events.ops)))
                votes = np.empty((self.n_models, len(batch.ops), k + 1))
                list(each(self._play_member, range(self.n_models), [batch] * self.n_models, votes))
                _count_votes(votes, batch.ops, batch.label, batch.proba, np.empty(k))

    def _play_member(self, i: int, events: Events, votes: Floats) -> None:
        """Work through all events with one member, independently of the others."""
        done = 0
        while True:
            member = self._members[i]
            rest = events.cut(done, len(events.ops))
            done += _play(rest, member, self._params, self._forest_params, votes[done:])
            if done == len(events.ops):
                return
            self._members[i] = member._replace(pools=doubled(member.pools))


def _count_leaf_features(features: float | str, d: int) -> int:
    """Return how many of d features a leaf observes."""
    if features == "sqrt":
        m = math.floor(math.sqrt(d) + 0.5) + 1
    elif isinstance(features, float) and features <= 1:
        m = math.floor(d * features + 0.5)
    else:
        m = int(features)
    return min(max(1, m), d)


def _new_member(schema: Schema, leaf_features: int, alike: bool, seed: int, i: int) -> _Member:
    pools = new_pools(schema, leaf_features, new_rng(seed, i), alike)
    return _Member(pools, new_adwins(2), np.array([new_tree(pools), -1]), np.zeros(2))


@lean_inner
def _start_background(member: _Member, params: Params) -> None:
    """After a warning: start a new background tree."""
    pools, windows, roots, _ = member
    if roots[_BACKGROUND] >= 0:
        release_subtree(pools, params.cardinality, roots[_BACKGROUND])
        restart_moa_draws(pools)
        make_leaf(pools, roots[_BACKGROUND])
    else:
        restart_moa_draws(pools)
        roots[_BACKGROUND] = new_tree(pools)
    reset_window(windows, _WARNING)


@lean_inner
def _replace(member: _Member, params: Params) -> None:
    """After a drift: replace the tree by the background tree, or by a new one if there is none."""
    pools, windows, roots, record = member
    release_subtree(pools, params.cardinality, roots[_FOREGROUND])
    if roots[_BACKGROUND] >= 0:
        release_siblings(pools, roots[_FOREGROUND], 1)
        roots[_FOREGROUND] = roots[_BACKGROUND]
        roots[_BACKGROUND] = -1
        reset_window(windows, _WARNING)
    else:
        restart_moa_draws(pools)
        make_leaf(pools, roots[_FOREGROUND])
    reset_window(windows, _DRIFT)
    record[_RIGHT_WEIGHT] = 0.0
    record[_TOTAL_WEIGHT] = 0.0


@inlined
def _learn(
    member: _Member, params: Params, forest: _ForestParams, X: Floats, row: int, y: int, w: float,
    times: float,
) -> None:  # fmt: skip
    """Train the tree with weight w × times and the background tree with w; watch the error."""
    pools, roots = member.pools, member.roots
    for which in (_FOREGROUND, _BACKGROUND):
        if roots[which] >= 0:
            tree_weight = w * times if which == _FOREGROUND else w
            learn_tree(pools, params, roots[which], X, row, y, tree_weight)
    node, parent = descend(pools.nodes, roots[_FOREGROUND], X, row)
    predicted, _ = vote(pools, params, node, parent, X, row, False)
    error = 0.0 if max(predicted, 0) == y else 1.0
    if detects_increase(member.windows, _WARNING, error, forest.warning_delta):
        _start_background(member, params)
    if detects_increase(member.windows, _DRIFT, error, forest.drift_delta):
        _replace(member, params)


@lean_kernel
def _play(
    events: Events, member: _Member, params: Params, forest: _ForestParams, votes: Floats
) -> int:
    """Work through the events until there might be too little room; return how many are done.

    votes[e] takes the member's probabilities times its accuracy, and 1 if it votes, else 0.
    """
    X, y, ops, slots, _, weight, _, _ = events
    pools, _, roots, record = member
    k = votes.shape[1] - 1
    predicted_row, predicted = -1, -1
    for e in range(len(ops)):
        row, w = slots[e], weight[e]
        learns = ops[e] == LEARN
        if learns and w == 0:
            continue
        if not learns or predicted_row != row:
            node, parent = descend(pools.nodes, roots[_FOREGROUND], X, row)
            predicted, _ = vote(pools, params, node, parent, X, row, not learns)
        if learns:
            if not has_room_for(pools, 4):
                return e
            predicted_row = -1
            record[_TOTAL_WEIGHT] += w
            record[_RIGHT_WEIGHT] += w if max(predicted, 0) == y[row] else 0.0
            times = poisson(pools.allocator.rng, forest.poisson_steps)
            if times > 0:
                _learn(member, params, forest, X, row, y[row], w, times)
            continue
        predicted_row = row
        normalise_votes(pools.scratch.votes, False, votes, e)
        right = record[_RIGHT_WEIGHT]
        percent = 100.0 * right / record[_TOTAL_WEIGHT] if right > 0 else 1.0
        for c in range(k):
            votes[e, c] *= percent
        votes[e, k] = 1.0 if predicted >= 0 else 0.0
    return len(ops)


@kernel
def _count_votes(votes: Floats, ops: Flags, label: Targets, proba: Floats, sums: Floats) -> None:
    """Write the class with the highest sum of votes to `label`; -1 if all members abstain."""
    k = len(sums)
    for e in range(len(ops)):
        if ops[e] == LEARN:
            continue
        any_vote, best = False, 0
        sums[:] = 0.0
        for i in range(len(votes)):
            if votes[i, e, k] > 0:
                any_vote = True
                for c in range(k):
                    sums[c] += votes[i, e, c]
        for c in range(1, k):
            if sums[c] > sums[best]:
                best = c
        label[e] = best if any_vote else -1
        if len(proba):
            normalise_votes(sums, not any_vote, proba, e)
