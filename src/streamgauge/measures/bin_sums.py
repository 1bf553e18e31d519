"""Sums for each bin of the wait, and the table of bins that they give (semantics §8)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

import numpy as np

from streamgauge._support.types import Floats, Longs, Targets
from streamgauge.measures._regression_sums import RegressionSums
from streamgauge.measures.bins import BinTable
from streamgauge.measures.encoding import count_outcomes
from streamgauge.measures.metric import Metric
from streamgauge.measures.sums import (
    ClassificationSums,
    divide,
    hits_of,
    sums_of_confusions,
)

_NUMBERS_AT_ONCE = 1 << 22  # in the confusion matrices whose metrics are computed together
_Z = 1.959963984540054  # 95 %, two-sided

_MOST_DENSE = 1 << 22  # cells of all matrices; beyond, only those that were met are kept
_MOST_HELD = 1 << 20  # cells kept before they are counted


class BinSums(ABC):
    """Sums per bin for the learner and then for each reference."""

    rows = 0

    @abstractmethod
    def add(self, y: Targets, outcomes: Sequence[Targets]) -> None:
        """Count rows; `outcomes`: for each participant, rows × bins."""

    @abstractmethod
    def table(self, who: int, metrics: tuple[Metric, ...]) -> BinTable:
        """The table of one participant: 0 is the learner, then the references."""


class ClassificationBinSums(BinSums):
    """A confusion matrix per participant and bin."""

    def __init__(
        self, references: tuple[str, ...], bins: int, k: int, cost: Floats | None = None
    ) -> None:
        self._references = references
        # An abstention is the last column: it costs as much as the worst prediction.
        self._cost = None if cost is None else np.column_stack([cost, cost.max(axis=1)])
        self._confusions = [ConfusionCounts(bins + 2, k) for _ in range(1 + len(references))]
        self._at_once = max(1, _NUMBERS_AT_ONCE // (k * (k + 1)))  # points

    def add(self, y: Targets, outcomes: Sequence[Targets]) -> None:
        self.rows += len(y)
        for confusions, shown in zip(self._confusions, outcomes, strict=True):
            confusions.add(y, shown)

    def table(self, who: int, metrics: tuple[Metric, ...]) -> BinTable:
        points = self._confusions[who].points
        firsts = range(0, points, self._at_once)
        parts = [
            _table(self.rows, self._sums(who, first, min(points, first + self._at_once)), metrics)
            for first in firsts
        ]
        return parts[0] if len(parts) == 1 else _joined(parts)

    def _sums(self, who: int, first: int, stop: int) -> ClassificationSums:
        own = self._confusions[who].read(first, stop)
        hits = [hits_of(each.read(first, stop)) for each in self._confusions[1:]]
        sums = sums_of_confusions(own, np.array(hits), self._references)
        if self._cost is not None:
            sums.cost = (own * self._cost).sum(axis=(1, 2))
        return sums


class RegressionBinSums(BinSums):
    """Sums of errors and their squares per participant and bin."""

    def __init__(self, references: tuple[str, ...], bins: int) -> None:
        width = RegressionSums.COUNTS + RegressionSums.VALUES
        self._sums = np.zeros((1 + len(references), bins + 2, width))
        self._shift: float | None = None  # R² subtracts squares: a shift keeps them small

    def add(self, y: Targets, outcomes: Sequence[Targets]) -> None:
        self.rows += len(y)
        if not len(y):
            return
        if self._shift is None:
            self._shift = float(y[0])
        for who, shown in enumerate(outcomes):
            made = ~np.isnan(shown)
            error = np.where(made, shown - y[:, np.newaxis], 0.0)
            level = np.where(made, y[:, np.newaxis] - self._shift, 0.0)
            zeros = np.zeros_like(error)
            columns = (zeros + 1, made, zeros, np.abs(error), error**2, level, level**2)
            self._sums[who] += np.stack([column.sum(axis=0) for column in columns], axis=1)

    def table(self, who: int, metrics: tuple[Metric, ...]) -> BinTable:
        return _table(self.rows, RegressionSums(self._sums[who]), metrics)


def _table(
    rows: int, sums: ClassificationSums | RegressionSums, metrics: tuple[Metric, ...]
) -> BinTable:
    values = {metric.name: metric.of(sums) for metric in metrics}
    if isinstance(sums, RegressionSums):
        return BinTable(rows, len(sums.n) - 2, values, _error_bands(values, sums))
    return BinTable(rows, len(sums.n) - 2, values, _rate_bands(values, sums))


def _joined(parts: Sequence[BinTable]) -> BinTable:
    """The table of all bins, from tables of consecutive bins."""
    values = {
        name: np.concatenate([each.values[name] for each in parts]) for name in parts[0].values
    }
    bands = {name: np.concatenate([each.bands[name] for each in parts]) for name in parts[0].bands}
    return BinTable(parts[0].rows, sum(map(len, parts)) - 2, values, bands)


def _error_bands(values: dict[str, Floats], sums: RegressionSums) -> dict[str, Floats]:
    mae = values["mae"]
    with np.errstate(invalid="ignore"):  # infinite errors have no band
        spread = np.sqrt(np.maximum(0, divide(sums.squared, sums.made) - mae**2))
    half = _Z * divide(spread, np.sqrt(sums.made))
    return {"mae": np.stack([mae - half, mae + half], axis=1)}


def _rate_bands(values: dict[str, Floats], sums: ClassificationSums) -> dict[str, Floats]:
    """The bands of rates and of the kappa family."""
    bands = {}
    rates = {"recall": sums.true, "precision": sums.predicted}
    seen = dict.fromkeys(rates, 0)  # the metrics of a kind are in the order of the classes
    for name, value in values.items():
        kind = name.partition("[")[0]
        if name in _REFERENCE_OF:
            reference = sums.chance if name == "kappa" else sums.reference(_REFERENCE_OF[name])
            low, high = _wilson(sums.accuracy, sums.n).T
            rest = np.where(np.isnan(value), 0.0, 1 - reference)
            edges = (divide(low - reference, rest), divide(high - reference, rest))
            bands[name] = np.stack(edges, axis=1)
        elif name in ("accuracy", "error", "coverage") or name.startswith("accuracy_"):
            bands[name] = _wilson(value, sums.n)
        elif kind in rates:
            bands[name] = _wilson(value, rates[kind][:, seen[kind]])
            seen[kind] += 1
    return bands


_REFERENCE_OF = {
    "kappa": "",
    "kappa_temporal": "Persistent",
    "kappa_majority": "Majority",
    "kappa_transition": "Transition",
    "kappa_seasonal": "Seasonal",
}


def _wilson(rate: Floats, n: Floats) -> Floats:
    """Wilson's interval for a rate over n rows."""
    square = _Z**2
    middle = (rate * n + square / 2) / (n + square)
    half = _Z * np.sqrt(np.maximum(0, rate * (1 - rate) * n + square / 4)) / (n + square)
    return np.stack([middle - half, middle + half], axis=1)


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
