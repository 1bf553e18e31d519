"""DDM: is the error rate far above the best it has been (Gama et al. 2004)?"""

from __future__ import annotations

import math
from typing import Literal

import numpy as np

from streamgauge._support.errors import UsageError, check_integer
from streamgauge._support.jit import kernel
from streamgauge._support.types import Flags, Floats
from streamgauge.detectors.base import Sensitivity, Statistic, WarningDetector, warned_or_empty


class DDM(WarningDetector):
    """DDM: the drift detection method, an alarm on an error rate far above its lowest.

    p is the error rate since the last alarm, s = √(p(1−p)/n); p_min and s_min are their values
    where p + s was lowest. It warns when p + s > p_min + `warning_threshold` · s_min and alarms
    when p + s > p_min + `drift_threshold` · s_min, both only after the first `warm_start` rows.

    Matches River's `drift.binary.DDM` alarm by alarm, and MOA's with `compat="moa"`. MOA begins two
    rows earlier: p_min may be row `warm_start` − 1, and the first alarm is possible at row
    `warm_start`, counted from 1. It is the rule that zliobaite2015 ran, and the two rows matter:
    naive Bayes that resets on it gets 68.8 % on Elec2 (papers' five features), 63.3 % by River's.
    Errors should be 0 or 1; where p is outside 0..1, s is 0 here, while River raises an error.

    Parameters
    ----------
    warm_start
        Rows consumed before the first test, from the start and from each alarm; two fewer with
        `compat="moa"`.
    warning_threshold
        Warning level, in multiples of s_min.
    drift_threshold
        Alarm level, in multiples of s_min.
    compat
        "moa" for MOA's rule, where `warm_start` is its `minNumInstances`; None for River's.

    References
    ----------
    gama2004, zliobaite2015 (docs/bibliography.md)

    Examples
    --------
    >>> import numpy as np
    >>> import streamgauge as sg
    >>> sg.DDM().detect(np.r_[np.arange(300) % 5 == 0, np.ones(100)])
    array([317])
    >>> early = np.r_[np.zeros(29), np.ones(9)]  # no error in 29 rows, then errors only
    >>> sg.DDM().detect(early), sg.DDM(compat="moa").detect(early)
    (array([33]), array([29]))
    """

    sensitivity = Sensitivity("drift_threshold", 1.0, 6.0)  # standard deviations

    def __init__(
        self,
        warm_start: int = 30,
        warning_threshold: float = 2.0,
        drift_threshold: float = 3.0,
        compat: Literal["moa"] | None = None,
    ) -> None:
        check_integer("DDM(warm_start)", warm_start)
        self.warm_start = warm_start
        self.warning_threshold = warning_threshold
        self.drift_threshold = drift_threshold
        self.compat = compat
        if compat not in (None, "moa"):
            raise UsageError(f"{self}: expected compat=None or compat='moa'")
        if not 0 < warning_threshold <= drift_threshold or warm_start < 0:
            raise UsageError(
                f"{self}: expected 0 < warning_threshold <= drift_threshold and warm_start >= 0"
            )
        self.start(1)

    def start(self, seed: int) -> None:
        self._state = (np.array([0.0, 0.0, np.inf, np.inf, 0.0]),)

    @property
    def _untested(self) -> int:
        """Rows before the first test. MOA's counter is one ahead of the rows: it tests where the
        counter has reached `warm_start`, and alarms where the counter is beyond."""
        return self.warm_start - (2 if self.compat == "moa" else 0)

    @property
    def statistic(self) -> Statistic:
        """p + s, and the value above which it alarms."""
        n, p, p_min, s_min, _ = self._state[0].tolist()
        if n <= self._untested or n == 0:
            return super().statistic
        s = math.sqrt(max(0.0, p * (1 - p) / n))
        return Statistic(p + s, p_min + self.drift_threshold * s_min)

    def _watch(self, errors: Floats, warned: Flags | None) -> int:
        moa = self.compat == "moa"
        untested = self._untested
        silent = untested + 1 if moa else untested
        levels = float(self.warning_threshold), float(self.drift_threshold)
        warned = warned_or_empty(warned)
        return _update(errors, self._state[0], *levels, untested, silent, moa, warned)


@kernel
def _update(
    errors: Floats,
    state: Floats,
    warning: float,
    drift: float,
    untested: int,
    silent: int,
    moa: bool,
    warned: Flags,
) -> int:
    """`state` holds the rows seen, their error rate, p_min, s_min and the warning level.

    The first `untested` rows are not tested, the first `silent` ones raise no alarm.
    """
    n, p, p_min, s_min, level = state[0], state[1], state[2], state[3], state[4]
    alarm = -1
    for i in range(len(errors)):
        n += 1
        off = errors[i] - p
        p += off / n if moa else 1.0 / n * off  # each library's operations, for the same bits
        if n > untested:
            s = math.sqrt(max(0.0, p * (1 - p) / n))
            if p + s <= p_min + s_min:
                p_min, s_min = p, s
            level = 1.0 if p + s > p_min + warning * s_min else 0.0
            if n > silent and p + s > p_min + drift * s_min:
                n, p, p_min, s_min, level = 0.0, 0.0, np.inf, np.inf, 0.0
                alarm = i
        if len(warned):
            warned[i] = level > 0
        if alarm >= 0:
            break
    state[0], state[1], state[2], state[3], state[4] = n, p, p_min, s_min, level
    return alarm
