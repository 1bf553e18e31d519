"""The configuration: strict, with errors that name the key."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import streamgauge as sg
from streamgauge.monitoring.config import make_config, read_config
from tests.monitoring.logs import config


def test_a_file_is_read_with_its_folder_as_home(tmp_path: Path) -> None:
    (tmp_path / "p.csv").write_text("id,time,prediction\n1,0,a\n")
    (tmp_path / "l.csv").write_text("id,time,label\n1,1,a\n")
    path = tmp_path / "monitor.toml"
    path.write_text(
        'classes = ["a", "b"]\n[predictions]\npath = "p.csv"\nprediction = "prediction"\n'
        '[labels]\npath = "l.csv"\n[join]\ntimeout = 9\n'
    )
    monitor = sg.Monitor(path)
    monitor.finish()
    assert monitor.runs["monitor"].counts.scored == 1
    assert monitor.folder == tmp_path / "monitor-state"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"labels": None}, "expected labels either in a feed of their own"),
        ({"predictions": {"path": "p.csv"}}, "expected prediction = 'COLUMN'"),
        ({"task": "regression"}, "has no classes"),
        ({"join": {"timeouts": 5}}, "unknown key 'timeouts' .did you mean 'timeout'"),
        ({"join": {"timeout": 5, "idle": "soon"}}, "idle: 'soon' is not a duration"),
        ({"alarms": [{"every": 5}]}, r"unknown key 'every' .it belongs in \[scores\]"),
        ({"scores": {"forget": "Window(9)"}}, r"scores.forget: expected a list, got a text"),
        ({"snapshot": [1]}, "expected an integer or a text in quotes, got a list"),
        ({"join": {}}, "missing key 'timeout'"),
        ({"classes": ["a"]}, "two or more different classes"),
        ({"scores": {"every": 0}}, "expected 1 or more"),
        ({"predictions": {"path": "p.xls", "prediction": "p"}}, "expected a file that grows"),
        ({"predictions": {"path": "p.parquet", "prediction": "p"}}, "name the folder"),
    ],
)
def test_mistakes_are_named(tmp_path: Path, changes: dict[str, Any], message: str) -> None:
    with pytest.raises(sg.UsageError, match=message):
        sg.Monitor(config(**changes), home=tmp_path)


def test_errors_name_file_and_line(tmp_path: Path) -> None:
    path = tmp_path / "monitor.toml"
    path.write_text("name = 'x'\n[join]\ntimeuot = 5\n")
    with pytest.raises(sg.UsageError, match=r"monitor\.toml.*"):
        read_config(path)
    with pytest.raises(sg.UsageError, match="cannot read the configuration"):
        read_config(tmp_path / "none.toml")


def test_only_what_changes_figures_is_binding() -> None:
    one = make_config(config())
    assert one.binding == make_config(config(command=["x"], name="other")).binding
    threshold = [{"over": "Window(20)", "below": 0.5}]
    assert one.binding == make_config(config(alarms=threshold)).binding
    new_window = [{"over": "Window(21)", "below": 0.5}]
    assert one.binding != make_config(config(alarms=new_window)).binding
    assert one.binding != make_config(config(join={"timeout": 51, "remember": 20})).binding


def test_a_forgetting_may_be_written_in_any_way() -> None:
    values = config(
        scores={"forget": ["Window( 50 )"]},
        alarms=[
            {"below": 0.9, "over": "Window(w=50)"},
            {"below": 0.9, "over": 'TimeWindow("36h")'},
        ],
    )
    made = make_config(values)
    assert made.forget == ["Window(50)", "TimeWindow('36h')"]
    assert [rule.over for rule in made.alarms] == ["Window(50)", "TimeWindow('36h')"]
    with pytest.raises(sg.UsageError, match=r"alarms: over: .*Windows"):
        make_config(config(alarms=[{"below": 0.9, "over": "Windows(50)"}]))


def test_durations_are_all_texts_or_all_numbers(tmp_path: Path) -> None:
    with pytest.raises(sg.UsageError, match="join: timeout = '7d', but lateness = 5; expected"):
        sg.Monitor(config(join={"timeout": "7d", "lateness": 5}), home=tmp_path)
