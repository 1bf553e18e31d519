"""RandomAlarm: how often it alarms, and its seeds."""

from __future__ import annotations

import numpy as np

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
