"""NeverAlarm: a detector without alarms."""

from __future__ import annotations

from streamgauge.detectors._blind import NEVER, Blind


class NeverAlarm(Blind):
    """No alarms, whatever the errors.

    `Resetting` with this detector is the base learner alone.

    References
    ----------
    Ours, not from a paper.

    Examples
    --------
    >>> import numpy as np
    >>> import streamgauge as sg
    >>> len(sg.NeverAlarm().detect(np.ones(1000)))
    0
    """

    def __init__(self) -> None:
        self.start(1)

    def _gap(self) -> int:
        return NEVER
