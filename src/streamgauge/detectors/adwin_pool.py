"""Many ADWIN windows in one pool of arrays, for kernels: as MOA's learners use them.

This differs from the detector `ADWIN`, which follows River: after a change the window keeps the
rows after the cut, and a cut needs more than six values on both sides.
"""

from __future__ import annotations

import math
from typing import Any, Final, NamedTuple

import numpy as np

from streamgauge._support.index import as_index
from streamgauge._support.jit import inlined, lean_inner
from streamgauge._support.types import Floats, Longs

_LEVELS: Final = 32  # a bucket of level i holds 2^i values
_MAX_BUCKETS: Final = 5  # on one level; of one more the two oldest are merged
_CLOCK: Final = 32  # values between two searches for a cut
_MIN_SUBWINDOW: Final = 5
_MIN_WIDTH: Final = 10
_ROUNDING: Final = 1e-8  # more than rounding changes sums over a window, relative to their terms

# Columns of AdwinPool.totals.
_SUM: Final = 0
_M2: Final = 1
_WIDTH: Final = 2

# Columns of AdwinPool.counters.
_UPDATES: Final = 0
_USED_LEVELS: Final = 1


class AdwinPool(NamedTuple):
    """Exponential histograms of several windows. M2 is the sum of squared deviations."""

    bucket_sum: Floats  # [window, level, bucket], oldest bucket first
    bucket_m2: Floats  # [window, level, bucket]
    n_buckets: Longs  # [window, level]
    totals: Floats  # [window, column]: sum, M2 and width of the whole window
    counters: Longs  # [window, column]: values ever added, levels in use
    recent: Floats  # [window, value]: added since the last search for a cut, not yet in buckets
    merging: Floats  # [row, bucket]: room for sums and M2 of the buckets of two levels


def new_adwins(n_windows: int) -> AdwinPool:
    """Return a pool of empty windows."""
    buckets = (n_windows, _LEVELS, _MAX_BUCKETS)
    return AdwinPool(
        np.zeros(buckets), np.zeros(buckets), np.zeros((n_windows, _LEVELS), np.int64),
        np.zeros((n_windows, 3)), np.zeros((n_windows, 2), np.int64),
        np.zeros((n_windows, _CLOCK)), np.empty((4, _MAX_BUCKETS + _CLOCK)),
    )  # fmt: skip


def more_adwins(pool: AdwinPool, more: int) -> AdwinPool:
    """Return the same windows followed by `more` empty ones."""
    both: list[Any] = [np.concatenate(pair) for pair in zip(pool, new_adwins(more), strict=True)]
    return AdwinPool(*both)._replace(merging=pool.merging)


@lean_inner
def reset_window(pool: AdwinPool, w: int) -> None:
    """Empty a window."""
    for level in range(_LEVELS):
        pool.n_buckets[w, level] = 0
    for column in range(3):
        pool.totals[w, column] = 0.0
    pool.counters[w, _UPDATES] = 0
    pool.counters[w, _USED_LEVELS] = 0


@inlined
def window_width(pool: AdwinPool, w: int) -> float:
    """Return the number of values in a window."""
    return float(pool.totals[w, _WIDTH])


@inlined
def window_mean(pool: AdwinPool, w: int) -> float:
    """Return the mean of a window, NaN if it is empty."""
    n = pool.totals[w, _WIDTH]
    return float(pool.totals[w, _SUM] / n) if n > 0 else np.nan


@inlined
def update_window(pool: AdwinPool, w: int, value: float, delta: float) -> bool:
    """Add a value; return whether the window dropped an older part that differs."""
    totals, counters, w = pool.totals, pool.counters, as_index(w)
    before = totals[w, _WIDTH]
    n = before + 1
    if before > 0:
        deviation = value - totals[w, _SUM] / before
        totals[w, _M2] += before * deviation * deviation / n
    totals[w, _SUM] += value
    totals[w, _WIDTH] = n
    place = as_index(counters[w, _UPDATES] % _CLOCK)
    pool.recent[w, place] = value
    counters[w, _UPDATES] += 1
    return place == _CLOCK - 1 and _shrink(pool, w, delta)


@inlined
def detects_increase(pool: AdwinPool, w: int, value: float, delta: float) -> bool:
    """Add a value; return whether the window shrank and its mean increased."""
    before = window_mean(pool, w)
    return update_window(pool, w, value, delta) and window_mean(pool, w) > before


@lean_inner
def _shrink(pool: AdwinPool, w: int, delta: float) -> bool:
    """Drop the oldest buckets while a cut separates different means; return whether any was.

    The recent values are put into buckets before.
    """
    _fill_buckets(pool, w)
    shrunk, is_wide = False, pool.totals[w, _WIDTH] > _MIN_WIDTH
    while is_wide and _has_cut(pool, w, delta):
        _drop_oldest(pool, w)
        shrunk = True
    return shrunk


