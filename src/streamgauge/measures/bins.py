"""The table of bins of the wait: a metric per bin, bands and Ψ (semantics §8)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from streamgauge._support.errors import UsageError, instead_of
from streamgauge._support.types import Floats

_DOUBLINGS = 10  # in exponential weights, each tenth of the wait weighs twice the one before


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
        raise UsageError(f"no metric {name!r} per bin{instead_of(name, self.metrics)}")

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
