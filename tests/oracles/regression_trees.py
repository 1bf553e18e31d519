"""Oracle for regression trees and their forest: nodes are objects."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from tests.oracles.adaptive_trees import Window
from tests.oracles.rng import Rng


class Bins:
    """Cuts, and per bin the weight and the weighted sums of targets and squared targets."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.cuts: list[float] = []
        self.held: list[list[float]] = []

    def note(self, value: float, weight: float, target: float) -> None:
        place = sum(cut < value for cut in self.cuts)
        new = place == len(self.cuts) or self.cuts[place] != value
        full, end = len(self.cuts) == self.most, place in (0, len(self.cuts))
        if new and full and end:
            pairs = [a[0] + b[0] for a, b in zip(self.held, self.held[1:], strict=False)]
            light = pairs.index(min(pairs))
            both = zip(self.held[light], self.held[light + 1], strict=True)
            self.held[light : light + 2] = [[b + a for a, b in both]]
            del self.cuts[light]
            place = 0 if place == 0 else len(self.cuts)
        if new and (not full or end):
            self.cuts.insert(place, value)
            self.held.insert(place, [0.0, 0.0, 0.0])
        for i, power in enumerate((1.0, target, target * target)):
            self.held[place][i] += weight * power


@dataclass
class Found:
    """A candidate split: gain, position, and the mean target on both sides."""

    gain: float = 0.0
    at: float = math.nan
    means: tuple[float, float] = (math.nan, math.nan)
    sides: tuple[list[float], list[float]] = field(default_factory=lambda: ([], []))


def best_split(parts: list[tuple[float, list[float]]], ordered: bool, least: float) -> Found:
    """The best cut of an ordered feature, or the best value against all others."""
    everything = [sum(held[i] for _, held in parts) for i in range(3)]
    found, left = Found(), [0.0, 0.0, 0.0]
    for at, held in parts[: len(parts) - 1] if ordered else parts:
        left = [a + b for a, b in zip(left, held, strict=True)] if ordered else held
        right = [a - b for a, b in zip(everything, left, strict=True)]
        if left[0] < least or right[0] < least:
            continue
        off = left[1] - left[0] * (everything[1] / everything[0])
        gain = everything[0] * off * off / (left[0] * (everything[0] - left[0]))
        if gain > found.gain:
            found = Found(gain, at, (left[1] / left[0], right[1] / right[0]), (left, right))
    return found


@dataclass
class Node:
    """A leaf until it has a test."""

    features: list[int]
    bins: dict[int, Bins]
    linear: list[float]
    before: float = math.nan
    updates: float = 0.0
    weight: float = 0.0
    total: float = 0.0
    error: float = 0.0
    judged: float = 0.0
    test: tuple[int, bool, float] | None = None  # feature, whether it is nominal, cut or value
    children: list[Node] = field(default_factory=list)
    ph: list[float] = field(default_factory=lambda: [0.0, 0.0])
    alternate: Node | None = None
    losses: list[float] = field(default_factory=lambda: [0.0, 0.0])
    tried: float = 0.0

    def go(self, x: list[float]) -> Node:
        assert self.test is not None
        j, nominal, at = self.test
        if math.isnan(x[j]):
            return self.children[self.children[1].weight > self.children[0].weight]
        return self.children[0 if (x[j] == at if nominal else x[j] <= at) else 1]

    def path(self, x: list[float]) -> list[Node]:
        nodes = [self]
        while nodes[-1].test is not None:
            nodes.append(nodes[-1].go(x))
        return nodes


class Span:
    """Weighted mean, and three standard deviations, computed relative to the first value."""

    def __init__(self) -> None:
        self.origin, self.seen, self.total, self.squares = math.nan, 0.0, 0.0, 0.0

    def add(self, value: float, weight: float) -> None:
        if self.seen == 0:
            self.origin = value
        off = value - self.origin
        self.seen += weight
        self.total += weight * off
        self.squares += weight * off * off

    @property
    def mean(self) -> float:
        return self.origin + self.total / self.seen

    @property
    def reach(self) -> float:
        mean = self.total / self.seen
        return 3 * math.sqrt(max(0.0, self.squares / self.seen - mean * mean))


