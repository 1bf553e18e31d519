"""Periods after which labels or values recur: lines of the whitened periodogram (semantics §7)."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.special import fdtrc

from streamgauge._support.types import UNKNOWN, Codes, Floats
from streamgauge.inspection._lags import Autocorrelation, Peak

MOST_ROWS = 1 << 20  # periods are searched in the first rows, so that memory is bounded
_MOST_CLASSES = 4  # the most frequent ones
_SIGNIFICANCE = 0.01  # for all frequencies and classes together
_SIDE = 25  # ordinates on each side that a line is compared with
_GAP = 2  # nearest ordinates on each side, which a line leaks into
_FEWEST = 5  # ordinates that make a side
_CYCLES = 10  # a period is seen at least this often
_PHI = (-0.98, 0.9999)  # of the whitening: labels that alternate keep their line
_ROUNDING = 1e-9  # of the mean power: below it, an ordinate is rounding
_MULTIPLES = 8  # of a period that is no whole number of rows
_NEARLY = 0.8  # of the highest autocorrelation among the multiples
_NEAR = 0.1  # of a clearer season's lag: beside it, a season that varies in height has lines
_OWN = 0.5  # of the autocorrelation at a longer season, for a season within it


class Line(NamedTuple):
    """A frequency, in cycles per row, whose ordinate stands out on both sides."""

    frequency: float
    p: float


class KeptRows:
    """The first rows of the stream: class codes or values."""

    def __init__(self, kind: npt.DTypeLike) -> None:
        self._parts = [np.empty(0, kind)]
        self._rows = 0

    def add(self, y: Codes | Floats) -> None:
        """Keep the next rows, as long as there is room."""
        if self._rows < MOST_ROWS:
            part = np.array(y[: MOST_ROWS - self._rows], self._parts[0].dtype)
            self._parts.append(part)
            self._rows += len(part)

    @property
    def values(self) -> Any:
        """All rows kept, as an array."""
        return np.concatenate(self._parts)


def label_seasons(y: Codes, lags: Autocorrelation) -> tuple[Peak, ...]:
    """The seasons of class codes; rows without a label count as neither class."""
    known = y != UNKNOWN
    counts = np.bincount(y[known])
    order = np.argsort(-counts, kind="stable")[:_MOST_CLASSES]
    classes = [int(i) for i in order if counts[i]]
    if len(classes) < 2:
        return ()
    tested = classes[:1] if np.count_nonzero(counts) == 2 else classes
    series = []
    for i in tested:
        share = counts[i] / known.sum()
        series.append(np.where(known, (y == i) - share, 0.0))
    return name_seasons(series, lags)


def value_seasons(y: Floats, lags: Autocorrelation) -> tuple[Peak, ...]:
    """The seasons of regression targets; NaN is a missing one."""
    known = ~np.isnan(y)
    spread = float(np.var(y[known])) if known.any() else 0.0
    if not (np.isfinite(spread) and spread > 0):
        return ()
    return name_seasons([np.where(known, y - y[known].mean(), 0.0)], lags)


def name_seasons(series: list[Floats], lags: Autocorrelation) -> tuple[Peak, ...]:
    """The seasons behind the lines of all series, shortest first."""
    lines = [line for x in series for line in find_lines(x, len(lags) - 1, len(series))]
    rows = len(series[0])
    named: dict[int, Line] = {}
    for line in sorted(lines, key=lambda line: line.p):
        lag = _lag_of(line, lags, rows)
        near = any(abs(lag - other) <= max(lag * other / rows, _NEAR * other) for other in named)
        if lag and not near and lags[lag] > 0 and not _within_shorter(line, lag, named, rows):
            named[lag] = line
    kept = [lag for lag in named if not _within_longer(lag, named, lags, rows)]
    return tuple(Peak(lag, lags[lag], float(lags.same[lag])) for lag in sorted(kept))


def find_lines(x: Floats, longest: int, tests: int = 1) -> list[Line]:
    """Lines of a series with mean 0, the clearest first; periods of 2 to `longest` rows."""
    from scipy.fft import next_fast_len, rfft  # slow to import

    square = float(x @ x)
    if len(x) < 4 * _CYCLES or not square > 0:
        return []
    phi = min(max(float(x[1:] @ x[:-1]) / square, _PHI[0]), _PHI[1])
    n = len(x) - 1
    while next_fast_len(n, real=True) != n:
        n -= 1
    spectrum = rfft(x[1 : n + 1] - phi * x[:n])
    power = spectrum.real**2 + spectrum.imag**2
    power[0] = 0.0
    first, last = max(_CYCLES, -(-n // longest)), n // 2
    if first > last:
        return []
    floor = _ROUNDING * float(power.mean())
    limit = _SIGNIFICANCE / ((last - first + 1) * tests)
    sums = np.concatenate([[0.0], np.cumsum(power)])
    # Most ordinates are too low beside the 25 on their right: they need no test.
    least = 2 * _SIDE * (limit ** (-1 / (2 * _SIDE)) - 1) / _SIDE
    high = power > floor
    right = sums[_GAP + _SIDE + 1 :] - sums[_GAP + 1 : -_SIDE]
    high[: len(right)] &= power[: len(right)] > least * right
    k = first + np.flatnonzero(high[first:])
    around, others = np.full(len(k), floor), np.zeros(len(k), np.int64)
    for start in (k - _GAP - _SIDE, k + _GAP + 1):
        begin = np.clip(start, 1, last + 1)
        end = np.minimum(start + _SIDE, last + 1)
        count = np.maximum(end - begin, 0)
        mean = (sums[end] - sums[begin]) / np.maximum(count, 1)
        enough = count >= _FEWEST
        around = np.where(enough, np.maximum(around, mean), around)
        others += np.where(enough, count, 0)
    ratio = power[k] / around
    # The ordinate at 1/2 is real: one degree of freedom instead of two.
    p = fdtrc(np.where(2 * k == n, 1, 2), 2 * np.maximum(others, 1), ratio)
    clear = (p < limit) & (others > 0)
    lines: list[Line] = []
    for at in np.flatnonzero(clear)[np.argsort(-ratio[clear], kind="stable")].tolist():
        place = int(k[at])
        if all(abs(line.frequency * n - place) > _GAP + 0.5 for line in lines):
            lines.append(Line((place + _shift(spectrum, place)) / n, float(p[at])))
    return lines


def _shift(spectrum: npt.NDArray[np.complexfloating], k: int) -> float:
    """How far beside ordinate k a frequency is, from the ordinates on both sides (Jacobsen)."""
    if k + 1 >= len(spectrum):
        return 0.0
    before, here, after = spectrum[k - 1 : k + 2]
    bend = 2 * here - before - after
    return float(np.clip(((before - after) / bend).real, -0.5, 0.5)) if bend else 0.0


def _lag_of(line: Line, lags: Autocorrelation, rows: int) -> int:
    """The rows of a line's season: a whole number of its periods; 0 if it is too long."""
    period, last = 1 / line.frequency, len(lags) - 1
    places = np.rint(period * np.arange(1, int((last + 0.5) / period) + 1)).astype(np.int64)
    places = places[(places >= 2) & (places <= last)]
    if not len(places):
        return 0
    loose = period * period / (4 * rows)  # a quarter of an ordinate, in rows
    whole = [
        j for j in range(1, _MULTIPLES + 1)
        if abs(j * period - round(j * period)) <= j * loose and 2 <= round(j * period) <= last
    ]  # fmt: skip
    lag = round((whole[0] if whole else 1) * period)
    lag = min(max(lag, 2), last)
    values = np.nan_to_num(lags.values[places], nan=-1.0)
    best = int(values.argmax())
    if values[best] > lags[lag] / _NEARLY + lags.band[places[best]]:
        lag = int(places[np.flatnonzero(values >= _NEARLY * values[best])[0]])
    return lag


def _within_shorter(line: Line, lag: int, named: dict[int, Line], rows: int) -> bool:
    """Whether a line is a harmonic of a clearer season that is shorter than the line's lag."""
    turns = [other * line.frequency for other in named if other < lag]
    return any(
        round(each) >= 2 and abs(each - round(each)) <= each / (line.frequency * rows)
        for each in turns
    )


def _within_longer(lag: int, named: dict[int, Line], lags: Autocorrelation, rows: int) -> bool:
    """Whether a line is a harmonic of a longer season that says more."""
    for longer in named:
        turns = longer * named[lag].frequency
        harmonic = longer > lag and abs(turns - round(turns)) <= longer / rows
        # Where labels persist, short lags are alike anyway: half a period must be less alike.
        own = lags[lag] >= _OWN * lags[longer] and lags[lag] > lags[round(lag / 2)]
        if harmonic and not own:
            return True
    return False
