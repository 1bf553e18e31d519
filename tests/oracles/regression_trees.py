"""Oracle for regression trees and their forest: nodes are objects, rules are literal."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from tests.oracles.adaptive_trees import Window
from tests.oracles.rng import Rng


class Bins:
    """Upper bounds of bins, and each bin's weight, weight × target and weight × target²."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.cuts: list[float] = []
        self.sums: list[list[float]] = []

    def add(self, value: float, weight: float, target: float) -> None:
        place = sum(cut < value for cut in self.cuts)
        new = place == len(self.cuts) or self.cuts[place] != value
        full, end = len(self.cuts) == self.most, place in (0, len(self.cuts))
        if new and full and end:
            weights = [a[0] + b[0] for a, b in zip(self.sums, self.sums[1:], strict=False)]
            lightest = weights.index(min(weights))
            both = zip(self.sums[lightest], self.sums[lightest + 1], strict=True)
            self.sums[lightest : lightest + 2] = [[b + a for a, b in both]]
            del self.cuts[lightest]
            place = 0 if place == 0 else len(self.cuts)
        if new and (not full or end):
            self.cuts.insert(place, value)
            self.sums.insert(place, [0.0, 0.0, 0.0])
        for i, power in enumerate((1.0, target, target * target)):
            self.sums[place][i] += weight * power


@dataclass
class Found:
    """A split: its gain and threshold, and the means and sums of the targets on both sides."""

    gain: float = 0.0
    at: float = math.nan
    means: tuple[float, float] = (math.nan, math.nan)
    sides: tuple[list[float], list[float]] = field(default_factory=lambda: ([], []))


def best_split(parts: list[tuple[float, list[float]]], ordered: bool, min_weight: float) -> Found:
    """Return the best threshold, or the best value to separate from all others."""
    everything = [sum(sums[i] for _, sums in parts) for i in range(3)]
    found, left = Found(), [0.0, 0.0, 0.0]
    for at, sums in parts[: len(parts) - 1] if ordered else parts:
        left = [a + b for a, b in zip(left, sums, strict=True)] if ordered else sums
        right = [a - b for a, b in zip(everything, left, strict=True)]
        if left[0] < min_weight or right[0] < min_weight:
            continue
        off = left[1] - left[0] * (everything[1] / everything[0])
        gain = everything[0] * off * off / (left[0] * (everything[0] - left[0]))
        if gain > found.gain:
            found = Found(gain, at, (left[1] / left[0], right[1] / right[0]), (left, right))
    return found


@dataclass
class Node:
    """A node; a leaf if it has no test."""

    features: list[int]
    bins: dict[int, Bins]
    perceptron: list[float]
    depth: int = 0
    initial_mean: float = math.nan
    perceptron_rows: float = 0.0
    weight: float = 0.0
    total: float = 0.0
    error: float = 0.0
    last_check: float = 0.0
    test: tuple[int, bool, float] | None = None  # feature, whether nominal, threshold or value
    children: list[Node] = field(default_factory=list)
    ph: list[float] = field(default_factory=lambda: [0.0, 0.0])
    alternate: Node | None = None
    losses: list[float] = field(default_factory=lambda: [0.0, 0.0])
    alternate_weight: float = 0.0

    def child_for(self, x: list[float]) -> Node:
        assert self.test is not None
        j, nominal, at = self.test
        if math.isnan(x[j]):
            return self.children[self.children[1].weight > self.children[0].weight]
        return self.children[0 if (x[j] == at if nominal else x[j] <= at) else 1]

    def path(self, x: list[float]) -> list[Node]:
        nodes = [self]
        while nodes[-1].test is not None:
            nodes.append(nodes[-1].child_for(x))
        return nodes


class Scale:
    """Weighted mean and three standard deviations; sums are relative to the first value."""

    def __init__(self) -> None:
        self.first, self.seen, self.total, self.squares = math.nan, 0.0, 0.0, 0.0

    def add(self, value: float, weight: float) -> None:
        if self.seen == 0:
            self.first = value
        off = value - self.first
        self.seen += weight
        self.total += weight * off
        self.squares += weight * off * off

    @property
    def mean(self) -> float:
        return self.first + self.total / self.seen

    @property
    def unit(self) -> float:
        mean = self.total / self.seen
        return 3 * math.sqrt(max(0.0, self.squares / self.seen - mean * mean))


