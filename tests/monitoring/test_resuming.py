"""A monitor that goes on from its snapshot is the one that wrote it, field by field."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import streamgauge as sg
from streamgauge.measures.tally import Tally
from tests.monitoring.logs import FORGET as FORGETS
from tests.monitoring.logs import make_monitor

TRANSIENT = {  # what the next look or batch makes again
    "Monitor._unlock", "Monitor._saved_events", "Feed._silent", "Feed.source", "Classes._codes",
    "Joiner._leaving", "MonitoredModel.found",
}  # fmt: skip
FORGET = ["Cumulative()", "Window(30)", "Fading(0.9)", "TimeWindow(20)"]
ESTIMATORS = ["Fading(0.9, estimator='zliobaite2015')"]


def write_log(folder: Path, rows: int = 300) -> None:
    """Two models in two regions, with labels that are late, repeated, corrected and missing."""
    rng = np.random.default_rng(4)
    y = rng.integers(0, 2, rows)
    lines = ["id,time,prediction,p,model,region"]
    for i in range(rows):
        wrong = rng.random() < 0.2
        region = "north" if i % 3 else "south"
        lines.append(f"{i},{i},{y[i] ^ wrong},{0.1 + 0.8 * y[i]},{'ab'[i % 2]},{region}")
    (folder / "p.csv").write_text("\n".join(lines) + "\n")
    waits = rng.integers(0, 9, rows)
    labels = [(i + waits[i], i, y[i]) for i in range(rows) if i % 11]
    labels += [(i + 12, i, 1 - y[i]) for i in range(0, rows, 7)]
    lines = [f"{i},{time},{label}" for time, i, label in sorted(labels)]
    (folder / "l.csv").write_text("\n".join(["id,time,label", *lines]) + "\n")


def config(regression: bool, estimators: bool) -> dict[str, Any]:
    predictions: dict[str, Any] = {"path": "p.csv", "prediction": "prediction"}
    predictions |= {"model": "model", "segments": ["region"]}
    scores: dict[str, Any] = {"forget": FORGET, "compare": [["a", "b"]], "every": 10}
    alarm: dict[str, Any] = {"over": "Window(30)", "above": 0.1, "metric": "mae"}
    if regression:
        scores["detectors"] = ["ADWIN()", "RatioPageHinkley()", "EDetector(0.3, guarantee=1000)"]
        return {"task": "regression", "classes": None, "predictions": predictions,
                "scores": scores, "alarms": [alarm]}  # fmt: skip
    predictions |= {"proba": {"p": "1"}}
    scores["detectors"] = ["ADWIN()", "DDM()", "RandomAlarm(0.1)"]
    scores["references"] = ["Majority(forget=Window(20))", "NaiveBayes()"]
    if estimators:
        scores |= {"forget": [*FORGET, *ESTIMATORS], "metrics": "labels"}
    alarm = {"over": "Window(30)", "below": 0.9, "segment": "region=north"}
    return {"classes": None, "learn_classes": 50, "predictions": predictions, "scores": scores,
            "alarms": [alarm, {"detector": "DDM()"}]}  # fmt: skip


def parts_of(value: Any) -> dict[str, Any] | None:
    """The parts of a value by their names; None if it has none."""
    if isinstance(value, list | tuple):
        return {f"[{place}]": each for place, each in enumerate(value)}
    if isinstance(value, dict):
        return {f"[{key!r}]": each for key, each in value.items()}
    if type(value).__module__.startswith("streamgauge.") and hasattr(value, "__dict__"):
        kind = type(value).__name__
        fields = {f"{kind}.{name}": each for name, each in vars(value).items()}
        return {name: each for name, each in fields.items() if name not in TRANSIENT}
    return None


def differing(one: Any, other: Any, path: str, seen: set[int]) -> list[str]:
    """The paths of fields that differ."""
    if id(one) in seen:
        return []
    parts, others = parts_of(one), parts_of(other)
    if parts is not None:
        seen.add(id(one))
        if others is None or list(parts) != list(others) or type(one) is not type(other):
            return [path]
        return [
            each
            for name in parts
            for each in differing(parts[name], others[name], f"{path} {name}", seen)
        ]
    if isinstance(one, np.ndarray):
        same = one.dtype == other.dtype and np.array_equal(one, other, equal_nan=True)
    else:
        plain = isinstance(one, bool | int | float | str | np.generic | None)
        same = not plain or one == other or (one != one and other != other)
    return [] if same else [path]


@pytest.mark.parametrize(
    ("regression", "estimators"), [(False, False), (False, True), (True, False)]
)
def test_every_field_is_kept_or_made_again(
    tmp_path: Path, regression: bool, estimators: bool
) -> None:
    write_log(tmp_path)
    monitor = make_monitor(tmp_path, **config(regression, estimators))
    monitor.catch_up()
    monitor.save()
    monitor.close()
    again = make_monitor(tmp_path, **config(regression, estimators))
    assert differing(monitor, again, "", set()) == []
    assert again.status() == monitor.status()


def test_a_field_that_was_renamed_since_is_refused_by_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_log(tmp_path)
    monitor = make_monitor(tmp_path, **config(False, False))
    monitor.catch_up()
    monitor.save()
    monitor.close()
    fields = tuple("_points" if name == "_rows" else name for name in Tally.state_fields)
    monkeypatch.setattr(Tally, "state_fields", fields)
    with pytest.raises(
        sg.InputError, match=r"snapshot: .* lacks the field '_points' and .*'_rows'"
    ):
        make_monitor(tmp_path, **config(False, False))


def test_settings_that_join_nothing_else_may_change(tmp_path: Path) -> None:
    write_log(tmp_path)
    first = make_monitor(tmp_path, classes=[0, 1])
    first.catch_up()
    first.save()
    first.close()
    changes: dict[str, Any] = {"join": {"timeout": 50, "remember": 20, "lateness": 9, "ahead": 99}}
    changes |= {"learn_classes": 9, "command": ["true"], "scores": {"forget": FORGETS, "every": 10}}
    changes["scores"]["points"] = 99
    again = make_monitor(tmp_path, classes=[0, 1], **changes)
    assert again.status()["lines"] == first.status()["lines"]
    again.finish()


def test_a_setting_that_joins_something_else_is_named(tmp_path: Path) -> None:
    write_log(tmp_path)
    first = make_monitor(tmp_path, classes=[0, 1])
    first.save()
    first.close()
    rules = {"timeout": 51, "remember": 20}
    with pytest.raises(sg.InputError, match=r"join.timeout was 50, now 51\. .*set it back, or"):
        make_monitor(tmp_path, classes=[0, 1], join=rules)
    labels = {"path": "l.csv", "label": "other"}
    with pytest.raises(sg.InputError, match=r'labels.label was "label", now "other"\.'):
        make_monitor(tmp_path, classes=[0, 1], labels=labels)
