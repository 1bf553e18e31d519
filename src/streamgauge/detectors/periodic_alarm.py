"""PeriodicAlarm: an alarm at regular intervals, whatever the errors are."""

from __future__ import annotations

from streamgauge._support.errors import UsageError, check_whole
from streamgauge.detectors._blind import Blind


class PeriodicAlarm(Blind):
    """An alarm at every so-many-th error.

    >>> import numpy as np
    >>> PeriodicAlarm(3).detect(np.zeros(10))
    array([2, 5, 8])
    """

    def __init__(self, every: int) -> None:
        check_whole("PeriodicAlarm(every)", every)
        self._given = {"every": every}
        if every < 1:
            raise UsageError(f"{self}: expected every >= 1")
        self.start(1)

    def _gap(self) -> int:
        return int(self._given["every"])
