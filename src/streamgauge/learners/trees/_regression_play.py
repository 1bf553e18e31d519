"""Regression trees go through events: down the tree, the answer, the lesson, rivals and drift."""

from __future__ import annotations

import math
from typing import Final, NamedTuple

import numpy as np

from streamgauge._support.jit import inlined, kernel
from streamgauge._support.rng import poisson, poisson_steps
from streamgauge._support.types import LEARN, Codes, Flags, Floats, Longs
from streamgauge.detectors.adwin_pool import Windows, empty, new_windows, rises
from streamgauge.learners._rows import clear_row, copy_row
from streamgauge.learners.base import Events
from streamgauge.learners.trees._nodes import INACTIVE, NUMERIC
from streamgauge.learners.trees._regression_nodes import (
    ERROR,
    JUDGED,
    LEAVES,
    LOSS,
    MIDDLE,
    NODES,
    ORIGIN,
    PH_LOW,
    PH_SUM,
    REACH,
    RIVAL_LOSS,
    SEEN,
    SQUARES,
    SUM,
    TOTAL,
    TRIED,
    WEIGHT,
    Trees,
    cleared,
    plant,
)
from streamgauge.learners.trees._regression_splits import Rule, consider
from streamgauge.learners.trees._target_bins import make_room, sort_in

_NODES_A_ROW: Final = 12  # two trees: a leaf splits, a rival's leaf splits, a rival or tree begins
_LEAVES_A_ROW: Final = 8
_FADING: Final = 0.995  # of the losses of a subtree and its rival
_COMPARE_EVERY: Final = 150.0  # weight between two looks at them
_WARNING: Final = 0  # windows
_DRIFT: Final = 1
_PATIENCE: Final = 1500.0  # weight after which a rival that is no better is given up


class Watch(NamedTuple):
    """What makes a tree a member of a forest; `steps` is empty if it is none."""

    steps: Floats  # Poisson's, for the weight of a row
    windows: Windows  # of its answers, for warnings and for drifts


class Member(NamedTuple):
    """A tree, or a forest's tree with what watches it."""

    trees: Trees
    rule: Rule
    watch: Watch
    warning: float  # confidences
    drift: float


def run_events(events: Events, member: Member) -> Member:
    """Play events to the end, making room where there is none."""
    done = 0
    while True:
        done += play(events.cut(done, len(events.ops)), *member)
        if done == len(events.ops):
            return member
        member = member._replace(trees=cleared(member.trees))


def new_watch(mean: float) -> Watch:
    """ADWINs that have seen nothing, and a lottery with this mean; 0 is none."""
    steps = poisson_steps(mean) if mean else np.empty(0)
    return Watch(steps, new_windows(2))


@inlined
def _branch(
    X: Floats, row: int, node: int, kind: Flags, feature: Codes, threshold: Floats,
    first_child: Longs, counts: Floats,
) -> int:  # fmt: skip
    """The child a row goes to; where the value is missing, the one that more have gone to."""
    value, first = X[row, feature[node]], first_child[node]
    if np.isnan(value):
        return int(first + (1 if counts[first + 1, WEIGHT] > counts[first, WEIGHT] else 0))
    if kind[node] == NUMERIC:
        return int(first + (0 if value <= threshold[node] else 1))
    return int(first + (0 if value == threshold[node] else 1))


@inlined
def _answer(
    node: int, t: int, counts: Floats, leaf_of: Longs, linear: Floats, before: Floats,
    target: Floats, z: Floats,
) -> float:  # fmt: skip
    """What a leaf says of the row whose normalised features are `z`."""
    leaf = leaf_of[node]
    if linear.shape[1] > 0:
        score = 0.0
        for j in range(len(z)):
            score += linear[leaf, j] * z[j]
        return float(target[t, MIDDLE] + target[t, REACH] * score)
    if counts[node, WEIGHT] > 0:
        return float(target[t, ORIGIN] + counts[node, SUM] / counts[node, WEIGHT])
    return float(target[t, ORIGIN] + before[leaf])


@inlined
def _normalise(X: Floats, row: int, spans: Floats, z: Floats) -> None:
    """A row in units of three deviations.

    Whatever is further off counts as one unit: a feature that was constant until now would be
    infinitely far.
    """
    d = len(z) - 1
    for j in range(d):
        off = (X[row, j] - spans[j, MIDDLE]) * spans[j, REACH]
        z[j] = 0.0 if np.isnan(off) else min(1.0, max(-1.0, off))
    z[d] = 1.0


@inlined
def _step(rate: float, norm: float, weight: float) -> float:
    """How far the perceptron goes for a row of this weight: as far as so many rows of weight 1 one
    after the other, and never beyond what the row asks for."""
    if rate * norm >= 1:
        return 1 / norm
    if weight == 1:
        return rate
    return float((1 - (1 - rate * norm) ** weight) / norm)


