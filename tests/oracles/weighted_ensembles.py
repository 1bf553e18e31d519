"""Oracles for ensembles of weighted experts: DWM and OAUE, from their papers and MOA's order."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from tests.oracles.hoeffding_tree import Tree, first_largest


class WeightedMajority:
    """Dynamic weighted majority; `make` gives an expert that has learned nothing."""

    def __init__(self, k: int, make: Callable[[], Tree], period: int, beta: float, theta: float,
                 max_experts: int) -> None:  # fmt: skip
        self.k, self.make, self.period = k, make, period
        self.beta, self.theta, self.max_experts = beta, theta, max_experts
        self.experts = [(make(), 1.0)]  # with their weights, oldest first
        self.learned = 0

    def votes(self, x: list[float]) -> list[float]:
        votes = [0.0] * self.k
        for expert, weight in self.experts:
            votes[max(expert.predict(x), 0)] += weight
        return votes

    def predict(self, x: list[float]) -> int:
        return first_largest(self.votes(x)) if self.learned else -1

    def learn(self, x: list[float], y: int, w: float) -> None:
        self.learned += 1
        if self.learned % self.period == 0:
            self.experts = [
                (expert, weight if max(expert.predict(x), 0) == y else weight * self.beta)
                for expert, weight in self.experts
            ]
            is_wrong = first_largest(self.votes(x)) != y
            factor = 1.0 / max(weight for _, weight in self.experts)
            scaled = [(expert, weight * factor) for expert, weight in self.experts]
            self.experts = [each for each in scaled if each[1] >= self.theta]
            if is_wrong:
                if len(self.experts) == self.max_experts:
                    lowest = min(weight for _, weight in self.experts)
                    del self.experts[[weight for _, weight in self.experts].index(lowest)]
                self.experts.append((self.make(), 1.0))
        for expert, _ in self.experts:
            expert.learn(x, y, w)


@dataclass
class Member:
    """A tree of OAUE and its squared errors, the latest last."""

    tree: Tree
    weight: float
    errors: list[float] = field(default_factory=list)

    def probabilities(self, x: list[float]) -> list[float]:
        votes = self.tree.votes(x) or [0.0]
        total = sum(votes)
        return [each / total if total > 0 else 0.0 for each in votes]


class AccuracyUpdated:
    """The online accuracy updated ensemble of Hoeffding trees."""

    def __init__(self, k: int, make: Callable[[], Tree], n_models: int, window_size: int) -> None:
        self.k, self.make, self.n_models, self.window_size = k, make, n_models, window_size
        self.members: list[Member] = []
        self.candidate = make()
        self.labels: list[int] = []

    def predict(self, x: list[float]) -> int:
        if not self.members:
            return -1
        votes = [0.0] * self.k
        for member in self.members:
            for c, each in enumerate(member.probabilities(x)):
                votes[c] += each * member.weight
        return first_largest(votes)

    def learn(self, x: list[float], y: int, w: float) -> None:
        size = self.window_size
        self.labels.append(y)
        shares = [self.labels[-size:].count(c) / size for c in range(self.k)]
        random_error = sum(p * (1 - p) ** 2 for p in shares)
        for member in self.members:
            member.errors.append((1 - member.probabilities(x)[y]) ** 2)
            recent = member.errors[-size:]
            member.weight = 1 / (random_error + sum(recent) / len(recent) + 1e-300)
        for member in self.members:
            member.tree.learn(x, y, w)
        self.candidate.learn(x, y, w)
        if len(self.labels) % size == 0:
            new = Member(self.candidate, 1 / (random_error + 1e-300))
            worst = min(self.members, key=lambda member: member.weight, default=new)
            if len(self.members) < self.n_models:
                self.members.append(new)
            elif worst.weight < new.weight:
                self.members[self.members.index(worst)] = new
            self.candidate = self.make()
