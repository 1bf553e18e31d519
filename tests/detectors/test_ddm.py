"""DDM against its oracle and River's."""

from __future__ import annotations

from hypothesis import given
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


@given(st.integers(0, 9999), st.floats(0.1, 2), st.floats(0, 2), st.integers(0, 40))
def test_every_alarm_is_the_oracles(
    seed: int, warning: float, more: float, warm_start: int
) -> None:
    errors = errors_of(seed)
    found = one_by_one(oracle.DDM(warm_start, warning, warning + more), errors)
    ours = sg.DDM(warm_start, warning, warning + more)
    assert ours.detect(errors).tolist() == alarms(found)
    assert_warns(ours, errors, found)


@given(st.integers(0, 9999))
def test_river_raises_the_same_alarms(seed: int) -> None:
    from river import drift

    errors = errors_of(seed, segments=12)
    for ours, rivers in (
        (sg.DDM(), drift.binary.DDM()),
        (sg.DDM(5, 1.0, 1.5), drift.binary.DDM(5, 1.0, 1.5)),
    ):
        assert ours.detect(errors).tolist() == RiverDetector(rivers).detect(errors).tolist()
