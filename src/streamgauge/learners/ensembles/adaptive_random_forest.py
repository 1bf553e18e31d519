"""The adaptive random forest (Gomes et al. 2017), as in MOA."""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from typing import Final, Literal, NamedTuple

import numpy as np

from streamgauge._support.errors import UsageError, check_whole
from streamgauge._support.jit import inlined, kernel, lean_inner, lean_kernel
from streamgauge._support.rng import new_rng, poisson, poisson_steps
from streamgauge._support.types import LEARN, Flags, Floats, Longs, Schema, Targets
from streamgauge.detectors.adwin_pool import Windows, empty, new_windows, rises
from streamgauge.learners._probabilities import shares
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
from streamgauge.learners.trees._params import Criterion, Growth, Leaf, Rule

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
    """`n` Hoeffding trees. Each learns a row as often as a Poisson(`lam`) number says, and draws
    `features` for every leaf (a share of all, a number, or "sqrt": root of all + 1). An adaptive
    window (ADWIN) watches its errors: at confidence `warning` a tree is started in the background,
    at `drift` it takes its place. Votes are weighted by how often a tree was right.

    MOA draws the features of all trees by the same numbers, whatever the seed, so that their roots
    look at the same ones; `alike` does so too. The other parameters are the tree's; defaults are
    CapyMOA's, but for its 100 trees. With `jobs` threads the result is the same.
    """

    def __init__(
        self,
        n: int = 10,
        features: float | Literal["sqrt"] = 0.6,
        lam: float = 6.0,
        warning: float = 0.01,
        drift: float = 0.001,
        grace: int = 50,
        delta: float = 0.01,
        tie: float = 0.05,
        leaf: Leaf = "nba",
        criterion: Criterion = "info_gain",
        jobs: int = 1,
        alike: bool = False,
    ) -> None:
        self._growth = Growth(grace, delta, tie, leaf, criterion)
        self._given = {
            "n": n, "features": features, "lam": lam, "warning": warning, "drift": drift,
            **self._growth._asdict(), "jobs": jobs, "alike": alike,
        }  # fmt: skip
        for name, count in (("n", n), ("jobs", jobs)):
            check_whole(f"AdaptiveRandomForest({name})", count)
        if n < 1 or jobs < 1 or not 0 < lam < 1000 or not (0 < warning < 1 and 0 < drift < 1):
            raise UsageError(
                f"{self}: expected n >= 1, jobs >= 1, 0 < lam < 1000, 0 < warning < 1 and "
                "0 < drift < 1"
            )
        if features != "sqrt" and not (isinstance(features, int | float) and features > 0):
            raise UsageError(f"{self}: expected features above 0, or 'sqrt'")
        self._growth.check(repr(self))
        self._n, self._features, self._jobs = n, features, jobs
        self._habits = _Habits(float(warning), float(drift), poisson_steps(float(lam)))

    def start(self, schema: Schema, seed: int) -> None:
        self._schema = schema
        self._rule = self._growth.on(schema)
        m = _subspace(self._features, len(schema.features))
        alike = bool(self._given["alike"])
        self._members = [_new_member(schema, m, alike, seed, i) for i in range(self._n)]

    @property
    def nbytes(self) -> int:
        return sum(
            sum(map(state_bytes, member.pools)) + state_bytes(member.windows)
            for member in self._members
        )

    def play(self, events: Events) -> None:
        k = len(self._schema.classes)
        most = max(1, _CELLS // (self._n * (k + 1)))
        with ThreadPoolExecutor(self._jobs) as threads:
            each = threads.map if self._jobs > 1 else map
            for start in range(0, max(1, len(events.ops)), most):
                part = events.cut(start, min(start + most, len(events.ops)))
                votes = np.empty((self._n, len(part.ops), k + 1))
                list(each(self._ask, range(self._n), [part] * self._n, votes))
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
        shares(pools.scratch.votes, False, votes, e)
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
            shares(sums, not known, proba, e)
