"""Streaming gradient boosting: every step's trees learn what the steps before them leave over.

A step learns a row from the scores of earlier steps for that row alone, never from later steps. So
each tree is played over a whole block of events, and blocks pass from stage to stage as in a
pipeline: stage 1 may play block 2 while stage 2 plays block 1, with the same result.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import combinations
from typing import Final, NamedTuple

import numpy as np

from streamgauge._support.cpu_clock import helpers
from streamgauge._support.jit import inlined, lean_kernel
from streamgauge._support.rng import Rng, new_rng, poisson, poisson_steps
from streamgauge._support.types import LEARN, Codes, Floats, Longs, Schema
from streamgauge.learners.base import Events
from streamgauge.learners.ensembles._features import MaxFeatures, count_features
from streamgauge.learners.trees._nodes import INACTIVE
from streamgauge.learners.trees._regression_alternates import (
    MAIN,
    Routes,
    find_route,
    new_routes,
)
from streamgauge.learners.trees._regression_learning import learn_row, make_room, reserve
from streamgauge.learners.trees._regression_leaves import find_leaf, predict_at
from streamgauge.learners.trees._regression_nodes import (
    SCALE_WEIGHT,
    Trees,
    compacted,
    new_root,
    tree_bytes,
    trees_in_subspaces,
)
from streamgauge.learners.trees._regression_params import RegressionParams

REGRESSION: Final = -1  # in place of a class
_STAGES = 4  # of a booster: as many threads can work on it
_BUFFER_ROWS = 16
_FEW_FEATURES = 20  # up to which all subspaces are listed, so that none is drawn too often
_BLOCK_EVENTS = 1 << 12  # in a pipeline
_MOST_SCORES = 1 << 21  # events times boosters, kept at a time
_MAX_SCORE: Final = 9.2  # a probability of 0.9999: residuals of surer classes would be unbounded

# Columns of the table of an agenda's scores, one row per event.
SCORE: Final = 0  # sum of the steps done
_TOTAL: Final = 1  # sum of the current step's trees
KNOWN: Final = 2  # 0 if nothing has been learned
_N_COLUMNS: Final = 3

# Entries of the place at which a stage stopped.
_TREE: Final = 0
_EVENT: Final = 1


class Boosting(NamedTuple):
    """The settings that all boosters of an ensemble share."""

    learning_rate: float
    bag_size: int  # trees per step
    poisson_steps: Floats  # of the random row weights in a bag; empty if a step is a single tree
    tree: RegressionParams


class Stage(NamedTuple):
    """Some steps of a booster, whose trees share arrays; a step's trees follow each other."""

    trees: Trees
    rngs: Rng  # [tree]
    positive: int  # the class that it tells from all others; REGRESSION if it has a target


Booster = list[Stage]


def with_bags_of(bag_size: int, learning_rate: float, tree: RegressionParams) -> Boosting:
    """Return the settings of boosters whose steps are bags of this size."""
    weights = poisson_steps(1.0) if bag_size > 1 else np.empty(0)
    return Boosting(learning_rate, bag_size, weights, tree)


def new_booster(
    schema: Schema, subspaces: Codes, bag_size: int, positive: int, seed: int
) -> Booster:
    """Return a booster that has learned nothing; `subspaces` has a row of features per step."""
    stages = []
    for steps in np.array_split(np.arange(len(subspaces)), min(_STAGES, len(subspaces))):
        own = np.repeat(subspaces[steps], bag_size, axis=0)
        rngs = [new_rng(seed, int(step), i) for step in steps for i in range(bag_size)]
        trees = trees_in_subspaces(schema, own, _BUFFER_ROWS, seed)
        stages.append(Stage(trees, np.concatenate(rngs), positive))
    return stages


def draw_subspaces(d: int, n_steps: int, max_features: MaxFeatures, seed: int) -> Codes:
    """Return for each step the features that it uses, ascending.

    Of few features all subspaces are used equally often.
    """
    size = min(d, max(2, count_features(max_features, d)))
    random = np.random.default_rng(seed)
    if d <= _FEW_FEATURES:
        every = np.array(list(combinations(range(d), size)), np.int32)
        drawn = random.permutation(max(len(every), n_steps))[:n_steps] % len(every)
        return np.ascontiguousarray(every[drawn])
    rows = [np.sort(random.permutation(d)[:size]) for _ in range(n_steps)]
    return np.array(rows, np.int32)


def booster_bytes(booster: Booster) -> int:
    """Return the size of a booster's arrays."""
    return sum(tree_bytes(stage.trees) + stage.rngs.nbytes for stage in booster)


