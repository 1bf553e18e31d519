"""streamgauge inspect: advice and tables, --json, and the data options."""

from __future__ import annotations

import json
import os
import shlex
from pathlib import Path

import pytest

import streamgauge as sg
from streamgauge.rendering.layout import wide
from tests.cli.running import Shell, write_table
from tests.conftest import real_data


def test_output_agrees_with_the_library(shell: Shell) -> None:
    table = write_table(Path("table.csv"))
    code, out, err = shell("inspect", "table.csv", "--json", "new/out.json")
    assert (code, err) == (0, "")
    profile = sg.inspect(sg.read(table, "y"))
    with wide(2000):
        assert out == f"{profile}\n\nNext: streamgauge evaluate table.csv\n"
    lines = out.splitlines()
    assert lines[0] == "table · 2,000 rows · 2 features · 2 classes"
    assert lines[1].startswith("To beat: repeating the last label, 94.")
    assert "The dependence is positive" in shell("inspect", "table.csv", "-v").out
    written = json.loads(Path("new/out.json").read_text(encoding="utf-8"))
    assert written == json.loads(json.dumps(profile.to_dict()))
    assert written["format"] == "streamgauge.profile/1"
    assert written["to_beat"] == "Persistent"
    assert written["seasonal_lag"] == profile.seasonal_lag == 1
    assert len(written["autocorrelation"]) == 501
    assert sorted(path.name for path in Path().iterdir()) == ["new", "table.csv"]


@pytest.mark.parametrize(
    ("options", "shown"),
    [
        (["--target", "y"], "Next: streamgauge evaluate table.csv --target y"),
        (["--rows", "300"], "table[:300] · 300 rows"),
        (["--drop", "hint"], "1 feature "),
        (["--nominal", "hint"], "2 features"),
        (["--target", "noise", "--drop", "y"], "To beat: guessing the mean so far, MAE "),
        (["--target", "hint", "--task", "regression"], "To beat: repeating the last value, MAE "),
    ],
)
def test_options_take_effect(shell: Shell, options: list[str], shown: str) -> None:
    code, out, err = shell("inspect", "table.csv", *options)
    assert (code, err) == (0, "")
    assert shown in out


def test_reveal_times_show_how_long_labels_take(shell: Shell) -> None:
    rows = "".join(f"1,{i},{i + 3 + 9 * (i % 2) if i % 4 else ''},{i % 2}\n" for i in range(400))
    Path("times.csv").write_text("a,t,r,y\n" + rows)
    options = ["--target", "y", "--arrives", "t", "--revealed", "r"]
    code, out, err = shell("inspect", "times.csv", *options, "-v")
    assert (code, err) == (0, "")
    shown = " ".join(out.split())
    assert "100 rows never get one." in shown
    assert "100 of 400 rows (25.0 %) never get one." in shown
    assert "labels of 1 take longer than others" in shown
    assert shown.endswith(f"Next: streamgauge evaluate times.csv {' '.join(options)}")


def test_next_command_repeats_every_option_of_the_stream(shell: Shell) -> None:
    Path("my table.csv").write_text("the day,b,c,y\n" + "1,2,3,u\n2,1,3,d\n" * 20)
    options = ["--target", "y", "--nominal", "b", "--drop", "the day", "--drop", "c"]
    options += ["--task", "classification", "--classes", "u", "--classes", "d", "--rows", "30"]
    out = shell("inspect", "my table.csv", *options, "--inject", "2")[1]
    command = " ".join(out.split()).partition("Next: streamgauge ")[2]
    assert "'my table.csv'" in command
    again = shlex.split(command)
    assert sorted(again) == sorted(["evaluate", "my table.csv", *options, "--inject", "2"])
    assert shell(*again, "--learner", "NoChange")[0] == 0


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["nowhere.csv"], "no such file: nowhere.csv"),
        (["table.csv", "--target", "x"], "no column 'x'"),
        (["table.csv", "--task", "guess"], "--task guess: expected classification or regression"),
        (["table.csv", "--rows", "0"], "take(0): expected at least 1 row"),
        (["elec2", "--drop", "period"], "elec2 is a data set with fixed columns; remove --drop"),
    ],
)
def test_errors_are_one_line(shell: Shell, arguments: list[str], complaint: str) -> None:
    code, out, err = shell("inspect", *arguments)
    assert (code, out) == (2, "")
    assert err.startswith("streamgauge: ")
    assert complaint in err
    assert err.count("\n") == 1


def test_unwritable_profile_is_printed_first(shell: Shell) -> None:
    code, out, err = shell("inspect", "table.csv", "--json", "table.csv/x")
    assert code == 2
    assert "To beat: repeating the last label" in out
    assert "streamgauge: cannot write the profile: " in err


def test_data_set_by_name(shell: Shell) -> None:
    real_data("elec2")
    code, out, err = shell("inspect", "elec2")
    assert (code, err) == (0, "")
    assert out.startswith("elec2 · 45,312 rows · 6 features · 2 classes\n")
    assert "To beat: repeating the last label, 85.3 %" in out
    assert "Labels recur every 48 and 336 rows" in out
    assert out.endswith("Next: streamgauge evaluate elec2\n")


def test_named_pipe_is_refused_instead_of_waiting(shell: Shell) -> None:
    os.mkfifo("pipe.csv")
    code, _, err = shell("inspect", "pipe.csv", "--target", "y")
    assert code != 0
    assert "pipe.csv is a named pipe; expected a file" in " ".join(err.split())


def test_classes_decide_what_none_means(shell: Shell) -> None:
    Path("none.csv").write_text("a,y\n" + "1,yes\n2,None\n3,no\n" * 20)
    code, _, err = shell("inspect", "none.csv")
    assert code != 0
    assert "holds 'None': is it a class, or a missing label?" in " ".join(err.split())
    code, out, _ = shell("inspect", "none.csv", "--classes", "yes", "--classes", "no")
    assert (code, "20 rows without a label" in out) == (0, True)
    three = [part for name in ("yes", "no", "None") for part in ("--classes", name)]
    assert "3 classes" in shell("evaluate", "none.csv", "--learner", "NoChange", *three)[1]
