"""The scorecard against its slow oracle; many runs, dummies, warnings, and what makes no sense."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import streamgauge as sg
from streamgauge._support.types import Drift
from streamgauge.comparison._independence import dependence_of
from tests.oracles import alarms as oracle

N = 60
DRIFTS = st.lists(
    st.tuples(st.integers(0, N - 1), st.integers(0, 40)),
    max_size=5,
    unique_by=lambda drift: 2 * drift[0] - drift[1],
)
ALARMS = st.lists(st.integers(0, N - 1), max_size=12)
ACCEPT = st.none() | st.integers(1, 80)


def only(card: sg.Scorecard) -> sg.AlarmScore:
    return card["alarms"]


@given(ALARMS, DRIFTS, ACCEPT)
def test_as_the_oracle(alarms: list[int], drifts: list[tuple[int, int]], accept: Any) -> None:
    found = only(sg.score_alarms(alarms, drifts, N, accept))
    expected = oracle.score(alarms, drifts, N, accept)
    assert found.delays.tolist() == expected.pop("delays")
    for name, value in expected.items():
        np.testing.assert_allclose(getattr(found, name), value, err_msg=name)
    assert found.alarms == len(alarms) == found.detections + found.repeats + found.false_alarms
    assert found.drifts == len(drifts) == found.detections + found.misses


@given(st.lists(ALARMS, min_size=1, max_size=4), DRIFTS, ACCEPT)
def test_many_runs(runs: list[list[int]], drifts: list[tuple[int, int]], accept: Any) -> None:
    found = only(sg.score_alarms(runs, drifts, N, accept))
    alone = [only(sg.score_alarms(each, drifts, N, accept)) for each in runs]
    assert found.runs == len(runs)
    assert found.rows == N * len(runs)
    assert found.delays.tolist() == [d for each in alone for d in each.delays.tolist()]
    assert found.misses == sum(each.misses for each in alone)
    assert found.false_alarms == sum(each.false_alarms for each in alone)
    assert found.missed_share == np.mean([each.misses > 0 for each in alone])
    assert found.false_share == np.mean([each.false_alarms > 0 for each in alone])


def test_by_hand() -> None:
    """Two drifts, the second gradual: it starts at 150. One detection, repeats, both kinds of
    false alarms: before the first window and, with a limit, after the last."""
    alarms, drifts = [20, 110, 115, 190], [100, Drift(200, 100)]
    free = only(sg.score_alarms(alarms, drifts, 300))
    assert free.delays.tolist() == [10, 40]
    assert (free.misses, free.repeats, free.false_alarms) == (0, 1, 1)
    assert (free.rows_outside, free.mtfa, free.mtd, free.mtr) == (100, 100, 25, 4)
    tight = only(sg.score_alarms(alarms, drifts, 300, accept=30))
    assert tight.delays.tolist() == [10]
    assert (tight.misses, tight.repeats, tight.false_alarms) == (1, 1, 2)
    assert (tight.rows_outside, tight.mtfa, tight.miss_rate) == (240, 120, 0.5)
    assert tight.mtr == 120 / 10 * 0.5


def test_no_drift_gives_false_alarms_only() -> None:
    card = sg.score_alarms([5, 50], [], 100)
    found = only(card)
    assert (found.false_alarms, found.detections, found.misses) == (2, 0, 0)
    assert found.rows_outside == 100
    assert math.isnan(found.miss_rate)
    assert math.isnan(found.mtr)
    assert "100 rows without a drift: every alarm is false" in str(card)


def test_silence() -> None:
    """Never averaged in, never infinite."""
    card = sg.score_alarms([], [40], 100)
    found = only(card)
    assert (found.misses, found.detections, found.false_alarm_rate) == (1, 0, 0)
    assert math.isnan(found.mtd)
    assert math.isnan(found.mtfa)
    assert "> 40" in str(card)
    assert list(card.dummies) == ["NeverAlarm()"]
    everywhere = only(sg.score_alarms([3], [0], 100))
    assert (everywhere.rows_outside, everywhere.delays.tolist()) == (0, [3])
    assert math.isnan(everywhere.false_alarm_rate)


def test_dummies_beside() -> None:
    """As many blind alarms as the busiest detector raised; others if asked for."""
    rows = {"calm": [5_100], "busy": np.arange(99, 10_000, 100)}
    card = sg.score_alarms(rows, [5_000], 10_000)
    never, periodic, random = card.dummies
    assert (never, periodic) == ("NeverAlarm()", "PeriodicAlarm(100)")
    assert card[periodic].alarms == 100
    assert 60 < card[random].alarms < 140
    assert "busy did no better here than PeriodicAlarm(100)" in str(card)
    assert "calm did" not in str(card)
    own = sg.score_alarms(rows, [5_000], 10_000, dummies=[sg.PeriodicAlarm(7)])
    assert list(own.dummies) == ["PeriodicAlarm(7)"]
    assert own["PeriodicAlarm(7)"].alarms == 10_000 // 7
    assert sg.score_alarms(rows, [5_000], 10_000, dummies=[]).dummies == {}
    crowded = sg.score_alarms(range(100), [50], 100)
    assert list(crowded.dummies) == ["NeverAlarm()", "PeriodicAlarm(1)", "RandomAlarm(1.0)"]
    many = sg.score_alarms({"one": [[5], [6]]}, [3], [90_000, 20])
    assert all(score.runs == 2 for score in many.dummies.values())


def test_what_it_looks_like() -> None:
    card = sg.score_alarms([[40, 130], [], [2_100]], [(105, 10)], [200, 300, 3_000], accept=50)
    lines = str(card).splitlines()
    assert lines[0].startswith("3 runs, 3 true drifts in 3,500 rows, found if an alarm comes with")
    assert lines[2].split()[-2:] == ["(miss;", "false)"]
    assert " ".join(lines[3].split()) == "alarms 3 1 2 30 0 2 1,675 18.6 (67%; 67%)"
    assert " ".join(lines[4].split()) == "NeverAlarm() 0 0 3 - 0 0 > 3,350 - (100%; 0%)"
    written = json.loads(json.dumps(card.to_dict()))
    assert written["format"] == "streamgauge.scorecard/1"
    assert written["scores"]["alarms"]["mtd"] == 30
    assert written["scores"]["alarms"]["delay_sd"] is None
    assert written["dummies"]["NeverAlarm()"]["misses"] == 3
    frame = card.to_frame("pandas")
    assert frame["detector"].tolist()[0] == "alarms"
    assert frame["dummy"].tolist() == [False, True, True, True]
    assert frame["false_share"][0] == 2 / 3


@given(
    st.lists(st.sampled_from([0.0, 1.0, 0.5]), max_size=30),
    st.lists(st.integers(-2, 32), max_size=3),
)
def test_autocorrelation(errors: list[float], cuts: list[int]) -> None:
    found = dependence_of(np.array(errors), cuts).autocorrelation
    np.testing.assert_allclose(found, oracle.autocorrelation(errors, cuts), atol=1e-12)


def test_proposition_8() -> None:
    """Errors in runs are warned of; independent ones are not, even where a drift changes their
    rate."""
    random = np.random.default_rng(1)
    rate = np.repeat([0.1, 0.6], 5_000)
    free = (random.random(10_000) < rate).astype(float)
    in_runs = np.repeat(free[::10], 10)
    alarms = [5_100]
    assert sg.score_alarms(alarms, [5_000], 10_000, errors=free).notes() == []
    card = sg.score_alarms(alarms, [5_000], 10_000, errors=in_runs)
    assert card.dependence.autocorrelation > 0.8
    assert "Errors are not independent: one follows another more often" in str(card)
    assert "Proposition 8" in str(card)
    in_turns = np.arange(1_000) % 2.0
    assert "less often" in str(sg.score_alarms([5], [], 1_000, errors=in_turns))
    of_runs = sg.score_alarms([alarms, alarms], [5_000], 10_000, errors=[in_runs, free])
    assert of_runs.dependence.pairs == 2 * 9_998
    assert 0.3 < of_runs.dependence.autocorrelation < 0.7
    nothing = sg.score_alarms([5], [], 10, errors=np.zeros(10)).dependence
    assert math.isnan(nothing.autocorrelation)
    assert not nothing.fails


@pytest.mark.parametrize(
    ("wrong", "error", "complaint"),
    [
        (lambda: sg.score_alarms([5], [100], 100), sg.UsageError, "drifts: row 100, width 0, in a"),
        (lambda: sg.score_alarms([5], [-1], 100), sg.UsageError, "expected a row inside it"),
        (lambda: sg.score_alarms([5], [(5, -1)], 100), sg.UsageError, "a width of 0 or more"),
        (lambda: sg.score_alarms([5], [(5, 1, 2)], 100), sg.UsageError, "a row and a width"),
        (lambda: sg.score_alarms([5], [5.5], 100), sg.UsageError, "expected an integer"),
        (lambda: sg.score_alarms([5], [7, 7], 100), sg.UsageError, "two of them start at row 7.0"),
        (lambda: sg.score_alarms([5], [(7, 4), 5], 100), sg.UsageError, "start at row 5.0"),
        (lambda: sg.score_alarms([100], [7], 100), sg.InputError, "row 100 lies outside"),
        (lambda: sg.score_alarms([-1], [7], 100), sg.InputError, "row -1 lies outside"),
        (lambda: sg.score_alarms([1.5], [7], 100), sg.InputError, "whole numbers"),
        (lambda: sg.score_alarms([np.nan], [7], 100), sg.InputError, "whole numbers"),
        (lambda: sg.score_alarms([5, [6]], [7], 100), sg.UsageError, "one list per run"),
        (lambda: sg.score_alarms({}, [7], 100), sg.UsageError, "no alarms of any detector"),
        (lambda: sg.score_alarms({"a": [[1], [2]], "b": [1]}, [7], 100), sg.UsageError, "as many"),
        (lambda: sg.score_alarms([[5], [6]], [7], [9]), sg.UsageError, "1 numbers of rows for 2"),
        (lambda: sg.score_alarms([5], [7]), sg.UsageError, "and n, the number of rows"),
        (lambda: sg.score_alarms([5], n=10), sg.UsageError, "expected drifts="),
        (lambda: sg.score_alarms([], [], 0), sg.UsageError, "at least one row"),
        (lambda: sg.score_alarms([5], [7], 100, accept=0), sg.UsageError, "expected 1 row or more"),
        (lambda: sg.score_alarms([5], [7], 100, accept=1.5), sg.UsageError, "expected an integer"),  # type: ignore[arg-type]
        (lambda: sg.score_alarms([5], [7], 100, errors=[[1.0], [0.0]]), sg.UsageError, "of 2 runs"),
        (lambda: sg.score_alarms([5], [7], 100)["DDM"], sg.UsageError, "no score of 'DDM'"),
    ],
)  # fmt: skip
def test_what_makes_no_sense(wrong: Any, error: type[Exception], complaint: str) -> None:
    with pytest.raises(error, match=complaint.replace("(", r"\(")):
        wrong()
