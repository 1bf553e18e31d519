"""Performance per bin of the wait: sums for each bin, metrics, bands and Ψ (semantics §8)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from streamgauge._support.errors import UsageError
from streamgauge._support.types import Floats, Targets
from streamgauge.measures.metrics import Metric
from streamgauge.measures.sums import (
    LabelSums,
    NumberSums,
    count_outcomes,
    divide,
    sums_of_confusions,
)

_Z = 1.959963984540054  # 95 %, two-sided
_DOUBLINGS = 10  # exponential weights: each tenth of the wait weighs twice the one before


class BinSums:
    """Sums of one answerer after another (the learner, then the references), bin by bin."""

    def __init__(self, answerers: int, bins: int, k: int, cost: Floats | None = None) -> None:
        self.rows = 0
        # An abstention is the last column: it costs as much as the worst prediction.
        self._cost = None if cost is None else np.column_stack([cost, cost.max(axis=1)])
        self._k = k
        if k:
            self._confusions = np.zeros((answerers, bins + 2, k, k + 1), np.int64)
        else:
            self._numbers = np.zeros((answerers, bins + 2, NumberSums.COUNTS + NumberSums.VALUES))
            self._shift: float | None = None  # R² subtracts squares: keep them small

    def add(self, y: Targets, outcomes: Sequence[Targets]) -> None:
        """Rows: of each answerer, rows × bins."""
        self.rows += len(y)
        for who, shown in enumerate(outcomes):
            if self._k:
                count_outcomes(y, shown, self._confusions[who])
            elif len(y):
                self._add_numbers(who, y, shown)

    def _add_numbers(self, who: int, y: Targets, shown: Targets) -> None:
        if self._shift is None:
            self._shift = float(y[0])
        made = ~np.isnan(shown)
        error = np.where(made, shown - y[:, np.newaxis], 0.0)
        level = np.where(made, y[:, np.newaxis] - self._shift, 0.0)
        none = np.zeros_like(error)
        columns = (none + 1, made, none, np.abs(error), error**2, level, level**2)
        self._numbers[who] += np.stack([column.sum(axis=0) for column in columns], axis=1)

    def table(self, who: int, metrics: tuple[Metric, ...]) -> BinTable:
        """What they add up to for one answerer."""
        if not self._k:
            return BinTable(self.rows, NumberSums(self._numbers[who]), metrics)
        own = self._confusions[who]
        sums = sums_of_confusions(own, self._confusions[1:])
        if self._cost is not None:
            sums.cost = (own * self._cost).sum(axis=(1, 2))
        return BinTable(self.rows, sums, metrics)


@dataclass(frozen=True, repr=False)
class BinTable:
    """`table["accuracy"]`: a value per bin, from the first prediction (0) to the final one (B + 1).

    The kappa family in a bin is measured against the references' own predictions in that bin.
    """

    rows: int  # labels so far
    _sums: LabelSums | NumberSums = field(repr=False)
    _metrics: tuple[Metric, ...] = field(repr=False)

    @property
    def bins(self) -> int:
        """B: parts of the wait, the first and the final prediction not counted."""
        return len(self._sums.n) - 2

    @property
    def metrics(self) -> tuple[str, ...]:
        return tuple(metric.name for metric in self._metrics)

    def __getitem__(self, name: str) -> Floats:
        return self._metric(name).of(self._sums)

    def __len__(self) -> int:
        return self.bins + 2

    def band(self, name: str) -> Floats:
        """Bins × (low, high), 95 %: Wilson's for shares of rows; the kappa family with the
        reference taken as known; for MAE the mean ± 1.96 standard errors. NaN for what is none of
        these. Rows are taken as independent; on streams the truth is wider."""
        sums, value = self._sums, self[name]
        if isinstance(sums, NumberSums):
            if name != "mae":
                return np.full((len(self), 2), np.nan)
            spread = np.sqrt(np.maximum(0, divide(sums.squared, sums.made) - value**2))
            half = _Z * divide(spread, np.sqrt(sums.made))
            return np.stack([value - half, value + half], axis=1)
        if name in _BEYOND:
            reference = sums.chance if name == "kappa" else sums.reference(_BEYOND[name])
            low, high = _wilson(sums.accuracy, sums.n).T
            rest = np.where(np.isnan(value), 0.0, 1 - reference)
            return np.stack([divide(low - reference, rest), divide(high - reference, rest)], axis=1)
        if name in ("accuracy", "error", "coverage") or name.startswith("accuracy_"):
            return _wilson(value, sums.n)
        which = {"recall": sums.true, "precision": sums.predicted}.get(name.partition("[")[0])
        if which is not None:
            same_kind = [m for m in self.metrics if m.partition("[")[0] == name.partition("[")[0]]
            return _wilson(value, which[:, same_kind.index(name)])
        return np.full((len(self), 2), np.nan)

    def psi(self, weights: str | npt.ArrayLike = "mean", metric: str = "accuracy") -> float:
        """Ψ, the weighted mean over bins. Weights: "first", "final", "mean" (all bins alike),
        "second_half" (of the wait), "exponential" (each tenth of the wait weighs twice the one
        before), or a number for each bin."""
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
        """A line per bin: b, its place in the wait from 0 to 1, a column per metric."""
        b = np.arange(len(self))
        part = np.clip((b - 0.5) / max(self.bins, 1), 0, 1)
        return pa.table({"bin": b, "part": part} | {name: self[name] for name in self.metrics})

    def _metric(self, name: str) -> Metric:
        for metric in self._metrics:
            if metric.name == name:
                return metric
        if name in ("log_loss", "brier", "auc"):
            raise UsageError(
                f"{name} per bin is not defined: a bin's outcome is the class shown longest, which "
                "has no probabilities; of first predictions it is run.summary[...] with "
                "metrics='all'"
            )
        raise UsageError(f"no metric {name!r} per bin; there are {', '.join(self.metrics)}")


_BEYOND = {
    "kappa": "",
    "kappa_temporal": "Persistent",
    "kappa_majority": "Majority",
    "kappa_transition": "Transition",
}


def _wilson(share: Floats, n: Floats) -> Floats:
    """Wilson's interval of a share of n rows."""
    square = _Z**2
    middle = (share * n + square / 2) / (n + square)
    half = _Z * np.sqrt(np.maximum(0, share * (1 - share) * n + square / 4)) / (n + square)
    return np.stack([middle - half, middle + half], axis=1)
