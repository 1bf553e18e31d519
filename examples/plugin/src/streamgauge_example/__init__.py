"""A learner, a detector, a metric and a label policy for streamgauge, in plain NumPy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

import streamgauge as sg


class NearestMean:
    """Predicts the class whose mean features are nearest; `fading` forgets old rows."""

    def __init__(self, fading: float = 1.0) -> None:
        self.fading = fading

    def __repr__(self) -> str:
        return f"NearestMean(fading={self.fading})"

    def start(self, schema: sg.Schema, seed: int) -> None:
        self.weight = np.zeros(len(schema.classes))
        self.total = np.zeros((len(schema.classes), len(schema.features)))

    def predict(self, X: Any) -> Any:
        known = self.weight > 0
        if not known.any():
            return np.full((len(X), len(known)), np.nan)  # abstains
        mean = self.total / np.where(known, self.weight, 1)[:, None]
        distance = ((np.nan_to_num(X)[:, None] - mean) ** 2).sum(axis=2)
        distance[:, ~known] = np.inf
        return np.eye(len(known))[distance.argmin(axis=1)]

    def learn(self, X: Any, y: Any, w: Any) -> None:
        for row, label, weight in zip(np.nan_to_num(X), y, w, strict=True):
            self.weight *= self.fading
            self.total *= self.fading
            self.weight[label] += weight
            self.total[label] += weight * row


class ErrorRate:
    """Raises an alarm when more than `limit` of the last `size` errors are 1, and starts again."""

    def __init__(self, size: int = 50, limit: float = 0.5) -> None:
        self.size, self.limit = size, limit

    def __repr__(self) -> str:
        return f"ErrorRate(size={self.size}, limit={self.limit})"

    def start(self, seed: int) -> None:
        self.recent: list[float] = []

    def update(self, errors: Any, warned: Any = None) -> int:
        for i, error in enumerate(errors):
            self.recent = [*self.recent, float(error)][-self.size :]
            if len(self.recent) == self.size and np.mean(self.recent) > self.limit:
                self.recent = []
                return i
        return -1


specificity = sg.Metric(
    "specificity",
    lambda sums: sums.recall[:, 0],
    undefined="the first class never occurred",
    direction="higher",
    unit="fraction",
)


@dataclass(frozen=True)
class Nightly:
    """All labels of a day of `rows` rows come just before the next day's first row."""

    rows: int
    labels_first = True

    def timetable(self, block: sg.Block) -> sg.Timetable:
        row = np.arange(block.start, block.start + len(block))
        return sg.Timetable(row, (row // self.rows + 1) * self.rows, np.ones(len(block)))
