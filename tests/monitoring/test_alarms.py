"""Alarms: thresholds with hysteresis, references, detectors, a command."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import streamgauge as sg
from streamgauge.monitoring._error_detector import false_alarms
from streamgauge.monitoring.sources import growing_file
from tests.monitoring.logs import make_monitor, write_events
from tests.oracles.monitoring import Event


def run_log(folder: Path, hits: list[bool], **changes: Any) -> sg.Monitor:
    """A log whose predictions are right or wrong in this order; labels alternate."""
    labels = ["ab"[i % 2] for i in range(len(hits))]
    guesses = [label if hit else "c" for label, hit in zip(labels, hits, strict=True)]
    write_events(
        folder / "p.csv", [Event(str(i), i, g) for i, g in enumerate(guesses)], "prediction"
    )
    write_events(folder / "l.csv", [Event(str(i), i, y) for i, y in enumerate(labels)], "label")
    scores = {"forget": ["Window(10)"], "every": 1} | changes.pop("scores", {})
    monitor = make_monitor(folder, scores=scores, **changes)
    monitor.finish()
    return monitor


def changes_of(monitor: sg.Monitor) -> list[tuple[str, int]]:
    return [(event["state"], event["row"]) for event in monitor.status()["events"]]


def test_hysteresis_keeps_an_alarm_until_the_value_is_clear(tmp_path: Path) -> None:
    hits = [True] * 20 + [False] * 3 + [True] * 20  # over 10 rows: down to 0.7
    rule = {"over": "Window(10)", "below": 0.8, "rows": 10}
    without = run_log(tmp_path, hits, alarms=[rule], state="without")
    assert changes_of(without) == [("raised", 23), ("ended", 31)]
    with_clear = run_log(tmp_path, hits, alarms=[rule | {"clear": 1.0}], state="with")
    assert changes_of(with_clear) == [("raised", 23), ("ended", 33)]
    assert not with_clear.firing
    text = with_clear.status()["events"][0]["text"]
    assert text == (
        "monitor: accuracy over Window(10) is 0.7 at scored row 23, time 22; alarm “accuracy over "
        "Window(10) below 0.8” raised."
    )


def test_rule_that_is_changed_is_checked_at_once(tmp_path: Path) -> None:
    hits = [True] * 10 + [False] * 10 + [True] * 20 + [False] * 10
    rule = {"over": "Window(10)", "below": 0.7, "rows": 10}
    before = run_log(tmp_path, hits, alarms=[rule])
    events = changes_of(before)
    assert before.firing
    before.save()
    before.close()
    scores = {"forget": ["Window(10)"], "every": 1}
    changed = make_monitor(tmp_path, scores=scores, alarms=[rule | {"below": 0.65}])
    assert changed.firing  # though nothing new has been read
    assert changes_of(changed) == [*events, ("raised", 50)]  # earlier rows are not news
    below = {"metric": "error", "over": "Window(10)", "below": 0.1}  # as it was at earlier rows
    assert not make_monitor(tmp_path, scores=scores, alarms=[below]).firing


def test_above_is_the_mirror_of_below(tmp_path: Path) -> None:
    hits = [True] * 20 + [False] * 3 + [True] * 20
    rule = {"metric": "error", "over": "Window(10)", "above": 0.2, "rows": 10}
    assert changes_of(run_log(tmp_path, hits, alarms=[rule])) == [("raised", 23), ("ended", 31)]


def test_too_few_rows_raise_nothing(tmp_path: Path) -> None:
    rule = {"over": "Window(10)", "below": 0.9, "rows": 30}
    assert changes_of(run_log(tmp_path, [False] * 40, alarms=[rule])) == [("raised", 30)]


def test_worse_than_a_reference(tmp_path: Path) -> None:
    monitor = run_log(tmp_path, [False] * 60, alarms=[{"worse_than": "Transition", "rows": 20}])
    assert monitor.firing
    assert "accuracy minus that of Transition" in monitor.status()["events"][0]["text"]


def test_worse_than_a_reference_with_parameters(tmp_path: Path) -> None:
    name = "Majority(forget=Window(100))"
    rule = {"worse_than": name, "rows": 20}
    scores = {"references": [name]}
    assert run_log(tmp_path, [False] * 60, scores=scores, alarms=[rule]).firing


def test_detectors_raise_an_alarm_each_time(tmp_path: Path) -> None:
    hits = [True] * 300 + [False] * 300
    monitor = run_log(
        tmp_path, hits, scores={"detectors": ["ADWIN()"]}, alarms=[{"detector": "ADWIN()"}]
    )
    (detector,) = monitor.status()["models"]["monitor"]["detectors"]
    expected = sg.ADWIN().detect(1.0 - np.array(hits))
    assert detector["alarms"] == len(expected) > 0
    assert [row for _, row in changes_of(monitor)] == [row + 1 for row in expected]
    assert detector["false_alarms"]["block"] == 0  # one change, too long a dependence to shuffle
    assert detector["false_alarms_per_1000_rows"] is None
    assert "depend on each other for too long" in str(monitor)


@pytest.mark.parametrize("run", [1, 20])
def test_false_alarms_are_those_of_errors_in_runs(run: int) -> None:
    """Rows in random order would have no runs left, and hardly an alarm."""
    random = np.random.default_rng(run)
    streams = np.repeat(random.random((20, 16_000 // run)) < 0.2, run, axis=1).astype(float)
    true = np.mean([len(sg.ADWIN().detect(each)) for each in streams]) / 16
    assert (true > 2) == (run == 20)
    found = false_alarms(sg.ADWIN(), streams[0])
    assert found.low <= true <= found.high
    assert found.block >= 126
    assert found.dependence.fails == (run == 20)
    assert false_alarms(sg.ADWIN(), streams[0]) == found  # the same each time
    few = false_alarms(sg.ADWIN(), streams[0][:200])
    assert (few.block, np.isnan(few.rate)) == (0, True)


def test_the_command_gets_arguments_and_json_and_no_shell(tmp_path: Path) -> None:
    code = (
        "import sys, pathlib; pathlib.Path(sys.argv[1]).write_text(sys.argv[2] + sys.stdin.read())"
    )
    command = [sys.executable, "-c", code, str(tmp_path / "told"), "{state} $HOME; "]
    rule = {"over": "Window(10)", "below": 0.8, "rows": 10, "name": "low"}
    monitor = run_log(tmp_path, [False] * 20, alarms=[rule], command=command)
    assert not (tmp_path / "told").exists()  # not before the snapshot that has the alarm
    monitor.save()
    start, _, event = (tmp_path / "told").read_text().partition("; ")
    assert start == "raised $HOME"
    assert json.loads(event)["alarm"] == "low"
    (tmp_path / "told").unlink()
    monitor.save()
    assert not (tmp_path / "told").exists()


def test_a_command_that_fails_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rule = {"over": "Window(10)", "below": 0.8, "rows": 10}
    run_log(tmp_path, [False] * 20, alarms=[rule], command=["/no/such/command"]).save()
    assert "the command /no/such/command failed" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        ({"below": 0.9, "above": 0.1}, "has below and above; expected one of"),
        ({}, "has no condition"),
        ({"detector": "ADWIN"}, "add it there"),
        ({"worse_than": "Persistent", "metric": "kappa"}, "compares the accuracy"),
        ({"worse_than": "Persistant"}, "did you mean 'Persistent'"),
        ({"metric": "acuracy", "below": 0.9}, "did you mean 'accuracy'"),
    ],
)
def test_rules_that_make_no_sense_are_refused(
    tmp_path: Path, rule: dict[str, Any], message: str
) -> None:
    with pytest.raises(sg.UsageError, match=message):
        make_monitor(tmp_path, alarms=[rule], scores={"detectors": ["ADWIN()"]})


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        ({"below": 77}, "accuracy below 77: accuracy is a fraction.* did you mean 0.77"),
        ({"below": 0.0}, "would never be on"),
        ({"metric": "error", "above": 1.0}, "would never be on"),
        ({"metric": "error", "above": -0.1}, "would always be on"),
        ({"below": 0.9, "clear": 0.8}, "clear = 0.8 is on the wrong side of below = 0.9"),
        ({"metric": "error", "above": 0.1, "clear": 0.2}, "wrong side of above = 0.1"),
        ({"worse_than": "Majority", "clear": -0.1}, "wrong side"),
        ({"below": 0.9, "segment": "AA"}, "expected 'COLUMN=VALUE'"),
        ({"below": 0.9, "segment": "carier=AA"}, "did you mean 'carrier'"),
        ({"metric": "recall[z]", "below": 0.9}, "is not computed"),
    ],
)
def test_rules_that_can_never_be_right_are_refused(
    tmp_path: Path, rule: dict[str, Any], message: str
) -> None:
    feed = {"path": "p.csv", "prediction": "prediction", "segments": ["carrier"]}
    with pytest.raises(sg.UsageError, match=message):
        make_monitor(tmp_path, alarms=[rule], predictions=feed)


def write_carriers(folder: Path, rows: int = 200) -> None:
    """Carrier A is right, B is wrong; from row 100 on there is C, too, of a model of its own."""
    lines = ["id,time,prediction,carrier,model"]
    for i in range(rows):
        carrier = "C" if i >= 100 and i % 5 == 0 else "AB"[i % 2]
        model = "late" if i >= 100 and i % 7 == 0 else "first"
        lines.append(f"{i},{i},{'b' if carrier == 'B' else 'a'},{carrier},{model}")
    (folder / "p.csv").write_text("\n".join(lines) + "\n")
    write_events(folder / "l.csv", [Event(str(i), i, "a") for i in range(rows)], "label")


def carriers(folder: Path, *rules: dict[str, Any], **changes: Any) -> sg.Monitor:
    feed = {"path": "p.csv", "prediction": "prediction", "segments": ["carrier"]}
    scores = {"forget": ["Window(10)"], "every": 5}
    return make_monitor(
        folder, predictions=feed | {"model": "model"}, scores=scores, alarms=list(rules), **changes
    )


def test_a_star_is_a_rule_for_each_segment(tmp_path: Path) -> None:
    write_carriers(tmp_path)
    rule = {"over": "Window(10)", "below": 0.5, "segment": "carrier=*", "rows": 15}
    monitor = carriers(tmp_path, rule | {"model": "first"})
    monitor.finish()
    found = {each["segment"]: each["firing"] for each in monitor.status()["alarms"]}
    assert found == {"carrier=A": False, "carrier=B": True, "carrier=C": False}


@pytest.mark.parametrize("piece", [60, 1 << 20])
def test_a_rule_that_matches_nothing_is_an_alarm(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, piece: int
) -> None:
    monkeypatch.setattr(growing_file, "PIECE_BYTES", piece)
    write_carriers(tmp_path)
    rule = {"over": "Window(10)", "below": 0.5, "rows": 20}
    rules = [
        rule | {"segment": "carrier=C", "name": "late"},
        rule | {"segment": "carrier=Z", "name": "never"},
        rule | {"model": "late", "name": "a late model", "metric": "kappa", "below": -2.0},
    ]
    monitor = carriers(tmp_path, *rules)
    assert [a["matched"] for a in monitor.status()["alarms"]] == [False] * 3
    monitor.finish()
    events = [(e["alarm"], e["state"], e["row"]) for e in monitor.events]
    assert events == [
        ("late", "raised", 20), ("never", "raised", 20), ("a late model", "raised", 20),
        ("late", "ended", 105), ("a late model", "ended", 110),
    ]  # fmt: skip
    assert "never has matched nothing yet" in str(monitor)
    assert "segment 'carrier=Z'" in monitor.events[1]["text"]
    monitor.save()
    monitor.close()
    again = carriers(tmp_path, *rules)
    assert again.status()["alarms"] == monitor.status()["alarms"]
    assert len(again.events) == len(events)
