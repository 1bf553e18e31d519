"""A pool of adaptive windows (ADWIN), one per error stream, as MOA's learners keep them.

They differ from the detector `ADWIN`, which is River's: after a change the window keeps the errors
behind the cut, and a cut needs more than six errors on both sides.
"""

from __future__ import annotations

import math
from typing import Any, Final, NamedTuple

import numpy as np

from streamgauge._support.jit import inlined, lean_inner
from streamgauge._support.types import Floats, Longs

_ROWS: Final = 32  # of buckets; row r has buckets of 2^r errors each
_BUCKETS: Final = 5  # at most, in a row
_CLOCK: Final = 32  # errors between looks for a cut
_SHORTEST: Final = 5
_GRACE: Final = 10

_SUM: Final = 0
_SPREAD: Final = 1
_LENGTH: Final = 2
_FED: Final = 0
_USED_ROWS: Final = 1


class Windows(NamedTuple):
    """A pool of windows."""

    total: Floats  # [window, row, bucket], oldest first: the sum of its errors
    spread: Floats  # and their squared deviations
    size: Longs  # [window, row]: its number of buckets
    whole: Floats  # [window, column]: sum, squared deviations, length
    ticks: Longs  # [window, column]: errors fed, rows in use


def new_windows(count: int) -> Windows:
    """`count` empty windows."""
    buckets = (count, _ROWS, _BUCKETS + 1)
    return Windows(
        np.zeros(buckets), np.zeros(buckets), np.zeros((count, _ROWS), np.int64),
        np.zeros((count, 3)), np.zeros((count, 2), np.int64),
    )  # fmt: skip


def more_windows(windows: Windows, more: int) -> Windows:
    """The same windows and `more` empty ones."""
    both: list[Any] = [
        np.concatenate(pair) for pair in zip(windows, new_windows(more), strict=True)
    ]
    return Windows(*both)


@lean_inner
def empty(windows: Windows, w: int) -> None:
    """Drop all errors of a window."""
    for row in range(_ROWS):
        windows.size[w, row] = 0
    for column in range(3):
        windows.whole[w, column] = 0.0
    windows.ticks[w, _FED] = 0
    windows.ticks[w, _USED_ROWS] = 0


@inlined
def width(windows: Windows, w: int) -> float:
    """The number of errors in a window."""
    return float(windows.whole[w, _LENGTH])


@inlined
def error_rate(windows: Windows, w: int) -> float:
    """The mean error of a window; NaN if it is empty."""
    length = windows.whole[w, _LENGTH]
    return float(windows.whole[w, _SUM] / length) if length > 0 else np.nan


@inlined
def feed(windows: Windows, w: int, error: float, delta: float) -> bool:
    """Add an error; did the window shrink because its older part differs?"""
    whole, ticks = windows.whole, windows.ticks
    length = whole[w, _LENGTH] + 1
    if length > 1:
        off = error - whole[w, _SUM] / (length - 1)
        whole[w, _SPREAD] += (length - 1) * off * off / length
    whole[w, _SUM] += error
    whole[w, _LENGTH] = length
    _add_bucket(windows, w, 0, error, 0.0)
    row = 0
    while windows.size[w, row] > _BUCKETS:
        _join_oldest(windows, w, row)
        row += 1
    ticks[w, _FED] += 1
    return ticks[w, _FED] % _CLOCK == 0 and length > _GRACE and _shrink(windows, w, delta)


@lean_inner
def _shrink(windows: Windows, w: int, delta: float) -> bool:
    """Drop the oldest bucket while the older part differs; was any dropped?"""
    shrunk = False
    while _differs(windows, w, delta):
        _drop_oldest(windows, w)
        shrunk = True
    return shrunk


@inlined
def rises(windows: Windows, w: int, error: float, delta: float) -> bool:
    """Add an error; did the window shrink because errors have become more frequent? Fewer errors
    are not an alarm."""
    before = error_rate(windows, w)
    return feed(windows, w, error, delta) and error_rate(windows, w) > before


@inlined
def _add_bucket(windows: Windows, w: int, row: int, total: float, spread: float) -> None:
    place = windows.size[w, row]
    windows.total[w, row, place] = total
    windows.spread[w, row, place] = spread
    windows.size[w, row] = place + 1
    windows.ticks[w, _USED_ROWS] = max(windows.ticks[w, _USED_ROWS], row + 1)


@inlined
def _remove_buckets(windows: Windows, w: int, row: int, count: int) -> None:
    """Remove the oldest buckets of a row."""
    for bucket in range(count, windows.size[w, row]):
        windows.total[w, row, bucket - count] = windows.total[w, row, bucket]
        windows.spread[w, row, bucket - count] = windows.spread[w, row, bucket]
    windows.size[w, row] -= count


@inlined
def _join_oldest(windows: Windows, w: int, row: int) -> None:
    """Merge the two oldest buckets of a row into one of the next row."""
    first, second = windows.total[w, row, 0], windows.total[w, row, 1]
    n = float(1 << row)
    off = first / n - second / n
    spread = windows.spread[w, row, 0] + windows.spread[w, row, 1] + n * n * off * off / (n + n)
    _add_bucket(windows, w, row + 1, first + second, spread)
    _remove_buckets(windows, w, row, 2)


@inlined
def _drop_oldest(windows: Windows, w: int) -> None:
    """Drop the oldest bucket."""
    whole, row = windows.whole, windows.ticks[w, _USED_ROWS] - 1
    n, total = float(1 << row), windows.total[w, row, 0]
    whole[w, _LENGTH] -= n
    whole[w, _SUM] -= total
    rest = whole[w, _LENGTH]
    off = total / n - whole[w, _SUM] / rest
    whole[w, _SPREAD] -= windows.spread[w, row, 0] + n * rest * off * off / (n + rest)
    _remove_buckets(windows, w, row, 1)
    if windows.size[w, row] == 0:
        windows.ticks[w, _USED_ROWS] = row


@inlined
def _differs(windows: Windows, w: int, delta: float) -> bool:
    """Whether any cut between buckets splits the window into parts that differ."""
    length = windows.whole[w, _LENGTH]
    variance = max(0.0, windows.whole[w, _SPREAD] / length)
    confidence = math.log(2 * math.log(length) / delta)
    n0, n1, u0, u1 = 0.0, length, 0.0, windows.whole[w, _SUM]
    for row in range(windows.ticks[w, _USED_ROWS] - 1, -1, -1):
        n = float(1 << row)
        for bucket in range(windows.size[w, row]):
            n0 += n
            n1 -= n
            u0 += windows.total[w, row, bucket]
            u1 -= windows.total[w, row, bucket]
            if n0 <= _SHORTEST + 1 or n1 <= _SHORTEST + 1:
                continue
            m = 1.0 / (n0 - _SHORTEST + 1) + 1.0 / (n1 - _SHORTEST + 1)
            bound = math.sqrt(2 * m * variance * confidence) + 2.0 / 3.0 * confidence * m
            if abs(u0 / n0 - u1 / n1) > bound:
                return True
    return False
