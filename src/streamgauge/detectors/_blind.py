"""The base of blind detectors, whose alarms do not depend on errors (zliobaite2015 §5)."""

from __future__ import annotations

import numpy as np

from streamgauge._support.types import Flags, Floats, Longs
from streamgauge.detectors.base import OwnDetector

NEVER = 1 << 62  # errors until the next alarm


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
        """Errors from one alarm to the next."""
        raise NotImplementedError
