"""AMRules: adaptive model rules, an ordered list of rules for regression."""

from __future__ import annotations

import math
from typing import Final, NamedTuple

import numpy as np

from streamgauge._support.errors import UsageError, check_integer
from streamgauge._support.jit import inlined, kernel
from streamgauge._support.rng import next_uniform
from streamgauge._support.types import LEARN, Floats, Longs, Schema
from streamgauge.learners.base import CompiledLearner, Events, state_bytes
from streamgauge.learners.rules._rule_set import (
    COUNT,
    DEFAULT,
    FREE,
    JUDGED,
    LESSONS,
    LINE_ERROR,
    LINE_SQUARE,
    LINE_SUM,
    MEAN_ERROR,
    MEAN_SUM,
    MEAN_WEIGHT,
    PH_COUNT,
    PH_LOW,
    PH_MEAN,
    PH_SUM,
    SEEN,
    SQUARE,
    SUM,
    USUAL,
    Rules,
    covers,
    doubled,
    expand,
    new_rules,
    remove,
    sort_in,
)

_RATE: Final = 0.025  # the perceptron's, falling as 1 / (1 + rows × decay)
_DECAY: Final = 0.001
_FADING: Final = 0.99  # of the errors by which mean and perceptron are compared
_PH_FADING: Final = 0.9999
_PH_WARM_UP: Final = 30  # rows
_ODD_WARM_UP: Final = 30.0  # weight
_ODD: Final = -0.75  # mean log odds below which a row is an anomaly
_RAREST: Final = 0.01  # probabilities stay this far from 0 and 1


class _Rule(NamedTuple):
    grace: float
    delta: float
    tie: float
    drift_delta: float
    drift_threshold: float


class AMRules(CompiledLearner):
    """Adaptive model rules (AMRules): an ordered list of rules for regression.

    Rules are such as "hour > 6 and temperature <= 0.4", in the order they were found. The first
    rule that covers a row predicts and learns it, else the default rule, which covers all.

    A rule adds the condition that leaves the least variance of the target, if it leads the second
    best feature's by more than Hoeffding's bound, and keeps the side that varies less. When the
    default rule finds a condition, it joins the list and a new default rule starts. A rule predicts
    with its mean or its perceptron, whichever had the lower recent error. It is removed when the
    Page–Hinkley test of its error alarms, and skips rows that are anomalies among its own. A
    missing value fulfils no condition. Abstains before any label. Like MOA's AMRulesRegressor,
    ordered, with its defaults.

    Parameters
    ----------
    grace_period
        Rows a rule sees between two attempts to add a condition.
    delta
        Confidence of Hoeffding's bound.
    tau
        Add a condition when the bound is below this, even if the best two tie.
    drift_delta, drift_threshold
        Parameters of the Page–Hinkley test.

    >>> AMRules(grace_period=100)
    AMRules(grace_period=100)
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
        self._rule = _Rule(
            float(grace_period), float(delta), float(tau), float(drift_delta),
            float(drift_threshold),
        )  # fmt: skip

    def start(self, schema: Schema, seed: int) -> None:
        self._schema = schema
        self._rules = new_rules(schema, seed)

    @property
    def nbytes(self) -> int:
        return state_bytes(self._rules)

    @property
    def rule_count(self) -> int:
        """The number of rules, the default rule included."""
        return int(self._rules.used[COUNT]) + 1

    def play(self, events: Events) -> None:
        done = 0
        while True:
            done += _play(events.cut(done, len(events.ops)), self._rules, self._rule)
            if done == len(events.ops):
                return
            self._rules = doubled(self._rules)


@inlined
def _deviation(weight: float, total: float, squares: float) -> float:
    """The standard deviation of a sample, 0 of less than two."""
    if weight <= 1:
        return 0.0
    return math.sqrt(max(0.0, (squares - total * total / weight) / (weight - 1)))


@inlined
def _normalise(
    X: Floats, row: int, rule: int, spans: Floats, sizes: Longs, origin: Floats, z: Floats
) -> None:
    """A row as the rule's perceptron sees it: nominal and missing values are 0."""
    d = len(sizes)
    for j in range(d):
        n = spans[rule, j, 0]
        z[j] = 0.0
        if sizes[j] == 0 and n > 0 and not np.isnan(X[row, j]):
            mean = spans[rule, j, 1] / n
            deviation = _deviation(n, spans[rule, j, 1], spans[rule, j, 2])
            z[j] = (X[row, j] - origin[j] - mean) / (deviation if deviation > 1e-7 else 1.0)
    z[d] = 1.0


