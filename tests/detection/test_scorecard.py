"""The scorecard of detectors: dummies, reports, plain values."""

from __future__ import annotations

import json

import numpy as np
import pytest

import streamgauge as sg
from tests.figures.specs import datasets


def test_dummies_alarm_as_often_as_the_busiest_detector() -> None:
    """As many blind alarms as the busiest detector raised; others if asked for."""
    rows = {"calm": [5_100], "busy": np.arange(99, 10_000, 100)}
    card = sg.score_detectors(rows, [5_000], 10_000)
    assert list(card.dummies) == ["NeverAlarm()", "PeriodicAlarm(100)"]
    assert card["PeriodicAlarm(100)"].alarms == 100
    assert list(card.random) == ["RandomAlarm(0.0141)"]
    assert 95 < card.random["RandomAlarm(0.0141)"].mean("alarms") < 105
    assert "busy did no better here than PeriodicAlarm(100)" in card.details
    assert "calm did" not in card.details
    own = sg.score_detectors(rows, [5_000], 10_000, dummies=[sg.PeriodicAlarm(7)])
    assert list(own.dummies) == ["PeriodicAlarm(7)"]
    assert own["PeriodicAlarm(7)"].alarms == 10_000 // 7
    assert own.random == own.chance == {}
    drawn = sg.score_detectors(rows, [5_000], 10_000, dummies=[sg.RandomAlarm(0.1, seed=3)])
    assert list(drawn.random) == ["RandomAlarm(0.1, seed=3)"]
    assert (drawn.dummies, drawn.chance) == ({}, {})
    assert sg.score_detectors(rows, [5_000], 10_000, dummies=[]).dummies == {}
    many = sg.score_detectors({"one": [[5], [6]]}, [3], [90_000, 20])
    assert all(score.runs == 2 for score in many.dummies.values())
    with pytest.raises(sg.UsageError, match=r"many draws and no single score; see card\.random"):
        card["RandomAlarm(0.0141)"]


def test_each_detector_is_compared_with_shifts_of_its_own_alarms() -> None:
    drifts = [2_000, 5_000, 8_000]
    rows = {"quick": [2_010, 5_010, 8_010], "slow": [1_000, 4_900, 7_900], "silent": []}
    card = sg.score_detectors(rows, drifts, 10_000, accept=1_000)
    assert list(card.chance) == ["quick", "slow"]
    assert [shifted.beaten for shifted in card.chance.values()] == [True, False]
    assert [shifted.early for shifted in card.chance.values()] == [0, 3]
    assert {name: set(each.values("alarms")) for name, each in card.chance.items()} == {
        "quick": {3}, "slow": {3},
    }  # fmt: skip
    text = card.details
    assert "quick is better than chance (p " in text
    assert "No evidence that slow is better than chance (p " in text
    assert "At 3 of them its last alarm before is nearer" in text
    assert "silent detects" not in text
    calm = sg.score_detectors([5], [], 100)
    assert calm.chance == {}  # without a drift there is nothing to detect
    assert list(calm.random) == ["RandomAlarm(0.0141)"]


def test_seed_changes_the_draws_and_nothing_else() -> None:
    one, same, other = (
        sg.score_detectors([130, 1_190], [100, 1_100], 2_000, seed=seed) for seed in (None, 1, 2)
    )
    assert one.to_dict() == same.to_dict()
    assert one.to_dict()["scores"] == other.to_dict()["scores"]
    assert list(one.random) == list(other.random)
    (a,), (b,) = one.random.values(), other.random.values()
    assert a.values("detections").tolist() != b.values("detections").tolist()
    errors = np.r_[np.arange(300) % 5 == 0, np.ones(100)].astype(float)
    for seed in (1, 7):
        found = sg.detect(errors, ["DDM"], drifts=[300], seed=seed)
        assert found.score().to_dict() == found.score(seed=seed).to_dict()
        assert found.score(seed=seed).details in found.details
    assert found.score().to_dict() != found.score(seed=1).to_dict()
    for wrong in (-1, 1.5, "1"):
        with pytest.raises(sg.UsageError, match="expected an integer, 0 or more"):
            sg.score_detectors([5], [7], 100, seed=wrong)  # type: ignore[arg-type]
        with pytest.raises(sg.UsageError, match="expected an integer, 0 or more"):
            sg.detect(errors, ["DDM"], seed=wrong)  # type: ignore[arg-type]


