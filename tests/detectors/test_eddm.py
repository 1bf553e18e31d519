"""EDDM against its oracle and River's."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import streamgauge as sg
from streamgauge.detectors.adapters import RiverDetector
from tests.detectors.error_streams import (
    alarms,
    assert_warns,
    errors_of,
    one_by_one,
)
from tests.oracles import detectors as oracle


@given(st.integers(0, 9999), st.floats(0.5, 1), st.floats(0.5, 1), st.integers(0, 40))
def test_every_alarm_is_the_oracles(seed: int, one: float, other: float, warm_start: int) -> None:
    from river import drift

    errors, warning, alarm = errors_of(seed, segments=8), max(one, other), min(one, other)
    slow = oracle.EDDM(warm_start, warning, alarm)
    found = one_by_one(slow, errors)
    assume(slow.closest > 1e-9)
    ours = sg.EDDM(warm_start, warning, alarm)
    assert ours.detect(errors).tolist() == alarms(found)
    rivers = RiverDetector(drift.binary.EDDM(warm_start, warning, alarm))
    assert rivers.detect(errors).tolist() == alarms(found)
    assert_warns(ours, errors, found)


def test_errors_other_than_0_and_1_are_refused() -> None:
    with pytest.raises(sg.InputError, match=r"error 2 is 0\.5 .*expected 0 or 1"):
        sg.EDDM().detect(np.array([0, 1, 0.5]))
