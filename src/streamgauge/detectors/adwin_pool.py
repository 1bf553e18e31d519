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
_MAX_BUCKETS: Final = 5  # on one level; one more for a moment, before two are merged
_CLOCK: Final = 32  # values between two searches for a cut
_MIN_SUBWINDOW: Final = 5
_MIN_WIDTH: Final = 10

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


def new_adwins(n_windows: int) -> AdwinPool:
    """Return a pool of empty windows."""
    buckets = (n_windows, _LEVELS, _MAX_BUCKETS + 1)
    return AdwinPool(
        np.zeros(buckets), np.zeros(buckets), np.zeros((n_windows, _LEVELS), np.int64),
        np.zeros((n_windows, 3)), np.zeros((n_windows, 2), np.int64),
    )  # fmt: skip


def more_adwins(pool: AdwinPool, more: int) -> AdwinPool:
    """Return the same windows followed by `more` empty ones."""
    both: list[Any] = [np.concatenate(pair) for pair in zip(pool, new_adwins(more), strict=True)]
    return AdwinPool(*both)


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
    _add_bucket(pool, w, 0, value, 0.0)
    level = 0
    while pool.n_buckets[w, level] > _MAX_BUCKETS:
        _merge_oldest(pool, w, level)
        level += 1
    counters[w, _UPDATES] += 1
    return counters[w, _UPDATES] % _CLOCK == 0 and n > _MIN_WIDTH and _shrink(pool, w, delta)


@inlined
def detects_increase(pool: AdwinPool, w: int, value: float, delta: float) -> bool:
    """Add a value; return whether the window shrank and its mean increased."""
    before = window_mean(pool, w)
    return update_window(pool, w, value, delta) and window_mean(pool, w) > before


@lean_inner
def _shrink(pool: AdwinPool, w: int, delta: float) -> bool:
    """Drop the oldest buckets while a cut separates different means; return whether any was."""
    shrunk = False
    while _has_cut(pool, w, delta):
        _drop_oldest(pool, w)
        shrunk = True
    return shrunk


@inlined
def _add_bucket(pool: AdwinPool, w: int, level: int, total: float, m2: float) -> None:
    place = as_index(pool.n_buckets[w, level])
    pool.bucket_sum[w, level, place] = total
    pool.bucket_m2[w, level, place] = m2
    pool.n_buckets[w, level] = place + 1
    pool.counters[w, _USED_LEVELS] = max(pool.counters[w, _USED_LEVELS], level + 1)


@inlined
def _merge_oldest(pool: AdwinPool, w: int, level: int) -> None:
    """Merge the two oldest buckets of a level into one of the next level."""
    first, second = pool.bucket_sum[w, level, 0], pool.bucket_sum[w, level, 1]
    n = float(1 << level)
    gap = first / n - second / n
    m2 = pool.bucket_m2[w, level, 0] + pool.bucket_m2[w, level, 1] + n * n * gap * gap / (n + n)
    _add_bucket(pool, w, level + 1, first + second, m2)
    for bucket in range(2, _MAX_BUCKETS + 1):  # a merge is due at exactly one bucket too many
        pool.bucket_sum[w, level, bucket - 2] = pool.bucket_sum[w, level, bucket]
        pool.bucket_m2[w, level, bucket - 2] = pool.bucket_m2[w, level, bucket]
    pool.n_buckets[w, level] = _MAX_BUCKETS - 1


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
    for level in range(pool.counters[w, _USED_LEVELS] - 1, -1, -1):
        n = float(1 << level)
        for bucket in range(pool.n_buckets[w, level]):
            n0 += n
            n1 -= n
            u0 += pool.bucket_sum[w, level, bucket]
            u1 -= pool.bucket_sum[w, level, bucket]
            if n0 <= _MIN_SUBWINDOW + 1 or n1 <= _MIN_SUBWINDOW + 1:
                continue
            m = 1.0 / (n0 - _MIN_SUBWINDOW + 1) + 1.0 / (n1 - _MIN_SUBWINDOW + 1)
            bound = math.sqrt(2 * m * variance * confidence) + 2.0 / 3.0 * confidence * m
            if abs(u0 / n0 - u1 / n1) > bound:
                return True
    return False
