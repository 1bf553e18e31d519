"""HoeffdingAdaptiveTree: the Hoeffding adaptive tree (Bifet & Gavaldà 2009), as in MOA."""

from __future__ import annotations

import math
from typing import Final, NamedTuple

import numpy as np

from streamgauge._support.jit import inlined, lean_inner, lean_kernel
from streamgauge._support.rng import poisson, poisson_steps
from streamgauge._support.types import LEARN, Floats, Longs, Schema
from streamgauge.detectors.adwin_pool import (
    Windows,
    empty,
    error_rate,
    feed,
    more_windows,
    new_windows,
    width,
)
from streamgauge.learners._probabilities import to_probabilities
from streamgauge.learners.base import Events, state_bytes
from streamgauge.learners.trees._growth import teach
from streamgauge.learners.trees._leaves import vote, weigh
from streamgauge.learners.trees._nodes import (
    INACTIVE,
    LEAF,
    Pools,
    branch,
    find,
    give_up_siblings,
    list_branch,
    longer,
    move,
    new_tree,
    release,
    room_for,
    twice,
    vacate,
)
from streamgauge.learners.trees._params import LeafPrediction, Rule, SplitCriterion
from streamgauge.learners.trees.hoeffding_tree import HoeffdingTree

_DELTA: Final = 0.002  # of the windows
_LONG_ENOUGH: Final = 300  # errors in both windows before a branch and its rival are compared
_SIGNIFICANCE: Final = 0.05  # at which they are


class _Watch(NamedTuple):
    """Beside every node: the window of its errors, and its rival."""

    window: Longs  # [node]: its window + 1, 0 = none yet
    rival: Longs  # [node]: the node of a leaf that may take its place; 0, the root, = none
    free: Longs  # a stack of windows
    used: Longs  # [free windows]
    windows: Windows
    lots: Floats  # how often a leaf learns a row


class HoeffdingAdaptiveTree(HoeffdingTree):
    """Hoeffding adaptive tree: a Hoeffding tree that replaces branches whose errors increase.

    Every node keeps an adaptive window of the errors made below it. Where the errors of a split
    increase, an alternate leaf starts. It replaces the branch when it is significantly better or,
    as in MOA, as soon as it would split; when it is significantly worse it is dropped. A leaf
    learns a row with a Poisson(1) weight, at least 1. Defaults are those of the Hoeffding tree.

    Parameters
    ----------
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
    """

    def __init__(
        self,
        grace_period: int = 200,
        delta: float = 1e-3,
        tau: float = 0.05,
        leaf_prediction: LeafPrediction = "nba",
        split_criterion: SplitCriterion = "info_gain",
    ) -> None:
        super().__init__(grace_period, delta, tau, leaf_prediction, split_criterion)

    def start(self, schema: Schema, seed: int) -> None:
        super().start(schema, seed)
        none = np.empty(0, np.int64)
        lots = poisson_steps(1.0)
        self._watch = _Watch(none, none, none, np.zeros(1, np.int64), new_windows(0), lots)
        self._watch_more()

    @property
    def nbytes(self) -> int:
        own = self._watch
        return super().nbytes + state_bytes(own.windows) + state_bytes((*own[:4], own.lots))

    def play(self, events: Events) -> None:
        done = 0
        while True:
            rest = events.cut(done, len(events.ops))
            done += _play(rest, self._pools, self._rule, self._watch)
            if done == len(events.ops):
                return
            self._pools = twice(self._pools)
            self._watch_more()

    def _watch_more(self) -> None:
        """A window for every node that there is room for."""
        window, rival, free, used, windows, lots = self._watch
        nodes = len(self._pools.nodes.kind)
        more = nodes - len(window)
        fresh = np.concatenate([free[: used[0]], np.arange(len(window), nodes)])
        self._watch = _Watch(
            longer(window, more), longer(rival, more), longer(fresh, nodes - len(fresh)),
            used + more, more_windows(windows, more), lots,
        )  # fmt: skip


@inlined
def _error_of(watch: _Watch, node: int) -> float:
    return error_rate(watch.windows, watch.window[node] - 1)


@inlined
def _note(watch: _Watch, node: int, wrong: bool) -> bool:
    """A node's window learns of an answer; did errors increase?"""
    if watch.window[node] == 0:
        watch.used[0] -= 1
        watch.window[node] = watch.free[watch.used[0]] + 1
        empty(watch.windows, watch.window[node] - 1)
    before = _error_of(watch, node)
    changed = feed(watch.windows, watch.window[node] - 1, 1.0 if wrong else 0.0, _DELTA)
    return changed and not before > _error_of(watch, node)


@lean_inner
def _forget_window(watch: _Watch, node: int) -> None:
    if watch.window[node] > 0:
        watch.free[watch.used[0]] = watch.window[node] - 1
        watch.used[0] += 1
        watch.window[node] = 0


@lean_inner
def _drop_rival(pools: Pools, watch: _Watch, node: int) -> None:
    rival = watch.rival[node]
    if rival > 0:
        watch.rival[node] = 0
        _forget_window(watch, rival)
        if pools.nodes.kind[rival] == LEAF:
            release(pools, rival)
        give_up_siblings(pools, rival, 1)


