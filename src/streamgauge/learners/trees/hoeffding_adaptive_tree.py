"""HoeffdingAdaptiveTree: the Hoeffding adaptive tree (Bifet & Gavaldà 2009), as in MOA."""

from __future__ import annotations

import math
from typing import Final, NamedTuple

import numpy as np

from streamgauge._support.jit import inlined, lean_inner, lean_kernel
from streamgauge._support.rng import poisson, poisson_steps
from streamgauge._support.types import LEARN, Floats, Longs, Schema
from streamgauge.detectors.adwin_pool import (
    AdwinPool,
    more_adwins,
    new_adwins,
    reset_window,
    update_window,
    window_mean,
    window_width,
)
from streamgauge.learners._parameters import Delta, GracePeriod, LeafPrediction, SplitCriterion, Tau
from streamgauge.learners._probabilities import normalise_votes
from streamgauge.learners.base import Events, state_bytes
from streamgauge.learners.trees._growth import learn_at
from streamgauge.learners.trees._leaves import total_and_majority, vote
from streamgauge.learners.trees._nodes import (
    INACTIVE,
    LEAF,
    Pools,
    child_for,
    depth_of,
    descend,
    doubled,
    has_room_for,
    list_subtree,
    move_tree,
    new_tree,
    release_leaf,
    release_siblings,
    release_subtree,
)
from streamgauge.learners.trees._params import TreeParams
from streamgauge.learners.trees._tables import padded
from streamgauge.learners.trees.hoeffding_tree import HoeffdingTree

_WINDOW_DELTA: Final = 0.002
_MIN_ERRORS: Final = 300  # in both windows before a branch is compared with its alternate
_SIGNIFICANCE: Final = 0.05  # of that comparison


class _Adaptation(NamedTuple):
    """Error windows and alternates of all nodes."""

    window: Longs  # [node]: its window + 1, 0 if none
    alternate: Longs  # [node]: root of its alternate, 0 (the root of the tree) if none
    free_windows: Longs  # a stack
    n_free: Longs  # one entry: windows on the stack
    windows: AdwinPool
    poisson_steps: Floats  # of the random row weights


class HoeffdingAdaptiveTree(HoeffdingTree):
    """Hoeffding adaptive tree: a Hoeffding tree that replaces branches whose errors increase.

    Every node keeps an adaptive window of the errors made below it. Where the errors of a split
    increase, an alternate leaf starts. It replaces the branch when it is significantly better or,
    as in MOA, as soon as it would split; when it is significantly worse it is dropped. A leaf
    learns a row with a Poisson(1) weight, at least 1. Defaults are those of the Hoeffding tree.

    References
    ----------
    bifet2009 (docs/bibliography.md)

    Examples
    --------
    >>> import streamgauge as sg
    >>> concepts = [sg.STAGGER(1500, seed=1), sg.STAGGER(1500, seed=2, classification_function=2)]
    >>> stream = sg.splice(concepts, at=[1500])
    >>> for run in sg.evaluate(stream, [sg.HoeffdingTree(), sg.HoeffdingAdaptiveTree()]):
    ...     print(f"{run.name}: {run.summary['accuracy']:.3f}")
    HoeffdingTree: 0.706
    HoeffdingAdaptiveTree: 0.929
    """

    def __init__(
        self,
        grace_period: GracePeriod = 200,
        delta: Delta = 1e-3,
        tau: Tau = 0.05,
        leaf_prediction: LeafPrediction = "nba",
        split_criterion: SplitCriterion = "info_gain",
    ) -> None:
        super().__init__(grace_period, delta, tau, leaf_prediction, split_criterion)

    @property
    def random(self) -> bool:  # type: ignore[override]
        """Whether it draws how often an alternate tree learns a row."""
        return True

    def start(self, schema: Schema, seed: int) -> None:
        super().start(schema, seed)
        none = np.empty(0, np.int64)
        self._adaptation = _Adaptation(
            none, none, none, np.zeros(1, np.int64), new_adwins(0), poisson_steps(1.0)
        )
        self._add_windows()

    @property
    def nbytes(self) -> int:
        own = self._adaptation
        return (
            super().nbytes + state_bytes(own.windows) + state_bytes((*own[:4], own.poisson_steps))
        )

    def play(self, events: Events) -> None:
        done = 0
        while True:
            rest = events.cut(done, len(events.ops))
            done += _play(rest, self._pools, self._params, self._adaptation)
            if done == len(events.ops):
                return
            self._pools = doubled(self._pools)
            self._add_windows()

    def _add_windows(self) -> None:
        """Add windows until every allocated node can have one."""
        window, alternate, free, n_free, windows, steps = self._adaptation
        nodes = len(self._pools.nodes.kind)
        more = nodes - len(window)
        free = np.concatenate([free[: n_free[0]], np.arange(len(window), nodes)])
        self._adaptation = _Adaptation(
            padded(window, more), padded(alternate, more), padded(free, nodes - len(free)),
            n_free + more, more_adwins(windows, more), steps,
        )  # fmt: skip


