"""Page–Hinkley: has the mean risen (gama2013 §5.1, semantics §11)?"""

from __future__ import annotations

import numpy as np

from streamgauge.compiled import kernel
from streamgauge.detectors.base import OwnDetector
from streamgauge.errors import UsageError
from streamgauge.types import Flags, Floats


class PageHinkley(OwnDetector):
    """Adds up by how much errors exceed their mean so far plus `delta`; alarms when that sum stands
    `threshold` above its lowest point, then starts anew. Defaults are gama2013's.

    The closed form printed in gama2013 sums to −Tδ and can never fire; this is its recursion.
    River's is another: it forgets (alpha) and waits for 30 rows.

    >>> import numpy as np
    >>> PageHinkley(threshold=20).detect(np.repeat([0.0, 1.0], 100))
    array([125])
    """

    def __init__(self, delta: float = 0.1, threshold: float = 100.0) -> None:
        self._given = {"delta": delta, "threshold": threshold}
        if not (delta >= 0 and threshold > 0):
            raise UsageError(f"{self}: expected delta >= 0 and threshold > 0")
        self.start(1)

    def start(self, seed: int) -> None:
        self._state = (np.zeros(4),)

    def update(self, errors: Floats, warned: Flags | None = None) -> int:
        if warned is not None:
            warned[: len(errors)] = 0
        return _update(errors, self._state[0], self._given["delta"], self._given["threshold"])


@kernel
def _update(errors: Floats, state: Floats, delta: float, threshold: float) -> int:
    """The state is: errors seen, their sum, m and its minimum."""
    seen, total, m, lowest = state[0], state[1], state[2], state[3]
    alarm = -1
    for i in range(len(errors)):
        seen += 1
        total += errors[i]
        m += errors[i] - total / seen - delta
        lowest = min(lowest, m)  # 0 at first is no other than m's own first value, −δ, or above it
        if m - lowest >= threshold:
            seen, total, m, lowest = 0.0, 0.0, 0.0, 0.0
            alarm = i
            break
    state[0], state[1], state[2], state[3] = seen, total, m, lowest
    return alarm
