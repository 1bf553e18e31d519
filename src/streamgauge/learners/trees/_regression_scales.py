"""Means and units of a regression tree's target and features, for its perceptrons and errors."""

from __future__ import annotations

import math

import numpy as np

from streamgauge._support.jit import inlined
from streamgauge._support.types import Floats
from streamgauge.learners.trees._regression_nodes import (
    FIRST,
    MEAN,
    SCALE_SQUARES,
    SCALE_SUM,
    SCALE_WEIGHT,
    UNIT,
    Trees,
)


@inlined
def normalise(X: Floats, row: int, feature_scale: Floats, z: Floats) -> None:
    """Write a row's features, in units of three standard deviations, and a 1 to `z`.

    They are clipped to ±1: a feature that was constant so far would be infinitely far from its
    mean.
    """
    d = len(z) - 1
    for j in range(d):
        value = (X[row, j] - feature_scale[MEAN, j]) * feature_scale[UNIT, j]
        z[j] = 0.0 if np.isnan(value) else min(1.0, max(-1.0, value))
    z[d] = 1.0


@inlined
def update_scales(trees: Trees, t: int, X: Floats, row: int, target: float, w: float) -> None:
    """Update the mean and unit of a tree's target and of the numeric features."""
    _update_target_scale(trees.target_scale, t, target, w)
    if trees.feature_scale.shape[1] > 0:
        _update_feature_scales(trees, X, row, w)


@inlined
def _update_target_scale(scale: Floats, t: int, target: float, w: float) -> None:
    if scale[t, SCALE_WEIGHT] == 0:
        scale[t, FIRST] = target
    off = target - scale[t, FIRST]
    scale[t, SCALE_WEIGHT] += w
    scale[t, SCALE_SUM] += w * off
    scale[t, SCALE_SQUARES] += w * off * off
    mean = scale[t, SCALE_SUM] / scale[t, SCALE_WEIGHT]
    scale[t, MEAN] = scale[t, FIRST] + mean
    scale[t, UNIT] = _three_deviations(scale[t, SCALE_WEIGHT], mean, scale[t, SCALE_SQUARES])


@inlined
def _update_feature_scales(trees: Trees, X: Floats, row: int, w: float) -> None:
    """Update the scales of the features; nothing is added to those of nominal or missing ones.

    All take the same few steps without a branch: so the compiler can treat several at once.
    """
    scale, cardinality = trees.feature_scale, trees.cardinality
    for j in range(scale.shape[1]):
        value, first = X[row, j], scale[FIRST, j]
        known = (cardinality[j] == 0) & (not np.isnan(value))
        first = value if known & (scale[SCALE_WEIGHT, j] == 0) else first
        off, own = value - first if known else 0.0, w if known else 0.0
        scale[FIRST, j] = first
        scale[SCALE_WEIGHT, j] += own
        scale[SCALE_SUM, j] += own * off
        scale[SCALE_SQUARES, j] += own * off * off
    for j in range(scale.shape[1]):
        n, total, squares = scale[SCALE_WEIGHT, j], scale[SCALE_SUM, j], scale[SCALE_SQUARES, j]
        mean = total / n if n > 0 else 0.0
        deviations = _three_deviations(n, mean, squares) if n > 0 else 0.0
        scale[MEAN, j] = scale[FIRST, j] + mean
        scale[UNIT, j] = 1 / deviations if deviations > 0 else 0.0


@inlined
def _three_deviations(weight: float, mean: float, squares: float) -> float:
    """Return three standard deviations of values, whose mean is relative to the first one."""
    return float(3 * math.sqrt(max(0.0, squares / weight - mean * mean)))
