"""Adaptive model rules (AMRules): the first rule that covers a row predicts its target."""

from __future__ import annotations

import math
from typing import Final, NamedTuple

import numpy as np

from streamgauge._support.errors import UsageError, check_integer
from streamgauge._support.index import as_index
from streamgauge._support.jit import inlined, lean_kernel
from streamgauge._support.rng import next_uniform
from streamgauge._support.types import LEARN, Floats, Schema
from streamgauge.learners.base import CompiledLearner, Events, state_bytes
from streamgauge.learners.rules._rule_set import (
    DEFAULT,
    LAST_ATTEMPT,
    LINEAR_ERROR,
    LINEAR_SQUARES,
    LINEAR_SUM,
    LINEAR_WEIGHT,
    MEAN_ERROR,
    MEAN_SUM,
    MEAN_WEIGHT,
    N_FREE,
    N_RULES,
    NORMAL_WEIGHT,
    PH_COUNT,
    PH_MEAN,
    PH_MIN,
    PH_SUM,
    SQUARES,
    SUM,
    WEIGHT,
    Rules,
    attempt_expansion,
    covers,
    doubled,
    flush_buffer,
    new_rules,
    remove,
)

_LEARNING_RATE: Final = 0.025  # of the perceptron, falling as 1 / (1 + rows × decay)
_LEARNING_DECAY: Final = 0.001
_FADING: Final = 0.99  # of the errors that decide between mean and perceptron
_PH_FADING: Final = 0.9999
_PH_MIN_ROWS: Final = 30
_ANOMALY_MIN_WEIGHT: Final = 30.0
_ANOMALY_LOG_ODDS: Final = -0.75  # a row with lower mean log odds is an anomaly
_MIN_PROBABILITY: Final = 0.01  # probabilities are clipped to this distance from 0 and 1
_MIN_DEVIATION: Final = 1e-7  # below, a standard deviation counts as 0


class _Params(NamedTuple):
    """Parameters of the rules."""

    grace_period: float
    delta: float
    tau: float
    drift_delta: float
    drift_threshold: float


class AMRules(CompiledLearner):
    """Adaptive model rules (AMRules): an ordered list of rules for regression.

    A rule is a conjunction such as "hour > 6 and temperature <= 0.4"; rules are in the order they
    were found. The first rule that covers a row predicts and learns it. The default rule, which
    covers every row, takes the rows that no other rule covers.

    A rule adds the condition that reduces the target's variance most, if it leads that of the
    second best feature by more than Hoeffding's bound, and keeps the side that varies less. When
    the default rule adds a condition, it joins the list and a new default rule starts. A rule
    predicts with its mean or its perceptron, whichever had the lower recent error. It is removed
    when a Page–Hinkley test on its error alarms, and it skips rows that are anomalies among its
    own. A missing value meets no condition. Abstains before any label. It follows MOA's
    AMRulesRegressor with ordered rules, and has its defaults.

    Parameters
    ----------
    grace_period
        Rows a rule sees between two attempts to add a condition.
    delta
        Significance level of Hoeffding's bound; a smaller value splits later.
    tau
        Add a condition when the bound is below this, even if the best two tie.
    drift_delta, drift_threshold
        Parameters of the Page–Hinkley test.

    References
    ----------
    almeida2013 (docs/bibliography.md)

    Examples
    --------
    >>> import numpy as np
    >>> import streamgauge as sg
    >>> X = np.random.default_rng(1).random((2000, 2))
    >>> stream = sg.from_arrays(X, 3 * X[:, 0] + (X[:, 1] > 0.5))
    >>> run = sg.evaluate(stream, sg.AMRules())
    >>> print(f"MAE {run.summary['mae']:.3f}, of the mean {run.references['Mean']['mae']:.3f}")
    MAE 0.400, of the mean 0.834
    """

    task = "regression"

    def __init__(
        self,
        grace_period: int = 200,
        delta: float = 1e-7,
        tau: float = 0.05,
        drift_delta: float = 0.05,
        drift_threshold: float = 35.0,
    ) -> None:
        check_integer("AMRules(grace_period)", grace_period)
        self.grace_period, self.delta, self.tau = grace_period, delta, tau
        self.drift_delta, self.drift_threshold = drift_delta, drift_threshold
        if grace_period < 1 or not 0 < delta < 1 or not tau >= 0:
            raise UsageError(f"{self}: expected grace_period >= 1, 0 < delta < 1 and tau >= 0")
        if not drift_delta >= 0 or not drift_threshold > 0:
            raise UsageError(f"{self}: expected drift_delta >= 0 and drift_threshold > 0")
        self._params = _Params(
            float(grace_period),
            float(delta),
            float(tau),
            float(drift_delta),
            float(drift_threshold),
        )

    def start(self, schema: Schema, seed: int) -> None:
        self._schema = schema
        self._rules = new_rules(schema, seed)

    @property
    def nbytes(self) -> int:
        """Size of the model in bytes."""
        return state_bytes(self._rules)

    @property
    def rule_count(self) -> int:
        """Number of rules, including the default rule."""
        return int(self._rules.counters[N_RULES]) + 1

    def play(self, events: Events) -> None:
        z = np.empty(len(self._schema.features) + 1)
        done = 0
        while True:
            done += _play(events.cut(done, len(events.ops)), self._rules, self._params, z)
            if done == len(events.ops):
                return
            self._rules = doubled(self._rules)


