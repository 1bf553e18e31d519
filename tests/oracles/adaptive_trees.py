"""Oracles for adaptive trees and ensembles: windows are lists, trees are objects."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tests.oracles.hoeffding_tree import Node, Tree, first_largest
from tests.oracles.java_random import JavaRandom
from tests.oracles.rng import Rng


@dataclass
class Window:
    """ADWIN as in MOA. Buckets are (count, sum, sum of squared deviations), oldest first."""

    delta: float
    buckets: list[tuple[int, float, float]] = field(default_factory=list)
    updates: int = 0
    total: float = 0.0
    m2: float = 0.0
    n: int = 0

    @property
    def mean(self) -> float:
        return self.total / self.n if self.n else math.nan

    def update(self, error: float) -> bool:
        self.n += 1
        if self.n > 1:
            self.m2 += (self.n - 1) * (error - self.total / (self.n - 1)) ** 2 / self.n
        self.total += error
        self.buckets.append((1, error, 0.0))
        size = 1
        while sum(1 for each in self.buckets if each[0] == size) > 5:
            i = next(i for i, each in enumerate(self.buckets) if each[0] == size)
            (_, a, va), (_, b, vb) = self.buckets[i : i + 2]
            joined = va + vb + size * size * (a / size - b / size) ** 2 / (2 * size)
            self.buckets[i : i + 2] = [(2 * size, a + b, joined)]
            size *= 2
        self.updates += 1
        shrunk = False
        if self.updates % 32 == 0 and self.n > 10:
            while self.has_cut():
                size, total, m2 = self.buckets.pop(0)
                self.n -= size
                self.total -= total
                off = total / size - self.total / self.n
                self.m2 -= m2 + size * self.n * off**2 / (size + self.n)
                shrunk = True
        return shrunk

    def detects_increase(self, error: float) -> bool:
        before = self.mean
        return self.update(error) and self.mean > before

    def has_cut(self) -> bool:
        n0, u0 = 0, 0.0
        confidence = math.log(2 * math.log(self.n) / self.delta)
        for size, total, _ in self.buckets:
            n0, u0 = n0 + size, u0 + total
            n1, u1 = self.n - n0, self.total - u0
            if n0 > 6 and n1 > 6:
                m = 1 / (n0 - 4) + 1 / (n1 - 4)
                bound = math.sqrt(2 * m * max(0.0, self.m2 / self.n) * confidence)
                if abs(u0 / n0 - u1 / n1) > bound + 2 / 3 * confidence * m:
                    return True
        return False


def add_probabilities(sums: list[float], votes: list[float], weight: float = 1.0) -> None:
    if sum(votes) > 0:
        for c, vote in enumerate(votes):
            sums[c] += weight * (vote / sum(votes))  # in this order, as in MOA


class Bag:
    """Online bagging; with windows, leveraging bagging."""

    def __init__(
        self, n: int, seed: int, mean: float, has_windows: bool, tree: dict[str, Any]
    ) -> None:
        self.make: Callable[[], Tree] = lambda: Tree(**tree)
        self.trees = [self.make() for _ in range(n)]
        self.windows = [Window(0.002) for _ in range(n)] if has_windows else []
        self.mean, self.rng, self.k = mean, Rng(seed), tree["k"]

    def predict(self, x: list[float]) -> int:
        sums, any_vote = [0.0] * self.k, False
        for tree in self.trees:
            votes = tree.votes(x)
            if votes is not None:
                any_vote = True
                add_probabilities(sums, votes)
        return first_largest(sums) if any_vote else -1

    def learn(self, x: list[float], y: int, w: float) -> None:
        changed = False
        for i, tree in enumerate(self.trees):
            times = self.rng.poisson(self.mean)
            if times:
                tree.learn(x, y, w * times)
            if self.windows:
                before = self.windows[i].mean
                shrunk = self.windows[i].update(float(max(tree.predict(x), 0) != y))
                changed |= shrunk and self.windows[i].mean > before
        if changed:
            rates = [window.mean for window in self.windows]
            worst = first_largest(rates)
            if rates[worst] > 0:
                self.trees[worst], self.windows[worst] = self.make(), Window(0.002)


class Member:
    """A tree of the adaptive random forest; if `as_moa`, it draws features as in MOA."""

    def __init__(self, features: int, tree: dict[str, Any], as_moa: bool, *seeds: int) -> None:
        self.rng, self.d, self.m = Rng(*seeds), len(tree["nominal"]), features
        self.permutation = list(range(self.d))
        self.tree_params, self.as_moa = tree, as_moa
        self.tree = self.make()
        self.background: Tree | None = None
        self.warning, self.drift = Window(0.01), Window(0.001)
        self.right_weight = self.total_weight = 0.0

    def make(self) -> Tree:
        self.java = JavaRandom(1)
        return Tree(**self.tree_params, draw=self.draw)

    def draw(self) -> list[int]:
        if self.m == self.d:
            return list(range(self.d))
        if self.as_moa:
            left = list(range(self.d))
            return sorted(left.pop(self.java.below(len(left))) for _ in range(self.m))
        for i in range(self.m):
            other = i + int(self.rng.next_uniform() * (self.d - i))
            order = self.permutation
            order[i], order[other] = order[other], order[i]
        return sorted(self.permutation[: self.m])

    def learn(self, x: list[float], y: int, w: float) -> None:
        self.total_weight += w
        self.right_weight += w if max(self.tree.predict(x), 0) == y else 0
        times = self.rng.poisson(6.0)
        if not times:
            return
        self.tree.learn(x, y, w * times)
        if self.background:
            self.background.learn(x, y, w)
        wrong = float(max(self.tree.predict(x), 0) != y)
        if self.warning.detects_increase(wrong):
            self.background, self.warning = self.make(), Window(0.01)
        if self.drift.detects_increase(wrong):
            if self.background:
                self.tree, self.background, self.warning = self.background, None, Window(0.01)
            else:
                self.tree = self.make()
            self.drift = Window(0.001)
            self.right_weight = self.total_weight = 0.0


class Forest:
    """The adaptive random forest."""

    members: list[Any]

    def __init__(
        self, n: int, seed: int, features: int, tree: dict[str, Any], as_moa: bool = False
    ) -> None:
        self.members = [Member(features, tree, as_moa, seed, i) for i in range(n)]
        self.k = tree["k"]

    def predict(self, x: list[float]) -> int:
        sums, any_vote = [0.0] * self.k, False
        for member in self.members:
            votes = member.tree.votes(x)
            if votes is not None:
                any_vote = True
                right = member.right_weight
                percent = 100 * right / member.total_weight if right else 1.0
                add_probabilities(sums, votes, percent)
        return first_largest(sums) if any_vote else -1

    def learn(self, x: list[float], y: int, w: float) -> None:
        for member in self.members:
            member.learn(x, y, w)


class Patch:
    """A tree of streaming random patches; `keeps` is MOA's rule for background trees."""

    def __init__(
        self, first: list[int] | None, m: int, mean: float, keeps: bool,
        deltas: tuple[float, float], tree: dict[str, Any], *seeds: int,
    ) -> None:  # fmt: skip
        self.rng, self.d, self.m = Rng(*seeds), len(tree["nominal"]), m
        self.permutation = list(range(self.d))
        self.tree_params, self.mean, self.keeps, self.deltas = tree, mean, keeps, deltas
        self.tree = self.make(first)
        self.background: Tree | None = None
        self.warning, self.drift = Window(deltas[0]), Window(deltas[1])
        self.right_weight = self.total_weight = 0.0

    def make(self, features: list[int] | None = None) -> Tree:
        """All leaves of a tree observe the same features."""
        features = features or self.draw()
        return Tree(**self.tree_params, draw=lambda: list(features), restarts=True)

    def draw(self) -> list[int]:
        if self.m == self.d:
            return list(range(self.d))
        order = self.permutation
        for i in range(self.m):
            other = i + int(self.rng.next_uniform() * (self.d - i))
            order[i], order[other] = order[other], order[i]
        return sorted(order[: self.m])

    def learn(self, x: list[float], y: int, w: float) -> None:
        self.total_weight += w
        self.right_weight += w if max(self.tree.predict(x), 0) == y else 0
        times = self.rng.poisson(self.mean) if self.mean else 1
        if not times:
            return
        self.tree.learn(x, y, w * times)
        wrong = float(max(self.tree.predict(x), 0) != y)
        if self.background:
            self.background.learn(x, y, w * times)
        if self.warning.detects_increase(wrong):
            self.background, self.warning = self.make(), Window(self.deltas[0])
        if self.drift.detects_increase(wrong):
            self.right_weight = self.total_weight = 0.0
            if self.background is self.tree:
                return
            if self.background:
                self.tree, self.warning = self.background, Window(self.deltas[0])
                self.background = self.tree if self.keeps else None
            else:
                self.tree = self.make()
            self.drift = Window(self.deltas[1])