class Tree:
    """A tree; `nominal[j]` is the number of values of feature j, 0 if it is numeric."""

    def __init__(self, nominal: list[int], rng: Rng, deck: list[int], **rule: float) -> None:
        self.nominal, self.rng, self.deck, self.rule = nominal, rng, deck, rule
        self.target, self.spans = Span(), [Span() for _ in nominal]
        self.root: Node | None = None

    def leaf(self, linear: list[float]) -> Node:
        count, d = int(self.rule["max_features"]), len(self.deck)
        if count < d:
            for i in range(count):
                other = i + int(self.rng.next_uniform() * (d - i))
                self.deck[i], self.deck[other] = self.deck[other], self.deck[i]
        chosen = sorted(self.deck[:count])
        bins = {j: Bins(10**9 if self.nominal[j] else int(self.rule["bins"])) for j in chosen}
        return Node(chosen, bins, linear)

    def plant(self) -> Node:
        node = self.leaf([])
        if self.rule["linear"]:
            node.linear = [2 * self.rng.next_uniform() - 1 for _ in range(len(self.nominal) + 1)]
        return node

    def normalised(self, x: list[float]) -> list[float]:
        z = []
        for j, span in enumerate(self.spans):
            known = not self.nominal[j] and span.seen > 0 and not math.isnan(x[j])
            scale = 1 / span.reach if known and span.reach > 0 else 0.0
            z.append(min(1.0, max(-1.0, (x[j] - span.mean) * scale)) if scale else 0.0)
        return [*z, 1.0]

    def answer(self, node: Node, x: list[float]) -> float:
        if self.target.seen == 0:
            return math.nan
        if self.rule["linear"]:
            score = 0.0
            for a, b in zip(node.linear, self.normalised(x), strict=True):
                score += a * b
            return self.target.mean + self.target.reach * score
        if node.weight > 0:
            return self.target.origin + node.total / node.weight
        return self.target.origin + node.before

    def predict(self, x: list[float]) -> float:
        return math.nan if self.root is None else self.answer(self.root.path(x)[-1], x)

    def learn(self, x: list[float], y: float, w: float) -> None:
        if self.root is None:
            self.root = self.plant()
        first = self.target.seen == 0
        off = 0.0 if first else y - self.target.origin
        reach = 0.0 if first else self.target.reach
        path = self.root.path(x)
        fork = next((node for node in path[:-1] if node.alternate is not None), None)
        alternate = fork.alternate.path(x) if fork and fork.alternate is not None else []
        miss = 0.0 if first else y - self.answer(path[-1], x)
        alternate_miss = y - self.answer(alternate[-1], x) if alternate else 0.0
        error = abs(miss) / reach if reach > 0 else 0.0
        alternate_error = abs(alternate_miss) / reach if reach > 0 else 0.0
        learners = [(path[-1], miss, error, True)]
        blocked = False
        for node in path[:-1]:
            node.weight, node.total = node.weight + w, node.total + w * off
            node.error += w * error
            if blocked:
                node.ph, node.alternate = [0.0, 0.0], None
            elif node.alternate is not None:
                kept = 0.995**w
                gain = (1 - kept) / (1 - 0.995)
                node.losses[0] = node.losses[0] * kept + gain * miss * miss
                node.losses[1] = node.losses[1] * kept + gain * alternate_miss * alternate_miss
                node.tried += w
                blocked, heirs = True, [(alternate[-1], alternate_miss, alternate_error, True)]
                if node.tried - node.judged >= 150:
                    node.judged = node.tried
                    if node.losses[0] > node.losses[1]:
                        learners = []  # the nodes below are dropped
                        self.replace(node, node.alternate)
                        heir = node if alternate[-1] is alternate[0] else alternate[-1]
                        heirs = [(heir, alternate_miss, alternate_error, True)]
                        alternate = [node if r is alternate[0] else r for r in alternate]
                    elif node.tried >= 1500:
                        node.alternate, blocked, heirs = None, False, []
                if heirs:
                    for inner in alternate[:-1]:
                        inner.weight, inner.total = inner.weight + w, inner.total + w * off
                        inner.error += w * alternate_error
                    learners = [(n, m, e, False) for n, m, e, _ in learners] + heirs
                if not learners or learners[0][0] is not path[-1]:
                    break
            else:
                node.ph[0] += error - node.error / node.weight - self.rule["drift_delta"]
                node.ph[1] = min(node.ph)
                if node.ph[0] - node.ph[1] > self.rule["drift_threshold"]:
                    node.alternate, node.ph, node.losses = self.plant(), [0.0, 0.0], [0.0, 0.0]
                    node.alternate.before = node.total / node.weight
                    node.tried = node.judged = 0.0
                    blocked = True
                    learners = [(n, m, e, False) for n, m, e, _ in learners]
        for node, its_miss, its_error, grows in learners:
            self.update(node, x, off, w, its_miss, its_error, reach, grows)
        self.target.add(y, w)
        for j, value in enumerate(x):
            if not self.nominal[j] and not math.isnan(value):
                self.spans[j].add(value, w)

    @staticmethod
    def replace(node: Node, alternate: Node) -> None:
        """The alternate tree takes the place of the split."""
        node.__dict__.update(alternate.__dict__)

    def update(self, node: Node, x: list[float], off: float, w: float, miss: float, error: float,
              reach: float, grows: bool) -> None:  # fmt: skip
        node.weight, node.total = node.weight + w, node.total + w * off
        node.error += w * error
        if self.rule["linear"] and reach > 0:
            node.updates += w
            z = self.normalised(x)
            norm = 0.0
            for each in z:
                norm += each * each
            rate = self.rule["learning_rate"] / (
                1 + node.updates * self.rule["learning_rate_decay"]
            )
            if rate * norm >= 1:
                step = 1 / norm
            else:
                step = rate if w == 1 else (1 - (1 - rate * norm) ** w) / norm
            shift = miss / reach * step
            node.linear = [a + shift * b for a, b in zip(node.linear, z, strict=True)]
        for j in node.features:
            if not math.isnan(x[j]):
                node.bins[j].note(x[j], w, off)
        if grows and node.weight - node.judged >= self.rule["grace_period"]:
            node.judged = node.weight
            self.consider(node)

    def consider(self, node: Node) -> None:
        found = []
        for j in node.features:
            parts = list(zip(node.bins[j].cuts, node.bins[j].held, strict=True))
            found.append((best_split(parts, not self.nominal[j], self.rule["least"]), j))
        found.sort(key=lambda each: each[0].gain)  # the last of equals is the best
        best, j = found[-1]
        second = found[-2][0].gain if len(found) > 1 else 0.0
        if best.gain <= 0:
            return
        bound = math.sqrt(math.log(1 / self.rule["delta"]) / (2 * node.weight))
        if second / best.gain < 1 - bound or bound < self.rule["tau"]:
            node.test = j, self.nominal[j] > 0, best.at
            node.children = [self.leaf(list(node.linear)) for _ in range(2)]
            for child, mean in zip(node.children, best.means, strict=True):
                child.before = mean
            node.ph = [0.0, 0.0]


