"""PeriodicAlarm: alarms at regular intervals, regardless of the errors."""

from __future__ import annotations

from streamgauge._support.errors import UsageError, check_integer
from streamgauge.detectors._blind import Blind


class PeriodicAlarm(Blind):
    """Periodic alarms: one at every `every`-th row, regardless of the errors.

    Parameters
    ----------
    every
        Rows from one alarm to the next.

    References
    ----------
    Ours, not from a paper.

    Examples
    --------
    >>> import numpy as np
    >>> import streamgauge as sg
    >>> sg.PeriodicAlarm(3).detect(np.zeros(10))
    array([2, 5, 8])
    """

    def __init__(self, every: int) -> None:
        check_integer("PeriodicAlarm(every)", every)
        self.every = every
        if every < 1:
            raise UsageError(f"{self}: expected every >= 1")
        self.start(1)

    def _gap(self) -> int:
        return int(self.every)