@inlined
def _error_rate(adaptation: _Adaptation, node: int) -> float:
    """Return the error rate in a node's window."""
    return window_mean(adaptation.windows, adaptation.window[node] - 1)


@inlined
def _add_error(adaptation: _Adaptation, node: int, wrong: bool) -> bool:
    """Add a result to a node's window; return whether errors increased."""
    windows, window, n_free = adaptation.windows, adaptation.window, adaptation.n_free
    if window[node] == 0:
        n_free[0] -= 1
        window[node] = adaptation.free_windows[n_free[0]] + 1
        reset_window(windows, window[node] - 1)
    before = _error_rate(adaptation, node)
    changed = update_window(windows, window[node] - 1, 1.0 if wrong else 0.0, _WINDOW_DELTA)
    return changed and not before > _error_rate(adaptation, node)


@lean_inner
def _release_window(adaptation: _Adaptation, node: int) -> None:
    """Put a node's window back on the stack."""
    window, n_free = adaptation.window, adaptation.n_free
    if window[node] > 0:
        adaptation.free_windows[n_free[0]] = window[node] - 1
        n_free[0] += 1
        window[node] = 0


@lean_inner
def _drop_alternate(pools: Pools, adaptation: _Adaptation, node: int) -> None:
    """Release a node's alternate, which is a single leaf."""
    alternate = adaptation.alternate[node]
    if alternate > 0:
        adaptation.alternate[node] = 0
        _release_window(adaptation, alternate)
        if pools.nodes.kind[alternate] == LEAF:
            release_leaf(pools, alternate)
        release_siblings(pools, alternate, 1)


@lean_inner
def _replace(pools: Pools, params: TreeParams, adaptation: _Adaptation, node: int) -> None:
    """Replace a branch by its alternate."""
    alternate, queue = adaptation.alternate[node], pools.scratch.queue
    adaptation.alternate[node] = 0
    for i in range(list_subtree(pools, params.cardinality, node)):
        _release_window(adaptation, queue[i])
        _drop_alternate(pools, adaptation, queue[i])
    release_subtree(pools, params.cardinality, node)
    move_tree(pools, alternate, node)
    adaptation.window[node] = adaptation.window[alternate]
    adaptation.window[alternate] = 0


@inlined
def _compare(adaptation: _Adaptation, node: int) -> int:
    """Return 1 if a node's alternate is significantly better, -1 if worse, 0 if undecided."""
    alternate = adaptation.alternate[node]
    if alternate == 0 or adaptation.window[alternate] == 0:
        return 0
    own_width = window_width(adaptation.windows, adaptation.window[node] - 1)
    its_width = window_width(adaptation.windows, adaptation.window[alternate] - 1)
    if own_width <= _MIN_ERRORS or its_width <= _MIN_ERRORS:
        return 0
    error = _error_rate(adaptation, node)
    spread = 2.0 * error * (1.0 - error) * math.log(2.0 / _SIGNIFICANCE)
    bound = math.sqrt(spread * (1.0 / its_width + 1.0 / own_width))
    gain = error - _error_rate(adaptation, alternate)
    return 1 if bound < gain else (-1 if bound < -gain else 0)


