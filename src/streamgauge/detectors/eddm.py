"""EDDM: do errors follow each other faster than they used to (Baena-García et al. 2006)?"""

from __future__ import annotations

import math

import numpy as np

from streamgauge._support.errors import UsageError, check_integer
from streamgauge._support.jit import kernel
from streamgauge._support.types import Flags, Floats
from streamgauge.detectors.base import Sensitivity, Statistic, WarningDetector, warned_or_empty


class EDDM(WarningDetector):
    """EDDM: the early drift detection method, an alarm when errors follow each other faster.

    p is the mean distance in rows from one misclassified row to the next, s its standard deviation.
    It warns when p + 2s falls below `alpha` times its maximum and alarms when it falls below `beta`
    times its maximum, after more than `warm_start` misclassified rows. Errors must be 0 or 1.

    Matches River's `drift.binary.EDDM` alarm by alarm: levels change at misclassified rows only,
    and the first `warm_start` rows set no maximum. After few misclassified rows the maximum is
    largely chance, so false alarms come early.

    Parameters
    ----------
    warm_start
        Misclassified rows, and rows, before the first test.
    alpha
        Warning level, as a fraction of the maximum.
    beta
        Alarm level, as a fraction of the maximum.

    References
    ----------
    baena2006 (docs/bibliography.md)

    Examples
    --------
    >>> import numpy as np
    >>> import streamgauge as sg
    >>> errors = np.random.default_rng(0).random(4000) < np.repeat([0.1, 0.4], 2000)
    >>> sg.EDDM(alpha=0.8, beta=0.7).detect(errors)
    array([2248])
    """

    binary = True
    alarms_below = True

    sensitivity = Sensitivity("beta", 0.99, 0.05)

    def __init__(self, warm_start: int = 30, alpha: float = 0.95, beta: float = 0.9) -> None:
        check_integer("EDDM(warm_start)", warm_start)
        self.warm_start, self.alpha, self.beta = warm_start, alpha, beta
        if not 0 < beta <= alpha or warm_start < 0 or alpha == math.inf:
            raise UsageError(f"{self}: expected 0 < beta <= alpha and warm_start >= 0")
        self.start(1)

    def start(self, seed: int) -> None:
        self._state = (np.array([0.0, 0.0, 0.0, 0.0, 0.0, -1.0, 0.0]),)

    @property
    def statistic(self) -> Statistic:
        """p + 2s as a fraction of its maximum, and the value below which it alarms."""
        _, count, _, mean, squares, highest, _ = self._state[0].tolist()
        if count <= self.warm_start or highest <= 0:
            return super().statistic
        reach = mean + 2 * math.sqrt(squares / (count - 1) if count > 1 else 0.0)
        return Statistic(reach / highest, self.beta)

    def _watch(self, errors: Floats, warned: Flags | None) -> int:
        levels = float(self.alpha), float(self.beta)
        return _update(errors, self._state[0], *levels, self.warm_start, warned_or_empty(warned))


@kernel
def _update(
    errors: Floats, state: Floats, alpha: float, beta: float, warm_start: int, warned: Flags
) -> int:
    """`state` holds the rows, the misclassified ones, the last of them, mean and squared deviations
    of the distances, largest p + 2s and the warning level."""
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
            if n > warm_start:
                reach = mean + 2 * math.sqrt(squares / (count - 1) if count > 1 else 0.0)
                if reach > highest:
                    highest = reach
                elif count > warm_start:
                    level = 1.0 if reach / highest < alpha else 0.0
                    if reach / highest < beta:
                        n, count, last, mean, squares = 0.0, 0.0, 0.0, 0.0, 0.0
                        highest, level, alarm = -1.0, 0.0, i
        if len(warned):
            warned[i] = level > 0
        if alarm >= 0:
            break
    state[:] = n, count, last, mean, squares, highest, level
    return alarm
