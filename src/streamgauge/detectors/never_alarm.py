"""NeverAlarm: a detector without alarms."""

from __future__ import annotations

from streamgauge.detectors._blind import NEVER, Blind


class NeverAlarm(Blind):
    """A detector that never alarms: `Resetting` with it is the base learner alone."""

    def __init__(self) -> None:
        self.start(1)

    def _gap(self) -> int:
        return NEVER
