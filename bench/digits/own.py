"""User-defined learners: plain Python objects without a base class of streamgauge."""

from __future__ import annotations

from typing import Any

import numpy as np


class OwnLearner:
    """Nearest class mean."""

    def start(self, schema: Any, seed: int) -> None:
        self.sums = np.zeros((len(schema.classes), len(schema.features)))
        self.counts = np.zeros(len(schema.classes))

    def predict(self, X: Any) -> Any:
        if not self.counts.any():
            return np.full((len(X), len(self.counts)), np.nan)
        means = self.sums / np.maximum(1, self.counts)[:, None]
        far = np.abs(np.nan_to_num(X)[:, None] - means).sum(axis=2)
        near = (self.counts > 0) / (1 + far)
        return near / near.sum(axis=1, keepdims=True)

    def learn(self, X: Any, y: Any, w: Any) -> None:
        np.add.at(self.sums, y, np.nan_to_num(X) * w[:, None])
        np.add.at(self.counts, y, w)


class OwnSequences(OwnLearner):
    """Nearest class mean of three consecutive rows; learns forty rows at a time."""

    context, period = 3, 40

    def start(self, schema: Any, seed: int) -> None:
        super().start(schema, seed)
        self._waiting: list[tuple[Any, Any, Any]] = []

    @property
    def pending(self) -> int:
        return len(self._waiting)

    def predict(self, X: Any) -> Any:
        return super().predict(np.nan_to_num(X).mean(axis=1))

    def learn(self, X: Any, y: Any, w: Any) -> None:
        for i in range(len(y)):
            self._waiting.append((np.nan_to_num(X[i]).mean(axis=0), y[i], w[i]))
            if len(self._waiting) == self.period:
                super().learn(*map(np.array, zip(*self._waiting, strict=True)))
                self._waiting = []


class OneByOne:
    """With River's methods: the last label seen with the same rounded first feature."""

    def __init__(self) -> None:
        self.seen: dict[int, Any] = {}

    def predict_one(self, x: dict[str, Any]) -> Any:
        return self.seen.get(self._key(x))

    def learn_one(self, x: dict[str, Any], y: Any) -> None:
        self.seen[self._key(x)] = y

    def _key(self, x: dict[str, Any]) -> int:
        return hash(round(float(next(iter(x.values()))), 1))
