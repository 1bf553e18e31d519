"""Confusion matrices of many points at once, as many as the bins of the wait: few cells are met."""

from __future__ import annotations

import numpy as np

from streamgauge._support.types import Longs, Targets
from streamgauge.measures.encoding import count_outcomes

_MOST_DENSE = 1 << 22  # cells of all matrices; beyond, only those that were met are kept
_MOST_HELD = 1 << 20  # cells kept before they are counted


class ConfusionCounts:
    """One matrix per point: true class × predicted class, abstention last."""

    def __init__(self, points: int, k: int) -> None:
        self.points, self._k = points, k
        self._dense: Longs | None = None
        if points * k * (k + 1) <= _MOST_DENSE:
            self._dense = np.zeros((points, k, k + 1), np.int64)
        self._cells = np.empty(0, np.int64)  # those met, in ascending order
        self._counts = np.empty(0, np.int64)
        self._held: list[Longs] = []
        self._n_held = 0

    def add(self, y: Targets, outcomes: Targets) -> None:
        """Count rows with a prediction per point: rows × points."""
        if self._dense is not None:
            count_outcomes(y, outcomes, self._dense)
            return
        predicted = np.where(outcomes < 0, self._k, outcomes)
        rows = np.arange(self.points) * self._k + y[:, np.newaxis]
        self._held.append((rows * (self._k + 1) + predicted).ravel())
        self._n_held += predicted.size
        if self._n_held > _MOST_HELD:
            self._count()

    def read(self, first: int, stop: int) -> Longs:
        """The matrices of the points from `first` to `stop`."""
        if self._dense is not None:
            return self._dense[first:stop]
        self._count()
        size = self._k * (self._k + 1)
        part = slice(*np.searchsorted(self._cells, [first * size, stop * size]))
        matrices = np.zeros((stop - first) * size, np.int64)
        matrices[self._cells[part] - first * size] = self._counts[part]
        return matrices.reshape(stop - first, self._k, self._k + 1)

    def _count(self) -> None:
        """Add the cells held to those counted."""
        if not self._held:
            return
        new, counts = np.unique(np.concatenate(self._held), return_counts=True)
        self._held, self._n_held = [], 0
        cells = np.concatenate([self._cells, new])
        counts = np.concatenate([self._counts, counts])
        order = np.argsort(cells, kind="stable")
        firsts = np.flatnonzero(np.diff(cells[order], prepend=-1))
        self._cells = cells[order][firsts]
        self._counts = np.add.reduceat(counts[order], firsts)
