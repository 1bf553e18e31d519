"""NeverAlarm: a detector that stays silent."""

from __future__ import annotations

from streamgauge.detectors._blind import NEVER, Blind


class NeverAlarm(Blind):
    """Silent: what is around it is as if it were alone."""

    def __init__(self) -> None:
        self._given = {}
        self.start(1)

    def _gap(self) -> int:
        return NEVER
