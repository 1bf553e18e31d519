"""EDDM: do errors follow each other faster than they used to (Baena-García et al. 2006)?"""

from __future__ import annotations

import math

import numpy as np

from streamgauge._support.errors import UsageError, check_whole
from streamgauge._support.jit import kernel
from streamgauge._support.types import Flags, Floats
from streamgauge.detectors.base import WarningDetector, or_nowhere


class EDDM(WarningDetector):
    """p is the mean number of rows from one error to the next, s its standard deviation. Where
    p + 2s was largest it was p_max + 2s_max. Warns when it has fallen below `warning` of that,
    alarms below `drift`, once there were more than `minimum` errors. Errors are 0 or 1.

    Alarm by alarm River's `drift.binary.EDDM` (`warm_start`, `alpha` and `beta` are our `minimum`,
    `warning` and `drift`): levels change at errors only, and the first `minimum` rows set no
    maximum.

    Its mark is a maximum, and set by chance while errors are few: false alarms come early.

    >>> import numpy as np
    >>> errors = np.random.default_rng(0).random(4000) < np.repeat([0.1, 0.4], 2000)
    >>> EDDM(warning=0.8, drift=0.7).detect(errors)
    array([2248])
    """

    binary = True

    def __init__(self, warning: float = 0.95, drift: float = 0.9, minimum: int = 30) -> None:
        check_whole("EDDM(minimum)", minimum)
        self._given = {"warning": warning, "drift": drift, "minimum": minimum}
        if not 0 < drift <= warning or minimum < 0 or warning == math.inf:
            raise UsageError(f"{self}: expected 0 < drift <= warning and minimum >= 0")
        self.start(1)

    def start(self, seed: int) -> None:
        self._state = (np.array([0.0, 0.0, 0.0, 0.0, 0.0, -1.0, 0.0]),)

    def _watch(self, errors: Floats, warned: Flags | None) -> int:
        warning, drift, minimum = self._given.values()
        return _update(errors, self._state[0], warning, drift, minimum, or_nowhere(warned))


@kernel
def _update(
    errors: Floats, state: Floats, warning: float, drift: float, minimum: int, warned: Flags
) -> int:
    """The state is: rows, errors, the last error's row, mean and squared deviations of the
    distances, the largest p + 2s, is there a warning."""
    n, count, last, mean, squares, highest, level = state
    alarm = -1
    for i in range(len(errors)):
        n += 1
        if errors[i] != 0:
            count += 1
            off = n - last - mean
            mean += off / count
            squares += off * (n - last - mean)
            last = n
            if n > minimum:
                reach = mean + 2 * math.sqrt(squares / (count - 1) if count > 1 else 0.0)
                if reach > highest:
                    highest = reach
                elif count > minimum:
                    level = 1.0 if reach / highest < warning else 0.0
                    if reach / highest < drift:
                        n, count, last, mean, squares = 0.0, 0.0, 0.0, 0.0, 0.0
                        highest, level, alarm = -1.0, 0.0, i
        if len(warned):
            warned[i] = level > 0
        if alarm >= 0:
            break
    state[:] = n, count, last, mean, squares, highest, level
    return alarm
