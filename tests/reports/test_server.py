"""The server of a live page: how many connections it holds."""

from __future__ import annotations

import http.client
import os
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from streamgauge.reports import server as module
from streamgauge.reports.html import Html
from streamgauge.reports.server import HOST, LiveServer, listen
from tests.reports.serving import Events, get
from tests.reports.test_live import Blank

FEW = 8


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[LiveServer]:
    monkeypatch.setattr(module, "MOST_CONNECTIONS", FEW)
    with listen(HOST, 0, Blank()) as found:
        thread = threading.Thread(target=found.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        yield found
        found.page.end()
        found.shutdown()
        thread.join()


def handles() -> int:
    return len(os.listdir("/proc/self/fd"))


def wait_until_at_most(count: int) -> None:
    for _ in range(500):
        if handles() <= count:
            return
        time.sleep(0.02)
    raise AssertionError(f"{handles()} handles are open; expected at most {count}")


needs_proc = pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="needs /proc")


@needs_proc
def test_event_streams_are_bounded_and_the_newest_are_served(server: LiveServer) -> None:
    before = handles()
    streams = [Events(server) for _ in range(3 * FEW)]
    wait_until_at_most(before + len(streams) + FEW + 2)  # our ends, and the server's
    assert get(server, "/nothing")[0] == 404
    assert streams[0].is_over()
    newest = streams[-1]
    assert newest.next("status") == ""
    server.page.show(Html("news"), server.page.now.content, "")
    assert newest.next("status") == "news"
    for stream in streams:
        stream.close()


@needs_proc
def test_silent_connections_are_bounded(server: LiveServer) -> None:
    before = handles()
    address = (HOST, server.server_port)
    silent = [socket.create_connection(address) for _ in range(3 * FEW)]
    wait_until_at_most(before + len(silent) + FEW + 2)
    assert get(server, "/nothing")[0] == 404
    for each in silent:
        each.close()


def test_bound_is_far_below_the_handles_that_a_process_may_have() -> None:
    assert module.MOST_CONNECTIONS == 64


def test_connection_in_use_outlives_idle_ones(server: LiveServer) -> None:
    used = http.client.HTTPConnection(HOST, server.server_port, timeout=20)
    idle = []
    for _ in range(2 * FEW):
        used.request("GET", "/nothing")
        assert used.getresponse().read()
        idle.append(socket.create_connection((HOST, server.server_port)))
    used.close()
    for each in idle:
        each.close()
