"""Class priors over a sliding window: lowest, highest, and along the stream."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from streamgauge._support.growing import grown
from streamgauge._support.jit import kernel
from streamgauge._support.types import Codes, Floats, Longs

_MAX_POINTS = 1000


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
        self._rows = np.empty(0, np.int64)
        self._points = np.empty((0, k), np.int64)

    def add(self, y: Codes) -> None:
        """Add the next labels."""
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
        return Priors(window, low, high, self._rows, self._points / window)


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