@lean_kernel
def _play(events: Events, rules: Rules, params: _Params, z: Floats) -> int:
    """Work through the events until there is no room for another rule; return how many are done.

    `z` takes the normalised features of the current row.
    """
    X, y, ops, slots, _, weight, label, _ = events
    rule, position, mean, linear, prediction = 0, -1, 0.0, 0.0, 0.0
    predicted = -1  # the row that these belong to, if nothing was learned since
    for e in range(len(ops)):
        row, learns = as_index(slots[e]), ops[e] == LEARN
        if learns and weight[e] == 0:
            continue
        if predicted != row:
            rule, position = _find_rule(rules, X, row)
            rule = as_index(rule)
            mean, linear, prediction = _predict(rules, rule, X, row, z)
            predicted = row
        if not learns:
            label[e] = rules.first_values[-1] + prediction
            continue
        if rules.counters[N_FREE] == 0:
            return e
        predicted = -1
        _note_first_values(rules, X, row, y[row])
        target = y[row] - rules.first_values[-1]
        if position >= 0:
            if _is_anomaly(rules, rule, X, row):
                continue
            _update_normal(rules, rule, X, row, weight[e])
            if _detects_drift(rules, params, rule, prediction, target):
                remove(rules, position)
                continue
        _update_models(rules, rule, X, row, z, target, weight[e], mean, linear)
        _expand_if_due(rules, params, rule, X, row, target, weight[e])
    return len(ops)


@inlined
def _find_rule(rules: Rules, X: Floats, row: int) -> tuple[int, int]:
    """Return the first rule that covers a row and its position; -1 is the default rule's."""
    for i in range(rules.counters[N_RULES]):
        if covers(rules, rules.order[i], X, row):
            return int(rules.order[i]), i
    return int(rules.counters[DEFAULT]), -1


@inlined
def _deviation(weight: float, total: float, squares: float) -> float:
    """Return the standard deviation of a sample, 0 for a weight of at most 1."""
    if weight <= 1:
        return 0.0
    return math.sqrt(max(0.0, (squares - total * total / weight) / (weight - 1)))


@inlined
def _unit(weight: float, total: float, squares: float) -> float:
    """Return the standard deviation, or 1 if it is almost 0."""
    deviation = _deviation(weight, total, squares)
    return deviation if deviation > _MIN_DEVIATION else 1.0


@inlined
def _normalise(rules: Rules, rule: int, X: Floats, row: int, z: Floats) -> None:
    """Write a row's features and a 1 to `z`, for a rule's perceptron; nominal or missing: 0."""
    sums, first_values, d = rules.feature_sums, rules.first_values, len(rules.cardinality)
    for j in range(d):
        n = sums[rule, j, 0]
        z[j] = 0.0
        if rules.cardinality[j] == 0 and n > 0 and not np.isnan(X[row, j]):
            mean = sums[rule, j, 1] / n
            unit = _unit(n, sums[rule, j, 1], sums[rule, j, 2])
            z[j] = (X[row, j] - first_values[j] - mean) / unit
    z[d] = 1.0


@inlined
def _score(perceptron: Floats, rule: int, z: Floats) -> float:
    """Return the output of a rule's perceptron."""
    score = 0.0
    for j in range(len(z)):
        score += perceptron[rule, j] * z[j]
    return score


@inlined
def _predict(rules: Rules, rule: int, X: Floats, row: int, z: Floats) -> tuple[float, float, float]:
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
def _note_first_values(rules: Rules, X: Floats, row: int, y: float) -> None:
    """Remember the first target, and the first value of each feature."""
    first_values, d = rules.first_values, len(rules.cardinality)
    if np.isnan(first_values[d]):
        first_values[d] = y
    for j in range(d):
        if np.isnan(first_values[j]):
            first_values[j] = X[row, j]


