"""The scorecard of detectors: dummies, reports, plain values."""

from __future__ import annotations

import json

import numpy as np

import streamgauge as sg


def test_dummies_alarm_as_often_as_the_busiest_detector() -> None:
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


def test_scorecard_as_text_json_and_frame() -> None:
    card = sg.score_alarms([[40, 130], [], [2_100]], [(105, 10)], [200, 300, 3_000], accept=50)
    lines = str(card).splitlines()
    assert lines[0].startswith("3 runs, 3 true drifts in 3,500 rows, detected if an alarm follows")
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
