"""streamgauge monitor: follows files, says so in its exit code, survives kill -9."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import streamgauge as sg
from tests.cli.running import ENTRY, Shell
from tests.monitoring.logs import assert_same, random_log, score_of, write_events
from tests.oracles.monitoring import joined

CONFIG = """
classes = ["a", "b", "c"]
snapshot = "10ms"
[predictions]
path = "p.csv"
prediction = "prediction"
[labels]
path = "l.csv"
[join]
timeout = 50
remember = 20
[scores]
forget = ["Cumulative()", "Window(20)", "Fading(0.9)", "TimeWindow(30)"]
every = 10
[[alarms]]
over = "Window(20)"
below = {below}
rows = 20
"""


def write(folder: Path, below: float = 0.1, rows: int = 200) -> None:
    (folder / "monitor.toml").write_text(CONFIG.replace("{below}", str(below)))
    predictions, labels = random_log(rows, seed=1)
    write_events(folder / "p.csv", predictions, "prediction")
    write_events(folder / "l.csv", labels, "label")


def test_once_prints_the_status_and_keeps_the_state(shell: Shell, tmp_path: Path) -> None:
    write(tmp_path)
    code, out, err = shell("monitor", "monitor.toml", "--once")
    assert (code, err) == (0, "")
    assert "No alarm (1 rule)." in out
    assert "200 predictions" in out
    assert (tmp_path / "monitor-state" / "snapshot").exists()
    again = shell("monitor", "status", "monitor.toml", "--json")
    assert json.loads(again.out)["lines"]["predictions"] == 200


def test_there_is_no_status_before_the_first_start(shell: Shell, tmp_path: Path) -> None:
    write(tmp_path)
    code, _, err = shell("monitor", "status", "monitor.toml")
    assert code == 2
    assert "monitor-state: no state yet; start it: streamgauge monitor monitor.toml" in err


def test_an_alarm_is_an_exit_code(shell: Shell, tmp_path: Path) -> None:
    write(tmp_path, below=0.99)
    code, out, _ = shell("monitor", "run", "monitor.toml", "--once")
    assert code == 3
    assert "ALARM accuracy over Window(20) below 0.99" in out


def test_final_counts_what_waits_its_turn_and_changes_no_state(
    shell: Shell, tmp_path: Path
) -> None:
    write(tmp_path)
    shell("monitor", "monitor.toml", "--once")
    held = json.loads(shell("monitor", "status", "monitor.toml", "--json").out)["held"]
    final = json.loads(shell("monitor", "monitor.toml", "--final", "--json").out)
    assert final["held"] == 0 < held
    assert json.loads(shell("monitor", "status", "monitor.toml", "--json").out)["held"] == held


def test_a_mistake_in_the_file_is_one_line(shell: Shell, tmp_path: Path) -> None:
    write(tmp_path)
    text = (tmp_path / "monitor.toml").read_text().replace("timeout", "timeuot")
    (tmp_path / "monitor.toml").write_text(text)
    code, out, err = shell("monitor", "monitor.toml")
    assert (code, out) == (2, "")
    assert "line 10: join: unknown key 'timeuot' (did you mean 'timeout'?)" in err


def follow(folder: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-c", ENTRY, "monitor", "monitor.toml"],
        cwd=folder,
        env=os.environ | {"PYTHONUTF8": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )


@pytest.mark.long
def test_sigterm_ends_within_a_second(tmp_path: Path) -> None:
    write(tmp_path)
    process = follow(tmp_path)
    assert process.stdout is not None
    process.stdout.readline()
    while not (tmp_path / "monitor-state" / "snapshot").exists():
        time.sleep(0.05)
    began = time.monotonic()
    process.terminate()
    out, _ = process.communicate(timeout=60)
    assert process.returncode == 0
    assert time.monotonic() - began < 1
    assert b"200 predictions" in out


@pytest.mark.long
def test_killed_at_any_moment_it_goes_on_with_the_same_figures(tmp_path: Path) -> None:
    """The log grows while the monitor is killed, 30 times."""
    predictions, labels = random_log(3000, seed=2)
    write(tmp_path)
    rng = np.random.default_rng(3)
    kills = 30
    for kill in range(kills):
        part = (kill + 1) / kills
        write_events(tmp_path / "p.csv", predictions[: int(part * len(predictions))], "prediction")
        write_events(tmp_path / "l.csv", labels[: int(part * len(labels))], "label")
        process = follow(tmp_path)
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(float(rng.uniform(0, 1.0)))
        os.kill(process.pid, signal.SIGKILL)
        process.communicate()
    snapshot = tmp_path / "monitor-state" / "snapshot"
    assert snapshot.exists()
    monitor = sg.Monitor(tmp_path / "monitor.toml")
    assert monitor.status()["lines"]["predictions"] > 0
    monitor.finish()
    assert_same(monitor.runs["monitor"], score_of(joined(predictions, labels, 0, 50, 20)))
