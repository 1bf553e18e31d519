"""DDM: is the error rate far above the best it has been (Gama et al. 2004)?"""

from __future__ import annotations

import math

import numpy as np

from streamgauge._support.errors import UsageError, check_whole
from streamgauge._support.jit import kernel
from streamgauge._support.types import Flags, Floats
from streamgauge.detectors.base import WarningDetector, or_nowhere


class DDM(WarningDetector):
    """p is the error rate since the last alarm, s = √(p(1−p)/n). Where p + s was lowest it was
    p_min, s_min. Warns when p + s > p_min + `warning` · s_min, alarms beyond `drift` · s_min, both
    from the row after the first `minimum` on.

    Alarm by alarm River's `drift.binary.DDM` (`warm_start` is our `minimum`). MOA's looks one or
    two rows earlier: it takes p_min from row minimum − 1 on, and may alarm at row `minimum`. Errors
    are 0 or 1; River fails on others, here a p outside 0..1 has s = 0.

    >>> import numpy as np
    >>> DDM().detect(np.r_[np.arange(300) % 5 == 0, np.ones(100)])
    array([317])
    """

    def __init__(self, warning: float = 2.0, drift: float = 3.0, minimum: int = 30) -> None:
        check_whole("DDM(minimum)", minimum)
        self._given = {"warning": warning, "drift": drift, "minimum": minimum}
        if not 0 < warning <= drift or minimum < 0:
            raise UsageError(f"{self}: expected 0 < warning <= drift and minimum >= 0")
        self.start(1)

    def start(self, seed: int) -> None:
        self._state = (np.array([0.0, 0.0, np.inf, np.inf, 0.0]),)

    def _watch(self, errors: Floats, warned: Flags | None) -> int:
        warning, drift, minimum = self._given.values()
        return _update(errors, self._state[0], warning, drift, minimum, or_nowhere(warned))


@kernel
def _update(
    errors: Floats, state: Floats, warning: float, drift: float, minimum: int, warned: Flags
) -> int:
    """The state is: errors seen, their rate, p_min, s_min, is there a warning."""
    n, p, p_min, s_min, level = state[0], state[1], state[2], state[3], state[4]
    alarm = -1
    for i in range(len(errors)):
        n += 1
        p += 1.0 / n * (errors[i] - p)  # in this order as River: the same to the last bit
        if n > minimum:
            s = math.sqrt(max(0.0, p * (1 - p) / n))
            if p + s <= p_min + s_min:
                p_min, s_min = p, s
            level = 1.0 if p + s > p_min + warning * s_min else 0.0
            if p + s > p_min + drift * s_min:
                n, p, p_min, s_min, level = 0.0, 0.0, np.inf, np.inf, 0.0
                alarm = i
        if len(warned):
            warned[i] = level > 0
        if alarm >= 0:
            break
    state[0], state[1], state[2], state[3], state[4] = n, p, p_min, s_min, level
    return alarm