@lean_inner
def _replace(pools: Pools, rule: Rule, watch: _Watch, node: int) -> None:
    """A rival takes its node's place."""
    rival = watch.rival[node]
    watch.rival[node] = 0
    for i in range(list_branch(pools, rule.sizes, node)):
        _forget_window(watch, pools.scratch.queue[i])
        _drop_rival(pools, watch, pools.scratch.queue[i])
    vacate(pools, rule.sizes, node)
    move(pools, rival, node)
    watch.window[node] = watch.window[rival]
    watch.window[rival] = 0


@inlined
def _lead(watch: _Watch, node: int) -> int:
    """1 if a node's rival is significantly better, -1 if worse, 0 if that is not known."""
    rival = watch.rival[node]
    if rival == 0 or watch.window[rival] == 0:
        return 0
    own = width(watch.windows, watch.window[node] - 1)
    other = width(watch.windows, watch.window[rival] - 1)
    if own <= _LONG_ENOUGH or other <= _LONG_ENOUGH:
        return 0
    error = _error_of(watch, node)
    spread = 2.0 * error * (1.0 - error) * math.log(2.0 / _SIGNIFICANCE)
    bound = math.sqrt(spread * (1.0 / other + 1.0 / own))
    gain = error - _error_of(watch, rival)
    return 1 if bound < gain else (-1 if bound < -gain else 0)


@inlined
def _teach(
    pools: Pools, rule: Rule, watch: _Watch, node: int, X: Floats, row: int, c: int, w: float,
    answer: int, by_bayes: bool,
) -> bool:  # fmt: skip
    """A leaf learns a row that it answered so; did it split?"""
    _note(watch, node, max(answer, 0) != c)
    w *= max(1.0, poisson(pools.room.rng, watch.lots))
    split = teach(pools, rule, node, X, row, c, w, answer if by_bayes else -1)
    if split:
        _forget_window(watch, node)
    return split


@inlined
def _challenge(pools: Pools, rule: Rule, watch: _Watch, node: int, changed: bool) -> bool:
    """Where errors increase a rival starts; does the one there is take its node's place?"""
    if changed:
        _drop_rival(pools, watch, node)
        watch.rival[node] = new_tree(pools)
        return False
    lead = _lead(watch, node)
    if lead > 0:
        _replace(pools, rule, watch, node)
    elif lead < 0:
        _drop_rival(pools, watch, node)
    return lead > 0


@lean_inner
def _vote_at(pools: Pools, rule: Rule, leaf: int, X: Floats, row: int) -> tuple[int, bool]:
    """The answer of this very leaf; asked for seldom, and so no part of what happens every row."""
    return vote(pools, rule, leaf, leaf, X, row, False)


@inlined
def _learn(
    pools: Pools, rule: Rule, watch: _Watch, X: Floats, row: int, c: int, w: float, answer: int,
    by_bayes: bool,
) -> None:  # fmt: skip
    """A row that the tree answered so goes down it: every split notes the error, its rival learns,
    then the leaf does."""
    nodes, node, own = pools.nodes, 0, True
    wrong, stays = max(answer, 0) != c, False
    while nodes.kind[node] > INACTIVE:
        changed = _note(watch, node, wrong)
        if changed or watch.rival[node] > 0:
            if _challenge(pools, rule, watch, node, changed):
                own = False
                break
            rival = watch.rival[node]
            if rival > 0:
                other, others = vote(pools, rule, rival, rival, X, row, False)
                if _teach(pools, rule, watch, rival, X, row, c, w, other, others):
                    _replace(pools, rule, watch, node)
                    stays = True
                    break
        value = X[row, nodes.feature[node]]
        if np.isnan(value):
            stays = True
            break
        node = branch(nodes, node, value)
    if not stays:
        total, _ = weigh(nodes.counts, node)
        if not own or total == 0:  # the tree's answer was not this leaf's
            answer, by_bayes = _vote_at(pools, rule, node, X, row)
        _teach(pools, rule, watch, node, X, row, c, w, answer, by_bayes)


@inlined
def _has_room(pools: Pools, X: Floats, row: int) -> bool:
    """For a rival at every split that a row comes down, and a split of each."""
    nodes, node, depth = pools.nodes, 0, 0
    while nodes.kind[node] > INACTIVE and not np.isnan(X[row, nodes.feature[node]]):
        node = branch(nodes, node, X[row, nodes.feature[node]])
        depth += 1
    return room_for(pools, 2 * depth + 2)


@lean_kernel
def _play(events: Events, pools: Pools, rule: Rule, watch: _Watch) -> int:
    """Go through the events until there is no room for what one might need; how many were done."""
    X, y, ops, slots, _, weight, label, proba = events
    asked, answer, by_bayes = -1, -1, False
    for e in range(len(ops)):
        row, w = slots[e], weight[e]
        learns = ops[e] == LEARN
        if learns and w == 0:
            continue
        if asked != row:
            node, above = find(pools.nodes, 0, X, row)
            answer, by_bayes = vote(pools, rule, node, above, X, row, len(proba) > 0)
        if learns:
            asked = -1
            if not (room_for(pools, 24) or _has_room(pools, X, row)):
                return e
            _learn(pools, rule, watch, X, row, y[row], w, answer, by_bayes)
            continue
        asked = row
        label[e] = answer
        if len(proba):
            to_probabilities(pools.scratch.votes, answer < 0, proba, e)
    return len(ops)
