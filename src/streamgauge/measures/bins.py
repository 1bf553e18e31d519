"""Performance per bin of the wait: sums for each bin, metrics, bands and Ψ (semantics §8)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from streamgauge._support.errors import UsageError
from streamgauge._support.types import Floats, Targets
from streamgauge.measures._confusion_counts import ConfusionCounts
from streamgauge.measures._regression_sums import RegressionSums
from streamgauge.measures.metric import Metric
from streamgauge.measures.sums import (
    ClassificationSums,
    divide,
    hits_of,
    sums_of_confusions,
)

_NUMBERS_AT_ONCE = 1 << 22  # in the confusion matrices whose metrics are computed together
_Z = 1.959963984540054  # 95 %, two-sided
_DOUBLINGS = 10  # in exponential weights, each tenth of the wait weighs twice the one before


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


@dataclass(frozen=True, repr=False)
class BinTable:
    """Metrics per bin of the wait.

    `table["accuracy"]` has a value per bin, from the first prediction (0) to the final one (B + 1).
    The kappa family in a bin compares with the references' own predictions in that bin.
    """

    rows: int  # scored rows
    bins: int  # B, the number of parts of the wait, without the first and the final prediction
    values: dict[str, Floats] = field(repr=False)  # per metric, a value per bin
    bands: dict[str, Floats] = field(repr=False)  # bins × (low, high), for metrics that have them

    @property
    def metrics(self) -> tuple[str, ...]:
        return tuple(self.values)

    def __getitem__(self, name: str) -> Floats:
        if name in self.values:
            return self.values[name]
        if name in ("log_loss", "brier", "auc"):
            raise UsageError(
                f"{name} is not defined per bin: a bin's outcome is the class shown longest, which "
                "has no probabilities; for first predictions use metrics='all' and "
                f"run.summary[{name!r}]"
            )
        raise UsageError(f"no metric {name!r} per bin; expected one of {', '.join(self.metrics)}")

    def __len__(self) -> int:
        return self.bins + 2

    def band(self, name: str) -> Floats:
        """A 95 % confidence band: bins × (low, high); NaN for a metric without one.

        Rates have Wilson's interval. For the kappa family the reference's accuracy is taken as
        exact. MAE has the mean ± 1.96 standard errors. The band assumes independent rows, so on
        streams the true band is wider.
        """
        return self.bands[name] if name in self.bands else np.full((len(self[name]), 2), np.nan)

    def psi(self, weights: str | npt.ArrayLike = "mean", metric: str = "accuracy") -> float:
        """Ψ, the weighted mean of a metric over bins.

        Weights: "first", "final", "mean" (all bins equally), "second_half" (of the wait),
        "exponential" (each tenth of the wait weighs twice the one before), or a number per bin.
        """
        w = self._weights(weights)
        values = self[metric]
        counted = w > 0
        if not counted.any():
            return float("nan")
        return float((values[counted] * w[counted]).sum() / w[counted].sum())

    def _weights(self, weights: str | npt.ArrayLike) -> Floats:
        b, last = np.arange(len(self)), len(self) - 1
        named = {
            "first": b == 0,
            "final": b == last,
            "mean": b >= 0,
            "second_half": (2 * b > self.bins) & (b < last),
            "exponential": 2.0 ** (_DOUBLINGS * (b / last - 1)),
        }
        if isinstance(weights, str):
            if weights not in named:
                raise UsageError(f"weights={weights!r}: expected {', '.join(named)} or an array")
            return np.asarray(named[weights], np.float64)
        given = np.asarray(weights, np.float64)
        if given.shape != (len(self),) or not (np.isfinite(given) & (given >= 0)).all():
            raise UsageError(
                f"weights of shape {given.shape}: expected {len(self)} finite numbers >= 0, for "
                f"bins 0 to {last}"
            )
        return given

    def to_arrow(self) -> pa.Table:
        """A row per bin: its number, its position in the wait from 0 to 1, a column per metric.

        The columns METRIC_low and METRIC_high hold the band.
        """
        b = np.arange(len(self))
        part = np.clip((b - 0.5) / max(self.bins, 1), 0, 1)
        edges = {
            f"{name}_{side}": band[:, i]
            for name, band in self.bands.items()
            for i, side in enumerate(("low", "high"))
        }
        return pa.table({"bin": b, "part": part} | self.values | edges)

    @staticmethod
    def of_arrow(table: pa.Table, rows: int, metrics: Sequence[str]) -> BinTable:
        """The table whose `to_arrow` is this one."""
        columns = {name: table[name].to_numpy() for name in table.column_names[2:]}
        bands = {
            name: np.stack([columns[f"{name}_low"], columns[f"{name}_high"]], axis=1)
            for name in metrics
            if f"{name}_low" in columns
        }
        return BinTable(rows, len(table) - 2, {name: columns[name] for name in metrics}, bands)


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
