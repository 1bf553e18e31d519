"""Oracle for the Hoeffding tree: nodes are objects, and MOA's rules are written out literally."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

CANDIDATES = 10


@dataclass
class Node:
    """A node; a leaf if it has no test."""

    k: int
    counts: list[float]
    test: tuple[str, int, float] | None = None  # kind, feature, threshold or value
    children: dict[int, Node] = field(default_factory=dict)
    active: bool = True
    has_rows: bool = False
    rows: list[tuple[list[float], int, float]] = field(default_factory=list)
    n_right: list[float] = field(default_factory=lambda: [0.0, 0.0])
    last_attempt: float = 0.0
    features: list[int] = field(default_factory=list)  # that it observes
    by_split: bool = False  # made by a split, not by the first row that came


class Tree:
    """`nominal[j]` is the number of values of feature j, 0 if it is numeric."""

    def __init__(self, nominal: list[int], k: int, grace_period: float, delta: float, tau: float,
                 leaf_prediction: str, split_criterion: str,
                 draw: Callable[[], list[int]] | None = None,
                 compat: str | None = None, restarts: bool = False) -> None:  # fmt: skip
        self.compat, self.restarts = compat, restarts
        self.nominal, self.k = nominal, k
        self.grace_period, self.delta, self.tau = grace_period, delta, tau
        self.leaf_prediction, self.split_criterion = leaf_prediction, split_criterion
        self.draw = draw or (lambda: list(range(len(nominal))))
        self.root = self.new_leaf([0.0] * k)

    def new_leaf(self, counts: list[float]) -> Node:
        return Node(self.k, counts, last_attempt=sum(counts), features=self.draw())

    def descend(self, x: list[float]) -> tuple[Node, Node, int | None]:
        """Return the node a row arrives at, its parent, and the branch if it has no node yet."""
        node = parent = self.root
        while node.test is not None:
            kind, j, at = node.test
            if math.isnan(x[j]):
                return node, parent, None
            if kind == "numeric":
                branch = 0 if x[j] <= at else 1
            elif kind == "all":
                branch = int(x[j])
            else:
                branch = 0 if x[j] == at else 1
            if branch not in node.children:
                return node, parent, branch
            parent, node = node, node.children[branch]
        return node, parent, None

    def predict(self, x: list[float]) -> int:
        votes = self.votes(x)
        return -1 if votes is None else first_largest(votes)

    def votes(self, x: list[float]) -> list[float] | None:
        node, parent, branch = self.descend(x)
        if branch is None and sum(node.counts) == 0:
            if self.compat == "moa" and node is not self.root:
                return node.counts
            node = parent
        return self.votes_at(node, x)

    def votes_at(self, node: Node, x: list[float]) -> list[float] | None:
        if sum(node.counts) == 0:
            return None
        if node.test is not None or not node.active or self.leaf_prediction == "mc":
            return node.counts
        if self.leaf_prediction == "nba" and node.n_right[0] > node.n_right[1]:
            return node.counts
        return self.bayes_votes(node, x)

    def bayes(self, node: Node, x: list[float]) -> int:
        return first_largest(self.bayes_votes(node, x))

    def bayes_votes(self, node: Node, x: list[float]) -> list[float]:
        if not node.has_rows:
            return node.counts
        scores = []
        for c in range(self.k):
            score = node.counts[c] / sum(node.counts)
            for j in node.features:
                if math.isnan(x[j]):
                    continue
                score *= self.likelihood(node, c, j, x[j])
            scores.append(score)
        return scores

    def likelihood(self, node: Node, c: int, j: int, value: float) -> float:
        seen = [(r[j], w) for r, y, w in node.rows if y == c and not math.isnan(r[j])]
        if not seen:
            return 0.0
        if self.nominal[j]:
            count = sum(w for v, w in seen if v == value)
            return (count + 1) / (sum(w for _, w in seen) + max(v for v, _ in seen) + 1)
        mean, sd = gaussian(seen)
        if sd > 0:
            return math.exp(-((value - mean) ** 2) / (2 * sd * sd)) / (math.sqrt(2 * math.pi) * sd)
        return 1.0 if value == mean else 0.0

    def learn(self, x: list[float], y: int, w: float) -> None:
        node, _, branch = self.descend(x)
        if branch is not None:
            node.children[branch] = self.new_leaf([0.0] * self.k)
            node = node.children[branch]
        elif node.test is not None:
            return
        self.learn_at(node, x, y, w)

    def learn_at(self, node: Node, x: list[float], y: int, w: float) -> None:
        if node.active and self.leaf_prediction == "nba" and sum(node.counts) > 0:
            node.n_right[0] += w if first_largest(node.counts) == y else 0
            node.n_right[1] += w if self.bayes(node, x) == y else 0
        elif node.active and self.leaf_prediction == "nba" and self.compat == "moa" and y == 0:
            node.n_right[0] += w if node.by_split else 0
            node.n_right[1] += w
        node.counts[y] += w
        if not node.active:
            return
        node.has_rows = True
        node.rows.append((x, y, w))
        total = sum(node.counts)
        if total - node.last_attempt >= self.grace_period:
            node.last_attempt = total
            self.attempt_split(node)

    def attempt_split(self, node: Node) -> None:
        if sum(1 for n in node.counts if n != 0) < 2:
            return
        nothing = 1 - impurity(node.counts, "gini") if self.split_criterion == "gini" else -math.inf
        choices: list[tuple[float, tuple[str, int, float] | None]] = [(nothing, None)]
        for j in node.features:
            options = self.splits(node, j)
            if options:
                best = options[0]
                for option in options[1:]:
                    if option[0] > best[0]:
                        best = option
                choices.append(best)
        choices.sort(key=lambda choice: choice[0])
        if len(choices) > 1:
            classes = max(c for c in range(self.k) if node.counts[c] != 0) + 1
            span = 1.0 if self.split_criterion == "gini" else math.log2(max(2, classes))
            bound = math.sqrt(span**2 * math.log(1 / self.delta) / (2 * sum(node.counts)))
            if not (choices[-1][0] - choices[-2][0] > bound or bound < self.tau):
                return
        test = choices[-1][1]
        if test is None and self.restarts:
            node.rows, node.has_rows, node.n_right = [], False, [0.0, 0.0]
            return
        if test is None:
            node.active = False
            return
        node.test = test
        for branch, counts in enumerate(self.branches(node, test)):
            node.children[branch] = self.new_leaf(counts)
            node.children[branch].by_split = True

    def splits(self, node: Node, j: int) -> list[tuple[float, tuple[str, int, float]]]:
        seen = [(r[j], y, w) for r, y, w in node.rows if not math.isnan(r[j])]
        if self.nominal[j]:
            values = int(max((v for v, _, _ in seen), default=-1)) + 1
            tests: list[tuple[str, int, float]] = [("all", j, 0.0)]
            tests += [("is", j, float(v)) for v in range(values)]
        else:
            if not seen:
                return []
            low, high = min(v for v, _, _ in seen), max(v for v, _, _ in seen)
            at = [(high - low) / (CANDIDATES + 1.0) * (i + 1) + low for i in range(CANDIDATES)]
            tests = [("numeric", j, t) for t in at if low < t < high]
        return [(self.merit(node, self.branches(node, test)), test) for test in tests]

    def branches(self, node: Node, test: tuple[str, int, float]) -> list[list[float]]:
        kind, j, at = test
        seen = [(r[j], y, w) for r, y, w in node.rows if not math.isnan(r[j])]
        if kind == "numeric":
            sides = [self.sides([(v, w) for v, y, w in seen if y == c], at) for c in range(self.k)]
            return [[side[b] for side in sides] for b in (0, 1)]
        values = int(max((v for v, _, _ in seen), default=-1)) + 1
        width = values if kind == "all" else 2
        out = [[0.0] * self.k for _ in range(width)]
        for v, y, w in seen:
            out[int(v) if kind == "all" else (0 if v == at else 1)][y] += w
        return out

    def sides(self, seen: list[tuple[float, float]], at: float) -> tuple[float, float]:
        if not seen:
            return 0.0, 0.0
        total = sum(w for _, w in seen)
        if at < min(v for v, _ in seen):
            return 0.0, total
        if at >= max(v for v, _ in seen):
            return total, 0.0
        mean, sd = gaussian(seen)
        if sd > 0:
            z = (at - mean) / sd
            equal = total * math.exp(-z * z / 2) / (math.sqrt(2 * math.pi) * sd)
            less = total * 0.5 * math.erfc(-z / math.sqrt(2)) - equal
        else:
            equal = total if at == mean else 0.0
            less = total - equal if at < mean else 0.0
        return less + equal, max(0.0, total - equal - less)

    def merit(self, node: Node, branches: list[list[float]]) -> float:
        total = sum(map(sum, branches))
        if total == 0:
            return -math.inf
        left = sum(sum(b) * impurity(b, self.split_criterion) for b in branches) / total
        if self.split_criterion == "gini":
            return 1 - left
        if sum(1 for b in branches if sum(b) / total > 0.01) < 2:
            return -math.inf
        return impurity(node.counts, "info_gain") - left


def impurity(counts: list[float], criterion: str) -> float:
    total = sum(counts)
    if total == 0:
        return 1.0 if criterion == "gini" else 0.0
    if criterion == "gini":
        rest = 1.0
        for n in counts:
            rest -= (n / total) ** 2
        return rest
    rest = 0.0  # terms added as in MOA: equal merits must come out equal
    for n in counts:
        rest -= n * (math.log(n) / math.log(2)) if n > 0 else 0.0
    return (rest + total * (math.log(total) / math.log(2))) / total


def gaussian(seen: list[tuple[float, float]]) -> tuple[float, float]:
    """Return the weighted mean and standard deviation, updated row by row as in MOA."""
    weight, mean, m2 = 0.0, 0.0, 0.0
    for value, w in seen:
        before = mean
        mean = value if weight == 0 else mean + w * (value - mean) / (weight + w)
        m2 += 0 if weight == 0 else w * (value - before) * (value - mean)
        weight += w
    return mean, math.sqrt(m2 / (weight - 1)) if weight > 1 and m2 > 0 else 0.0


def first_largest(values: list[float]) -> int:
    return max(range(len(values)), key=lambda i: (values[i], -i))
