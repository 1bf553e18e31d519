"""Oracle for EFDT: every node is an object that keeps its rows, and MOA's rules are literal."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from tests.oracles.hoeffding_tree import Node, Tree, impurity

Test = tuple[str, int, float]


@dataclass
class EFDTNode(Node):
    """A node that remembers all gains of its features, as a leaf and as a split."""

    n_rows: int = 0  # learned as a leaf
    gains: dict[int, float] = field(default_factory=dict)
    attempts: int = 0
    classes: int = 0  # at the time it became a split
    used: frozenset[int] = frozenset()  # nominal features of the nominal splits directly above


class EFDT(Tree):
    """The tree; `every` is min_samples_reevaluate."""

    def __init__(self, nominal: list[int], k: int, grace_period: int, every: int, delta: float,
                 tau: float, leaf_prediction: str, split_criterion: str,
                 compat: str | None = None) -> None:  # fmt: skip
        super().__init__(
            nominal, k, grace_period, delta, tau, leaf_prediction, split_criterion, compat=compat
        )
        self.every, self.learned = every, 0

    def new_leaf(self, counts: list[float]) -> EFDTNode:
        return EFDTNode(self.k, counts, features=list(range(len(self.nominal))))

    def learn(self, x: list[float], y: int, w: float) -> None:
        reevaluates = self.learned % self.every == 0
        self.learned += 1
        node = self.root
        while node.test is not None:
            assert isinstance(node, EFDTNode)
            node.counts[y] += w
            node.rows.append((x, y, w))
            kind, j, at = node.test
            replaced = reevaluates and self.reevaluate(node)
            if replaced or math.isnan(x[j]):
                return
            branch = (
                int(x[j]) if kind == "all" else int(x[j] > at if kind == "numeric" else x[j] != at)
            )
            if branch not in node.children:
                node.children[branch] = self.new_leaf([0.0] * self.k)
            node = node.children[branch]
        assert isinstance(node, EFDTNode)
        node.last_attempt = math.inf  # Hoeffding trees count weights, this one rows
        self.learn_at(node, x, y, w)
        node.n_rows += 1
        if node.n_rows % self.grace_period == 0 and sum(n != 0 for n in node.counts) > 1:
            self.attempt(node)

    def evaluate(self, node: EFDTNode) -> tuple[float, Test] | None:
        """Add up the gains of all features; return the best gain and its test."""
        node.attempts += 1
        nothing = 1 - impurity(node.counts, "gini") if self.split_criterion == "gini" else 0.0
        best: tuple[float, Test] | None = None
        for j in node.features:
            options = self.splits(node, j)
            if not options:
                continue
            merit, test = options[0]
            for option in options[1:]:
                if option[0] > merit:
                    merit, test = option
            node.gains[j] = node.gains.get(j, 0.0) + merit - nothing
            if best is None or merit - nothing >= best[0]:
                best = merit - nothing, test
        return best

    def bound(self, classes: int, total: float) -> float:
        span = 1.0 if self.split_criterion == "gini" else math.log2(max(2, classes))
        return math.sqrt(span**2 * math.log(1 / self.delta) / (2 * total))

    def attempt(self, node: EFDTNode) -> None:
        best = self.evaluate(node)
        if best is None or best[0] < 1e-10 or best[1][1] in node.used:
            return
        bound = self.bound(highest(node), sum(node.counts))
        if node.gains[best[1][1]] / node.attempts > bound or bound < self.tau:
            self.split(node, best[1])

    def reevaluate(self, node: EFDTNode) -> bool:
        best = self.evaluate(node)
        if best is None or node.test is None:
            return False
        mine = node.gains[node.test[1]] / node.attempts
        lead = node.gains[best[1][1]] / node.attempts - mine
        bound = self.bound(node.classes, sum(node.counts))
        if not (lead > bound or (bound < self.tau and lead > self.tau / 2)):
            return False
        self.split(node, best[1])
        return True

    def split(self, node: EFDTNode, test: Test) -> None:
        node.test, node.children = test, {}
        for branch, counts in enumerate(self.branches(node, test)):
            child = self.new_leaf(counts)
            child.by_split = True
            child.used = node.used | {test[1]} if test[0] != "numeric" else frozenset()
            node.children[branch] = child
        node.used, node.attempts, node.classes = frozenset(), 0, highest(node)


def highest(node: Node) -> int:
    """The highest class with weight, plus 1."""
    return max(c for c, n in enumerate(node.counts) if n != 0) + 1
