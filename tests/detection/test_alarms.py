"""Alarm scores against their oracle, over one run and several, and invalid alarms."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import streamgauge as sg
from streamgauge._support.types import Drift
from streamgauge.detection.alarms import as_drifts, score_draws, score_run
from tests.oracles import alarms as oracle

N = 60
DRIFTS = st.lists(
    st.tuples(st.integers(0, N - 1), st.integers(0, 40)),
    max_size=5,
    unique_by=lambda drift: 2 * drift[0] - drift[1],
)
ALARMS = st.lists(st.integers(0, N - 1), max_size=12)
ACCEPT = st.none() | st.integers(1, 80)

score = sg.score_detectors


def only(card: sg.Scorecard) -> sg.AlarmScore:
    return card["alarms"]


@given(ALARMS, DRIFTS, ACCEPT)
def test_alarm_score_matches_oracle(
    alarms: list[int], drifts: list[tuple[int, int]], accept: Any
) -> None:
    found = only(sg.score_detectors(alarms, drifts, N, accept, dummies=[]))
    expected = oracle.score(alarms, drifts, N, accept)
    assert found.delays.tolist() == expected.pop("delays")
    for name, value in expected.items():
        np.testing.assert_allclose(getattr(found, name), value, err_msg=name)
    assert found.alarms == len(alarms) == found.detections + found.repeats + found.false_alarms
    assert found.drifts == len(drifts) == found.detections + found.misses


@given(st.lists(ALARMS, min_size=1, max_size=4), DRIFTS, ACCEPT)
def test_several_runs_pool_their_scores(
    runs: list[list[int]], drifts: list[tuple[int, int]], accept: Any
) -> None:
    found = only(sg.score_detectors(runs, drifts, N, accept, dummies=[]))
    alone = [only(sg.score_detectors(each, drifts, N, accept, dummies=[])) for each in runs]
    assert found.runs == len(runs)
    assert found.rows == N * len(runs)
    assert found.delays.tolist() == [d for each in alone for d in each.delays.tolist()]
    assert found.misses == sum(each.misses for each in alone)
    assert found.false_alarms == sum(each.false_alarms for each in alone)
    assert found.missed_share == np.mean([each.misses > 0 for each in alone])
    assert found.false_share == np.mean([each.false_alarms > 0 for each in alone])


@given(st.lists(ALARMS, min_size=1, max_size=4), DRIFTS, ACCEPT)
def test_draws_are_scored_one_by_one(
    draws: list[list[int]], drifts: list[tuple[int, int]], accept: Any
) -> None:
    rows = [np.sort(np.array(each, np.int64)) for each in draws]
    draw = np.repeat(np.arange(len(rows)), [len(each) for each in rows])
    known = as_drifts(drifts, N)
    found = score_draws(np.concatenate(rows), draw, len(rows), known, N, accept)
    for score, each in zip(found, rows, strict=True):
        alone = score_run(each, known, N, accept)
        np.testing.assert_equal(score.to_dict(), alone.to_dict())
        assert score.delays.tolist() == alone.delays.tolist()


def test_alarm_score_of_a_small_example() -> None:
    """Two drifts, the second gradual: it starts at 150. One detection, repeats, both kinds of
    false alarms: before the first window and, with a limit, after the last."""
    alarms, drifts = [20, 110, 115, 190], [100, Drift(200, 100)]
    free = only(sg.score_detectors(alarms, drifts, 300))
    assert free.delays.tolist() == [10, 40]
    assert (free.misses, free.repeats, free.false_alarms) == (0, 1, 1)
    assert (free.rows_outside, free.mtfa, free.mtd, free.mtr) == (100, 100, 25, 4)
    tight = only(sg.score_detectors(alarms, drifts, 300, accept=30))
    assert tight.delays.tolist() == [10]
    assert (tight.misses, tight.repeats, tight.false_alarms) == (1, 1, 2)
    assert (tight.rows_outside, tight.mtfa, tight.miss_rate) == (240, 120, 0.5)
    assert tight.mtr == 120 / 10 * 0.5


def test_without_drift_every_alarm_is_false() -> None:
    card = sg.score_detectors([5, 50], [], 100)
    found = only(card)
    assert (found.false_alarms, found.detections, found.misses) == (2, 0, 0)
    assert found.rows_outside == 100
    assert math.isnan(found.miss_rate)
    assert math.isnan(found.mtr)
    assert "100 rows without a drift: every alarm is false" in card.details


def test_no_alarms_give_misses_and_undefined_delays() -> None:
    """Never averaged in, never infinite."""
    card = sg.score_detectors([], [40], 100)
    found = only(card)
    assert (found.misses, found.detections, found.false_alarm_rate) == (1, 0, 0)
    assert math.isnan(found.mtd)
    assert math.isnan(found.mtfa)
    assert "> 40" in card.details
    assert list(card.dummies) == ["NeverAlarm()"]
    everywhere = only(sg.score_detectors([3], [0], 100))
    assert (everywhere.rows_outside, everywhere.delays.tolist()) == (0, [3])
    assert math.isnan(everywhere.false_alarm_rate)


@pytest.mark.parametrize(
    ("wrong", "error", "complaint"),
    [
        (lambda: score([5], [100], 100), sg.UsageError, "drifts: got row 100, width 0"),
        (lambda: score([5], [-1], 100), sg.UsageError, "expected a row of the stream"),
        (lambda: score([5], [(5, -1)], 100), sg.UsageError, "a width of 0 or more"),
        (lambda: score([5], [(5, 1, 2)], 100), sg.UsageError, "a row and a width"),
        (lambda: score([5], [5.5], 100), sg.UsageError, "expected an integer"),
        (lambda: score([5], [7, 7], 100), sg.UsageError, "two drifts start at row 7.0"),
        (lambda: score([5], [(7, 4), 5], 100), sg.UsageError, "start at row 5.0"),
        (lambda: score([100], [7], 100), sg.InputError, "row 100 is outside"),
        (lambda: score([-1], [7], 100), sg.InputError, "row -1 is outside"),
        (lambda: score([1.5], [7], 100), sg.InputError, "integer row numbers"),
        (lambda: score([np.nan], [7], 100), sg.InputError, "integer row numbers"),
        (lambda: score([5, [6]], [7], 100), sg.UsageError, "one list per run"),
        (lambda: score({}, [7], 100), sg.UsageError, "got an empty dict"),
        (lambda: score({"a": [[1], [2]], "b": [1]}, [7], 100), sg.UsageError, "the same"),
        (lambda: score([[5], [6]], [7], [9]), sg.UsageError, "got 1 row counts for 2"),
        (lambda: score([5], [7]), sg.UsageError, "n, the number of rows"),
        (lambda: score([5], n=10), sg.UsageError, "expected drifts="),
        (lambda: score([], [], 0), sg.UsageError, "at least one row"),
        (lambda: score([5], [7], 100, accept=0), sg.UsageError, "expected 1 row or more"),
        (lambda: score([5], [7], 100, accept=1.5), sg.UsageError, "expected an integer"),  # type: ignore[arg-type]
        (lambda: score([5], [7], 100, errors=[[1.0], [0.0]]), sg.UsageError, "of 2 runs"),
        (lambda: score([5], [7], 100)["DDM"], sg.UsageError, "no score of 'DDM'"),
    ],
)  # fmt: skip
def test_invalid_alarms_and_drifts_are_refused(
    wrong: Any, error: type[Exception], complaint: str
) -> None:
    with pytest.raises(error, match=complaint.replace("(", r"\(")):
        wrong()
