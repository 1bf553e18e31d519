"""The anytime bounds: against the oracle, at every row, now, and with labels that come late."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from bench.calibration.anytime import RUN, delayed, ever_outside, in_chunks
from bench.calibration.streams import fixed_runs
from hypothesis import given
from hypothesis import strategies as st

import streamgauge as sg
from streamgauge.comparison._anytime import confidence_sequence
from tests.oracles import comparison as oracle


@given(
    st.lists(st.sampled_from([-1.0, -0.4, 0.0, 0.0, 1.0]), min_size=1, max_size=40),
    st.integers(1, 4),
    st.booleans(),
    st.sampled_from([0.9, 0.99]),
    st.sampled_from([1.0, 2.5]),
)
def test_bounds_match_oracle(
    found: list[float], wait: int, together: bool, confidence: float, bound: float
) -> None:
    """Some rows have no label, so their numbers are not 0, 1, 2, …"""
    rows = np.cumsum(np.random.default_rng(len(found)).integers(1, 3, len(found)))
    length = wait if together else max(1, wait - 1)
    whole = int((rows // length < (rows[-1] + 1) // length).sum())
    points = np.array([len(found)])
    bounds = confidence_sequence(
        np.array(found), rows, points, bound, wait, confidence, together=together
    )
    if not whole:
        assert len(bounds.rows) == 0
        return
    assert (bounds.rows[-1], bounds.since[-1]) == (whole, 0)
    low, high = oracle.anytime(
        found[:whole], rows[:whole].tolist(), bound, wait, confidence, together
    )
    assert bounds.low[-1] == pytest.approx(low, abs=1e-7)
    assert bounds.high[-1] == pytest.approx(high, abs=1e-7)


@pytest.mark.parametrize("wait", [1, 3])
def test_bounds_of_now_match_oracle(wait: int) -> None:
    d = np.random.default_rng(1).choice([-1.0, 0.0, 1.0], 64)
    ids, window = np.arange(64), 20
    bounds = confidence_sequence(d, ids, ids + 1, 1.0, wait, window=window)
    length = max(1, wait - 1)
    assert bounds.rows.tolist() == list(range(length, 65, length))
    for i in (0, 30 // length, len(bounds.rows) - 1):
        rows = int(bounds.rows[i])
        restart = max(0, rows // window - 1)
        since = restart * window
        assert bounds.since[i] == since
        low, high = oracle.anytime(
            d[since:rows].tolist(), ids[since:rows].tolist(), 1.0, wait, 0.99,
            restart=restart, window=window,
        )  # fmt: skip
        assert bounds.low[i] == pytest.approx(low, abs=1e-7)
        assert bounds.high[i] == pytest.approx(high, abs=1e-7)


def test_bounds_do_not_depend_on_the_other_points() -> None:
    d = np.random.default_rng(1).choice([-1.0, 0.0, 1.0], 300)
    every = np.arange(1, 301)
    for window in (None, 60):
        often = confidence_sequence(d, every - 1, every, 1.0, window=window)
        rarely = confidence_sequence(d, every - 1, every[99::100], 1.0, window=window)
        np.testing.assert_allclose(often.low[99::100], rarely.low, rtol=1e-9)


def test_bounds_do_not_depend_on_the_order_of_reveals() -> None:
    """Labels overtake each other by up to three rows; blocks are of rows that arrived together."""
    random = np.random.default_rng(1)
    d = random.choice([-1.0, 0.0, 1.0], 200)
    order = np.argsort(np.arange(200) + random.integers(0, 4, 200), kind="stable")
    end = np.array([200])
    in_order = confidence_sequence(d, np.arange(200), end, 1.0, 5)
    overtaken = confidence_sequence(d[order], order, end, 1.0, 5)
    assert overtaken.low[-1] == pytest.approx(in_order.low[-1], rel=1e-12)


def test_bounds_find_a_real_difference() -> None:
    random = np.random.default_rng(2)
    d = random.choice([-1.0, 0.0, 1.0], p=[0.05, 0.85, 0.1], size=20_000)
    every = np.arange(1, len(d) + 1)
    bounds = confidence_sequence(d, every - 1, every, 1.0)
    assert ((bounds.low <= 0.05) & (bounds.high >= 0.05)).all()
    assert bounds.sign == 1
    first = bounds.first_clear
    assert first is not None
    assert 100 < first < 5000
    assert bounds.high[-1] - bounds.low[-1] < 0.04
    none = confidence_sequence(np.zeros(500), np.arange(500), np.array([500]), 1.0)
    assert none.sign == 0
    assert none.first_clear is None
    assert 0 < none.high[-1] < 0.1


def test_bounds_of_now_find_a_change() -> None:
    """A is better for 8,000 rows, then B: over all rows neither, now B."""
    random = np.random.default_rng(2)
    d = random.choice([-1.0, 0.0, 1.0], p=[0.05, 0.85, 0.1], size=16_000)
    d[:8000] *= -1
    every = np.arange(1, len(d) + 1)
    bounds = confidence_sequence(d, every - 1, every, 1.0, window=2000)
    covered = np.r_[0, np.cumsum(np.repeat([-0.05, 0.05], 8000))]  # what was to be expected
    mean = (covered[bounds.rows] - covered[bounds.since]) / (bounds.rows - bounds.since)
    assert ((bounds.low <= mean) & (mean <= bounds.high)).all()
    assert bounds.sign == 1
    assert bounds.high[7999] < 0 < bounds.low[12_999]
    assert confidence_sequence(d, every - 1, every, 1.0).sign == 0


def test_late_labels_widen_the_bounds() -> None:
    d = np.random.default_rng(1).choice([-1.0, 0.0, 1.0], 20_000, p=[0.1, 0.8, 0.1])
    ids, end = np.arange(20_000), np.array([20_000])

    def width(wait: int, together: bool = False) -> float:
        bounds = confidence_sequence(d, ids, end, 1.0, wait, together=together)
        assert bounds.wait == wait
        return float(bounds.high[-1] - bounds.low[-1])

    assert width(1) < width(10, together=True) < width(10) < width(20) < width(50)
    # Splitting the rows into 20 sequences, each at alpha / 20, would give 6 times the width.
    assert width(20) < 4 * width(1)


def test_the_label_policy_gives_the_wait() -> None:
    def anytime(labels: Any) -> tuple[int, int]:
        runs = sg.evaluate(sg.SEA(4000, seed=1), [sg.NaiveBayes(), sg.Majority()], labels=labels)
        bounds = sg.compare(runs[0], runs[1]).anytime
        return bounds.wait, int(bounds.rows[-1])

    assert anytime(sg.Immediate()) == (1, 4000)
    assert anytime(sg.Delay(20)) == (20, 3990)  # whole blocks of 19 rows
    assert anytime(sg.Chunks(8)) == (8, 4000)
    assert anytime(sg.Sampled(0.5))[0] == 1


def test_calibration_uses_the_public_bounds() -> None:
    """Its short cut, the mixture alone, says the same as the bounds after every row."""
    for seed in range(6):
        for run in (1, RUN):
            d = fixed_runs(np.random.default_rng(seed), 2200, run)
            every = np.arange(1, len(d) + 1)
            for window in (None, 500):
                bounds = confidence_sequence(d, every - 1, every, 1.0, 1, 0.95, window=window)
                outside = (bounds.low > 0) | (bounds.high < 0)
                expected = bool(outside.any()), bool(outside[-1])
                assert ever_outside(d, 0.05, window) == expected


def test_late_labels_keep_the_level_on_few_streams() -> None:
    """docs/calibration.md has more; bounds that take the labels as known at once do not."""
    seeds = [np.random.default_rng(seed) for seed in range(40)]
    assert np.mean([in_chunks(each, 4000, aware=False) for each in seeds]) > 0.5
    assert not any(in_chunks(each, 4000) for each in seeds)
    assert not any(delayed(each, 4000) for each in seeds)
