"""Oracle for SAMkNN: lists of rows, one distance at a time, from losing2016 and semantics §13."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from streamgauge._support.types import Codes, Floats
from tests.oracles.rng import Rng

ROUNDS = 300  # of k-means, at most


class Row(NamedTuple):
    x: tuple[float, ...]
    label: int
    weight: float


def distance(a: tuple[float, ...], b: tuple[float, ...]) -> float:
    """Squared; features that are missing in one of the rows differ as the others do on average."""
    pairs = [(p, q) for p, q in zip(a, b, strict=True) if not math.isnan(p) and not math.isnan(q)]
    if len(pairs) == len(a):
        return float(sum((p - q) * (p - q) for p, q in pairs))
    if not pairs:
        return math.inf
    return sum((p - q) * (p - q) for p, q in pairs) * (len(a) / len(pairs))


def nearest(x: tuple[float, ...], rows: list[Row], k: int) -> list[tuple[float, int]]:
    """The distance and index of the k nearest rows; of equally near ones the first.

    The distance of two infinite values is undefined, and so not near.
    """
    away = [(distance(x, row.x), i) for i, row in enumerate(rows)]
    return sorted((far, i) for far, i in away if not math.isnan(far))[:k]


def votes_of(x: tuple[float, ...], rows: list[Row], k: int, classes: int) -> list[float]:
    """The votes of the nearest rows for each class; empty without any."""
    votes = [0.0] * classes
    near = nearest(x, rows, k)
    for far, i in near:
        votes[rows[i].label] += rows[i].weight / max(math.sqrt(far), 1e-9)
    return votes if near else []


def winner(votes: list[float]) -> int:
    return votes.index(max(votes)) if votes else -1


@dataclass
class SAM:
    k: int
    limit: int
    least: int
    share: float
    exact: bool
    classes: int
    rng: Rng
    short: list[Row] = field(default_factory=list)
    long: list[Row] = field(default_factory=list)
    # Was each memory right on each row of `short`?
    right: list[tuple[bool, bool, bool]] = field(default_factory=list)
    # For windows from these rows of `short` on: would they have predicted the later rows rightly?
    histories: dict[int, list[bool]] = field(default_factory=dict)
    compressions: int = 0
    cuts: int = 0

    def votes(self, x: tuple[float, ...]) -> list[list[float]]:
        memories = (self.short, self.long, self.short + self.long)
        return [votes_of(x, rows, self.k, self.classes) for rows in memories]

    def predict(self, x: tuple[float, ...]) -> list[float]:
        if not self.short:
            return []
        short, long, both = (sum(each) for each in zip(*self.right, strict=True))
        votes = self.votes(x)
        if short >= long and short >= both:
            return votes[0]
        return votes[1] if long > short and long >= both and self.long else votes[2]

    def learn(self, row: Row) -> None:
        votes = self.votes(row.x)
        hits = [winner(each) == row.label for each in votes]
        self.right.append((hits[0], hits[1], hits[2]))
        self.short.append(row)
        if len(self.short) + len(self.long) > self.limit:
            self.make_space()
        self.clean(self.long, [len(self.short) - 1])
        size = self.best_size()
        if size < len(self.short):
            self.cuts += 1
            left = self.short[:-size]
            self.short, self.right = self.short[-size:], self.right[-size:]
            self.clean(left, list(range(len(self.short))))
            self.long += left

    def clean(self, rows: list[Row], against: list[int]) -> None:
        """Remove rows that contradict rows of the short-term memory."""
        if len(self.short) <= self.k:
            return
        for i in against:
            own = self.short[i]
            others = self.short[:i] + self.short[i + 1 :]
            near = nearest(own.x, others, self.k)
            reach = max([far for far, j in near if others[j].label == own.label], default=0.0)
            wrong = [
                j
                for far, j in nearest(own.x, rows, self.k)
                if rows[j].label != own.label and far <= reach
            ]
            rows[:] = [row for j, row in enumerate(rows) if j not in wrong]

    def make_space(self) -> None:
        most = int(self.share * self.limit)
        if len(self.long) <= most:
            moved = most - len(self.long) + 1
            self.long += self.short[:moved]
            self.short, self.right, self.histories = self.short[moved:], self.right[moved:], {}
        self.compressions += 1
        compressed = []
        for c in range(self.classes):
            rows = [row for row in self.long if row.label == c]
            if rows:
                mean = float(np.array([row.weight for row in rows]).mean())
                for centre in k_means(rows, max(len(rows) // 2, 1), self.rng):
                    compressed.append(Row(centre, c, mean))
        surplus = max(0, len(self.short) + len(compressed) - self.limit)
        self.long = compressed[surplus:]

    def history(self, start: int, before: list[bool]) -> list[bool]:
        """Add what a window from `start` on predicts for each later row, after its first k."""
        for i in range(start + self.k + len(before), len(self.short)):
            row = self.short[i]
            votes = votes_of(row.x, self.short[start:i], self.k, self.classes)
            before.append(winner(votes) == row.label)
        return before

    def best_size(self) -> int:
        n = len(self.short)
        if n < 2 * self.least:
            return n
        sizes = [n]
        while sizes[-1] >= 2 * self.least:
            sizes.append(sizes[-1] // 2)
        histories = {}
        for size in sizes:
            start = n - size
            if start in self.histories:
                histories[start] = self.history(start, self.histories[start])
            elif start - 1 in self.histories and not self.exact:
                histories[start] = self.history(start, self.histories[start - 1][1:])
            else:
                histories[start] = self.history(start, [])
        whole = error(histories[0])
        for start in range(1, n):
            if start in histories and error(histories[start]) < whole:
                histories[start] = self.history(start, [])
        best = min(sizes, key=lambda size: error(histories[n - size]))
        first = n - best
        self.histories = {s - first: each for s, each in histories.items() if s >= first}
        return best


def error(history: list[bool]) -> float:
    return 1.0 - sum(history) / len(history)


def k_means(rows: list[Row], k: int, rng: Rng) -> list[tuple[float, ...]]:
    chosen = int(rng.next_uniform() * len(rows))
    centres = [rows[chosen].x]
    while len(centres) < k:
        near = [row.weight * min(defined(row.x, centres), default=math.inf) for row in rows]
        total = sum(near)
        if total == 0:
            break
        at = total * rng.next_uniform()
        chosen, reached = 0, near[0]
        while not (at < reached or reached == math.inf) and chosen < len(rows) - 1:
            chosen += 1
            reached += near[chosen]
        centres.append(rows[chosen].x)
    for _ in range(ROUNDS):  # infinite values may move centres back and forth for ever
        groups: list[list[Row]] = [[] for _ in centres]
        for row in rows:
            away = [distance(row.x, centre) for centre in centres]
            if known := defined(row.x, centres):
                groups[away.index(min(known))].append(row)
        moved = [mean_of(group, centre) for group, centre in zip(groups, centres, strict=True)]
        if str(moved) == str(centres):  # as text, since NaN is not equal to itself
            break
        centres = moved
    return centres


def defined(x: tuple[float, ...], centres: list[tuple[float, ...]]) -> list[float]:
    away = [distance(x, centre) for centre in centres]
    return [far for far in away if not math.isnan(far)]


def mean_of(group: list[Row], centre: tuple[float, ...]) -> tuple[float, ...]:
    """The mean of the known values; the centre's own value where it is undefined."""
    means = []
    for j, own in enumerate(centre):
        known = [(row.weight, row.x[j]) for row in group if not math.isnan(row.x[j])]
        total = sum(w * value for w, value in known)
        means.append(total / sum(w for w, _ in known) if known and not math.isnan(total) else own)
    return tuple(means)


def predictions(
    events: list[tuple[str, int, float]], X: Floats, y: Codes, sam: SAM
) -> list[tuple[int, Floats]]:
    """Label (-1 abstains) and probabilities for every prediction event ("P", row, _)."""
    answers: list[tuple[int, Floats]] = []
    for kind, i, weight in events:
        x = tuple(X[i].tolist())
        if kind == "L":
            if weight > 0:
                sam.learn(Row(x, int(y[i]), weight))
            continue
        votes = sam.predict(x)
        if not votes:
            answers.append((-1, np.full(sam.classes, np.nan)))
        else:
            total = sum(votes) or 1.0  # all rows may be infinitely far
            answers.append((winner(votes), np.array(votes) / total))
    return answers