class Member:
    """A tree of a forest."""

    def __init__(self, nominal: list[int], seed: int, **rule: float) -> None:
        self.nominal, self.rule = nominal, rule
        self.rng, self.deck = Rng(seed), list(range(len(nominal)))
        self.front, self.back = self.new(), None
        self.warning, self.drift = Window(rule["warning"]), Window(rule["drift"])

    back: Tree | None

    def new(self) -> Tree:
        return Tree(self.nominal, self.rng, self.deck, **self.rule)

    def predict(self, x: list[float]) -> float:
        return self.front.predict(x)

    def learn(self, x: list[float], y: float, w: float) -> None:
        if self.front.root is None:
            self.front.root = self.front.plant()
        times = self.rng.poisson(6.0)
        if times == 0:
            return
        self.front.learn(x, y, w * times)
        if self.back is not None:
            self.back.learn(x, y, w)
        answer = self.front.predict(x)
        if self.warning.rises(answer):
            self.back = self.new()
            self.back.root = self.back.plant()
            self.warning = Window(self.rule["warning"])
        if self.drift.rises(answer):
            if self.back is None:
                self.back = self.new()
                self.back.root = self.back.plant()
            else:
                self.warning = Window(self.rule["warning"])
            self.front, self.back = self.back, None
            self.drift = Window(self.rule["drift"])