class Patches(Forest):
    """Streaming random patches; `first` are the first subspaces, mean 0 if not resampled."""

    def __init__(
        self, first: list[list[int]] | list[None], m: int, mean: float, keeps: bool,
        deltas: tuple[float, float], seed: int, tree: dict[str, Any],
    ) -> None:  # fmt: skip
        self.members = [
            Patch(each, m, mean, keeps, deltas, tree, seed, i) for i, each in enumerate(first)
        ]
        self.k = tree["k"]


class AdaptiveTree(Tree):
    """The Hoeffding adaptive tree."""

    def __init__(self, seed: int, **tree: Any) -> None:
        super().__init__(**tree)
        self.rng = Rng(seed)
        self.windows: dict[int, Window] = {}  # by id of the node
        self.alternates: dict[int, Node] = {}

    def window(self, node: Node) -> Window:
        return self.windows.setdefault(id(node), Window(0.002))

    def add_error(self, node: Node, wrong: bool) -> bool:
        window = self.window(node)
        before = window.mean
        return window.update(float(wrong)) and not before > window.mean

    def learn_leaf(self, node: Node, x: list[float], y: int, w: float) -> bool:
        votes = self.votes_at(node, x)
        self.add_error(node, (first_largest(votes) if votes else 0) != y)
        self.learn_at(node, x, y, w * max(1, self.rng.poisson(1.0)))
        if node.test is not None:
            del self.windows[id(node)]
        return node.test is not None

    def put(self, parent: Node | None, branch: int, node: Node) -> None:
        if parent is None:
            self.root = node
        else:
            parent.children[branch] = node

    def compare(self, node: Node) -> int:
        alternate = self.alternates.get(id(node))
        if alternate is None or id(alternate) not in self.windows:
            return 0
        own, other = self.window(node), self.window(alternate)
        if own.n <= 300 or other.n <= 300:
            return 0
        spread = 2 * own.mean * (1 - own.mean) * math.log(2 / 0.05)
        bound = math.sqrt(spread * (1 / own.n + 1 / other.n))
        gain = own.mean - other.mean
        return 1 if bound < gain else -1 if bound < -gain else 0

    def learn(self, x: list[float], y: int, w: float) -> None:
        wrong = max(self.predict(x), 0) != y
        parent: Node | None = None
        branch, node = 0, self.root
        while node.test is not None:
            if self.add_error(node, wrong):
                self.alternates[id(node)] = self.new_leaf([0.0] * self.k)
            elif self.compare(node) > 0:
                node = self.alternates.pop(id(node))
                self.put(parent, branch, node)
                break
            elif self.compare(node) < 0:
                del self.alternates[id(node)]
            alternate = self.alternates.get(id(node))
            if alternate is not None and self.learn_leaf(alternate, x, y, w):
                self.put(parent, branch, alternate)
                return
            assert node.test is not None
            kind, j, at = node.test
            if math.isnan(x[j]):
                return
            branch = int(x[j]) if kind == "all" else int(
                x[j] > at if kind == "numeric" else x[j] != at
            )  # fmt: skip
            if branch not in node.children:
                node.children[branch] = self.new_leaf([0.0] * self.k)
            parent, node = node, node.children[branch]
        self.learn_leaf(node, x, y, w)
