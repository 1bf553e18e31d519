"""Oracle for streaming gradient boosted trees: one row after another, tree after tree."""

from __future__ import annotations

import math

from tests.oracles.regression_trees import Tree
from tests.oracles.rng import Rng


class Booster:
    """Steps of one tree or a bag of trees; `subspaces` has each step's features.

    It predicts a target, or the log odds of a class against all others.
    """

    def __init__(
        self, nominal: list[int], subspaces: list[list[int]], seed: int, *, bag_size: int,
        learning_rate: float, **params: float,
    ) -> None:  # fmt: skip
        self.learning_rate = learning_rate
        self.steps: list[list[tuple[Tree, Rng]]] = []
        for step, features in enumerate(subspaces):
            rngs = [Rng(seed, step, i) for i in range(bag_size)]
            fixed = {**params, "leaf_features": len(features), "linear": 0}
            self.steps.append([(Tree(nominal, rng, features, **fixed), rng) for rng in rngs])

    def step_prediction(self, step: list[tuple[Tree, Rng]], x: list[float]) -> float:
        total = 0.0
        for tree, _ in step:
            total += tree.predict(x)  # NaN before its first row
        return self.learning_rate / len(step) * total

    def score(self, x: list[float]) -> float:
        score = 0.0
        for step in self.steps:
            score += self.step_prediction(step, x)
        return score

    def learn(self, x: list[float], y: float, w: float, classifies: bool) -> None:
        score = 0.0
        for step in self.steps:
            residual = y - score
            if classifies:  # gradient by Hessian; y is 1 for the class and 0 for others
                odds = min(9.2, max(-9.2, score))
                residual = 1 + math.exp(-odds) if y == 1 else -1 - math.exp(odds)
            for tree, rng in step:
                times = rng.poisson(1.0) if len(step) > 1 else 1
                if tree.root is None:
                    times = max(1, times)
                if times:
                    tree.learn(x, residual, w * times)
            score += self.step_prediction(step, x)


class BoostedRegressor:
    """One booster for the target."""

    def __init__(self, booster: Booster) -> None:
        self.booster = booster

    def predict(self, x: list[float]) -> float:
        return self.booster.score(x)

    def learn(self, x: list[float], y: float, w: float) -> None:
        self.booster.learn(x, y, w, False)


class BoostedClassifier:
    """A booster per class; for two classes only one, for the first."""

    def __init__(self, boosters: list[Booster], k: int) -> None:
        self.boosters, self.k = boosters, k

    def predict(self, x: list[float]) -> list[float]:
        votes = [1 / (1 + math.exp(-booster.score(x))) for booster in self.boosters]
        if self.k == 2:
            votes.append(1 - votes[0])
        return [vote / sum(votes) for vote in votes]

    def learn(self, x: list[float], y: int, w: float) -> None:
        for c, booster in enumerate(self.boosters):
            booster.learn(x, float(y == c), w, True)
