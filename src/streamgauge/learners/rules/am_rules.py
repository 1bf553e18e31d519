"""Adaptive model rules (AMRules): the first rule that covers a row predicts its target."""

from __future__ import annotations

import math
from typing import Final, NamedTuple

import numpy as np

from streamgauge._support.index import as_index
from streamgauge._support.jit import inlined, lean_kernel
from streamgauge._support.types import LEARN, Floats, Schema
from streamgauge.learners._parameters import (
    Delta,
    GracePeriod,
    PageHinkleyDelta,
    PageHinkleyThreshold,
    Tau,
)
from streamgauge.learners.base import CompiledLearner, Events, state_bytes
from streamgauge.learners.rules._anomalies import is_anomaly, update_normal
from streamgauge.learners.rules._rule_models import (
    MIN_DEVIATION,
    deviation_of,
    predict,
    update_models,
)
from streamgauge.learners.rules._rule_set import (
    DEFAULT,
    LAST_ATTEMPT,
    N_FREE,
    N_RULES,
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

_PH_FADING: Final = 0.9999
_PH_MIN_ROWS: Final = 30


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
    tau
        Add a condition when the bound is below this, even if the best two tie.

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
        grace_period: GracePeriod = 200,
        delta: Delta = 1e-7,
        tau: Tau = 0.05,
        drift_delta: PageHinkleyDelta = 0.05,
        drift_threshold: PageHinkleyThreshold = 35.0,
    ) -> None:
        self.grace_period, self.delta, self.tau = grace_period, delta, tau
        self.drift_delta, self.drift_threshold = drift_delta, drift_threshold
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

    `z` takes the normalised features of the current row, and other numbers on the way.
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
            mean, linear, prediction = predict(rules, rule, X, row, z)
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
            if is_anomaly(rules, rule, X, row, z):
                continue
            update_normal(rules, rule, X, row, weight[e])
            if _detects_drift(rules, params, rule, prediction, target):
                remove(rules, position)
                continue
        update_models(rules, rule, X, row, z, target, weight[e], mean, linear)
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
def _note_first_values(rules: Rules, X: Floats, row: int, y: float) -> None:
    """Remember the first target, and the first value of each feature."""
    first_values, d = rules.first_values, len(rules.cardinality)
    if np.isnan(first_values[d]):
        first_values[d] = y
    for j in range(d):
        if np.isnan(first_values[j]):
            first_values[j] = X[row, j]


@inlined
def _detects_drift(
    rules: Rules, params: _Params, rule: int, prediction: float, target: float
) -> bool:
    """Add a rule's error to its Page–Hinkley test; return whether it raises an alarm."""
    stats = rules.stats
    weight = stats[rule, WEIGHT]
    if not weight > 0:
        return False
    deviation = deviation_of(weight, stats[rule, SUM], stats[rule, SQUARES])
    error = abs(prediction - target) / deviation if deviation > MIN_DEVIATION else 0.0
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