@inlined
def _is_anomaly(rules: Rules, rule: int, X: Floats, row: int) -> bool:
    """Return whether a row is far from the rule's normal rows.

    The score is the mean log odds that a value is as far from the mean (Cantelli's inequality).
    """
    if rules.stats[rule, NORMAL_WEIGHT] <= _ANOMALY_MIN_WEIGHT:
        return False
    sums, score, known = rules.normal_sums, 0.0, 0
    for j in range(len(rules.cardinality)):
        n = sums[rule, j, 0]
        if rules.cardinality[j] > 0 or np.isnan(X[row, j]) or n == 0:
            continue
        deviation = _deviation(n, sums[rule, j, 1], sums[rule, j, 2])
        if deviation > 0:
            distance = X[row, j] - rules.first_values[j] - sums[rule, j, 1] / n
            variance = deviation * deviation
            probability = 2 * variance / (variance + distance * distance)
            probability = min(1 - _MIN_PROBABILITY, max(_MIN_PROBABILITY, probability))
            score += math.log(probability / (1 - probability))
            known += 1
    return known > 0 and score / known < _ANOMALY_LOG_ODDS


@inlined
def _add_to_sums(sums: Floats, rule: int, j: int, value: float, w: float) -> None:
    """Add a feature's value to weight, sum and squares."""
    sums[rule, j, 0] += w
    sums[rule, j, 1] += w * value
    sums[rule, j, 2] += w * value * value


@inlined
def _update_normal(rules: Rules, rule: int, X: Floats, row: int, w: float) -> None:
    """Add a row that is not an anomaly to the rule's normal rows."""
    rules.stats[rule, NORMAL_WEIGHT] += w
    for j in range(len(rules.cardinality)):
        if not np.isnan(X[row, j]):
            _add_to_sums(rules.normal_sums, rule, j, X[row, j] - rules.first_values[j], w)


@inlined
def _detects_drift(
    rules: Rules, params: _Params, rule: int, prediction: float, target: float
) -> bool:
    """Add a rule's error to its Page–Hinkley test; return whether it raises an alarm."""
    stats = rules.stats
    weight = stats[rule, WEIGHT]
    if not weight > 0:
        return False
    deviation = _deviation(weight, stats[rule, SUM], stats[rule, SQUARES])
    error = abs(prediction - target) / deviation if deviation > _MIN_DEVIATION else 0.0
    stats[rule, PH_COUNT] += 1
    stats[rule, PH_MEAN] += (error - stats[rule, PH_MEAN]) / stats[rule, PH_COUNT]
    stats[rule, PH_SUM] = _PH_FADING * stats[rule, PH_SUM] + (
        error - stats[rule, PH_MEAN] - params.drift_delta
    )
    if stats[rule, PH_COUNT] == 1:
        stats[rule, PH_MIN] = stats[rule, PH_SUM]
    stats[rule, PH_MIN] = min(stats[rule, PH_MIN], stats[rule, PH_SUM])
    rise = stats[rule, PH_SUM] - stats[rule, PH_MIN]
    return bool(stats[rule, PH_COUNT] + 1 >= _PH_MIN_ROWS and rise > params.drift_threshold)


@inlined
def _update_models(
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
    for j in range(d):
        if cardinality[j] == 0 and not np.isnan(X[row, j]):
            _add_to_sums(rules.feature_sums, rule, j, X[row, j] - rules.first_values[j], w)
    _normalise(rules, rule, X, row, z)
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


@inlined
def _expand_if_due(
    rules: Rules, params: _Params, rule: int, X: Floats, row: int, target: float, w: float
) -> None:
    """Append a row to a rule's buffer; after every grace period attempt to expand the rule."""
    stats, buffer, d = rules.stats, rules.buffer, len(rules.cardinality)
    rank = as_index(int(rules.buffered[rule]))
    for j in range(d):
        buffer[rule, rank, j] = X[row, j]
    buffer[rule, rank, d] = w
    buffer[rule, rank, d + 1] = target
    rules.buffered[rule] = rank + 1
    due = stats[rule, WEIGHT] - stats[rule, LAST_ATTEMPT] >= params.grace_period
    if due or rank + 1 == buffer.shape[1]:
        flush_buffer(rules, rule)
    if due:
        stats[rule, LAST_ATTEMPT] = stats[rule, WEIGHT]
        bound = math.sqrt(math.log(1 / params.delta) / (2 * stats[rule, WEIGHT]))
        attempt_expansion(rules, rule, bound, params.tau)
