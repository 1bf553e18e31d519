"""Notifications: each alarm event is announced once, and at least once whatever happens."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

import streamgauge as sg
from tests.monitoring.logs import make_monitor, write_events
from tests.oracles.monitoring import Event

HITS = [True] * 20 + [False] * 5 + [True] * 20
CONFIG: dict[str, Any] = {
    "scores": {"forget": ["Window(10)"], "every": 1, "detectors": ["PeriodicAlarm(10)"]},
    "alarms": [
        {"over": "Window(10)", "below": 0.8, "rows": 10},
        {"detector": "PeriodicAlarm(10)"},
    ],
}


def write_log(folder: Path, hits: list[bool]) -> None:
    events = [Event(str(i), i, "a") for i in range(len(hits))]
    guesses = [e._replace(value="a" if hit else "b") for e, hit in zip(events, hits, strict=True)]
    write_events(folder / "p.csv", guesses, "prediction")
    write_events(folder / "l.csv", events, "label")


def teller(folder: Path, code: int = 0) -> list[str]:
    """A command that writes down the id of each event."""
    return ["sh", "-c", f"echo $STREAMGAUGE_ID >> '{folder / 'told'}'; exit {code}"]


def told(folder: Path) -> list[str]:
    path = folder / "told"
    return path.read_text().split() if path.exists() else []


def once(folder: Path, **changes: Any) -> sg.Monitor:
    """What `--once` does."""
    monitor = make_monitor(folder, **{**CONFIG, "command": teller(folder)} | changes)
    monitor.catch_up()
    monitor.save()
    monitor.close()
    return monitor


def test_a_run_without_news_announces_nothing(tmp_path: Path) -> None:
    write_log(tmp_path, HITS)
    first = once(tmp_path)
    ids = [event["id"] for event in first.events]
    assert len(ids) == len(set(ids)) == 6
    assert told(tmp_path) == ids
    for _ in range(2):
        again = once(tmp_path)
        assert [event["id"] for event in again.events] == ids
        assert [a["raised"] for a in again.status()["alarms"]] == [1, 4]
    assert told(tmp_path) == ids


def test_a_command_that_fails_is_run_again_until_it_succeeds(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_log(tmp_path, HITS)
    failed = once(tmp_path, command=teller(tmp_path, 1))
    assert len(told(tmp_path)) == 1  # then it waits
    assert failed.status()["notifications"]["waiting"] == 6
    assert "will be tried again" in capsys.readouterr().err
    once(tmp_path)
    assert sorted(told(tmp_path)[1:]) == sorted(event["id"] for event in failed.events)
    assert once(tmp_path).status()["notifications"]["waiting"] == 0


def test_an_event_is_announced_again_only_if_its_delivery_was_not_noted(tmp_path: Path) -> None:
    write_log(tmp_path, HITS)
    ids = [event["id"] for event in once(tmp_path).events]
    noted = tmp_path / "monitor-state" / "delivered"
    lines = noted.read_text().split()
    assert lines == ids
    noted.write_text("\n".join(lines[:-1]) + "\n" + lines[-1][:5])  # killed while noting it
    once(tmp_path)
    assert told(tmp_path) == [*ids, ids[-1]]


def test_a_state_that_is_made_again_has_the_same_ids(tmp_path: Path) -> None:
    write_log(tmp_path, HITS)
    first, second = once(tmp_path), once(tmp_path, state="other")
    assert [e["id"] for e in first.events] == [e["id"] for e in second.events]


def test_old_events_are_no_news_for_a_new_command(tmp_path: Path) -> None:
    write_log(tmp_path, HITS)
    once(tmp_path, command=[])
    once(tmp_path)
    assert told(tmp_path) == []


def test_a_web_hook_gets_the_event_with_its_id(tmp_path: Path) -> None:
    write_log(tmp_path, HITS)
    got: list[tuple[str, dict[str, Any]]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            got.append((self.headers["Idempotency-Key"], body))
            self.send_response(503 if len(got) == 1 else 204)
            self.end_headers()

        def log_message(self, *args: Any) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        hook = f"http://127.0.0.1:{server.server_port}/alarm"
        once(tmp_path, command=[], webhook=hook)
        assert len(got) == 1  # refused: it waits
        events = once(tmp_path, command=[], webhook=hook).events
        once(tmp_path, command=[], webhook=hook)
    finally:
        server.shutdown()
        server.server_close()
    assert all(key == body["id"] for key, body in got)
    assert sorted(key for key, _ in got[1:]) == sorted(event["id"] for event in events)


def test_a_web_hook_has_an_address(tmp_path: Path) -> None:
    with pytest.raises(sg.UsageError, match="webhook = 'ftp://x'; expected an address"):
        make_monitor(tmp_path, webhook="ftp://x")
