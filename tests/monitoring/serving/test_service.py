"""The service: addresses, health, log, and how it ends."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.csv as pa_csv
import pytest

import streamgauge as sg
from streamgauge.monitoring.serving._open_metrics import metrics_answer
from streamgauge.monitoring.serving._reading import Readings
from streamgauge.monitoring.serving.log import Log
from streamgauge.monitoring.serving.service import (
    STUCK,
    Health,
    Service,
    answers,
    stopped_by_signals,
)
from streamgauge.prequential.reasons import REPLACED
from streamgauge.reports.server import LiveServer
from tests.monitoring.loans import ALARM, make_loans
from tests.reports.pages import Page
from tests.reports.serving import Events, get


@contextmanager
def running(monitor: Any, log: Log) -> Iterator[LiveServer]:
    """A service in a thread, on any free port."""
    service, stop = Service(monitor, log), threading.Event()
    with service.serving(port=0) as server:
        thread = threading.Thread(target=service.follow, args=(stop.is_set,))
        thread.start()
        try:
            yield server
        finally:
            stop.set()
            thread.join()


def wait_for(true: Callable[[], bool], seconds: float = 120.0) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "waited too long"
        time.sleep(0.02)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port: int = taken.getsockname()[1]
    return port


@pytest.fixture
def server(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Iterator[LiveServer]:
    with running(sg.Monitor(make_loans(tmp_path)), Log("json")) as found:
        wait_for(lambda: get(found, "/readyz")[0] == 200)
        yield found


def test_page_shows_alarm_scores_figures_and_follows_new_lines(
    server: LiveServer, tmp_path: Path
) -> None:
    status, text = get(server, "/")
    page = Page(text)
    assert status == 200
    assert len(page.charts) == 5  # two metrics, labels by age, cohorts of two models
    assert f"Alarm “{ALARM}” of A: " in text
    (policy,) = page.all("meta", **{"http-equiv": "Content-Security-Policy"})
    assert "connect-src 'self'" in str(policy["content"])
    assert "unsafe" not in str(policy["content"])
    events = Events(server, str(page.all("body")[0]["data-live"]))
    assert "lines read: 3,000 (predictions), " in events.next("status")
    with (tmp_path / "asked.csv").open("a") as file:
        file.write("new,2026-03-01T00:00:00Z,yes,A,n\n")
    assert "3,001 (predictions), " in events.next("status")
    events.close()


def test_metrics_and_health_are_served_to_this_machine_only(server: LiveServer) -> None:
    assert get(server, "/healthz") == (200, "ok\n")
    assert get(server, "/readyz") == (200, "ready\n")
    status, text = get(server, "/metrics")
    assert status == 200
    assert f'streamgauge_alarm_firing{{alarm="{ALARM}",' in text
    for path in ("/metrics", "/healthz", "/readyz", "/"):
        assert get(server, path, Host="evil.example")[0] == 403
        assert get(server, path, Origin="http://evil.example")[0] == 403
    assert get(server, "/metrics/../../etc/passwd")[0] == 404
    assert server.server_address[0] == "127.0.0.1"


def test_log_is_one_json_object_per_line_and_the_snapshot_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monitor = sg.Monitor(make_loans(tmp_path))
    with running(monitor, Log("json")) as server:
        wait_for(lambda: get(server, "/readyz")[0] == 200)
    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    events = [line["event"] for line in lines if line["event"] != "compiling"]
    assert events[0] == "serving"
    assert {"started", "ready", "alarm"} <= set(events)
    assert events[-1] == "stopped"
    raised = next(line for line in lines if line.get("alarm") == ALARM)
    assert raised["state"] == "raised"
    assert raised["level"] == "warning"
    assert raised["value"] < 0.75
    assert raised["event_time"].startswith("2026-01-01T")
    assert all(re.fullmatch(r"\d{4}-.*Z", line["time"]) for line in lines)
    monitor.close()
    again = sg.Monitor(tmp_path / "monitor.toml")
    assert again.status()["lines"]["predictions"] == 3000
    with running(again, Log("json")) as server:
        wait_for(lambda: get(server, "/readyz")[0] == 200)
    said = [json.loads(line)["event"] for line in capsys.readouterr().err.splitlines()]
    assert "alarm" not in said, "alarms of before the restart are not logged again"


def test_log_says_what_happens_to_the_sources(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monitor = sg.Monitor(make_loans(tmp_path, 200))
    monitor.catch_up()
    new = "id,time,prediction,model,region\nx,soon,yes,A,n\n"
    (tmp_path / "asked.csv").write_text(new)
    Service(monitor, Log("json")).follow(lambda: monitor.counts.get(REPLACED, 0) > 0)
    monitor.close()
    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    said = [line["message"] for line in lines if line["event"] == "source"]
    assert len(said) == 2
    assert "asked.csv: the file was cut or replaced after" in said[0]
    assert "asked.csv, line 2: 'time' is 'soon'; expected times with a time zone" in said[1]


def test_log_in_words_shows_control_characters(capsys: pytest.CaptureFixture[str]) -> None:
    Log().say("alarm", "model \x1b[31m is worse", "warning", row=1)
    line = capsys.readouterr().err
    assert re.fullmatch(r"\d{4}-\S+Z warning: model \\x1b\[31m is worse\n", line)


def test_readiness_and_health_say_what_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    readings = Readings()
    health = Health(readings)
    assert health.readyz("")[::2] == (503, "The monitor is still catching up.\n")
    assert health.healthz("").status == 200
    readings.looked -= STUCK + 1
    assert health.healthz("")[::2] == (503, "The monitor has not looked at its sources for 61 s.\n")


def test_monitor_that_is_stuck_serves_its_last_figures(
    monitor: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("streamgauge.monitoring.serving._reading._PATIENCE", 0.05)
    readings = Readings()
    addresses = answers(readings, Health(readings))
    assert addresses["/metrics"]("")[::2] == (503, "No figures have been read yet.\n")
    readings.offer(monitor)
    first = readings.latest()
    assert first is not None
    monkeypatch.setattr(time, "time", lambda: first.taken + 100)
    assert readings.latest() is first
    assert addresses["/metrics"]("") == metrics_answer(first, "")


def test_empty_log_has_a_page_that_says_so(tmp_path: Path) -> None:
    path = make_loans(tmp_path)
    rows = {}
    for name in ("asked.csv", "answers.csv"):
        header, _, rows[name] = (tmp_path / name).read_text().partition("\n")
        (tmp_path / name).write_text(header + "\n")
    with running(sg.Monitor(path), Log()) as server:
        wait_for(lambda: get(server, "/readyz")[0] == 200)
        assert "No prediction has been joined with a label yet." in get(server, "/")[1]
        assert "streamgauge_lines_read_total" in get(server, "/metrics")[1]
        for name, text in rows.items():  # appended: a file that shrinks meanwhile is an error
            with (tmp_path / name).open("a") as file:
                file.write(text)
        wait_for(lambda: 'model="A"' in get(server, "/metrics")[1])


def test_without_altair_the_page_says_so_and_metrics_are_served(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def missing() -> None:
        raise sg.MissingExtra("Altair with vl-convert", "plot")

    where = "streamgauge.monitoring.serving"
    monkeypatch.setattr(f"{where}._sections.require_javascript", missing)
    monkeypatch.setattr(f"{where}.service._NEEDED", {"the page": missing})
    with running(sg.Monitor(make_loans(tmp_path)), Log()) as server:
        wait_for(lambda: get(server, "/readyz")[0] == 200)
        status, text = get(server, "/")
        assert status == 503
        assert "pip install 'streamgauge[plot]'" in text
        assert get(server, "/metrics")[0] == 200
    assert "warning: the page: Altair with vl-convert is needed" in capsys.readouterr().err


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_signals_stop_it_and_the_handlers_come_back(tmp_path: Path, number: int) -> None:
    before = signal.getsignal(number)
    service = Service(sg.Monitor(make_loans(tmp_path, 100)), Log())
    with stopped_by_signals() as stop:
        threading.Timer(0.3, os.kill, (os.getpid(), number)).start()
        service.follow(stop)
        assert stop()
    assert signal.getsignal(number) is before
    assert (tmp_path / "monitor-state" / "snapshot").exists()


def test_signal_while_lines_are_parsed_loses_none() -> None:
    def kill(row: Any) -> str:
        os.kill(os.getpid(), signal.SIGTERM)
        return "skip"

    lines = pa.BufferReader(b"a,b\n1,2\n3\n" + b"4,5\n" * 10_000)  # the third is invalid
    with stopped_by_signals() as stop:
        found = pa_csv.read_csv(
            lines,
            pa_csv.ReadOptions(use_threads=False, block_size=1000),
            pa_csv.ParseOptions(invalid_row_handler=kill),
        )
        assert stop()
    assert found.num_rows == 10_001