@inlined
def _line(rule: int, stats: Floats, linear: Floats, z: Floats) -> float:
    """The perceptron's answer, from the first target on."""
    score = 0.0
    for j in range(len(z)):
        score += linear[rule, j] * z[j]
    n = stats[rule, LESSONS]
    deviation = _deviation(n, stats[rule, LINE_SUM], stats[rule, LINE_SQUARE])
    return float(score * (deviation if deviation > 1e-7 else 1.0) + stats[rule, LINE_SUM] / n)


@inlined
def _is_odd(
    X: Floats, row: int, rule: int, stats: Floats, usual: Floats, sizes: Longs, origin: Floats
) -> bool:
    """Is a row far from what the rule usually sees? By the mean log odds that a value is as far off
    (Cantelli's inequality)."""
    if stats[rule, USUAL] <= _ODD_WARM_UP:
        return False
    score, known = 0.0, 0
    for j in range(len(sizes)):
        n = usual[rule, j, 0]
        if sizes[j] > 0 or np.isnan(X[row, j]) or n == 0:
            continue
        deviation = _deviation(n, usual[rule, j, 1], usual[rule, j, 2])
        if deviation > 0:
            off = X[row, j] - origin[j] - usual[rule, j, 1] / n
            variance = deviation * deviation
            chance = 2 * variance / (variance + off * off)
            chance = min(1 - _RAREST, max(_RAREST, chance))
            score += math.log(chance / (1 - chance))
            known += 1
    return known > 0 and score / known < _ODD


