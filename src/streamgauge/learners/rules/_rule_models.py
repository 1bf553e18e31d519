"""The models of an AMRules rule: the mean of its targets, and a perceptron of its features."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from streamgauge._support.jit import inlined
from streamgauge._support.rng import next_uniform
from streamgauge._support.types import Floats
from streamgauge.learners.rules._rule_set import (
    LINEAR_ERROR,
    LINEAR_SQUARES,
    LINEAR_SUM,
    LINEAR_WEIGHT,
    MEAN_ERROR,
    MEAN_SUM,
    MEAN_WEIGHT,
    OF_MEAN,
    OF_SQUARES,
    OF_SUM,
    OF_UNIT,
    OF_WEIGHT,
    SQUARES,
    SUM,
    WEIGHT,
    Rules,
)

_LEARNING_RATE: Final = 0.025  # of the perceptron, falling as 1 / (1 + rows × decay)
_LEARNING_DECAY: Final = 0.001
_FADING: Final = 0.99  # of the errors that decide between mean and perceptron
MIN_DEVIATION: Final = 1e-7  # below, a standard deviation counts as 0


@inlined
def deviation_of(weight: float, total: float, squares: float) -> float:
    """Return the standard deviation of a sample, 0 for a weight of at most 1."""
    if weight <= 1:
        return 0.0
    return math.sqrt(max(0.0, (squares - total * total / weight) / (weight - 1)))


@inlined
def _unit(weight: float, total: float, squares: float) -> float:
    """Return the standard deviation, or 1 if it is almost 0."""
    deviation = deviation_of(weight, total, squares)
    return deviation if deviation > MIN_DEVIATION else 1.0


@inlined
def _normalise(rules: Rules, rule: int, X: Floats, row: int, z: Floats) -> None:
    """Write a row's features and a 1 to `z`, for a rule's perceptron; nominal or missing: 0."""
    sums, first_values, d = rules.feature_sums, rules.first_values, len(rules.cardinality)
    for j in range(d):
        value = X[row, j] - first_values[j] - sums[rule, OF_MEAN, j]
        unit = sums[rule, OF_UNIT, j]
        known = (sums[rule, OF_WEIGHT, j] > 0) & (not np.isnan(X[row, j]))
        z[j] = value / unit if known else 0.0
    z[d] = 1.0


@inlined
def _learn_features(rules: Rules, rule: int, X: Floats, row: int, w: float, z: Floats) -> None:
    """Add a row's features to a rule's sums, and write them normalised by these to `z`.

    Every feature takes the same few steps, also a missing or nominal one, with the weight 0: so
    the compiler can treat several at once.
    """
    sums, first_values, d = rules.feature_sums, rules.first_values, len(rules.cardinality)
    for j in range(d):
        value = X[row, j] - first_values[j]
        known = (rules.cardinality[j] == 0) & (not np.isnan(X[row, j]))
        z[j] = value if known else np.nan
    for j in range(d):
        known = not np.isnan(z[j])
        value, own = z[j] if known else 0.0, w if known else 0.0
        sums[rule, OF_WEIGHT, j] += own
        sums[rule, OF_SUM, j] += own * value
        sums[rule, OF_SQUARES, j] += own * value * value
    for j in range(d):
        n, total = sums[rule, OF_WEIGHT, j], sums[rule, OF_SUM, j]
        sums[rule, OF_MEAN, j] = total / n if n > 0 else 0.0
        sums[rule, OF_UNIT, j] = _unit(n, total, sums[rule, OF_SQUARES, j])
    for j in range(d):
        value = (z[j] - sums[rule, OF_MEAN, j]) / sums[rule, OF_UNIT, j]
        z[j] = 0.0 if np.isnan(z[j]) else value
    z[d] = 1.0


@inlined
def _score(perceptron: Floats, rule: int, z: Floats) -> float:
    """Return the output of a rule's perceptron."""
    score = 0.0
    for j in range(len(z)):
        score += perceptron[rule, j] * z[j]
    return score


@inlined
def predict(rules: Rules, rule: int, X: Floats, row: int, z: Floats) -> tuple[float, float, float]:
    """Return the predictions of a rule's mean and perceptron, and that of the better one.

    They are relative to the first target. A rule that has learned nothing predicts NaN.
    """
    stats = rules.stats
    n = stats[rule, LINEAR_WEIGHT]
    if not n > 0:
        return 0.0, 0.0, np.nan
    _normalise(rules, rule, X, row, z)
    unit = _unit(n, stats[rule, LINEAR_SUM], stats[rule, LINEAR_SQUARES])
    linear = float(_score(rules.perceptron, rule, z) * unit + stats[rule, LINEAR_SUM] / n)
    mean = float(stats[rule, MEAN_SUM] / stats[rule, MEAN_WEIGHT])
    better = linear if stats[rule, LINEAR_ERROR] < stats[rule, MEAN_ERROR] else mean
    return mean, linear, better


@inlined
def update_models(
    rules: Rules, rule: int, X: Floats, row: int, z: Floats, target: float, w: float, mean: float,
    linear: float,
) -> None:  # fmt: skip
    """Update a rule's target statistics, mean and perceptron, and the errors of the two models."""
    stats, cardinality, d = rules.stats, rules.cardinality, len(rules.cardinality)
    stats[rule, WEIGHT] += w
    stats[rule, SUM] += w * target
    stats[rule, SQUARES] += w * target * target
    if stats[rule, LINEAR_WEIGHT] > 0:
        stats[rule, MEAN_ERROR] = w * abs(mean - target) + _FADING * stats[rule, MEAN_ERROR]
        stats[rule, LINEAR_ERROR] = w * abs(linear - target) + _FADING * stats[rule, LINEAR_ERROR]
    else:
        for j in range(d + 1):
            start = 2 * next_uniform(rules.rng) - 1
            rules.perceptron[rule, j] = start if j == d or cardinality[j] == 0 else 0.0
    stats[rule, MEAN_WEIGHT] += w
    stats[rule, MEAN_SUM] += w * target
    stats[rule, LINEAR_WEIGHT] += w
    stats[rule, LINEAR_SUM] += w * target
    stats[rule, LINEAR_SQUARES] += w * target * target
    _learn_features(rules, rule, X, row, w, z)
    _update_perceptron(rules, rule, z, target, w)


@inlined
def _update_perceptron(rules: Rules, rule: int, z: Floats, target: float, w: float) -> None:
    """Move a rule's perceptron towards a target."""
    stats, perceptron = rules.stats, rules.perceptron
    n = stats[rule, LINEAR_WEIGHT]
    unit = _unit(n, stats[rule, LINEAR_SUM], stats[rule, LINEAR_SQUARES])
    goal = (target - stats[rule, LINEAR_SUM] / n) / unit
    rate = _LEARNING_RATE / (1 + n * _LEARNING_DECAY)
    shift = rate * (goal - _score(perceptron, rule, z)) * w
    size = 0.0
    for j in range(len(z)):
        perceptron[rule, j] += shift * z[j]
        size += abs(perceptron[rule, j])
    if size > len(z):  # MOA's lasso
        for j in range(len(z)):
            perceptron[rule, j] /= size
