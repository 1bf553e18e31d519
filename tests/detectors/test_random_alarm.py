"""RandomAlarm: how often it alarms, and its seeds."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import streamgauge as sg


def test_gaps_are_geometric_and_seeded() -> None:
    zeros = np.zeros(100_000)
    assert sg.RandomAlarm(1).detect(zeros[:100]).tolist() == [29, 59, 89]
    assert len(sg.RandomAlarm(0).detect(zeros)) == 0
    for p in (0.01, 0.1, 0.5):
        gaps = np.diff(sg.RandomAlarm(p).detect(zeros))
        assert gaps.min() >= 30
        mean, sd = 29 + 1 / p, np.sqrt(1 - p) / p  # geometric
        assert abs(gaps.mean() - mean) < 4 * sd / np.sqrt(len(gaps))
    some = [sg.RandomAlarm(0.01, seed).detect(zeros, run).tolist() for seed, run in
            ((None, 1), (1, 2), (None, 2), (2, 5))]  # fmt: skip
    assert some[0] == some[1] != some[2] == some[3]


@given(
    st.sampled_from([0, 0.001, 0.05, 0.5, 1]),
    st.integers(1, 40),
    st.integers(1, 400),
    st.integers(1, 5),
    st.integers(0, 99),
)
def test_draws_are_those_of_the_detector(
    p: float, warm_start: int, n: int, count: int, seed: int
) -> None:
    """Draw 0 is `detect`; a draw does not depend on how many are drawn with it."""
    detector = sg.RandomAlarm(p, warm_start=warm_start)
    rows, draw = detector.draws(n, count, seed)
    assert rows[draw == 0].tolist() == detector.detect(np.zeros(n), seed).tolist()
    for each in range(count):
        alone, _ = detector.draws(n, 1, seed, first=each)
        assert rows[draw == each].tolist() == alone.tolist()
    own = sg.RandomAlarm(p, seed, warm_start).draws(n, count, seed + 1)
    assert own[0].tolist() == rows.tolist()


def test_draws_differ_and_alarm_as_often_as_they_should() -> None:
    rows, draw = sg.RandomAlarm(0.01).draws(12_900, 200, seed=1)
    counts = np.bincount(draw, minlength=200)
    assert abs(counts.mean() - 100) < 3  # a gap of 129 rows on average
    assert len({tuple(rows[draw == each]) for each in range(200)}) == 200
