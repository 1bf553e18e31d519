"""RandomAlarm: random alarms, a baseline for drift detectors (zliobaite2015 §5)."""

from __future__ import annotations

import math

import numpy as np

from streamgauge._support.errors import UsageError, check_integer
from streamgauge._support.rng import uniform
from streamgauge._support.types import Floats, Longs
from streamgauge.detectors._blind import NEVER, Blind
from streamgauge.detectors.base import Sensitivity

_DRAWN = 256  # gaps drawn at a time


class RandomAlarm(Blind):
    """Random alarms: at each row with probability `p`, regardless of the errors.

    With p = 1 it alarms at every `warm_start`-th row (DDM-random of zliobaite2015).

    Parameters
    ----------
    p
        Probability of an alarm at a row.
    seed
        Random seed; None for the seed of the run.
    warm_start
        Number of the first row at which it may alarm, from the start and from each alarm.

    References
    ----------
    zliobaite2015 (docs/bibliography.md)

    Examples
    --------
    >>> import numpy as np
    >>> import streamgauge as sg
    >>> sg.RandomAlarm(p=1.0).detect(np.zeros(100))
    array([29, 59, 89])
    """

    sensitivity = Sensitivity("p", 1.0, 1e-9)

    def __init__(self, p: float, seed: int | None = None, warm_start: int = 30) -> None:
        check_integer("RandomAlarm(warm_start)", warm_start)
        self.p, self.seed, self.warm_start = p, seed, warm_start
        if not 0 <= p <= 1 or warm_start < 1:
            raise UsageError(f"{self}: expected 0 <= p <= 1 and warm_start >= 1")
        self.start(1)

    @property
    def random(self) -> bool:  # type: ignore[override]
        """Whether its alarms depend on the seed of the run."""
        return self.seed is None

    def start(self, seed: int) -> None:
        self._seed = seed if self.seed is None else int(self.seed)
        self._alarms = 0
        self._drawn: list[int] = []
        super().start(seed)

    def draws(self, n: int, count: int, seed: int, first: int = 0) -> tuple[Longs, Longs]:
        """All alarms of `count` independent draws over n rows: their rows, and the draw of each.

        Draw 0 has the alarms of `detect`; `first` is the number of the first draw wanted.

        Parameters
        ----------
        n
            Number of rows.
        count
            Number of draws.
        seed
            Random seed of the run, used unless the detector has its own.
        first
            The first draw.
        """
        seed = seed if self.seed is None else int(self.seed)
        numbers = np.arange(first, first + count)[:, None] << 32  # a draw has 2^32 numbers
        expected = n / (self.warm_start - 1 + 1 / self.p) if self.p else 0.0
        step = int(expected + 4 * math.sqrt(expected)) + 8
        ends = np.zeros((count, 1), np.int64)  # rows up to each alarm; the first column is row 0
        while (ends[:, -1] <= n).any():
            numbered = numbers + np.arange(ends.shape[1] - 1, ends.shape[1] - 1 + step)
            gaps = np.minimum(self._gaps(uniform(numbered, seed)), n + 1)
            ends = np.hstack([ends, ends[:, -1:] + np.cumsum(gaps, axis=1)])
        within = ends[:, 1:] <= n
        return ends[:, 1:][within] - 1, np.nonzero(within)[0]

    def _gap(self) -> int:
        """The number of rows up to an alarm is geometric, so one draw per alarm is enough."""
        if not self._drawn:
            draws = uniform(np.arange(self._alarms, self._alarms + _DRAWN), self._seed)
            self._drawn = self._gaps(draws)[::-1].tolist()
        self._alarms += 1
        return self._drawn.pop()

    def _gaps(self, draws: Floats) -> Longs:
        p = self.p
        if p == 0:
            return np.full(draws.shape, NEVER)
        with np.errstate(over="ignore"):  # later than any row
            gaps = np.log1p(-draws) / math.log1p(-p) if p < 1 else np.zeros(draws.shape)
        failures = np.floor(gaps)
        return np.asarray(np.minimum(self.warm_start + failures, float(NEVER)), np.int64)
