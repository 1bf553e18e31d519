"""NeverAlarm has no alarms."""

from __future__ import annotations

import numpy as np

import streamgauge as sg


def test_it_never_alarms() -> None:
    assert len(sg.NeverAlarm().detect(np.zeros(100_000))) == 0
