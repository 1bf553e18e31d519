"""Class priors along the stream: in a sliding window, and whether they change (semantics §7)."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from streamgauge._support.growing import grown
from streamgauge._support.jit import kernel
from streamgauge._support.types import UNKNOWN, Codes, Floats, Longs

_MAX_POINTS = 1000
_MAX_BATCHES = 2048
_STEPS = 128  # of the CUSUM
_MIN_ROWS = 256
_MIN_OF_CLASS = 10  # rows; rarer classes are not tested
_MOST_CLASSES = 100
_SIGNIFICANCE = 0.01
_ROUNDING = 1e-20
_CORRELATED = 0.524  # as in measures/batch_means.py
# Groups: critical values at 1 %, 0.1 % and 0.01 %, of 400,000 simulated series of 128 normal steps.
_CRITICAL = {
    64: (1.601, 1.951, 2.256),
    32: (1.637, 2.014, 2.374),
    16: (1.756, 2.272, 2.808),
    8: (2.252, 3.443, 5.025),
}


@dataclass(frozen=True)
class PriorChange:
    """Test of whether the share of a class changes, of the class for which it is clearest.

    `statistic`: the largest |CUSUM| over its long-run standard error; `critical`: above it, the
    share changes, at 1 % for all classes; `groups`: those whose means gave the standard error.
    """

    statistic: float = math.nan
    critical: float = math.nan
    groups: int = 0
    label: int = UNKNOWN

    @property
    def clear(self) -> bool:
        """Whether the priors change by more than chance."""
        return self.statistic > self.critical


@dataclass(frozen=True)
class Priors:
    """Fractions of the classes among the last `window` labelled rows.

    `low` and `high` are over all full windows; `shares` (points × classes) are after `rows`
    labelled rows. Without a full window, all are NaN or empty.
    """

    window: int
    low: Floats
    high: Floats
    rows: Longs = field(repr=False)
    shares: Floats = field(repr=False)
    change: PriorChange = field(default_factory=PriorChange)


class _PriorsState(NamedTuple):
    ring: Codes  # the last labels; it grows until the window is full
    counts: Longs  # per class in the ring
    low: Longs
    high: Longs
    seen: Longs  # [labelled rows]


class PriorWindow:
    """Slides over the labelled rows and keeps up to 1000 evenly spaced points."""

    def __init__(self, k: int, window: int) -> None:
        self._window = window
        self._state = _PriorsState(
            np.empty(0, np.int32),
            np.zeros(k, np.int64),
            np.zeros(k, np.int64),
            np.zeros(k, np.int64),
            np.zeros(1, np.int64),
        )
        self._every = max(1, window // 100)
        self._batches = PriorBatches(k)
        self._rows = np.empty(0, np.int64)
        self._points = np.empty((0, k), np.int64)

    def add(self, y: Codes) -> None:
        """Add the next labels."""
        self._batches.add(y)
        seen = int(self._state.seen[0])
        ring = grown(self._state.ring, seen + len(y), self._window)
        self._state = self._state._replace(ring=ring)
        most = (seen + len(y)) // self._every - seen // self._every
        rows, points = np.empty(most, np.int64), np.empty((most, len(self._state.counts)), np.int64)
        count = _slide(y, self._state, self._window, self._every, rows, points)
        self._rows = np.concatenate([self._rows, rows[:count]])
        self._points = np.concatenate([self._points, points[:count]])
        # The total row count is unknown, so every second point is dropped when they get too many.
        # The spacing depends on row counts only, not on block boundaries.
        while int(self._state.seen[0]) // self._every > _MAX_POINTS:
            self._every *= 2
            kept = self._rows % self._every == 0
            self._rows, self._points = self._rows[kept], self._points[kept]

    def finish(self) -> Priors:
        """The priors so far."""
        window = self._window
        low, high = self._state.low / window, self._state.high / window
        if self._state.seen[0] < window:
            low, high = np.full_like(low, np.nan), np.full_like(high, np.nan)
        change = self._batches.test(int(self._state.seen[0]))
        return Priors(window, low, high, self._rows, self._points / window, change)


class PriorBatches:
    """Counts of the classes in 1024 to 2047 batches of equal length, however long the stream is."""

    def __init__(self, k: int) -> None:
        self._counts = np.zeros((_MAX_BATCHES, k), np.int64)
        self._now = np.array([0, 1])  # labelled rows, rows per batch

    def add(self, y: Codes) -> None:
        """Count the next labels."""
        _batch(y, self._counts, self._now)

    def test(self, n: int) -> PriorChange:
        """The test of all classes, of two classes one, at 1 % divided by their number."""
        counts = self._counts.sum(axis=0)
        tested = np.flatnonzero(counts >= _MIN_OF_CLASS)
        tested = tested[np.argsort(-counts[tested], kind="stable")][:_MOST_CLASSES]
        if n < _MIN_ROWS or np.count_nonzero(counts) < 2:
            return PriorChange()
        if np.count_nonzero(counts) == 2:
            tested = np.flatnonzero(counts)[-1:]
        length = int(self._now[1])
        ends = np.minimum(np.arange(-(-n // length) + 1) * length, n)
        found = []
        for i in tested.tolist():
            so_far = np.concatenate([[0], np.cumsum(self._counts[: len(ends) - 1, i])])
            at = np.interp(np.arange(_STEPS + 1) * (n / _STEPS), ends, so_far)
            statistic, groups = cusum(np.diff(at) * (_STEPS / n))
            found.append(PriorChange(statistic, _critical(groups, len(tested)), groups, i))
        return max(found, key=lambda each: each.statistic / each.critical, default=PriorChange())


def cusum(shares: Floats) -> tuple[float, int]:
    """The largest |CUSUM| of 128 shares over its standard error, and the groups that gave it.

    The long-run variance is that of the means of groups about a line, so that a slow change does
    not hide itself: of 64 groups, or of 32, 16 or 8 until neighbours no longer look correlated.
    """
    largest = float(np.abs(np.cumsum(shares - shares.mean())).max())
    for groups in _CRITICAL:
        means = shares.reshape(groups, -1).mean(axis=1)
        line = np.arange(groups) - (groups - 1) / 2
        off = means - means.mean()
        off -= float(off @ line) / float(line @ line) * line
        spread = float(off @ off)
        if spread <= _ROUNDING * groups:
            return (math.inf if largest > math.sqrt(_ROUNDING) * _STEPS else 0.0), groups
        r = float(off[1:] @ off[:-1]) / spread
        if (r + 1 / groups) * math.sqrt(groups) <= _CORRELATED:
            break
    variance = spread / (groups - 2) * (_STEPS // groups)
    return largest / math.sqrt(variance * _STEPS), groups


def _critical(groups: int, tests: int) -> float:
    """The critical value at 1 % divided by the number of tests."""
    return float(np.interp(math.log10(tests), (0, 1, 2), _CRITICAL[groups]))


@kernel
def _batch(y: Codes, counts: Longs, now: Longs) -> None:
    seen, length = now[0], now[1]
    for t in range(len(y)):
        if y[t] < 0:
            continue
        if seen == length * len(counts):
            half = len(counts) // 2
            for b in range(half):
                counts[b] = counts[2 * b] + counts[2 * b + 1]
            counts[half:] = 0
            length *= 2
        counts[seen // length, y[t]] += 1
        seen += 1
    now[0], now[1] = seen, length


@kernel
def _slide(
    y: Codes, state: _PriorsState, window: int, every: int, rows: Longs, points: Longs
) -> int:
    """Fill in points; returns how many."""
    ring, counts, low, high, ends = state
    seen, filled = ends[0], 0
    for t in range(len(y)):
        i = y[t]
        if i < 0:
            continue
        place = seen % window
        if seen >= window:
            counts[ring[place]] -= 1
        counts[i] += 1
        if seen >= window:  # after both updates: the leaving label may equal the entering one
            gone = ring[place]
            low[gone] = min(low[gone], counts[gone])
            high[i] = max(high[i], counts[i])
        ring[place] = i
        seen += 1
        if seen == window:
            low[:] = counts
            high[:] = counts
        if seen >= window and seen % every == 0:
            rows[filled] = seen
            points[filled] = counts
            filled += 1
    ends[0] = seen
    return filled