class Tree:
    """`nominal[j]` is the number of values of feature j, 0 if it is numeric."""

    def __init__(
        self, nominal: list[int], rng: Rng, permutation: list[int], **params: float
    ) -> None:
        self.nominal, self.rng, self.permutation, self.params = nominal, rng, permutation, params
        self.target, self.scales = Scale(), [Scale() for _ in nominal]
        self.root: Node | None = None

    def leaf(self, perceptron: list[float]) -> Node:
        leaf_features, d = int(self.params["leaf_features"]), len(self.permutation)
        if leaf_features < d:
            for i in range(leaf_features):
                other = i + int(self.rng.next_uniform() * (d - i))
                order = self.permutation
                order[i], order[other] = order[other], order[i]
        chosen = sorted(self.permutation[:leaf_features])
        bins = {j: Bins(10**9 if self.nominal[j] else int(self.params["bins"])) for j in chosen}
        return Node(chosen, bins, perceptron)

    def new_root(self) -> Node:
        node = self.leaf([])
        if self.params["linear"]:
            weights = range(len(self.nominal) + 1)
            node.perceptron = [2 * self.rng.next_uniform() - 1 for _ in weights]
        return node

    def normalised(self, x: list[float]) -> list[float]:
        z = []
        for j, scale in enumerate(self.scales):
            known = not self.nominal[j] and scale.seen > 0 and not math.isnan(x[j])
            factor = 1 / scale.unit if known and scale.unit > 0 else 0.0
            z.append(min(1.0, max(-1.0, (x[j] - scale.mean) * factor)) if factor else 0.0)
        return [*z, 1.0]

    def answer(self, node: Node, x: list[float]) -> float:
        if self.target.seen == 0:
            return math.nan
        if self.params["linear"]:
            score = 0.0
            for a, b in zip(node.perceptron, self.normalised(x), strict=True):
                score += a * b
            return self.target.mean + self.target.unit * score
        if node.weight > 0:
            return self.target.first + node.total / node.weight
        return self.target.first + node.initial_mean

    def predict(self, x: list[float]) -> float:
        return math.nan if self.root is None else self.answer(self.root.path(x)[-1], x)

    def learn(self, x: list[float], y: float, w: float) -> None:
        if self.root is None:
            self.root = self.new_root()
        first = self.target.seen == 0
        off = 0.0 if first else y - self.target.first
        unit = 0.0 if first else self.target.unit
        path = self.root.path(x)
        alternates = [node.alternate for node in path[:-1] if node.alternate is not None]
        alternate = alternates[0].path(x) if alternates else []
        residual = 0.0 if first else y - self.answer(path[-1], x)
        alternate_residual = y - self.answer(alternate[-1], x) if alternate else 0.0
        error = abs(residual) / unit if unit > 0 else 0.0
        alternate_error = abs(alternate_residual) / unit if unit > 0 else 0.0
        learners = [(path[-1], residual, error, True)]
        has_alternate = False
        for node in path[:-1]:
            node.weight, node.total = node.weight + w, node.total + w * off
            node.error += w * error
            if has_alternate:
                node.ph, node.alternate = [0.0, 0.0], None
            elif node.alternate is not None:
                kept = 0.995**w
                gain = (1 - kept) / (1 - 0.995)
                node.losses[0] = node.losses[0] * kept + gain * residual * residual
                node.losses[1] *= kept
                node.losses[1] += gain * alternate_residual * alternate_residual
                node.alternate_weight += w
                has_alternate = True
                its_learners = [(alternate[-1], alternate_residual, alternate_error, True)]
                if node.alternate_weight - node.last_check >= 150:
                    node.last_check = node.alternate_weight
                    if node.losses[0] > node.losses[1]:
                        learners = []  # the subtree is replaced
                        self.replace(node, node.alternate)
                        its_leaf = node if alternate[-1] is alternate[0] else alternate[-1]
                        its_learners = [(its_leaf, alternate_residual, alternate_error, True)]
                        alternate = [node if r is alternate[0] else r for r in alternate]
                    elif node.alternate_weight >= 1500:
                        node.alternate, has_alternate, its_learners = None, False, []
                if its_learners:
                    for inner in alternate[:-1]:
                        inner.weight, inner.total = inner.weight + w, inner.total + w * off
                        inner.error += w * alternate_error
                    learners = [(n, m, e, False) for n, m, e, _ in learners] + its_learners
                if not learners or learners[0][0] is not path[-1]:
                    break
            else:
                node.ph[0] += error - node.error / node.weight - self.params["drift_delta"]
                node.ph[1] = min(node.ph)
                if node.ph[0] - node.ph[1] > self.params["drift_threshold"]:
                    node.alternate, node.ph, node.losses = self.new_root(), [0.0, 0.0], [0.0, 0.0]
                    node.alternate.initial_mean = node.total / node.weight
                    node.alternate.depth = node.depth
                    node.alternate_weight = node.last_check = 0.0
                    has_alternate = True
                    learners = [(n, m, e, False) for n, m, e, _ in learners]
        for node, its_residual, its_error, may_split in learners:
            self.learn_leaf(node, x, off, w, its_residual, its_error, unit, may_split)
        self.target.add(y, w)
        for j, value in enumerate(x):
            if not self.nominal[j] and not math.isnan(value):
                self.scales[j].add(value, w)

    @staticmethod
    def replace(node: Node, alternate: Node) -> None:
        """Replace a subtree by its alternate."""
        node.__dict__.update(alternate.__dict__)

    def learn_leaf(
        self, node: Node, x: list[float], off: float, w: float, residual: float, error: float,
        unit: float, may_split: bool,
    ) -> None:  # fmt: skip
        node.weight, node.total = node.weight + w, node.total + w * off
        node.error += w * error
        if self.params["linear"] and unit > 0:
            node.perceptron_rows += w
            z = self.normalised(x)
            norm = 0.0
            for each in z:
                norm += each * each
            rate = self.params["learning_rate"] / (
                1 + node.perceptron_rows * self.params["learning_rate_decay"]
            )
            if rate * norm >= 1:
                step = 1 / norm
            else:
                step = rate if w == 1 else (1 - (1 - rate * norm) ** w) / norm
            shift = residual / unit * step
            node.perceptron = [a + shift * b for a, b in zip(node.perceptron, z, strict=True)]
        for j in node.features:
            if not math.isnan(x[j]):
                node.bins[j].add(x[j], w, off)
        may_split = may_split and node.depth < self.params.get("max_depth", math.inf)
        if may_split and node.weight - node.last_check >= self.params["grace_period"]:
            node.last_check = node.weight
            self.attempt_split(node)

    def attempt_split(self, node: Node) -> None:
        found = []
        for j in node.features:
            parts = list(zip(node.bins[j].cuts, node.bins[j].sums, strict=True))
            found.append((best_split(parts, not self.nominal[j], self.params["min_weight"]), j))
        found.sort(key=lambda each: each[0].gain)  # of equal gains the last one wins
        best, j = found[-1]
        second = found[-2][0].gain if len(found) > 1 else 0.0
        if best.gain <= 0:
            return
        bound = math.sqrt(math.log(1 / self.params["delta"]) / (2 * node.weight))
        if second / best.gain < 1 - bound or bound < self.params["tau"]:
            node.test = j, self.nominal[j] > 0, best.at
            node.children = [self.leaf(list(node.perceptron)) for _ in range(2)]
            for child in node.children:
                child.depth = node.depth + 1
            for child, mean in zip(node.children, best.means, strict=True):
                child.initial_mean = mean
            node.ph = [0.0, 0.0]


