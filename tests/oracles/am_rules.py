"""Oracle for AMRules: a list of rule objects."""

from __future__ import annotations

import copy
import math
from dataclasses import dataclass, field

from tests.oracles.regression_trees import Bins, best_split
from tests.oracles.rng import Rng


@dataclass
class Sums:
    """Weight, sum and sum of squares."""

    n: float = 0.0
    total: float = 0.0
    squares: float = 0.0

    def add(self, value: float, w: float) -> None:
        self.n += w
        self.total += w * value
        self.squares += w * value * value

    @property
    def deviation(self) -> float:
        if self.n <= 1:
            return 0.0
        spread = (self.squares - self.total * self.total / self.n) / (self.n - 1)
        return math.sqrt(max(0.0, spread))

    @property
    def unit(self) -> float:
        return self.deviation if self.deviation > 1e-7 else 1.0


@dataclass
class Model:
    """The mean and the perceptron of a rule, and their recent errors."""

    mean_n: float = 0.0
    mean_total: float = 0.0
    target: Sums = field(default_factory=Sums)
    spans: dict[int, Sums] = field(default_factory=dict)
    weights: list[float] = field(default_factory=list)
    errors: list[float] = field(default_factory=lambda: [0.0, 0.0])

    def normalised(self, x: list[float]) -> list[float]:
        z = [0.0] * len(x)
        for j, span in self.spans.items():
            if span.n > 0 and not math.isnan(x[j]):
                z[j] = (x[j] - span.total / span.n) / span.unit
        return [*z, 1.0]

    def answers(self, x: list[float]) -> tuple[float, float]:
        score = 0.0
        for a, b in zip(self.weights, self.normalised(x), strict=True):
            score += a * b
        line = score * self.target.unit + self.target.total / self.target.n
        return self.mean_total / self.mean_n, line


@dataclass
class Rule:
    """Conditions, and statistics since the last condition was added."""

    conditions: list[tuple[int, str, float]]
    model: Model
    nominal: list[int]
    seen: Sums = field(default_factory=Sums)
    judged: float = 0.0
    ph: list[float] = field(default_factory=lambda: [0.0, 0.0, 0.0, 0.0])  # count, mean, sum, low
    usual_weight: float = 0.0
    usual: dict[int, Sums] = field(default_factory=dict)
    bins: dict[int, Bins] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for j, values in enumerate(self.nominal):
            self.usual[j] = Sums()
            self.bins[j] = Bins(10**9 if values else 51)

    def covers(self, x: list[float]) -> bool:
        tests = {"<=": lambda a, b: a <= b, ">": lambda a, b: a > b, "is": lambda a, b: a == b}
        for j, kind, value in self.conditions:
            if math.isnan(x[j]):
                return False
            if not (x[j] != value if kind == "is not" else tests[kind](x[j], value)):
                return False
        return True

    def is_odd(self, x: list[float]) -> bool:
        if self.usual_weight <= 30:
            return False
        scores = []
        for j, values in enumerate(self.nominal):
            sums = self.usual[j]
            if values or math.isnan(x[j]) or sums.n == 0 or not sums.deviation > 0:
                continue
            variance, off = sums.deviation**2, x[j] - sums.total / sums.n
            chance = min(0.99, max(0.01, 2 * variance / (variance + off * off)))
            scores.append(math.log(chance / (1 - chance)))
        return bool(scores) and sum(scores) / len(scores) < -0.75

    def has_changed(self, error: float, delta: float, threshold: float) -> bool:
        self.ph[0] += 1
        self.ph[1] += (error - self.ph[1]) / self.ph[0]
        self.ph[2] = 0.9999 * self.ph[2] + (error - self.ph[1] - delta)
        self.ph[3] = self.ph[2] if self.ph[0] == 1 else min(self.ph[3], self.ph[2])
        return self.ph[0] + 1 >= 30 and self.ph[2] - self.ph[3] > threshold