@kernel
def _play(events: Events, rules: Rules, rule_of: _Rule) -> int:
    """Go through the events until there is no room for another rule; how many were done."""
    X, y, ops, slots, _, weight, label, _ = events
    order, _, used, conditions, feature, kind, value = rules[:7]
    stats, linear, spans, usual, _, _, waiting, waits, _, sizes, origin, rng = rules[7:]
    d = len(sizes)
    z = np.empty(d + 1)
    for e in range(len(ops)):
        row, learns = slots[e], ops[e] == LEARN
        if learns and weight[e] == 0:
            continue
        rule, position = used[DEFAULT], -1
        for i in range(used[COUNT]):
            if covers(X, row, order[i], conditions, feature, kind, value):
                rule, position = order[i], i
                break

        # What the rule answers.
        ready = stats[rule, LESSONS] > 0
        mean, line, answer = 0.0, 0.0, np.nan
        if ready:
            _normalise(X, row, rule, spans, sizes, origin, z)
            line = _line(rule, stats, linear, z)
            mean = stats[rule, MEAN_SUM] / stats[rule, MEAN_WEIGHT]
            answer = line if stats[rule, LINE_ERROR] < stats[rule, MEAN_ERROR] else mean
        if not learns:
            label[e] = origin[d] + answer
            continue

        if used[FREE] == 0:
            return e
        w = weight[e]
        if np.isnan(origin[d]):
            origin[d] = y[row]
        for j in range(d):
            if np.isnan(origin[j]):
                origin[j] = X[row, j]
        off = y[row] - origin[d]

        # A rule of the set may find the row odd, or itself outdated.
        if position >= 0:
            if _is_odd(X, row, rule, stats, usual, sizes, origin):
                continue
            stats[rule, USUAL] += w
            for j in range(d):
                if not np.isnan(X[row, j]):
                    x = X[row, j] - origin[j]
                    usual[rule, j, 0] += w
                    usual[rule, j, 1] += w * x
                    usual[rule, j, 2] += w * x * x
            seen = stats[rule, SEEN]
            deviation = _deviation(seen, stats[rule, SUM], stats[rule, SQUARE])
            if seen > 0:
                error = abs(answer - off) / deviation if deviation > 1e-7 else 0.0
                stats[rule, PH_COUNT] += 1
                stats[rule, PH_MEAN] += (error - stats[rule, PH_MEAN]) / stats[rule, PH_COUNT]
                stats[rule, PH_SUM] = _PH_FADING * stats[rule, PH_SUM] + (
                    error - stats[rule, PH_MEAN] - rule_of.drift_delta
                )
                if stats[rule, PH_COUNT] == 1:
                    stats[rule, PH_LOW] = stats[rule, PH_SUM]
                stats[rule, PH_LOW] = min(stats[rule, PH_LOW], stats[rule, PH_SUM])
                rise = stats[rule, PH_SUM] - stats[rule, PH_LOW]
                if stats[rule, PH_COUNT] + 1 >= _PH_WARM_UP and rise > rule_of.drift_threshold:
                    remove(rules, position)
                    continue

        # It learns.
        stats[rule, SEEN] += w
        stats[rule, SUM] += w * off
        stats[rule, SQUARE] += w * off * off
        if ready:
            stats[rule, MEAN_ERROR] = w * abs(mean - off) + _FADING * stats[rule, MEAN_ERROR]
            stats[rule, LINE_ERROR] = w * abs(line - off) + _FADING * stats[rule, LINE_ERROR]
        else:
            for j in range(d + 1):
                start = 2 * next_uniform(rng) - 1
                linear[rule, j] = start if j == d or sizes[j] == 0 else 0.0
        stats[rule, MEAN_WEIGHT] += w
        stats[rule, MEAN_SUM] += w * off
        stats[rule, LESSONS] += w
        stats[rule, LINE_SUM] += w * off
        stats[rule, LINE_SQUARE] += w * off * off
        for j in range(d):
            if sizes[j] == 0 and not np.isnan(X[row, j]):
                x = X[row, j] - origin[j]
                spans[rule, j, 0] += w
                spans[rule, j, 1] += w * x
                spans[rule, j, 2] += w * x * x
        _normalise(X, row, rule, spans, sizes, origin, z)
        n = stats[rule, LESSONS]
        deviation = _deviation(n, stats[rule, LINE_SUM], stats[rule, LINE_SQUARE])
        score = 0.0
        for j in range(d + 1):
            score += linear[rule, j] * z[j]
        goal = (off - stats[rule, LINE_SUM] / n) / (deviation if deviation > 1e-7 else 1.0)
        shift = _RATE / (1 + n * _DECAY) * (goal - score) * w
        size = 0.0
        for j in range(d + 1):
            linear[rule, j] += shift * z[j]
            size += abs(linear[rule, j])
        if size > d + 1:  # MOA's lasso
            for j in range(d + 1):
                linear[rule, j] /= size

        # The row waits for the bins; a new condition is considered now and then.
        rank = waits[rule]
        for j in range(d):
            waiting[rule, rank, j] = X[row, j]
        waiting[rule, rank, d] = w
        waiting[rule, rank, d + 1] = off
        waits[rule] = rank + 1
        due = stats[rule, SEEN] - stats[rule, JUDGED] >= rule_of.grace
        if due or rank + 1 == waiting.shape[1]:
            sort_in(rules, rule)
        if due:
            stats[rule, JUDGED] = stats[rule, SEEN]
            bound = math.sqrt(math.log(1 / rule_of.delta) / (2 * stats[rule, SEEN]))
            expand(rules, rule, bound, rule_of.tie)
    return len(ops)
