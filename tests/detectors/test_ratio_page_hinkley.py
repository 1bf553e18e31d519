"""RatioPageHinkley against its oracle."""

from __future__ import annotations

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st

import streamgauge as sg
from tests.detectors.error_streams import (
    alarms,
    errors_of,
    fading,
    forgetting,
    one_by_one,
    windows,
)
from tests.oracles import detectors as oracle

ALL = st.just(("cumulative", 1))


SHORT, LONG = windows(1, 30) | fading(0.3, 0.9), st.one_of(ALL, windows(31, 150), fading(0.98, 1))


@given(st.integers(0, 9999), st.floats(0, 0.5), st.floats(0.5, 40), SHORT, LONG)
def test_every_alarm_is_the_oracles(
    seed: int, delta: float, threshold: float, short: tuple[str, float], long: tuple[str, float]
) -> None:
    errors = errors_of(seed, segments=3)
    ours = sg.RatioPageHinkley(forgetting(short), forgetting(long), delta, threshold)
    slow = oracle.OnRatio(short, long, delta, threshold)
    expected = alarms(one_by_one(slow, errors))
    assume(slow.test.closest > 1e-9)
    assert ours.detect(errors).tolist() == expected


def test_ratio_before_any_error() -> None:
    """R is 1 while there is no error: nothing rises."""
    assert len(sg.RatioPageHinkley(threshold=0.01).detect(np.zeros(20_000))) == 0
    late = np.r_[np.zeros(500), np.ones(500)]
    assert sg.RatioPageHinkley(threshold=1).detect(late)[0] > 500
