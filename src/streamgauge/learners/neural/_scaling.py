"""Standardisation by the mean and standard deviation of the rows learned so far."""

from __future__ import annotations

import numpy as np

from streamgauge._support.types import Floats, Schema

_FARTHEST = 1e100  # larger values count as this one: their squares would be infinite


class Scaling:
    """Standardises numeric features."""

    def __init__(self, schema: Schema) -> None:
        self._columns = np.flatnonzero(np.array(schema.cardinality) == 0)
        self._count, self._mean, self._squares = np.zeros((3, len(self._columns)))

    def learn(self, X: Floats, w: Floats) -> None:
        """Update with rows; missing values are skipped (Chan's formula for merging two groups)."""
        values = X[:, self._columns].clip(-_FARTHEST, _FARTHEST)
        weight = np.where(np.isnan(values), 0.0, w[:, None])
        count = weight.sum(axis=0)
        known = np.maximum(count, np.finfo(float).tiny)
        mean = (np.nan_to_num(values) * weight).sum(axis=0) / known
        squares = (np.nan_to_num(values - mean) ** 2 * weight).sum(axis=0)
        away, total = mean - self._mean, np.maximum(self._count + count, np.finfo(float).tiny)
        self._squares += squares + away**2 * self._count * count / total
        self._mean += np.where(count > 0, away * count / total, 0.0)
        self._count += count

    def __call__(self, X: Floats) -> Floats:
        deviation = np.sqrt(self._squares / np.maximum(self._count, 1))
        scaled = X.copy()
        scaled[:, self._columns] = X[:, self._columns].clip(-_FARTHEST, _FARTHEST) - self._mean
        scaled[:, self._columns] /= np.where(deviation > 0, deviation, 1.0)
        return scaled
