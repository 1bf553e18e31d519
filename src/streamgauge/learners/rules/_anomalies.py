"""Which rows are anomalies among the rows of an AMRules rule."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from streamgauge._support.jit import inlined, lean_inner
from streamgauge._support.types import Floats
from streamgauge.learners.rules._rule_models import deviation_of
from streamgauge.learners.rules._rule_set import (
    NORMAL_WEIGHT,
    OF_SQUARES,
    OF_SUM,
    OF_WEIGHT,
    Rules,
)

_MIN_WEIGHT: Final = 30.0  # of a rule's normal rows, before which none is an anomaly
_LOG_ODDS: Final = -0.75  # a row with lower mean log odds is an anomaly
_MIN_PROBABILITY: Final = 0.01  # probabilities are clipped to this distance from 0 and 1
_MAX_ODDS: Final = (1 - _MIN_PROBABILITY) / _MIN_PROBABILITY
_AT_ONCE: Final = 64  # features whose odds are multiplied: the product stays far from overflow
_ROUNDING: Final = 1e-9  # more than rounding changes mean log odds


@inlined
def is_anomaly(rules: Rules, rule: int, X: Floats, row: int, odds: Floats) -> bool:
    """Return whether a row is far from the rule's normal rows.

    The score is the mean log odds that a value is as far from the mean (Cantelli's inequality).
    `odds` is room for one number per feature.
    """
    if rules.stats[rule, NORMAL_WEIGHT] <= _MIN_WEIGHT:
        return False
    rough = _rough_log_odds(rules, rule, X, row, odds)
    if abs(rough - _LOG_ODDS) > _ROUNDING:
        return rough < _LOG_ODDS
    return _mean_log_odds(rules, rule, X, row) < _LOG_ODDS


@lean_inner
def _mean_log_odds(rules: Rules, rule: int, X: Floats, row: int) -> float:
    """Return the mean log odds of a row's values, 0 if none is known."""
    sums, score, known = rules.normal_sums, 0.0, 0
    for j in range(len(rules.cardinality)):
        n = sums[rule, OF_WEIGHT, j]
        if rules.cardinality[j] > 0 or np.isnan(X[row, j]) or n == 0:
            continue
        deviation = deviation_of(n, sums[rule, OF_SUM, j], sums[rule, OF_SQUARES, j])
        if deviation > 0:
            distance = X[row, j] - rules.first_values[j] - sums[rule, OF_SUM, j] / n
            variance = deviation * deviation
            probability = 2 * variance / (variance + distance * distance)
            probability = min(1 - _MIN_PROBABILITY, max(_MIN_PROBABILITY, probability))
            score += math.log(probability / (1 - probability))
            known += 1
    return score / known if known > 0 else 0.0


@inlined
def _rough_log_odds(rules: Rules, rule: int, X: Floats, row: int, odds: Floats) -> float:
    """Return the mean log odds, up to rounding, from one logarithm of a product of odds."""
    sums, d, known = rules.normal_sums, len(rules.cardinality), 0
    for j in range(d):  # no branches, so that the compiler can treat several features at once
        value = X[row, j] - rules.first_values[j]
        n, total = sums[rule, OF_WEIGHT, j], sums[rule, OF_SUM, j]
        squares = sums[rule, OF_SQUARES, j]
        squares = squares - total * total / n if n > 1 else 0.0
        distance = value - total / n if n > 1 else 0.0
        # Odds of 2 v / (v + d²), whose complement is (d² - v) / (v + d²), with v = squares / (n-1).
        beyond = distance * distance * (n - 1) - squares
        own = 2 * squares / beyond if beyond > 0 else _MAX_ODDS
        counts = (squares > 0) & (rules.cardinality[j] == 0) & (not np.isnan(X[row, j]))
        odds[j] = min(_MAX_ODDS, max(1 / _MAX_ODDS, own)) if counts else 1.0
        known += int(counts)
    if known == 0:
        return 0.0
    score, product = 0.0, 1.0
    for j in range(d):
        product *= odds[j]
        if j % _AT_ONCE == _AT_ONCE - 1:
            score += math.log(product)
            product = 1.0
    return (score + math.log(product)) / known


@inlined
def update_normal(rules: Rules, rule: int, X: Floats, row: int, w: float) -> None:
    """Add a row that is not an anomaly to the rule's normal rows."""
    rules.stats[rule, NORMAL_WEIGHT] += w
    sums = rules.normal_sums
    for j in range(len(rules.cardinality)):
        known = not np.isnan(X[row, j])
        value = X[row, j] - rules.first_values[j] if known else 0.0
        own = w if known else 0.0
        sums[rule, OF_WEIGHT, j] += own
        sums[rule, OF_SUM, j] += own * value
        sums[rule, OF_SQUARES, j] += own * value * value