def play_boosters(
    events: Events, boosters: list[Booster], settings: Boosting, n_jobs: int
) -> Iterator[tuple[Events, Floats]]:
    """Play the boosters over parts of the events; yield each part and its tables of scores."""
    size = max(1, _MOST_SCORES // len(boosters))
    for part in events.parts(size):
        scores = np.zeros((len(boosters), len(part.ops), _N_COLUMNS))
        if n_jobs == 1:
            for booster, own in zip(boosters, scores, strict=True):
                for i in range(len(booster)):
                    booster[i] = _play_stage(part, own, booster[i], settings)
        else:
            _play_in_pipeline(part, scores, boosters, settings, n_jobs)
        yield part, scores


def _play_in_pipeline(
    events: Events, scores: Floats, boosters: list[Booster], settings: Boosting, n_jobs: int
) -> None:
    """Play stage i over block b as soon as the stage before has done b, and it has done b - 1."""

    def play_block(job: tuple[int, int, int]) -> None:
        booster, i, block = boosters[job[0]], job[1], job[2] * _BLOCK_EVENTS
        own = scores[job[0], block : block + _BLOCK_EVENTS]
        part = events.cut(block, block + _BLOCK_EVENTS)
        booster[i] = _play_stage(part, own, booster[i], settings)

    n_blocks = max(1, -(-len(events.ops) // _BLOCK_EVENTS))
    n_stages = len(boosters[0])
    with helpers(n_jobs) as each:
        for wave in range(n_blocks + n_stages - 1):
            jobs = [
                (b, i, wave - i)
                for i in range(n_stages)
                if 0 <= wave - i < n_blocks
                for b in range(len(boosters))
            ]
            list(each(play_block, jobs))


def _play_stage(events: Events, scores: Floats, stage: Stage, settings: Boosting) -> Stage:
    """Work through all events, enlarging the arrays as needed; return the stage."""
    place, z = np.zeros(2, np.int64), np.empty(0)
    while not _play(events, scores, stage, settings, new_routes(stage.trees), z, place):
        stage = stage._replace(trees=compacted(stage.trees))
    return stage


@lean_kernel
def _play(
    events: Events, scores: Floats, stage: Stage, settings: Boosting, routes: Routes, z: Floats,
    place: Longs,
) -> bool:  # fmt: skip
    """Play tree after tree over the events, from `place` on.

    Returns False if the arrays might be too small; `place` then says where to continue.
    """
    X, y, ops, slots, _, weight, _, _ = events
    trees, rngs, positive = stage
    root, steps = trees.root, settings.poisson_steps
    for t in range(place[_TREE], len(root)):
        trees.rng[0] = rngs[t]
        routed = -1  # an event whose route is known: its row is that of the event before
        for e in range(place[_EVENT], len(ops)):
            row, learns = slots[e], ops[e] == LEARN
            if learns and weight[e] == 0:
                continue
            if root[t] >= 0 and routed != e:
                find_route(trees, routes, t, X, row)
            routed = -1
            if learns:
                rng_state = trees.rng[0]
                times = poisson(trees.rng, steps) if len(steps) > 0 else 1.0
                if trees.target_scale[t, SCALE_WEIGHT] == 0:
                    times = max(1.0, times)  # or later steps would learn the whole target
                target = _residual(y[row], positive, scores[e, SCORE])
                if times > 0 and not _learn(
                    trees, settings.tree, routes, t, X, row, z, target, weight[e] * times
                ):
                    rngs[t] = rng_state
                    place[_TREE], place[_EVENT] = t, e
                    return False
            elif root[t] >= 0 and e + 1 < len(ops) and slots[e + 1] == row:
                routed = e + 1
            if root[t] >= 0:
                scores[e, _TOTAL] += predict_at(trees, t, routes.leaf[t, MAIN], z)
                scores[e, KNOWN] = 1.0
        rngs[t] = trees.rng[0]
        place[_EVENT] = 0
        if (t + 1) % settings.bag_size == 0:
            _add_step(scores, settings.learning_rate / settings.bag_size)
    return True


@inlined
def _learn(
    trees: Trees, params: RegressionParams, routes: Routes, t: int, X: Floats, row: int, z: Floats,
    target: float, w: float,
) -> bool:  # fmt: skip
    """Train tree `t` with a row whose route is known, and update its leaf.

    Returns False, and has learned nothing, if the arrays might be too small.
    """
    if not make_room(trees):
        return False
    if trees.root[t] < 0:
        trees.root[t] = new_root(trees, t, 0)
        find_route(trees, routes, t, X, row)
    if not reserve(trees, params, routes, t, w):
        return False
    learn_row(trees, params, routes, t, X, row, z, target, w)
    leaf = routes.leaf[t, MAIN]
    if leaf < 0 or trees.nodes.kind[leaf] > INACTIVE:  # replaced by an alternate, or split
        routes.leaf[t, MAIN] = find_leaf(trees.nodes, trees.root[t], X, row)
    return True


@inlined
def _residual(y: float, positive: int, score: float) -> float:
    """Return what a step is to learn: for a class the gradient of the log loss over its Hessian."""
    if positive == REGRESSION:
        return y - score
    bounded = min(_MAX_SCORE, max(-_MAX_SCORE, score))
    return 1 + math.exp(-bounded) if y == positive else -1 - math.exp(bounded)


@inlined
def _add_step(scores: Floats, share: float) -> None:
    """Add a step's total, times each tree's share in the score."""
    for e in range(len(scores)):
        scores[e, SCORE] += share * scores[e, _TOTAL]
        scores[e, _TOTAL] = 0.0