def test_scorecard_as_text_json_and_frame() -> None:
    card = sg.score_detectors([[40, 130], [], [2_100]], [(105, 10)], [200, 300, 3_000], accept=50)
    lines = card.details.splitlines()
    assert lines[0].startswith("3 runs, 3 true drifts in 3,500 rows, detected if an alarm follows")
    assert lines[2].split()[-2:] == ["(miss;", "false)"]
    assert " ".join(lines[3].split()) == "alarms 3 1 2 30 0 2 1,675 18.6 (67%; 67%)"
    assert " ".join(lines[4].split()) == "NeverAlarm() 0 0 3 - 0 0 > 3,350 - (100%; 0%)"
    written = json.loads(json.dumps(card.to_dict()))
    assert written["format"] == "streamgauge.scorecard/2"
    assert written["scores"]["alarms"]["mtd"] == 30
    assert written["scores"]["alarms"]["delay_sd"] is None
    assert written["dummies"]["NeverAlarm()"]["misses"] == 3
    (name,) = card.random
    blind, drawn = card.random[name], written["random"][name]
    assert (drawn["draws"], drawn["detector"]) == (200, name)
    assert drawn["alarms"] == blind.mean("alarms")
    assert (drawn["low"]["mtfa"], drawn["high"]["mtfa"]) == blind.range("mtfa")
    shifted = written["chance"]["alarms"]
    assert (shifted["beaten"], shifted["draws"], shifted["alarms"]) == (False, 200, 3)
    assert shifted["p"] == card.chance["alarms"].p
    assert drawn["p"] is None  # random alarms are no detector
    mean, spread = lines[6], lines[7]
    assert mean.startswith(f"{name}, mean")
    assert spread.split()[:6] == ["95", "%", "range", "of", "200", "draws"]
    low, high = blind.range("alarms")
    assert spread.split()[6:9] == [f"{low:.0f}", "to", f"{high:.0f}"]
    frame = card.to_frame("pandas")
    assert frame["detector"].tolist()[0] == "alarms"
    assert frame["dummy"].tolist() == [False, True, True, True]
    assert frame["false_share"][0] == 2 / 3
    assert frame["draws"].tolist()[-1] == 200
    assert frame["detections"].tolist()[-1] == blind.mean("detections")
    assert frame["alarms_high"].tolist()[-1] == high
    assert frame["alarms_high"].isna().tolist() == [True, True, True, False]
    assert frame["beats_chance"].tolist() == [False, None, None, None]
    for kind in ("polars", "arrow"):
        assert len(card.to_frame(kind)) == 4


def test_figure_shows_waits_and_false_alarms() -> None:
    card = sg.score_detectors({"late": [1900], "early": [50, 1010]}, drifts=[1000], n=2000)
    chart = card.plot()
    points = {
        row["series"]: (row["false_alarms"], row["wait"])
        for rows in datasets(chart)
        for row in rows
    }
    assert points["late"] == (0, 900)
    assert points["early"] == (10, 10)  # one false alarm in 1,000 rows
    assert points["NeverAlarm()"] == (0, 1000)
    (name,) = card.random
    assert points[name][1] == pytest.approx(card.random[name].mean("mean_wait"))


def test_several_detectors_share_the_error() -> None:
    """Holm's correction: beside others, a detector has to beat chance more clearly."""
    rows = {"quick": [2_003, 4_803, 8_003], "b": [100, 4_000], "c": [1, 2], "d": [50, 9_000]}
    drifts = [2_000, 4_800, 8_000]
    together = sg.score_detectors(rows, drifts=drifts, n=10_000).chance
    alone = {
        name: sg.score_detectors({name: each}, drifts=drifts, n=10_000).chance[name].p
        for name, each in rows.items()
    }
    assert together["quick"].p == pytest.approx(min(1, 4 * alone["quick"]))
    assert all(together[name].p >= p for name, p in alone.items())
    assert together["quick"].beaten