class RuleList:
    """Ordered rules; `nominal[j]` is the number of values of feature j, 0 if it is numeric."""

    def __init__(self, nominal: list[int], seed: int, grace_period: float, delta: float, tau: float,
                 drift_delta: float, drift_threshold: float) -> None:  # fmt: skip
        self.nominal = nominal
        self.grace_period, self.delta, self.tau = grace_period, delta, tau
        self.drift = drift_delta, drift_threshold
        self.rules: list[Rule] = []
        self.default = Rule([], Model(), nominal)
        self.origin: list[float] = [math.nan] * (len(nominal) + 1)
        self.rng = Rng(seed)

    def shifted(self, x: list[float]) -> list[float]:
        """Numeric values relative to the first one seen; nominal values unchanged."""
        return [
            v if k else v - (v if math.isnan(o) else o)
            for v, o, k in zip(x, self.origin, self.nominal, strict=False)
        ]

    def rule_for(self, x: list[float]) -> Rule:
        return next((rule for rule in self.rules if rule.covers(x)), self.default)

    def answer(self, rule: Rule, x: list[float]) -> float:
        mean, line = rule.model.answers(self.shifted(x))
        return line if rule.model.errors[1] < rule.model.errors[0] else mean

    def predict(self, x: list[float]) -> float:
        rule = self.rule_for(x)
        if rule.model.target.n == 0:
            return math.nan
        return self.origin[-1] + self.answer(rule, x)

    def learn(self, x: list[float], y: float, w: float) -> None:
        rule = self.rule_for(x)
        model = rule.model
        ready = model.target.n > 0
        before = (*model.answers(self.shifted(x)), self.answer(rule, x)) if ready else None
        for j, value in enumerate([*x, y]):
            self.origin[j] = value if math.isnan(self.origin[j]) else self.origin[j]
        moved, off = self.shifted(x), y - self.origin[-1]
        if rule is not self.default:
            if rule.is_odd(moved):
                return
            rule.usual_weight += w
            for j, value in enumerate(moved):
                if not math.isnan(value):
                    rule.usual[j].add(value, w)
            if rule.seen.n > 0:
                assert before is not None
                deviation = rule.seen.deviation
                error = abs(before[2] - off) / deviation if deviation > 1e-7 else 0.0
                if rule.has_changed(error, *self.drift):
                    self.rules.remove(rule)
                    return
        rule.seen.add(off, w)
        if before is not None:
            for i in range(2):
                model.errors[i] = w * abs(before[i] - off) + 0.99 * model.errors[i]
        else:
            starts = [2 * self.rng.next_uniform() - 1 for _ in range(len(x) + 1)]
            model.weights = [
                0.0 if v else s for s, v in zip(starts, [*self.nominal, 0], strict=True)
            ]
            model.spans = {j: Sums() for j, values in enumerate(self.nominal) if not values}
        self.update(model, moved, off, w)
        for j, value in enumerate(x):
            if not math.isnan(value):
                rule.bins[j].note(value, w, off)
        if rule.seen.n - rule.judged >= self.grace_period:
            rule.judged = rule.seen.n
            self.consider(rule)

    def update(self, model: Model, x: list[float], off: float, w: float) -> None:
        model.mean_n, model.mean_total = model.mean_n + w, model.mean_total + w * off
        model.target.add(off, w)
        for j, span in model.spans.items():
            if not math.isnan(x[j]):
                span.add(x[j], w)
        z = model.normalised(x)
        score = 0.0
        for a, b in zip(model.weights, z, strict=True):
            score += a * b
        goal = (off - model.target.total / model.target.n) / model.target.unit
        shift = 0.025 / (1 + model.target.n * 0.001) * (goal - score) * w
        model.weights = [a + shift * b for a, b in zip(model.weights, z, strict=True)]
        size = sum(abs(a) for a in model.weights)
        if size > len(z):
            model.weights = [a / size for a in model.weights]

    def consider(self, rule: Rule) -> None:
        spread = rule.seen.squares - rule.seen.total**2 / rule.seen.n
        if not spread > 0 or len(rule.conditions) == 64:
            return
        found = []
        for j, values in enumerate(self.nominal):
            parts = list(zip(rule.bins[j].cuts, rule.bins[j].held, strict=True))
            found.append((best_split(parts, not values, 0.05 * rule.seen.n), j))
        found.sort(key=lambda each: each[0].gain / spread)
        best, feature = found[-1]
        second = found[-2][0].gain / spread if len(found) > 1 else 0.0
        bound = math.sqrt(math.log(1 / self.delta) / (2 * rule.seen.n))
        if best.gain <= 0 or not (best.gain / spread - second > bound or bound < self.tau):
            return
        inside, outside = (s[2] / s[0] - (s[1] / s[0]) * (s[1] / s[0]) for s in best.sides)
        kind = ("is", "is not") if self.nominal[feature] else ("<=", ">")
        condition = feature, kind[0 if inside <= outside else 1], best.at
        if rule is self.default:
            self.rules.append(rule)
            self.default = Rule([], copy.deepcopy(rule.model), self.nominal)
        kept = [c for c in rule.conditions if c[:2] != condition[:2] or c[1] == "is not"]
        rule.model.errors = [0.0, 0.0]
        rule.model.mean_total, rule.model.mean_n = rule.model.mean_total / rule.model.mean_n, 1.0
        fresh = Rule([*kept, condition], rule.model, self.nominal)
        self.rules[self.rules.index(rule)] = fresh
