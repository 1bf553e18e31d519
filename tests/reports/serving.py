"""Talk to the server of a live page."""

from __future__ import annotations

import http.client
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from streamgauge.reports.live import serve
from streamgauge.reports.server import HOST, LiveServer


@contextmanager
def served(folder: Path, **options: Any) -> Iterator[LiveServer]:
    """A server in a thread, on any free port."""
    with serve(folder, 0, **options) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


def get(server: LiveServer, path: str, method: str = "GET", **headers: str) -> tuple[int, str]:
    """The status and body of an answer; `Host` may be forged."""
    connection = http.client.HTTPConnection(HOST, server.server_port, timeout=20)
    connection.putrequest(method, path, skip_host="Host" in headers)
    for name, value in headers.items():
        connection.putheader(name, value)
    connection.endheaders()
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer.status, text


class Events:
    """The events of a live page, as a browser gets them."""

    def __init__(self, server: LiveServer, seen: str = "") -> None:
        self._connection = http.client.HTTPConnection(HOST, server.server_port, timeout=20)
        self._connection.request("GET", f"/events?{seen}")
        self._answer = self._connection.getresponse()

    def next(self, kind: str) -> Any:
        """The data of the next event of a kind."""
        name = ""
        while line := self._answer.readline().decode():
            if line.startswith("event: "):
                name = line.removeprefix("event: ").strip()
            elif line.startswith("data: ") and name == kind:
                return json.loads(line.removeprefix("data: "))
        raise AssertionError("the server ended the events")

    def is_over(self) -> bool:
        """Whether the server has ended the events; waits for the next line."""
        while line := self._answer.readline():
            assert line
        return True

    def close(self) -> None:
        self._connection.close()