class Member:
    """A tree of a forest with its background tree."""

    def __init__(self, nominal: list[int], seed: int, **params: float) -> None:
        self.nominal, self.params = nominal, params
        self.rng, self.permutation = Rng(seed), list(range(len(nominal)))
        self.foreground, self.background = self.new(), None
        self.warning, self.drift = Window(params["warning"]), Window(params["drift"])

    background: Tree | None

    def new(self) -> Tree:
        return Tree(self.nominal, self.rng, self.permutation, **self.params)

    def predict(self, x: list[float]) -> float:
        return self.foreground.predict(x)

    def learn(self, x: list[float], y: float, w: float) -> None:
        if self.foreground.root is None:
            self.foreground.root = self.foreground.new_root()
        times = self.rng.poisson(6.0)
        if times == 0:
            return
        self.foreground.learn(x, y, w * times)
        if self.background is not None:
            self.background.learn(x, y, w)
        answer = self.foreground.predict(x)
        if self.warning.detects_increase(answer):
            self.background = self.new()
            self.background.root = self.background.new_root()
            self.warning = Window(self.params["warning"])
        if self.drift.detects_increase(answer):
            if self.background is None:
                self.background = self.new()
                self.background.root = self.background.new_root()
            else:
                self.warning = Window(self.params["warning"])
            self.foreground, self.background = self.background, None
            self.drift = Window(self.params["drift"])
