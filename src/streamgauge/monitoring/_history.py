"""What happened to scored rows, in blocks along time: the newest window against a baseline.

Blocks are of 16 rows; older ones are merged in pairs, so that a log of any length has some
thousand blocks. Which are merged depends on the number of rows alone.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from streamgauge._support.clock import time_text
from streamgauge._support.types import Clock, Floats, Longs
from streamgauge.measures.batch_means import CONFIDENCE, TOO_FEW_ROWS, test_of_means

_BLOCK = 16  # rows
_KEPT = 1024  # blocks of a size that are kept at least, before the oldest are merged
_FEW = 30  # rows, below which only a count is said


@dataclass(frozen=True)
class Period:
    """The mean error of the rows of a period, with its standard error."""

    rows: int
    error: float  # mean
    standard_error: float = math.nan  # NaN: too few rows
    freedom: int = 0
    first: int | None = None  # times between which labels came
    last: int | None = None

    def reach(self, level: float = CONFIDENCE) -> float:
        """Half the width of the interval of the mean."""
        return _quantile(self.freedom, level) * self.standard_error


class History:
    """The errors of one model or segment, in the order of their labels."""

    state_fields = ("rows", "_sums", "_ends", "_open", "_last")

    def __init__(self) -> None:
        self.rows = 0
        self._sums: list[Floats] = [np.empty(0)]  # of blocks of 16, 32, ... rows
        self._ends: list[Longs] = [np.empty(0, np.int64)]  # … the time of their last label
        self._open = np.empty(0)  # errors of a block that is not full
        self._last = 0

    def add(self, errors: Floats, times: Longs) -> None:
        """Add rows; those without an error, since nothing was predicted, are left out."""
        known = ~np.isnan(errors)
        errors, times = errors[known], times[known]
        if not len(errors):
            return
        self.rows += len(errors)
        before = len(self._open)
        both = np.concatenate([self._open, errors])
        blocks = len(both) // _BLOCK
        ends = times[np.arange(1, blocks + 1) * _BLOCK - 1 - before]
        self._append(0, both[: blocks * _BLOCK].reshape(blocks, _BLOCK).sum(axis=1), ends)
        self._open, self._last = both[blocks * _BLOCK :].copy(), int(times[-1])

    def _append(self, level: int, sums: Floats, ends: Longs) -> None:
        if level == len(self._sums):
            self._sums.append(np.empty(0))
            self._ends.append(np.empty(0, np.int64))
        self._sums[level] = sums = np.concatenate([self._sums[level], sums])
        self._ends[level] = ends = np.concatenate([self._ends[level], ends])
        old = max(0, -(-(len(sums) - 2 * _KEPT) // _KEPT)) * _KEPT
        if old:
            self._sums[level], self._ends[level] = sums[old:].copy(), ends[old:].copy()
            self._append(level + 1, sums[:old:2] + sums[1:old:2], ends[1:old:2])

    def last_rows(self, rows: int) -> Period:
        """The last rows, about as many."""
        sizes = self._blocks()[0]
        behind = np.cumsum(sizes[::-1])[::-1] + len(self._open)
        return self._period(behind <= rows, True)

    def between(self, after: int, until: int) -> Period:
        """The rows whose label came after a time, up to another one."""
        ends = self._blocks()[2]
        inside = (after < ends) & (ends <= until)
        return self._period(inside, after < self._last <= until)

    def before(self, rows: int) -> Period:
        """All but the last rows."""
        sizes = self._blocks()[0]
        behind = np.cumsum(sizes[::-1])[::-1] + len(self._open)
        return self._period(behind > rows, False)

    @property
    def span(self) -> tuple[int, int] | None:
        """The times of about the first and of the last label."""
        ends = self._blocks()[2]
        return (int(ends[0]) if len(ends) else self._last, self._last) if self.rows else None

    def _blocks(self) -> tuple[Longs, Floats, Longs]:
        """The sizes, sums and ends of all full blocks, in order."""
        levels = range(len(self._sums) - 1, -1, -1)
        sizes = [np.full(len(self._sums[each]), _BLOCK << each) for each in levels]
        return (
            np.concatenate(sizes), np.concatenate([self._sums[each] for each in levels]),
            np.concatenate([self._ends[each] for each in levels]),
        )  # fmt: skip

    def _period(self, which: Any, with_open: bool) -> Period:
        sizes, sums, ends = (each[which] for each in self._blocks())
        extra = self._open if with_open else np.empty(0)
        rows = int(sizes.sum()) + len(extra)
        if not rows:
            return Period(0, math.nan)
        error = (float(sums.sum()) + float(extra.sum())) / rows
        last = self._last if len(extra) else int(ends[-1])
        first = int(ends[0]) if len(ends) else last
        if rows < TOO_FEW_ROWS:
            return Period(rows, error, first=first, last=last)
        doublings = max(1, math.isqrt(rows) // _BLOCK).bit_length() - 1
        length = max(int(sizes.max()), _BLOCK << doublings)  # at most √rows, if blocks are short
        place = (np.cumsum(sizes) - sizes) // length
        whole = np.bincount(place, sizes) == length
        test = test_of_means(np.bincount(place, sums)[whole] / length, length)
        return Period(rows, error, test.standard_error, test.freedom, first, last)


def change(now: Period, baseline: Period, regression: bool) -> dict[str, Any]:
    """How much better the score is than in the baseline period, with its interval."""
    sign = 1.0 if regression else -1.0
    effect = sign * (now.error - baseline.error)
    variances = [each.standard_error**2 for each in (now, baseline)]
    low = high = math.nan
    total = sum(variances)
    if now.freedom and baseline.freedom:
        parts = zip(variances, (now.freedom, baseline.freedom), strict=True)
        shares = sum(variance**2 / freedom for variance, freedom in parts)
        freedom = total**2 / shares if shares else 1
        reach = _quantile(freedom, CONFIDENCE) * math.sqrt(total)
        low, high = effect - reach, effect + reach
    word = "beyond chance" if low > 0 or high < 0 else "within chance"
    word = "too few rows to say" if math.isnan(low) else word
    return {"effect": effect, "low": low, "high": high, "word": word}


def _quantile(freedom: float, level: float) -> float:
    from scipy.special import stdtrit  # slow to import

    return float(stdtrit(freedom, (1 + level) / 2)) if freedom else math.nan


def period_status(period: Period, regression: bool, clock: Clock) -> dict[str, Any]:
    """A period as plain values: its score, with its interval."""
    score = period.error if regression else 1 - period.error
    reach = period.reach()
    right = None if regression or not period.rows else round((1 - period.error) * period.rows)
    return {
        "rows": period.rows,
        "score": score,
        "low": score - reach,
        "high": score + reach,
        "right": right,
        "few": period.rows < _FEW,
        "from": None if period.first is None else time_text(period.first, clock),
        "to": None if period.last is None else time_text(period.last, clock),
    }
