"""ADWIN: do two parts of an adaptive window differ in their mean (Bifet & Gavaldà 2007)?"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from streamgauge._support.errors import UsageError, check_integer
from streamgauge._support.jit import inner, kernel
from streamgauge._support.types import Flags, Floats, Longs
from streamgauge.detectors.base import OwnDetector, Sensitivity, Statistic

_FEW_BUCKETS = 64  # of one size, for which there is room from the start
_ROWS = 48  # of buckets; row r has buckets of 2^r errors each, enough for any stream


class _AdwinState(NamedTuple):
    total: Floats  # [row, bucket], oldest first: the sum of its errors
    size: Longs  # [row]: its number of buckets
    window: Floats  # sum, squared deviations and length of the whole window
    ticks: Longs  # [errors since the last alarm, rows of buckets in use]


class _CutRule(NamedTuple):
    delta: float
    clock: int
    max_buckets: int
    min_length: float
    grace_period: float


class ADWIN(OwnDetector):
    """ADWIN: an adaptive window of errors, an alarm when two parts of it differ in their mean.

    The window is kept in buckets that double in size. Each cut between two buckets is tested.
    Matches River's `drift.ADWIN` alarm by alarm; after an alarm the window is empty. (Older
    versions of River skip the cut after the last bucket of each size.) MOA's keeps the part of the
    window after the cut, and requires `min_window_length` + 2 errors on both sides.

    Parameters
    ----------
    delta
        Significance level of the test; a smaller value gives fewer alarms.
    clock
        Errors between two tests.
    max_buckets
        Maximum number of buckets of one size.
    min_window_length
        Minimum number of errors on each side of a cut.
    grace_period
        Errors before the first test, from the start and from each alarm.

    References
    ----------
    bifet2007 (docs/bibliography.md)

    Examples
    --------
    >>> import numpy as np
    >>> import streamgauge as sg
    >>> sg.ADWIN().detect(np.repeat([0.0, 1.0], 500))
    array([511])
    """

    sensitivity = Sensitivity("delta", 0.5, 1e-12)

    def __init__(
        self,
        delta: float = 0.002,
        clock: int = 32,
        max_buckets: int = 5,
        min_window_length: int = 5,
        grace_period: int = 10,
    ) -> None:
        self.delta, self.clock, self.max_buckets = delta, clock, max_buckets
        self.min_window_length, self.grace_period = min_window_length, grace_period
        for name in ("clock", "max_buckets", "min_window_length", "grace_period"):
            check_integer(f"ADWIN({name})", getattr(self, name))
        if not 0 < delta < 1 or clock < 1 or max_buckets < 2:
            raise UsageError(f"{self}: expected 0 < delta < 1, clock >= 1 and max_buckets >= 2")
        if min_window_length < 1 or grace_period < 0:
            raise UsageError(f"{self}: expected min_window_length >= 1 and grace_period >= 0")
        self._rule = _CutRule(
            float(delta), clock, max_buckets, float(min_window_length), float(grace_period)
        )
        self.start(1)

    def start(self, seed: int) -> None:
        self._state: _AdwinState = _AdwinState(
            np.zeros((_ROWS, min(self._rule.max_buckets, _FEW_BUCKETS) + 1)),
            np.zeros(_ROWS, np.int64),
            np.zeros(3),
            np.array([0, 1]),
        )

    @property
    def width(self) -> int:
        """The number of errors in the window."""
        return int(self._state.window[2])

    @property
    def statistic(self) -> Statistic:
        """The largest difference of the means of two parts, in multiples of its bound.

        It alarms above 1, at its next test.
        """
        if self.width <= max(1, self.grace_period):
            return super().statistic
        ratio = _strongest(self._state, self._rule)
        return Statistic(ratio, 1.0) if ratio >= 0 else super().statistic

    def _watch(self, errors: Floats, warned: Flags | None) -> int:
        if warned is not None:
            warned[: len(errors)] = 0
        if self._rule.max_buckets > _FEW_BUCKETS:
            self._make_room(len(errors))
        return _update(errors, self._state, self._rule)

    def _make_room(self, more: int) -> None:
        """Room for more errors: rows that they cannot fill have no buckets."""
        total, _, window, ticks = self._state
        most, length = self._rule.max_buckets, int(window[2]) + more
        columns = min(most, length) + 1
        rows = min(_ROWS, 2 + (length // most + 1).bit_length())
        if columns > total.shape[1]:
            columns = min(most + 1, max(columns, 2 * total.shape[1]))
            larger = np.zeros((rows, columns))
            used = int(ticks[1])
            larger[:used, : total.shape[1]] = total[:used]
            self._state = self._state._replace(total=larger)
        elif rows > len(total):
            larger = np.zeros((rows, total.shape[1]))
            larger[: len(total)] = total
            self._state = self._state._replace(total=larger)


@kernel
def _update(errors: Floats, state: _AdwinState, rule: _CutRule) -> int:
    total, size, window, ticks = state
    for i in range(len(errors)):
        x = errors[i]
        length = window[2] + 1
        if length > 1:
            off = x - window[0] / (length - 1)
            window[1] += (length - 1) * off * off / length
        window[0] += x
        window[2] = length
        total[0, size[0]] = x
        size[0] += 1
        if size[0] > rule.max_buckets:
            _merge(total, size, ticks, rule.max_buckets)
        ticks[0] += 1
        if (
            ticks[0] % rule.clock == 0
            and length > rule.grace_period
            and _cuts(state, rule, True) > 0
        ):
            size[:] = 0
            window[:] = 0
            ticks[0], ticks[1] = 0, 1
            return i
    return -1


@inner
def _merge(total: Floats, size: Longs, ticks: Longs, max_buckets: int) -> None:
    """Merge the two oldest buckets of each row that is too full into one of the next row."""
    row = 0
    while size[row] > max_buckets:
        total[row + 1, size[row + 1]] = total[row, 0] + total[row, 1]
        size[row + 1] += 1
        for bucket in range(2, size[row]):
            total[row, bucket - 2] = total[row, bucket]
        size[row] -= 2
        row += 1
        ticks[1] = max(ticks[1], row + 1)


@kernel
def _strongest(state: _AdwinState, rule: _CutRule) -> float:
    return _cuts(state, rule, False)


@inner
def _cuts(state: _AdwinState, rule: _CutRule, alarm: bool) -> float:
    """With `alarm`, 1 if any cut splits the window into parts that differ, else -1. Without it, the
    largest difference in multiples of its bound; -1 if the window is too short to cut.

    An alarm empties the window instead of shortening it, so buckets need not store a variance.
    """
    total, size, window, ticks = state
    length, min_length = window[2], rule.min_length
    largest = -1.0
    if length < 2 * min_length:
        return largest
    variance = window[1] / length
    confidence = math.log(2 * math.log(length) / rule.delta)
    n0, n1, u0, u1 = 0.0, length, 0.0, window[0]
    for row in range(ticks[1] - 1, -1, -1):
        n = 2.0**row
        for bucket in range(size[row]):
            n0 += n
            n1 -= n
            u0 += total[row, bucket]
            u1 -= total[row, bucket]
            if n0 < min_length or n1 < min_length:
                continue
            m = 1.0 / (n0 - min_length + 1) + 1.0 / (n1 - min_length + 1)
            bound = math.sqrt(2 * m * variance * confidence) + 2.0 / 3.0 * confidence * m
            difference = abs(u0 / n0 - u1 / n1)
            if not alarm:
                largest = max(largest, difference / bound)
            elif difference > bound:
                return 1.0
    return largest
