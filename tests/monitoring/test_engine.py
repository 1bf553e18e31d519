"""The models of a monitor: what they are called, how many there are, which labels they get."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import streamgauge as sg
from tests.monitoring.logs import facts, make_monitor, random_log, write_events
from tests.oracles.monitoring import Event

BY_MODEL = {"path": "p.csv", "prediction": "prediction", "model": "model"}


def write_models(folder: Path, models: list[str]) -> None:
    """A row of each model, in this order, and its label."""
    lines = [f"{i},{i},{model},a" for i, model in enumerate(models)]
    (folder / "p.csv").write_text("\n".join(["id,time,model,prediction", *lines]) + "\n")
    write_events(folder / "l.csv", [Event(str(i), i + 1, "a") for i in range(len(models))], "label")


def scored(monitor: sg.Monitor) -> dict[str, int]:
    return {name: model["scored"] for name, model in monitor.status()["models"].items()}


def test_another_name_is_another_title_of_the_same_model(tmp_path: Path) -> None:
    predictions, labels = random_log(300, seed=1)
    rules: dict[str, Any] = {
        "alarms": [{"over": "Window(20)", "below": 0.95, "clear": 0.96, "rows": 20}],
        "scores": {"every": 10, "detectors": ["DDM()"]},
    }
    write_events(tmp_path / "p.csv", predictions[:200], "prediction")
    write_events(tmp_path / "l.csv", labels[:150], "label")
    monitor = make_monitor(tmp_path, **rules, name="old")
    monitor.catch_up()
    assert monitor.firing
    monitor.save()
    monitor.close()
    write_events(tmp_path / "p.csv", predictions, "prediction")
    write_events(tmp_path / "l.csv", labels, "label")
    renamed = make_monitor(tmp_path, **rules, name="new")
    renamed.finish()
    whole = make_monitor(tmp_path, **rules, name="new", state="whole")
    whole.finish()
    assert renamed.runs.names == ("new",)
    assert renamed.runs["new"].name == "new"
    assert [alarm["model"] for alarm in renamed.status()["alarms"]] == ["new"]
    mine, other = facts(renamed), facts(whole)
    for said in (mine["events"], other["events"]):
        for event in said:  # those before the change have the old name
            del event["model"], event["text"]
    mine["status"].pop("events"), other["status"].pop("events")
    assert mine == other


def test_an_alarm_of_a_model_that_cannot_be_is_refused(tmp_path: Path) -> None:
    with pytest.raises(sg.UsageError, match="model = 'old', but the only model is 'new'"):
        make_monitor(tmp_path, name="new", alarms=[{"below": 0.9, "model": "old"}])


def test_models_beyond_the_hundredth_are_counted_and_the_others_go_on(tmp_path: Path) -> None:
    write_models(tmp_path, [f"m{i}" for i in range(103)] + ["m0"])
    monitor = make_monitor(tmp_path, predictions=BY_MODEL)
    monitor.finish()
    assert list(monitor.runs.names) == [f"m{i}" for i in range(100)]
    assert scored(monitor)["m0"] == 2
    ((reason, count),) = monitor.counts.items()
    assert "a model beyond the first 100" in reason
    assert count == 3


def test_a_model_may_be_called_like_those_without_a_name(tmp_path: Path) -> None:
    write_models(tmp_path, ["", "(no model)", "x", "(no model)", "(no model)"])
    monitor = make_monitor(tmp_path, predictions=BY_MODEL)
    monitor.finish()
    expected = {"(no model)": 1, "(no model) (2)": 3, "x": 1}
    assert scored(monitor) == expected
    monitor.save()
    monitor.close()
    assert scored(make_monitor(tmp_path, predictions=BY_MODEL)) == expected


def test_a_detector_is_not_heard_again_after_a_restart(tmp_path: Path) -> None:
    predictions = [Event(str(i), i, "a") for i in range(600)]
    labels = [Event(str(i), i, "a" if i < 300 else "b") for i in range(600)]
    write_events(tmp_path / "p.csv", predictions, "prediction")
    write_events(tmp_path / "l.csv", labels, "label")
    rules: dict[str, Any] = {
        "scores": {"detectors": ["ADWIN()"]},
        "alarms": [{"detector": "ADWIN()"}],
    }
    monitor = make_monitor(tmp_path, **rules)
    monitor.finish()
    assert monitor.events
    monitor.save()
    monitor.close()
    assert make_monitor(tmp_path, **rules).events == monitor.events


def test_classes_that_are_not_known_are_quoted(tmp_path: Path) -> None:
    rows = ["A", "b", "zebra", "A"]
    predictions = [Event(str(i), i, guess) for i, guess in enumerate(rows)]
    write_events(tmp_path / "p.csv", predictions, "prediction")
    write_events(tmp_path / "l.csv", [Event("1", 9, "B")], "label")
    monitor = make_monitor(tmp_path)
    monitor.finish()
    assert monitor.status()["examples"] == [
        "a label of a class that is not known: 'B'; the class is spelled 'b'",
        "a prediction of a class that is not known; it counts as wrong: 'A'; the class is spelled "
        "'a'",
        "a prediction of a class that is not known; it counts as wrong: 'zebra'",
    ]


@pytest.mark.parametrize(
    ("proba", "labels", "classes"),
    [
        ({"p": "yes", "q": "no"}, ["yes", "no", "maybe", "yes"], ("no", "yes")),
        ({"p": "yes"}, ["yes", "maybe", "no", "no"], ("no", "yes")),
        ("p", ["1", "z", "0", "7"], (0, 1)),
    ],
)
def test_a_stray_label_is_no_class_where_probabilities_say_what_the_classes_are(
    tmp_path: Path, proba: Any, labels: list[str], classes: tuple[Any, ...]
) -> None:
    lines = [f"{i},{i},0.7,0.3" for i in range(4)]
    (tmp_path / "p.csv").write_text("\n".join(["id,time,p,q", *lines]) + "\n")
    events = [Event(str(i), i + 1, label) for i, label in enumerate(labels)]
    write_events(tmp_path / "l.csv", events, "label")
    feed = {"path": "p.csv", "proba": proba}
    monitor = make_monitor(tmp_path, predictions=feed, classes=None, learn_classes=4)
    monitor.finish()
    assert monitor.runs["monitor"].counts.scored == 4 - len(set(labels) - set(map(str, classes)))
    assert monitor.counts["a label of a class that is not known"] >= 1
    assert monitor._engine.classes.fixed == classes
