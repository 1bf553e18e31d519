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
from streamgauge.detectors.adwin_pool import Windows, empty, new_windows, rises
from streamgauge.learners._probabilities import to_probabilities
from streamgauge.learners.base import CompiledLearner, Events, state_bytes
from streamgauge.learners.trees._growth import teach_tree
from streamgauge.learners.trees._leaves import vote
from streamgauge.learners.trees._nodes import (
    Pools,
    begin_draws,
    find,
    give_up_siblings,
    make_leaf,
    new_pools,
    new_tree,
    room_for,
    twice,
    vacate,
)
from streamgauge.learners.trees._params import Growth, LeafPrediction, Rule, SplitCriterion

_WARNING: Final = 0  # windows
_DRIFT: Final = 1
_TREE: Final = 0  # roots
_BACKGROUND: Final = 1
_RIGHT: Final = 0  # columns of the record
_ASKED: Final = 1
_CELLS = 2_000_000  # votes kept at a time


class _Member(NamedTuple):
    """A tree of the forest, the tree in its background, and what is known of its errors."""

    pools: Pools
    windows: Windows
    roots: Longs  # -1 = no tree in the background
    record: Floats  # weight of the rows it got right, and of all


class _Habits(NamedTuple):
    """What all members have in common."""

    warning: float
    drift: float
    lots: Floats


