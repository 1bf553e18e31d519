"""streamgauge monitor as a service: what it prints, and how it ends."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

import streamgauge as sg
from tests.cli.running import ENTRY, Shell
from tests.monitoring.loans import make_loans


def start(folder: Path, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", ENTRY, "monitor", *arguments],
        cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        text=True,
    )  # fmt: skip


def events_until(process: subprocess.Popen[str], event: str) -> list[dict[str, object]]:
    """The lines of the log up to an event."""
    assert process.stderr is not None
    found = []
    for line in process.stderr:
        found.append(json.loads(line))
        if found[-1]["event"] == event:
            return found
    raise AssertionError(f"no {event} in {found}")


@pytest.mark.long
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_signal_ends_it_with_a_snapshot(tmp_path: Path, number: int) -> None:
    process = start(tmp_path, str(make_loans(tmp_path)), "--port", "0", "--log", "json")
    found = events_until(process, "ready")
    address = next(each["address"] for each in found if each["event"] == "serving")
    with urllib.request.urlopen(f"{address}metrics", timeout=30) as answer:
        assert b"streamgauge_score" in answer.read()
    assert "alarm" in [each["event"] for each in found]
    process.send_signal(number)
    events_until(process, "stopped")
    out, _ = process.communicate(timeout=30)
    assert (process.returncode, out) == (0, "")
    assert sg.Monitor(tmp_path / "monitor.toml").status()["lines"]["predictions"] == 3000


@pytest.mark.long
def test_failure_is_a_line_of_the_log(tmp_path: Path) -> None:
    path = make_loans(tmp_path)
    process = start(tmp_path, str(path), "--no-serve", "--log", "json")
    events_until(process, "ready")
    (tmp_path / "asked.csv").write_text("id,when\n")  # not the columns that were asked for
    _, err = process.communicate(timeout=30)
    last = json.loads(err.splitlines()[-1])
    assert (last["event"], last["level"]) == ("failed", "error")
    assert "asked.csv" in last["message"]
    assert process.returncode == 2


def test_port_that_cannot_be_used_is_named(shell: Shell, tmp_path: Path) -> None:
    make_loans(tmp_path, 10)
    code, _, err = shell("monitor", "monitor.toml", "--port", "70000")
    assert code == 2
    assert "port 70000: expected a number from 0 (any free port) to 65535" in err


def test_host_that_is_not_ours_is_named(shell: Shell, tmp_path: Path) -> None:
    make_loans(tmp_path, 10)
    code, _, err = shell("monitor", "monitor.toml", "--host", "192.0.2.1", "--log", "json")
    assert code == 2
    line = json.loads(err)
    assert line["event"] == "failed"
    assert line["message"].startswith("host 192.0.2.1, port 8766: cannot listen")
