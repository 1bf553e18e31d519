"""PageHinkley against its oracle."""

from __future__ import annotations

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


MEANS = st.one_of(ALL, windows(1, 150), fading(0.3, 1))


@given(st.integers(0, 9999), st.floats(0, 0.5), st.floats(0.5, 30))
def test_every_alarm_is_the_oracles(seed: int, delta: float, threshold: float) -> None:
    errors = errors_of(seed, numbers=seed % 2 == 0)
    expected = alarms(one_by_one(oracle.PageHinkley(delta, threshold), errors))
    assert sg.PageHinkley(delta, threshold).detect(errors).tolist() == expected


@given(st.integers(0, 9999), st.floats(0, 0.1), st.floats(0.5, 20), MEANS)
def test_every_alarm_on_estimates_is_the_oracles(
    seed: int, delta: float, threshold: float, mean: tuple[str, float]
) -> None:
    errors = errors_of(seed, numbers=seed % 2 == 0, segments=3)
    slow = oracle.OnEstimate(mean, delta, threshold)
    expected = alarms(one_by_one(slow, errors))
    assume(slow.test.closest > 1e-9)  # else rounding decides
    found = sg.PageHinkley(delta, threshold, forgetting(mean)).detect(errors)
    assert found.tolist() == expected
