"""ADWIN against its oracle and River's."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import streamgauge as sg
from streamgauge.detectors import adwin
from streamgauge.detectors.adapters import RiverDetector
from tests.detectors.error_streams import (
    alarms,
    errors_of,
    one_by_one,
)
from tests.oracles import detectors as oracle


@given(
    st.integers(0, 9999), st.floats(0.001, 0.9), st.integers(1, 40), st.integers(2, 6),
    st.integers(1, 8), st.integers(0, 40),
)  # fmt: skip
def test_every_alarm_is_the_oracles(
    seed: int, delta: float, clock: int, max_buckets: int, min_length: int, grace_period: int
) -> None:
    errors = errors_of(seed, numbers=seed % 2 == 0, segments=3)
    given = (delta, clock, max_buckets, min_length, grace_period)
    assert sg.ADWIN(*given).detect(errors).tolist() == alarms(
        one_by_one(oracle.ADWIN(*given), errors)
    )


@given(st.integers(0, 9999))
def test_river_raises_the_same_alarms(seed: int) -> None:
    from river import drift

    errors, numbers = errors_of(seed, segments=12), errors_of(seed, numbers=True, segments=12)
    for ours, rivers, xs in (
        (sg.ADWIN(), drift.ADWIN(), errors),
        (sg.ADWIN(0.3), drift.ADWIN(0.3), numbers),
        (sg.ADWIN(0.1, 3, 3, 2, 20), drift.ADWIN(0.1, 3, 3, 2, 20), errors),
    ):
        assert ours.detect(xs).tolist() == RiverDetector(rivers).detect(xs).tolist()


def test_room_for_buckets_that_grows_changes_no_alarm(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(4)
    errors = (rng.random(20_000) < np.repeat([0.2, 0.3, 0.1, 0.5], 5000)).astype(float)
    given = sg.ADWIN(max_buckets=70)
    monkeypatch.setattr(adwin, "_FEW_BUCKETS", 100)
    fixed = sg.ADWIN(max_buckets=70).detect(errors)
    monkeypatch.setattr(adwin, "_FEW_BUCKETS", 2)
    grows = sg.ADWIN(max_buckets=70).detect(errors)
    assert grows.tolist() == fixed.tolist() == given.detect(errors).tolist()
    assert len(fixed)


def test_as_many_buckets_as_errors_take_no_more_room_than_the_errors() -> None:
    detector = sg.ADWIN(max_buckets=10**9)
    detector.start(1)
    detector.update(np.zeros(5000))
    assert detector.width == 5000
    assert detector.nbytes < 10 * 8 * 5000
