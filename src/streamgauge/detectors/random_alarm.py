"""RandomAlarm: alarms at random, what detectors should be compared with (zliobaite2015 §5)."""

from __future__ import annotations

import math

import numpy as np

from streamgauge._support.errors import UsageError, check_whole
from streamgauge._support.rng import uniform
from streamgauge._support.types import Floats, Longs
from streamgauge.detectors._blind import NEVER, Blind

_DRAWN = 256  # gaps drawn at a time


class RandomAlarm(Blind):
    """An alarm at every error with probability `p`, but for the first `warmup` − 1 of them after
    the start and after each alarm: with p = 1 every 30th (zliobaite2015's DDM-random).

    The seed is the run's, unless one is given.
    """

    def __init__(self, p: float, seed: int | None = None, warmup: int = 30) -> None:
        check_whole("RandomAlarm(warmup)", warmup)
        self._given = {"p": p, "seed": seed, "warmup": warmup}
        if not 0 <= p <= 1 or warmup < 1:
            raise UsageError(f"{self}: expected 0 <= p <= 1 and warmup >= 1")
        self.start(1)

    def start(self, seed: int) -> None:
        self._seed = seed if self._given["seed"] is None else int(self._given["seed"])
        self._alarms = 0
        self._drawn: list[int] = []
        super().start(seed)

    def _gap(self) -> int:
        """The number of trials up to the first success is geometric: one draw an alarm."""
        if not self._drawn:
            lots = uniform(np.arange(self._alarms, self._alarms + _DRAWN), self._seed)
            self._drawn = self._gaps(lots)[::-1].tolist()
        self._alarms += 1
        return self._drawn.pop()

    def _gaps(self, lots: Floats) -> Longs:
        p, shortest = self._given["p"], self._given["warmup"]
        if p == 0:
            return np.full(len(lots), NEVER)
        failures = np.floor(np.log1p(-lots) / math.log1p(-p)) if p < 1 else np.zeros(len(lots))
        return np.asarray(np.minimum(shortest + failures, float(NEVER)), np.int64)
