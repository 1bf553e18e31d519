"""Exact autocorrelation of labels or regression targets, in one pass."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri

from streamgauge._support.jit import kernel
from streamgauge._support.types import UNKNOWN, Codes, Floats, Longs
from streamgauge.measures.sums import divide

_SIGNIFICANCE = 0.01  # of the band, for all lags together
_NOT_THERE = UNKNOWN - 1  # not a label and not UNKNOWN: two missing labels do not agree


@dataclass(frozen=True)
class Peak:
    """A season: a component of the labels, or values, that recurs every `lag` rows."""

    lag: int
    value: float  # autocorrelation at this lag
    same: float  # fraction of row pairs at this lag with the same label; NaN for regression


@dataclass(frozen=True, repr=False)
class Autocorrelation:
    """Autocorrelation by lag from 0 on: `autocorrelation[48]` is that of rows 48 apart.

    `band`: Bartlett's bound; if rows were independent beyond the shorter lags, the autocorrelation
    of all lags together would stay within ± this with 99 %. `same`: the fraction of pairs with the
    same label; NaN for regression.
    """

    values: Floats
    pairs: Longs
    same: Floats
    band: Floats
    peaks: tuple[Peak, ...] = field(default=())

    def __getitem__(self, lag: int) -> float:
        return float(self.values[lag])

    def __len__(self) -> int:
        return len(self.values)


def autocorrelation(values: Floats, pairs: Longs, same: Floats) -> Autocorrelation:
    """The autocorrelation with its band."""
    if len(values) < 2 or not pairs[0]:
        return Autocorrelation(values, pairs, same, np.full(len(values), np.nan))
    before = np.concatenate([[0.0, 0.0], np.nancumsum(values[1:-1] ** 2)])
    error: Floats = np.sqrt((1 + 2 * before) / pairs[0])  # Bartlett's formula
    band = -float(ndtri(_SIGNIFICANCE / 2 / (len(values) - 1))) * error
    return Autocorrelation(values, pairs, same, band)


def _reported(lags: int, rows: int) -> int:
    """How many lags to report: up to a quarter of the rows, at least one if two rows exist."""
    return max(0, min(lags, max(1, rows // 4), rows - 1))


class LabelLags:
    """Counts, per lag, pairs of labelled rows and those with the same label."""

    def __init__(self, lags: int) -> None:
        self._rows = self._known = 0
        self._history = np.full(lags, UNKNOWN, np.int32)
        self._same = np.zeros(lags, np.int64)  # the longest lag first, in the order of the history
        self._pairs = np.zeros(lags, np.int64)

    def add(self, y: Codes) -> None:
        """Count the next rows of the stream."""
        window = np.concatenate([self._history, y])
        known = window >= 0
        self._rows += len(y)
        self._known += int(known[len(self._history) :].sum())
        self._same += _agreements(window, np.where(known, window, _NOT_THERE), self._history)
        if known.all():
            self._pairs += len(y)
        else:
            there = np.where(known, 0, UNKNOWN).astype(np.int32)
            self._pairs += _agreements(there, np.where(known, 0, _NOT_THERE), self._history)
        self._history = window[len(y) :]

    def finish(self, priors: Floats) -> Autocorrelation:
        """(fraction of pairs with the same label − Σ P(i)²) / (1 − Σ P(i)²) per lag.

        This is the sum of the class indicators' autocovariances divided by the sum of their
        variances; for two classes it is the usual autocorrelation.
        """
        last = _reported(len(self._same), self._rows)
        pairs = np.concatenate([[self._known], self._pairs[::-1][:last]])
        same = divide(np.concatenate([[self._known], self._same[::-1][:last]]), pairs)
        chance = float((priors**2).sum())
        return autocorrelation(divide(same - chance, np.array(1 - chance)), pairs, same)


def _agreements(rows: Codes, earlier: npt.NDArray[np.integer], history: Codes) -> Longs:
    counts = np.zeros(len(history), np.int32)
    _count_agreements(rows, earlier.astype(np.int32), counts)
    return counts.astype(np.int64)


@kernel
def _count_agreements(rows: Codes, earlier: Codes, counts: Codes) -> None:
    lags = len(counts)
    for t in range(len(rows) - lags):
        label = rows[t + lags]
        before = earlier[t : t + lags]  # a slice of fixed length lets the loop use SIMD
        for j in range(lags):
            counts[j] += label == before[j]


class RegressionLags:
    """Sums, per lag, over pairs of known targets: count, Σ x, Σ earlier x, Σ product.

    The first known target is subtracted from all, so that a large mean costs no precision.
    """

    def __init__(self, lags: int) -> None:
        self._rows = self._known = 0
        self._origin = np.nan
        self._history = np.full(lags, np.nan)
        self._sums = np.zeros((4, lags))

    def add(self, y: Floats) -> None:
        """Count the next rows of the stream."""
        known = y[~np.isnan(y)]
        if np.isnan(self._origin) and len(known):
            self._origin = float(known[0])
        window = np.concatenate([self._history, y - self._origin])
        self._rows += len(y)
        self._known += len(known)
        there = ~np.isnan(window)
        _sum_products(np.where(there, window, 0.0), there.astype(np.float64), self._sums)
        self._history = window[len(y) :]

    def finish(self, mean: float, variance: float) -> Autocorrelation:
        """The mean product of deviations from the mean, divided by the variance."""
        last = _reported(self._sums.shape[1], self._rows)
        count, now, before, product = self._sums[:, ::-1][:, :last]
        centre = mean - self._origin
        covariance = (
            divide(product - centre * (now + before), count) + centre * centre
        )  # not **: it raises on overflow
        values = divide(covariance, np.array(variance))
        start = 1.0 if variance > 0 else np.nan
        pairs = np.concatenate([[self._known], count.astype(np.int64)])
        return autocorrelation(np.concatenate([[start], values]), pairs, np.full(last + 1, np.nan))


@kernel
def _sum_products(x: Floats, there: Floats, sums: Floats) -> None:
    lags = sums.shape[1]
    count, now, before, product = sums[0], sums[1], sums[2], sums[3]
    for t in range(len(x) - lags):
        value, known = x[t + lags], there[t + lags]
        earlier, known_then = x[t : t + lags], there[t : t + lags]
        for j in range(lags):
            count[j] += known * known_then[j]
            now[j] += value * known_then[j]
            before[j] += known * earlier[j]
            product[j] += value * earlier[j]