class AdaptiveRandomForest(CompiledLearner):
    """Adaptive random forest: Hoeffding trees on random feature subsets, replaced on drift.

    Each tree learns a row with a Poisson weight and draws features for every leaf. Two adaptive
    windows (ADWIN) watch its errors: on a warning a new tree starts in the background, on a drift
    it replaces the tree. Votes are weighted by the accuracy of each tree. Defaults are CapyMOA's,
    except for its 100 trees.

    Parameters
    ----------
    n_models
        Number of trees.
    max_features
        Features a leaf observes: a fraction of all (a float up to 1), a number, or "sqrt" for the
        root of their number + 1.
    lambda_value
        Mean of the Poisson weights.
    warning_delta, drift_delta
        Confidence of the ADWINs for warnings and for drifts.
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
    n_jobs
        Number of threads; the result does not depend on it.
    compat
        "moa": draw features as MOA does, which uses the same random numbers for all trees and all
        seeds, so that their roots observe the same features.
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
        self._growth = Growth(grace_period, delta, tau, leaf_prediction, split_criterion)
        for name, count in (("n_models", n_models), ("n_jobs", n_jobs)):
            check_integer(f"AdaptiveRandomForest({name})", count)
        if n_models < 1 or n_jobs < 1 or not 0 < lambda_value < 1000:
            raise UsageError(
                f"{self}: expected n_models >= 1, n_jobs >= 1 and 0 < lambda_value < 1000"
            )
        if not (0 < warning_delta < 1 and 0 < drift_delta < 1):
            raise UsageError(f"{self}: expected 0 < warning_delta < 1 and 0 < drift_delta < 1")
        if max_features != "sqrt" and not (
            isinstance(max_features, int | float) and max_features > 0
        ):
            raise UsageError(f"{self}: expected max_features above 0, or 'sqrt'")
        if compat not in (None, "moa"):
            raise UsageError(f"{self}: expected compat None or 'moa'")
        self._growth.check(repr(self))
        self._habits = _Habits(
            float(warning_delta), float(drift_delta), poisson_steps(float(lambda_value))
        )

    def start(self, schema: Schema, seed: int) -> None:
        self._schema = schema
        self._rule = self._growth.on(schema)
        m = _subspace(self.max_features, len(schema.features))
        alike = self.compat == "moa"
        self._members = [_new_member(schema, m, alike, seed, i) for i in range(self.n_models)]

    @property
    def nbytes(self) -> int:
        return sum(
            sum(map(state_bytes, member.pools)) + state_bytes(member.windows)
            for member in self._members
        )

    def play(self, events: Events) -> None:
        k = len(self._schema.classes)
        n = self.n_models
        most = max(1, _CELLS // (n * (k + 1)))
        with ThreadPoolExecutor(self.n_jobs) as threads:
            each = threads.map if self.n_jobs > 1 else map
            for start in range(0, max(1, len(events.ops)), most):
                part = events.cut(start, min(start + most, len(events.ops)))
                votes = np.empty((n, len(part.ops), k + 1))
                list(each(self._ask, range(n), [part] * n, votes))
                _count_votes(votes, part.ops, part.label, part.proba, np.empty(k))

    def _ask(self, i: int, events: Events, votes: Floats) -> None:
        """One member goes through the events, whatever the others do."""
        done = 0
        while True:
            member = self._members[i]
            rest = events.cut(done, len(events.ops))
            done += _play(rest, member, self._rule, self._habits, votes[done:])
            if done == len(events.ops):
                return
            self._members[i] = member._replace(pools=twice(member.pools))


def _subspace(features: float | str, d: int) -> int:
    """How many features a leaf watches."""
    if features == "sqrt":
        m = math.floor(math.sqrt(d) + 0.5) + 1
    elif isinstance(features, float) and features <= 1:
        m = math.floor(d * features + 0.5)
    else:
        m = int(features)
    return max(1, min(m, d))


def _new_member(schema: Schema, m: int, alike: bool, seed: int, i: int) -> _Member:
    pools = new_pools(schema, m, new_rng(seed, i), alike)
    return _Member(pools, new_windows(2), np.array([new_tree(pools), -1]), np.zeros(2))


@lean_inner
def _prepare(member: _Member, rule: Rule) -> None:
    """At a warning: another tree starts in the background."""
    pools, windows, roots, _ = member
    if roots[_BACKGROUND] >= 0:
        vacate(pools, rule.sizes, roots[_BACKGROUND])
        begin_draws(pools)
        make_leaf(pools, roots[_BACKGROUND])
    else:
        begin_draws(pools)
        roots[_BACKGROUND] = new_tree(pools)
    empty(windows, _WARNING)


@lean_inner
def _replace(member: _Member, rule: Rule) -> None:
    """At a drift: the tree in the background takes over, or there being none a new one."""
    pools, windows, roots, record = member
    vacate(pools, rule.sizes, roots[_TREE])
    if roots[_BACKGROUND] >= 0:
        give_up_siblings(pools, roots[_TREE], 1)
        roots[_TREE] = roots[_BACKGROUND]
        roots[_BACKGROUND] = -1
        empty(windows, _WARNING)
    else:
        begin_draws(pools)
        make_leaf(pools, roots[_TREE])
    empty(windows, _DRIFT)
    record[_RIGHT] = 0.0
    record[_ASKED] = 0.0


@inlined
def _learn(
    member: _Member, rule: Rule, habits: _Habits, X: Floats, row: int, c: int, w: float,
    times: float,
) -> None:  # fmt: skip
    """The tree learns a row so many times, the one in the background once; does it know it now?"""
    pools, roots = member.pools, member.roots
    for which in (_TREE, _BACKGROUND):
        if roots[which] >= 0:
            much = w * times if which == _TREE else w
            teach_tree(pools, rule, roots[which], X, row, c, much)
    node, above = find(pools.nodes, roots[_TREE], X, row)
    answer, _ = vote(pools, rule, node, above, X, row, False)
    error = 0.0 if max(answer, 0) == c else 1.0
    if rises(member.windows, _WARNING, error, habits.warning):
        _prepare(member, rule)
    if rises(member.windows, _DRIFT, error, habits.drift):
        _replace(member, rule)


@lean_kernel
def _play(events: Events, member: _Member, rule: Rule, habits: _Habits, votes: Floats) -> int:
    """Go through the events until there is no room for what one might need; how many were done.

    votes[e] are a member's shares of its weight, and whether it knows anything.
    """
    X, y, ops, slots, _, weight, _, _ = events
    pools, _, roots, record = member
    k = votes.shape[1] - 1
    asked, answer = -1, -1
    for e in range(len(ops)):
        row, w = slots[e], weight[e]
        learns = ops[e] == LEARN
        if learns and w == 0:
            continue
        if not learns or asked != row:
            node, above = find(pools.nodes, roots[_TREE], X, row)
            answer, _ = vote(pools, rule, node, above, X, row, not learns)
        if learns:
            if not room_for(pools, 4):
                return e
            asked = -1
            record[_ASKED] += w
            record[_RIGHT] += w if max(answer, 0) == y[row] else 0.0
            times = poisson(pools.room.rng, habits.lots)
            if times > 0:
                _learn(member, rule, habits, X, row, y[row], w, times)
            continue
        asked = row
        to_probabilities(pools.scratch.votes, False, votes, e)
        percent = 100.0 * record[_RIGHT] / record[_ASKED] if record[_RIGHT] > 0 else 1.0
        for c in range(k):
            votes[e, c] *= percent
        votes[e, k] = 1.0 if answer >= 0 else 0.0
    return len(ops)


@kernel
def _count_votes(votes: Floats, ops: Flags, label: Targets, proba: Floats, sums: Floats) -> None:
    """The sum of all members' votes decides; -1 if no member knows anything."""
    k = len(sums)
    for e in range(len(ops)):
        if ops[e] == LEARN:
            continue
        known, best = False, 0
        sums[:] = 0.0
        for i in range(len(votes)):
            if votes[i, e, k] > 0:
                known = True
                for c in range(k):
                    sums[c] += votes[i, e, c]
        for c in range(1, k):
            if sums[c] > sums[best]:
                best = c
        label[e] = best if known else -1
        if len(proba):
            to_probabilities(sums, not known, proba, e)
