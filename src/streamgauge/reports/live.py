"""`watch`: the page of a running study, served on this machine only.

Three addresses exist: the page, its content and its events. None of them is a path on the disk.
"""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Callable, Iterator
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from streamgauge._support.errors import UsageError, check_integer
from streamgauge.reports._study import Study
from streamgauge.reports.page import make_page

HOST = "127.0.0.1"
PORT = 8765
_POLL_SECONDS = 1.0
_ALIVE_SECONDS = 10.0  # a comment is sent to browsers after so long without a change
_REQUEST_SECONDS = 30.0  # for a request to arrive


class LiveServer(ThreadingHTTPServer):
    """Serves one study to browsers on this machine."""

    daemon_threads = True
    study: Study

    @property
    def address(self) -> str:
        """Where the page is."""
        return f"http://{HOST}:{self.server_port}/"

    def is_own(self, host: str | None) -> bool:
        """Whether a request was sent to this machine by name: else a foreign page rebound DNS."""
        return host in (f"{HOST}:{self.server_port}", f"localhost:{self.server_port}")

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A browser that goes away is no error."""


class _Handler(BaseHTTPRequestHandler):
    server: LiveServer
    protocol_version = "HTTP/1.1"
    timeout = _REQUEST_SECONDS

    def do_GET(self) -> None:
        origin = self.headers.get("Origin")
        own = self.server.is_own(self.headers.get("Host"))
        if not own or (
            origin is not None and not self.server.is_own(origin.removeprefix("http://"))
        ):
            self._send(HTTPStatus.FORBIDDEN, "text/plain", "This page is for this machine only.\n")
            return
        now = self.server.study.now
        path, _, query = self.path.partition("?")
        match path:
            case "/":
                page = make_page(now.content, now.title, live=now.content_number)
                self._send(HTTPStatus.OK, "text/html", page)
            case "/content":
                parts = {"head": now.content.head, "main": now.content.main}
                text = json.dumps({**parts, "charts": now.content.charts})
                self._send(HTTPStatus.OK, "application/json", text)
            case "/events":
                self._send_events(_number(self.headers.get("Last-Event-ID") or query))
            case _:
                self._send(HTTPStatus.NOT_FOUND, "text/plain", "There is no such page.\n")

    def _send(self, status: HTTPStatus, kind: str, text: str) -> None:
        body = text.encode()
        self._begin(status, kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _begin(self, status: HTTPStatus, kind: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Cache-Control", "no-store")
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Content-Security-Policy", "frame-ancestors 'none'")
        self.send_header("Cross-Origin-Resource-Policy", "same-origin")

    def _send_events(self, content: int) -> None:
        """Tell the browser, which has this content, about every change until one goes away."""
        self._begin(HTTPStatus.OK, "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True
        study, seen = self.server.study, (-1, content)
        while not study.ended:
            now = study.wait(seen, _ALIVE_SECONDS)
            text = ": alive\n\n"
            if now.status_number != seen[0]:
                text += f"event: status\ndata: {json.dumps(now.status)}\n\n"
            if now.content_number != seen[1]:
                text += f"id: {now.content_number}\nevent: content\ndata: 0\n\n"
            seen = (now.status_number, now.content_number)
            self.wfile.write(text.encode())
            self.wfile.flush()

    def version_string(self) -> str:
        return "streamgauge"

    def log_message(self, *_: Any) -> None:
        """The terminal is for the user."""


def _number(text: str) -> int:
    """The content that a browser says it has; -1 if it says none."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 16 else -1


@contextlib.contextmanager
def serve(
    folder: str | Path,
    port: int = PORT,
    metrics: tuple[str, ...] = (),
    experiment: str | None = None,
) -> Iterator[LiveServer]:
    """A server of the study in a folder; `serve_forever` runs it, and leaving the block ends it."""
    check_integer("port", port)
    if not 0 <= port < 2**16:
        raise UsageError(f"port {port}: expected a number from 0 (any free port) to 65535")
    if not Path(folder).is_dir():
        raise UsageError(f"{folder}: no such folder; expected the one given to `run --store`")
    study = Study(Path(folder).absolute(), metrics, experiment)
    try:
        server = LiveServer((HOST, port), _Handler)
    except OSError as error:
        raise UsageError(
            f"port {port}: cannot listen: {error.strerror}; choose another with --port, or 0 for "
            "any free one"
        ) from None
    server.study = study
    ended = threading.Event()

    def poll() -> None:
        while not ended.wait(_POLL_SECONDS):
            study.refresh()

    thread = threading.Thread(target=poll, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        ended.set()
        study.end()
        server.server_close()
        thread.join()


def watch(
    folder: str | Path,
    port: int = PORT,
    metrics: tuple[str, ...] = (),
    experiment: str | None = None,
    started: Callable[[str], None] = lambda address: None,
) -> None:
    """Serve the page of a study until Ctrl-C; `started` is called with its address."""
    with serve(folder, port, metrics, experiment) as server:
        started(server.address)
        with contextlib.suppress(KeyboardInterrupt):
            server.serve_forever(poll_interval=0.2)
