"""Page–Hinkley: has the mean risen (gama2013 §5.1, semantics §11)?"""

from __future__ import annotations

import numpy as np

from streamgauge._support.errors import UsageError
from streamgauge._support.jit import kernel
from streamgauge._support.types import Flags, Floats
from streamgauge.detectors._estimates import Estimate, check_estimate
from streamgauge.detectors.base import OwnDetector
from streamgauge.measures.forgetting import Forgetting

_PIECE = 8192  # errors estimated at a time; what lies behind an alarm is estimated anew


class PageHinkley(OwnDetector):
    """Adds up by how much its input exceeds its mean so far plus `delta`; alarms when that sum
    stands `threshold` above its lowest point, then starts anew. Defaults are gama2013's.

    The input is the errors themselves, or their running mean: `on=Cumulative()`, `Window(1000)`,
    `Fading(0.997)` (gama2013 §5.2). An alarm empties that, too.

    The closed form printed in gama2013 sums to −Tδ and can never fire; this is its recursion.
    River's is another: it forgets (alpha) and waits for 30 rows.

    >>> import numpy as np
    >>> PageHinkley(threshold=20).detect(np.repeat([0.0, 1.0], 100))
    array([125])
    """

    def __init__(
        self, delta: float = 0.1, threshold: float = 100.0, on: Forgetting | None = None
    ) -> None:
        self._given = {"delta": delta, "threshold": threshold, "on": on}
        if on is not None:
            check_estimate(type(self).__name__, "on", on)
        self._begin(delta, threshold)

    def _begin(self, delta: float, threshold: float) -> None:
        if not (0 <= delta < np.inf and 0 < threshold < np.inf):
            raise UsageError(f"{self}: expected delta >= 0 and threshold > 0")
        self.start(1)

    def start(self, seed: int) -> None:
        self._state = (np.zeros(4),)
        on = self._given["on"]
        self._estimates = [] if on is None else [Estimate(on)]

    @property
    def nbytes(self) -> int:
        return super().nbytes + sum(each.nbytes for each in self._estimates)

    def _watch(self, errors: Floats, warned: Flags | None) -> int:
        if warned is not None:
            warned[: len(errors)] = 0
        if not self._estimates:
            return self._test(errors)
        for begin in range(0, max(1, len(errors)), _PIECE):
            alarm = self._test(self._signal(errors[begin : begin + _PIECE]))
            if alarm >= 0:
                self.start(1)
                return begin + alarm
        return -1

    def _signal(self, errors: Floats) -> Floats:
        """What is tested for a rise."""
        return self._estimates[0].after(errors)

    def _test(self, signal: Floats) -> int:
        return _update(signal, self._state[0], self._given["delta"], self._given["threshold"])


@kernel
def _update(signal: Floats, state: Floats, delta: float, threshold: float) -> int:
    """The state is: how many were seen, their sum, m and its minimum."""
    seen, total, m, lowest = state[0], state[1], state[2], state[3]
    alarm = -1
    for i in range(len(signal)):
        seen += 1
        total += signal[i]
        m += signal[i] - total / seen - delta
        lowest = min(lowest, m)  # 0 at first is no other than m's own first value, −δ, or above it
        if m - lowest >= threshold:
            seen, total, m, lowest = 0.0, 0.0, 0.0, 0.0
            alarm = i
            break
    state[0], state[1], state[2], state[3] = seen, total, m, lowest
    return alarm