@inlined
def _learn_at(
    pools: Pools, params: TreeParams, adaptation: _Adaptation, node: int, X: Floats, row: int,
    y: int, w: float, predicted: int, by_bayes: bool,
) -> bool:  # fmt: skip
    """Train a leaf with a row for which it predicted this; return whether it split."""
    _add_error(adaptation, node, max(predicted, 0) != y)
    w *= max(1.0, poisson(pools.allocator.rng, adaptation.poisson_steps))
    split = learn_at(pools, params, node, X, row, y, w, predicted if by_bayes else -1)
    if split:
        _release_window(adaptation, node)
    return split


@inlined
def _update_alternate(
    pools: Pools, params: TreeParams, adaptation: _Adaptation, node: int, drift: bool
) -> bool:
    """Start, drop or install a node's alternate; return whether it replaced the branch."""
    if drift:
        _drop_alternate(pools, adaptation, node)
        adaptation.alternate[node] = new_tree(pools)
        return False
    comparison = _compare(adaptation, node)
    if comparison > 0:
        _replace(pools, params, adaptation, node)
    elif comparison < 0:
        _drop_alternate(pools, adaptation, node)
    return comparison > 0


@lean_inner
def _vote_at(pools: Pools, params: TreeParams, leaf: int, X: Floats, row: int) -> tuple[int, bool]:
    """Return the vote of a leaf. It is needed rarely, so it is not inlined."""
    return vote(pools, params, leaf, leaf, X, row, False)


@inlined
def _learn(
    pools: Pools, params: TreeParams, adaptation: _Adaptation, X: Floats, row: int, y: int,
    w: float, predicted: int, by_bayes: bool,
) -> None:  # fmt: skip
    """Train the tree with a row for which it predicted this.

    On the way down every split adds the error to its window and its alternate learns, then the leaf
    learns.
    """
    nodes, node, own_vote = pools.nodes, 0, True
    wrong, done = max(predicted, 0) != y, False
    while nodes.kind[node] > INACTIVE:
        drift = _add_error(adaptation, node, wrong)
        if drift or adaptation.alternate[node] > 0:
            if _update_alternate(pools, params, adaptation, node, drift):
                own_vote = False
                break
            alternate = adaptation.alternate[node]
            if alternate > 0:
                its_vote, its_bayes = vote(pools, params, alternate, alternate, X, row, False)
                if _learn_at(
                    pools, params, adaptation, alternate, X, row, y, w, its_vote, its_bayes
                ):
                    _replace(pools, params, adaptation, node)
                    done = True
                    break
        value = X[row, nodes.feature[node]]
        if np.isnan(value):
            done = True
            break
        node = child_for(nodes, node, value)
    if not done:
        total, _ = total_and_majority(nodes.counts, node)
        if not own_vote or total == 0:  # the tree's prediction was not this leaf's
            predicted, by_bayes = _vote_at(pools, params, node, X, row)
        _learn_at(pools, params, adaptation, node, X, row, y, w, predicted, by_bayes)


@inlined
def _has_room(pools: Pools, X: Floats, row: int) -> bool:
    """Return whether there is room for an alternate and its split at every node of a row's path."""
    return has_room_for(pools, 2 * depth_of(pools.nodes, X, row) + 2)


@lean_kernel
def _play(events: Events, pools: Pools, params: TreeParams, adaptation: _Adaptation) -> int:
    """Work through the events until there might be too little room; return how many are done."""
    X, y, ops, slots, _, weight, label, proba = events
    predicted_row, predicted, by_bayes = -1, -1, False
    for e in range(len(ops)):
        row, w = slots[e], weight[e]
        learns = ops[e] == LEARN
        if learns and w == 0:
            continue
        if predicted_row != row:
            node, parent = descend(pools.nodes, 0, X, row)
            predicted, by_bayes = vote(pools, params, node, parent, X, row, len(proba) > 0)
        if learns:
            predicted_row = -1
            if not (has_room_for(pools, 24) or _has_room(pools, X, row)):
                return e
            _learn(pools, params, adaptation, X, row, y[row], w, predicted, by_bayes)
            continue
        predicted_row = row
        label[e] = predicted
        if len(proba):
            normalise_votes(pools.scratch.votes, predicted < 0, proba, e)
    return len(ops)