@inlined
def _fill_buckets(pool: AdwinPool, w: int) -> None:
    """Put the recent values into buckets, level by level.

    The buckets are those of values added one at a time, with the two oldest of a level merged into
    one of the next whenever there is one too many.
    """
    merging, here, level = pool.merging, 0, 0
    count = _copy_buckets(pool, w, 0, 0)
    for value in range(_CLOCK):
        merging[0, count + value] = pool.recent[w, value]
        merging[1, count + value] = 0.0
    count += _CLOCK
    while True:
        merges = max(0, count - _MAX_BUCKETS + 1) // 2
        kept = count - 2 * merges
        for bucket in range(kept):
            pool.bucket_sum[w, level, bucket] = merging[here, 2 * merges + bucket]
            pool.bucket_m2[w, level, bucket] = merging[here + 1, 2 * merges + bucket]
        pool.n_buckets[w, level] = kept
        if merges == 0:
            break
        following = 2 - here
        older = _copy_buckets(pool, w, level + 1, following)
        n = float(1 << level)
        per_value = 1.0 / n  # a power of two: to multiply by it is as exact as to divide by n
        for i in range(merges):
            first, second = merging[here, 2 * i], merging[here, 2 * i + 1]
            gap = first * per_value - second * per_value
            between = n * n * gap * gap * (0.5 * per_value)
            m2 = merging[here + 1, 2 * i] + merging[here + 1, 2 * i + 1] + between
            merging[following, older + i] = first + second
            merging[following + 1, older + i] = m2
        count, here, level = older + merges, following, level + 1
    pool.counters[w, _USED_LEVELS] = max(pool.counters[w, _USED_LEVELS], level + 1)


@inlined
def _copy_buckets(pool: AdwinPool, w: int, level: int, row: int) -> int:
    """Copy the buckets of a level to two rows of `merging`; return how many there are."""
    count = as_index(pool.n_buckets[w, level])
    for bucket in range(count):
        pool.merging[row, bucket] = pool.bucket_sum[w, level, bucket]
        pool.merging[row + 1, bucket] = pool.bucket_m2[w, level, bucket]
    return count


@inlined
def _drop_oldest(pool: AdwinPool, w: int) -> None:
    """Drop the oldest bucket."""
    totals, level = pool.totals, pool.counters[w, _USED_LEVELS] - 1
    n, total = float(1 << level), pool.bucket_sum[w, level, 0]
    totals[w, _WIDTH] -= n
    totals[w, _SUM] -= total
    rest = totals[w, _WIDTH]
    gap = total / n - totals[w, _SUM] / rest
    totals[w, _M2] -= pool.bucket_m2[w, level, 0] + n * rest * gap * gap / (n + rest)
    for bucket in range(1, pool.n_buckets[w, level]):
        pool.bucket_sum[w, level, bucket - 1] = pool.bucket_sum[w, level, bucket]
        pool.bucket_m2[w, level, bucket - 1] = pool.bucket_m2[w, level, bucket]
    pool.n_buckets[w, level] -= 1
    if pool.n_buckets[w, level] == 0:
        pool.counters[w, _USED_LEVELS] = level


@inlined
def _has_cut(pool: AdwinPool, w: int, delta: float) -> bool:
    """Return whether a cut between two buckets separates parts with different means."""
    width = pool.totals[w, _WIDTH]
    variance = max(0.0, pool.totals[w, _M2] / width)
    confidence = math.log(2 * math.log(width) / delta)
    n0, n1, u0, u1 = 0.0, width, 0.0, pool.totals[w, _SUM]
    # The exact test takes four divisions and a root. As m > width / (n0 n1), it can only succeed if
    # |u0 - n0 mean| > 2/3 confidence + root(2 variance confidence n0 n1 / width), up to rounding.
    mean, size = u1 / width, math.sqrt(width * max(0.0, pool.totals[w, _M2]) + u1 * u1)
    least = 2.0 / 3.0 * confidence * (1.0 - _ROUNDING) - _ROUNDING * size
    least_square = 2.0 * variance * confidence / width * (1.0 - _ROUNDING)
    for level in range(pool.counters[w, _USED_LEVELS] - 1, -1, -1):
        n = float(1 << level)
        for bucket in range(pool.n_buckets[w, level]):
            n0 += n
            n1 -= n
            u0 += pool.bucket_sum[w, level, bucket]
            u1 -= pool.bucket_sum[w, level, bucket]
            if n0 <= _MIN_SUBWINDOW + 1 or n1 <= _MIN_SUBWINDOW + 1:
                continue
            beyond = abs(u0 - n0 * mean) - least
            if beyond <= 0 or beyond * beyond <= least_square * n0 * n1:
                continue
            m = 1.0 / (n0 - _MIN_SUBWINDOW + 1) + 1.0 / (n1 - _MIN_SUBWINDOW + 1)
            bound = math.sqrt(2 * m * variance * confidence) + 2.0 / 3.0 * confidence * m
            if abs(u0 / n0 - u1 / n1) > bound:
                return True
    return False