@inlined
def _widen(spans: Floats, i: int, value: float, weight: float) -> float:
    """Another value; three deviations."""
    if spans[i, SEEN] == 0:
        spans[i, ORIGIN] = value
    off = value - spans[i, ORIGIN]
    spans[i, SEEN] += weight
    spans[i, TOTAL] += weight * off
    spans[i, SQUARES] += weight * off * off
    mean = spans[i, TOTAL] / spans[i, SEEN]
    spans[i, MIDDLE] = spans[i, ORIGIN] + mean
    return float(3 * math.sqrt(max(0.0, spans[i, SQUARES] / spans[i, SEEN] - mean * mean)))


@kernel
def play(
    events: Events, trees: Trees, rule: Rule, watch: Watch,
    warning: float, drift: float,
) -> int:  # fmt: skip
    """Go through the events until there is no room for another row; how many were done.

    What happens on every row stands here in one piece: handing the trees' many arrays to another
    function for each row takes longer than the work. Splits are rare and have their own.
    """
    X, y, ops, slots, _, weight, label, _ = events
    root, target, spans, nodes, rival, leaves, bins, used, sizes, _, rng = trees
    kind, feature, threshold = nodes.kind, nodes.feature, nodes.threshold
    first_child, counts, leaf_of = nodes.first, nodes.counts, nodes.leaf
    features, linear, lessons, before = leaves
    waiting, waits = bins.waiting, bins.waits
    watched, is_linear, lottery = features.shape[1], linear.shape[1] > 0, len(watch.steps) > 0
    z = np.empty(linear.shape[1])
    path = np.empty((len(root), len(kind)), np.int64)
    depth, fork = np.empty(len(root), np.int64), np.empty(len(root), np.int64)
    ends = np.empty((len(root), 2), np.int64)  # of a row in each tree: its leaf, and the rival's
    asked = -1  # the row that z belongs to, if nothing was learned since
    for e in range(len(ops)):
        row, learns = slots[e], ops[e] == LEARN
        if learns and weight[e] == 0:
            continue
        if is_linear and asked != row:
            _normalise(X, row, spans, z)
            asked = row
        if not learns:
            label[e] = np.nan
            if target[0, SEEN] > 0:
                node = root[0]
                while kind[node] > INACTIVE:
                    node = _branch(X, row, node, kind, feature, threshold, first_child, counts)
                label[e] = _answer(node, 0, counts, leaf_of, linear, before, target, z)
            continue

        # Where the row comes to. Nothing is learned before all have room for it.
        if used[NODES] + _NODES_A_ROW > len(kind) or used[LEAVES] + _LEAVES_A_ROW > len(before):
            return e
        if root[0] < 0:
            root[0] = plant(trees)
        die = rng[0]
        luck = poisson(rng, watch.steps) if lottery else 1.0
        if luck == 0:
            continue
        for t in range(len(root)):
            if root[t] < 0:
                continue
            node, depth[t], fork[t], ends[t, 1] = root[t], 0, -1, -1
            while kind[node] > INACTIVE:
                if rival[node] >= 0 and fork[t] < 0:
                    fork[t] = depth[t]
                path[t, depth[t]] = node
                depth[t] += 1
                node = _branch(X, row, node, kind, feature, threshold, first_child, counts)
            ends[t, 0] = node
            if fork[t] >= 0:
                node = rival[path[t, fork[t]]]
                while kind[node] > INACTIVE:
                    node = _branch(X, row, node, kind, feature, threshold, first_child, counts)
                ends[t, 1] = node
            for side in range(2):
                end = ends[t, side]
                if end < 0:
                    continue
                leaf, due = leaf_of[end], counts[end, WEIGHT] - counts[end, JUDGED]
                due += weight[e] * (luck if t == 0 else 1.0)
                if waits[leaf] == waiting.shape[1] or due >= rule.grace:
                    if not make_room(bins, used, rule.bins, features, sizes, leaf):
                        rng[0] = die
                        return e
                    if waits[leaf] == waiting.shape[1]:
                        sort_in(bins, rule.bins, features, sizes, leaf)

        for t in range(len(root)):
            if root[t] < 0:
                continue
            w = weight[e] * (luck if t == 0 else 1.0)  # the tree in the background learns plainly
            seen, reach = target[t, SEEN], target[t, REACH]
            off = y[row] - (target[t, ORIGIN] if seen > 0 else y[row])
            main, other = ends[t, 0], ends[t, 1]
            miss, rival_miss = 0.0, 0.0
            if seen > 0:
                miss = y[row] - _answer(main, t, counts, leaf_of, linear, before, target, z)
                if other >= 0:
                    rival_miss = y[row] - _answer(
                        other, t, counts, leaf_of, linear, before, target, z
                    )
            error = abs(miss) / reach if reach > 0 else 0.0
            rival_error = abs(rival_miss) / reach if reach > 0 else 0.0

            # Down the splits: is one worse than it was? Is a rival better than it?
            grows, rival_learns = True, False
            for i in range(depth[t]):
                node = path[t, i]
                counts[node, WEIGHT] += w
                counts[node, SUM] += w * off
                counts[node, ERROR] += w * error
                if not grows:
                    counts[node, PH_SUM] = 0.0
                    counts[node, PH_LOW] = 0.0
                    rival[node] = -1  # one above has one: one at a time
                elif rival[node] >= 0:
                    kept = _FADING**w
                    gain = (1 - kept) / (1 - _FADING)
                    counts[node, LOSS] = counts[node, LOSS] * kept + gain * miss * miss
                    counts[node, RIVAL_LOSS] = (
                        counts[node, RIVAL_LOSS] * kept + gain * rival_miss * rival_miss
                    )
                    counts[node, TRIED] += w
                    grows, rival_learns = False, True
                    if counts[node, TRIED] - counts[node, JUDGED] >= _COMPARE_EVERY:
                        counts[node, JUDGED] = counts[node, TRIED]
                        if counts[node, LOSS] > counts[node, RIVAL_LOSS]:
                            new = rival[node]
                            kind[node], feature[node] = kind[new], feature[new]
                            threshold[node], first_child[node] = threshold[new], first_child[new]
                            leaf_of[node] = leaf_of[new]
                            copy_row(counts, new, counts, node)
                            rival[node] = -1
                            main = -1
                            if other == new:
                                other = node
                            break
                        if counts[node, TRIED] >= _PATIENCE:
                            rival[node] = -1
                            grows, rival_learns = True, False
                else:
                    mean = counts[node, ERROR] / counts[node, WEIGHT]
                    counts[node, PH_SUM] += error - mean - rule.drift_delta
                    counts[node, PH_LOW] = min(counts[node, PH_LOW], counts[node, PH_SUM])
                    if counts[node, PH_SUM] - counts[node, PH_LOW] > rule.drift_threshold:
                        new = plant(trees)
                        before[leaf_of[new]] = counts[node, SUM] / counts[node, WEIGHT]
                        rival[node] = new
                        for column in (PH_SUM, PH_LOW, LOSS, RIVAL_LOSS, TRIED, JUDGED):
                            counts[node, column] = 0.0
                        grows = False
            if rival_learns:
                node = path[t, fork[t]] if main < 0 else rival[path[t, fork[t]]]
                while kind[node] > INACTIVE:
                    counts[node, WEIGHT] += w
                    counts[node, SUM] += w * off
                    counts[node, ERROR] += w * rival_error
                    node = _branch(X, row, node, kind, feature, threshold, first_child, counts)

            # The leaf learns, and the rival's.
            for side in range(2):
                node = main if side == 0 else other
                if node < 0 or (side == 1 and not rival_learns):
                    continue
                leaf = leaf_of[node]
                counts[node, WEIGHT] += w
                counts[node, SUM] += w * off
                counts[node, ERROR] += w * (error if side == 0 else rival_error)
                if is_linear and reach > 0:
                    lessons[leaf] += w
                    norm = 0.0
                    for j in range(len(z)):
                        norm += z[j] * z[j]
                    rate = rule.rate / (1 + lessons[leaf] * rule.decay)
                    shift = (miss if side == 0 else rival_miss) / reach * _step(rate, norm, w)
                    for j in range(len(z)):
                        linear[leaf, j] += shift * z[j]
                rank = waits[leaf]
                for i in range(watched):
                    waiting[leaf, rank, i] = X[row, features[leaf, i]]
                waiting[leaf, rank, watched] = w
                waiting[leaf, rank, watched + 1] = off
                waits[leaf] = rank + 1
                due = counts[node, WEIGHT] - counts[node, JUDGED] >= rule.grace
                if due and (grows or side == 1):
                    counts[node, JUDGED] = counts[node, WEIGHT]
                    sort_in(bins, rule.bins, features, sizes, leaf)
                    consider(trees, node, rule)

            target[t, REACH] = _widen(target, t, y[row], w)
            for j in range(len(spans)):
                if sizes[j] == 0 and not np.isnan(X[row, j]):
                    deviations = _widen(spans, j, X[row, j], w)
                    spans[j, REACH] = 1 / deviations if deviations > 0 else 0.0
        asked = -1

        if lottery:
            node = root[0]
            while kind[node] > INACTIVE:
                node = _branch(X, row, node, kind, feature, threshold, first_child, counts)
            answer = _answer(node, 0, counts, leaf_of, linear, before, target, z)
            if rises(watch.windows, _WARNING, answer, warning):
                root[1] = plant(trees)
                clear_row(target, 1)
                empty(watch.windows, _WARNING)
            if rises(watch.windows, _DRIFT, answer, drift):
                if root[1] >= 0:
                    empty(watch.windows, _WARNING)
                root[0] = root[1] if root[1] >= 0 else plant(trees)
                copy_row(target, 1, target, 0)
                root[1] = -1
                clear_row(target, 1)
                empty(watch.windows, _DRIFT)
    return len(ops)
