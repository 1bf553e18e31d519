"""Page–Hinkley: has the mean risen (gama2013 §5.1, semantics §11)?"""

from __future__ import annotations

import numpy as np

from streamgauge._support.errors import UsageError
from streamgauge._support.jit import kernel
from streamgauge._support.types import Flags, Floats
from streamgauge.detectors._estimates import Estimate, check_estimate
from streamgauge.detectors.base import OwnDetector, Sensitivity, Statistic
from streamgauge.measures.forgetting import Forgetting

_PIECE = 8192  # errors estimated at a time; the errors after an alarm are estimated again


class PageHinkley(OwnDetector):
    """Page–Hinkley test: an alarm when the mean of the errors has risen.

    It sums by how much the input exceeds its mean so far plus `delta`. It alarms when that sum is
    `threshold` above its minimum, then resets. Defaults are those of gama2013.

    The closed form printed in gama2013 sums to −Tδ and can never raise an alarm; this is the
    recursive form. River's version differs: it fades the sum (`alpha`) and waits for 30 rows.

    Parameters
    ----------
    delta
        Tolerated excess over the mean.
    threshold
        Alarm level of the sum.
    on
        The input: None for the errors themselves, or a forgetting for their running mean, such as
        `Cumulative()`, `Window(1000)` or `Fading(0.997)` (gama2013 §5.2). An alarm resets it too.

    References
    ----------
    page1954, gama2013 (docs/bibliography.md)

    Examples
    --------
    >>> import numpy as np
    >>> import streamgauge as sg
    >>> sg.PageHinkley(threshold=20).detect(np.repeat([0.0, 1.0], 100))
    array([125])
    """

    sensitivity = Sensitivity("threshold", 1e-3, 1e9)

    def __init__(
        self, delta: float = 0.1, threshold: float = 100.0, on: Forgetting | None = None
    ) -> None:
        self.delta, self.threshold = delta, threshold
        self.on: Forgetting | None = on
        if on is not None:
            check_estimate(type(self).__name__, "on", on)
        self._begin(delta, threshold)

    def _begin(self, delta: float, threshold: float) -> None:
        if not (0 <= delta < np.inf and 0 < threshold < np.inf):
            raise UsageError(f"{self}: expected delta >= 0 and threshold > 0")
        self.start(1)

    def start(self, seed: int) -> None:
        self._state = (np.zeros(5),)
        self._estimates = [] if self.on is None else [Estimate(self.on)]

    @property
    def statistic(self) -> Statistic:
        """How far the sum is above its minimum, the value at which it alarms, and its input."""
        seen, _, m, lowest, signal = self._state[0].tolist()
        return Statistic(m - lowest, self.threshold, signal) if seen else super().statistic

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
        """The input of the test."""
        return self._estimates[0].after(errors)

    def _test(self, signal: Floats) -> int:
        return _update(signal, self._state[0], float(self.delta), float(self.threshold))


@kernel
def _update(signal: Floats, state: Floats, delta: float, threshold: float) -> int:
    """`state` holds the number of inputs, their sum, m, its minimum and the last input."""
    seen, total, m, lowest = state[0], state[1], state[2], state[3]
    alarm = -1
    for i in range(len(signal)):
        seen += 1
        total += signal[i]
        m += signal[i] - total / seen - delta
        lowest = min(lowest, m)  # starting at 0 is harmless: m starts at −δ
        if m - lowest >= threshold:
            seen, total, m, lowest = 0.0, 0.0, 0.0, 0.0
            alarm = i
            break
    state[0], state[1], state[2], state[3] = seen, total, m, lowest
    if len(signal):
        state[4] = signal[alarm]  # the last one if there is no alarm
    return alarm
