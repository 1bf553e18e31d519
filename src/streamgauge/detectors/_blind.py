"""The base of blind detectors, whose alarms do not depend on the errors (zliobaite2015 §5)."""

from __future__ import annotations

import numpy as np

from streamgauge._support.types import Flags, Floats, Longs
from streamgauge.detectors.base import OwnDetector

NEVER = 1 << 62  # rows until an alarm that never comes


class Blind(OwnDetector):
    """A detector that counts down to its next alarm."""

    blind = True

    def start(self, seed: int) -> None:
        self._state: tuple[Longs, ...] = (np.array([self._gap()]),)

    def _watch(self, errors: Floats, warned: Flags | None) -> int:
        if warned is not None:
            warned[: len(errors)] = 0
        left, n = int(self._state[0][0]), len(errors)
        if left > n:
            self._state[0][0] = left - n
            return -1
        self._state[0][0] = self._gap()
        return left - 1

    def _gap(self) -> int:
        """Return the number of rows from one alarm to the next."""
        raise NotImplementedError
