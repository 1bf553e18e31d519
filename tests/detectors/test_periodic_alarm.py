"""PeriodicAlarm alarms at regular intervals."""

from __future__ import annotations

import numpy as np

import streamgauge as sg


def test_it_alarms_at_every_nth_error() -> None:
    assert sg.PeriodicAlarm(3).detect(np.zeros(10)).tolist() == [2, 5, 8]
