"""ADWIN: do two parts of the recent past differ in their mean (Bifet & Gavaldà 2007)?"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from streamgauge._support.errors import UsageError, check_whole
from streamgauge._support.jit import inner, kernel
from streamgauge._support.types import Flags, Floats, Longs
from streamgauge.detectors.base import OwnDetector

_ROWS = 48  # of buckets; row r has buckets of 2^r errors each, so this is enough for ever


class _State(NamedTuple):
    total: Floats  # [row, bucket], oldest first: the sum of its errors
    size: Longs  # of each row: how many buckets it has
    window: Floats  # of the whole window: sum, squared deviations, length
    ticks: Longs  # [errors since the last alarm, rows of buckets in use]


class _Rule(NamedTuple):
    delta: float
    clock: int
    buckets: int
    shortest: float
    grace: float


class ADWIN(OwnDetector):
    """Keeps a window of errors in buckets that double in size, at most `buckets` of a size. Every
    `clock` errors, once there are more than `grace`, each cut between buckets that leaves
    `shortest` errors on both sides is tried at confidence `delta`.

    Change point by change point River's `drift.ADWIN`, which after an alarm starts with an empty
    window. (Its older versions left out the cut behind the last bucket of each size.) MOA's keeps
    the part of the window behind the cut, and wants `shortest` + 2 errors on both sides.

    >>> import numpy as np
    >>> ADWIN().detect(np.repeat([0.0, 1.0], 500))
    array([511])
    """

    def __init__(
        self,
        delta: float = 0.002,
        clock: int = 32,
        buckets: int = 5,
        shortest: int = 5,
        grace: int = 10,
    ) -> None:
        for name, value in (
            ("clock", clock), ("buckets", buckets), ("shortest", shortest), ("grace", grace),
        ):  # fmt: skip
            check_whole(f"ADWIN({name})", value)
        self._given = {
            "delta": delta, "clock": clock, "buckets": buckets, "shortest": shortest,
            "grace": grace,
        }  # fmt: skip
        if not 0 < delta < 1 or clock < 1 or buckets < 2 or shortest < 1 or grace < 0:
            raise UsageError(
                f"{self}: expected 0 < delta < 1, clock >= 1, buckets >= 2, shortest >= 1 and "
                "grace >= 0"
            )
        self._rule = _Rule(float(delta), clock, buckets, float(shortest), float(grace))
        self.start(1)

    def start(self, seed: int) -> None:
        self._state: _State = _State(
            np.zeros((_ROWS, self._rule.buckets + 1)),
            np.zeros(_ROWS, np.int64),
            np.zeros(3),
            np.array([0, 1]),
        )

    @property
    def width(self) -> int:
        """How many errors the window holds."""
        return int(self._state.window[2])

    def _watch(self, errors: Floats, warned: Flags | None) -> int:
        if warned is not None:
            warned[: len(errors)] = 0
        return _update(errors, self._state, self._rule)


@kernel
def _update(errors: Floats, state: _State, rule: _Rule) -> int:
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
        if size[0] > rule.buckets:
            _merge(total, size, ticks, rule.buckets)
        ticks[0] += 1
        if ticks[0] % rule.clock == 0 and length > rule.grace and _differs(state, rule):
            size[:] = 0
            window[:] = 0
            ticks[0], ticks[1] = 0, 1
            return i
    return -1


@inner
def _merge(total: Floats, size: Longs, ticks: Longs, buckets: int) -> None:
    """A row of buckets is over-full: its oldest two become one of the next row, and so on."""
    row = 0
    while size[row] > buckets:
        total[row + 1, size[row + 1]] = total[row, 0] + total[row, 1]
        size[row + 1] += 1
        for bucket in range(2, size[row]):
            total[row, bucket - 2] = total[row, bucket]
        size[row] -= 2
        row += 1
        ticks[1] = max(ticks[1], row + 1)


@inner
def _differs(state: _State, rule: _Rule) -> bool:
    """Is there a cut whose parts differ?

    One is enough. The window is not shortened bucket by bucket, so that buckets need no variance of
    their own: it is emptied.
    """
    total, size, window, ticks = state
    length, shortest = window[2], rule.shortest
    if length < 2 * shortest:
        return False
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
            if n0 < shortest or n1 < shortest:
                continue
            m = 1.0 / (n0 - shortest + 1) + 1.0 / (n1 - shortest + 1)
            bound = math.sqrt(2 * m * variance * confidence) + 2.0 / 3.0 * confidence * m
            if abs(u0 / n0 - u1 / n1) > bound:
                return True
    return False
