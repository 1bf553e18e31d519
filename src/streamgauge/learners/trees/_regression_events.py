"""Runs events on a regression tree, alone or in a forest: predicts and learns row by row."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from streamgauge._support.index import as_index
from streamgauge._support.jit import inlined, lean_kernel
from streamgauge._support.rng import poisson, poisson_steps
from streamgauge._support.types import LEARN, Floats
from streamgauge.detectors.adwin_pool import (
    AdwinPool,
    detects_increase,
    new_adwins,
    reset_window,
)
from streamgauge.learners._rows import clear_row, copy_row
from streamgauge.learners.base import Events
from streamgauge.learners.trees._regression_alternates import (
    MAIN,
    Routes,
    find_route,
    new_routes,
    predict_learned_row,
)
from streamgauge.learners.trees._regression_learning import learn_row, make_room, reserve
from streamgauge.learners.trees._regression_leaves import predict_at
from streamgauge.learners.trees._regression_nodes import (
    SCALE_WEIGHT,
    Trees,
    compacted,
    new_root,
)
from streamgauge.learners.trees._regression_params import RegressionParams
from streamgauge.learners.trees._regression_scales import normalise

# Windows of Ensembling.windows.
_WARNING: Final = 0
_DRIFT: Final = 1

# Trees of a member.
_FOREGROUND: Final = 0
_BACKGROUND: Final = 1


class Ensembling(NamedTuple):
    """What a tree needs to be a member of a forest."""

    poisson_steps: Floats  # of the random row weights; empty for a tree outside a forest
    windows: AdwinPool  # of its predictions, for warnings and drifts
    warning_delta: float
    drift_delta: float


class RegressionMember(NamedTuple):
    """A regression tree, alone or in a forest."""

    trees: Trees
    params: RegressionParams
    ensembling: Ensembling


def alone() -> Ensembling:
    """Return the settings of a tree outside a forest."""
    return Ensembling(np.empty(0), new_adwins(2), 0.0, 0.0)


def in_forest(mean_weight: float, warning_delta: float, drift_delta: float) -> Ensembling:
    """Return the settings of a forest's member whose row weights are Poisson distributed."""
    return Ensembling(poisson_steps(mean_weight), new_adwins(2), warning_delta, drift_delta)


def play_all(events: Events, member: RegressionMember) -> RegressionMember:
    """Work through all events, enlarging the arrays as needed; return the member."""
    done = 0
    while True:
        z = np.empty(member.trees.leaves.perceptron.shape[1])
        done += _play(events.cut(done, len(events.ops)), *member, new_routes(member.trees), z)
        if done == len(events.ops):
            return member
        member = member._replace(trees=compacted(member.trees))


@lean_kernel
def _play(
    events: Events,
    trees: Trees,
    params: RegressionParams,
    ensembling: Ensembling,
    routes: Routes,
    z: Floats,
) -> int:
    """Work through the events until the arrays might be too small; return how many are done.

    `z` takes the normalised features of the current row, if leaves have perceptrons.
    """
    X, y, ops, slots, _, weight, label, _ = events
    root, rng, steps = trees.root, trees.rng, ensembling.poisson_steps
    # The rows that z and the route belong to, if nothing was learned since.
    normalised, routed = -1, -1
    for e in range(len(ops)):
        row, learns = as_index(slots[e]), ops[e] == LEARN
        if learns and weight[e] == 0:
            continue
        if len(z) > 0 and normalised != row:
            normalise(X, row, trees.feature_scale, z)
            normalised = row
        if not learns:
            label[e] = np.nan
            if trees.target_scale[_FOREGROUND, SCALE_WEIGHT] > 0:
                find_route(trees, routes, _FOREGROUND, X, row)
                routed = row
                label[e] = predict_at(trees, _FOREGROUND, routes.leaf[_FOREGROUND, MAIN], z)
            continue

        # Nothing is learned before all trees have room for the row.
        if not make_room(trees):
            return e
        if root[_FOREGROUND] < 0:
            root[_FOREGROUND] = new_root(trees, _FOREGROUND, 0)
        rng_state = rng[0]
        times = poisson(rng, steps) if len(steps) > 0 else 1.0
        if times == 0:
            continue
        for t in range(len(root)):
            if root[t] >= 0:
                w = weight[e] * (times if t == _FOREGROUND else 1.0)
                if t != _FOREGROUND or routed != row:
                    find_route(trees, routes, t, X, row)
                if not reserve(trees, params, routes, t, w):
                    rng[0] = rng_state
                    return e
        for t in range(len(root)):
            if root[t] >= 0:
                w = weight[e] * (times if t == _FOREGROUND else 1.0)
                learn_row(trees, params, routes, t, X, row, z, y[row], w)
        normalised, routed = -1, -1
        if len(steps) > 0:
            _watch(trees, ensembling, predict_learned_row(trees, routes, _FOREGROUND, X, row, z))
    return len(ops)


@inlined
def _watch(trees: Trees, ensembling: Ensembling, prediction: float) -> None:
    """Feed a prediction to the two ADWINs: on a warning a background tree starts, on a drift it
    replaces the tree."""
    root, scale, windows = trees.root, trees.target_scale, ensembling.windows
    if detects_increase(windows, _WARNING, prediction, ensembling.warning_delta):
        root[_BACKGROUND] = new_root(trees, _BACKGROUND, 0)
        clear_row(scale, _BACKGROUND)
        reset_window(windows, _WARNING)
    if detects_increase(windows, _DRIFT, prediction, ensembling.drift_delta):
        if root[_BACKGROUND] >= 0:
            reset_window(windows, _WARNING)
        else:
            root[_BACKGROUND] = new_root(trees, _BACKGROUND, 0)
        root[_FOREGROUND] = root[_BACKGROUND]
        copy_row(scale, _BACKGROUND, scale, _FOREGROUND)
        root[_BACKGROUND] = -1
        clear_row(scale, _BACKGROUND)
        reset_window(windows, _DRIFT)
