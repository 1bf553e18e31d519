"""The server of a live page: the page, its content, its events, and addresses that others add.

None of the addresses is a path on the disk.
"""

from __future__ import annotations

import contextlib
import ipaddress
import json
import socket
import threading
from collections.abc import Callable, Iterator, Mapping
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

from streamgauge._support.errors import MissingExtra, UsageError, check_integer
from streamgauge.reports.live_page import LivePage
from streamgauge.reports.page import make_page

HOST = "127.0.0.1"
_ALIVE_SECONDS = 10.0  # a comment is sent to browsers after so long without a change
_REQUEST_SECONDS = 30.0  # for a request to arrive
MOST_CONNECTIONS = 64  # open at once; beyond them, the one that has been idle for longest is closed


class Answer(NamedTuple):
    """The answer to a request."""

    status: HTTPStatus
    kind: str  # the content type
    text: str


Answers = Mapping[str, Callable[[str], Answer]]  # by address; called with the Accept header


def plain(status: HTTPStatus, text: str) -> Answer:
    """An answer in words."""
    return Answer(status, "text/plain; charset=utf-8", f"{text}\n")


class LiveServer(ThreadingHTTPServer):
    """Serves one page to browsers, by default on this machine only."""

    daemon_threads = True
    request_queue_size = MOST_CONNECTIONS
    page: LivePage
    answers: Answers
    local: bool  # whether other machines cannot reach it

    def __init__(self, address: tuple[str, int], handler: type[BaseHTTPRequestHandler]) -> None:
        super().__init__(address, handler)
        self._connections: dict[socket.socket, None] = {}  # the one that was last used last
        self._lock = threading.Lock()

    def used(self, connection: socket.socket) -> None:
        """Note that something is sent over a connection."""
        with self._lock:
            if connection in self._connections:
                self._connections[connection] = self._connections.pop(connection)

    def is_open(self, connection: socket.socket) -> bool:
        """Whether a connection has not been closed for the sake of newer ones."""
        return connection in self._connections

    def process_request(self, request: Any, client_address: Any) -> None:
        """Serve a connection in a thread of its own; close the longest idle one if need be."""
        with self._lock:
            self._connections[request] = None
            idle = list(self._connections)[:-MOST_CONNECTIONS]
            for connection in idle:
                del self._connections[connection]
        for connection in idle:
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)  # its thread wakes up and closes it
        if idle:
            self.page.wake()
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        """Close a connection."""
        with self._lock:
            self._connections.pop(request, None)
        super().shutdown_request(request)

    @property
    def address(self) -> str:
        """Where the page is."""
        host = str(self.server_address[0])
        return f"http://{f'[{host}]' if ':' in host else host}:{self.server_port}/"

    def allows(self, host: str | None, origin: str | None) -> bool:
        """Whether a request comes from our own page or from no page.

        A server on this machine only has to be called by its name: else a foreign page rebound DNS.
        """
        own = self.address.removeprefix("http://").rstrip("/")
        names = {own, f"localhost:{self.server_port}"} if self.local else {host}
        return host in names and (origin is None or origin in {f"http://{each}" for each in names})

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A browser that goes away is no error."""


class _Server6(LiveServer):
    address_family = socket.AF_INET6


class _Handler(BaseHTTPRequestHandler):
    server: LiveServer
    protocol_version = "HTTP/1.1"
    timeout = _REQUEST_SECONDS

    def do_GET(self) -> None:
        if not self.server.allows(self.headers.get("Host"), self.headers.get("Origin")):
            self._send(plain(HTTPStatus.FORBIDDEN, "This page is for this machine only."))
            return
        self.server.used(self.connection)
        path, _, query = self.path.partition("?")
        if path == "/events":
            self._send_events(_number(self.headers.get("Last-Event-ID") or query))
        else:
            self._send(self._answer(path))

    def _answer(self, path: str) -> Answer:
        if path in self.server.answers:
            return self.server.answers[path](self.headers.get("Accept", ""))
        if path not in ("/", "/content"):
            return plain(HTTPStatus.NOT_FOUND, "There is no such page.")
        try:
            now = self.server.page.fresh()
            if path == "/":
                page = make_page(now.content, now.title, live=now.content_number)
                return Answer(HTTPStatus.OK, "text/html; charset=utf-8", page)
        except MissingExtra as error:
            return plain(HTTPStatus.SERVICE_UNAVAILABLE, str(error))
        parts = {"head": now.content.head, "main": now.content.main}
        text = json.dumps({**parts, "charts": now.content.charts})
        return Answer(HTTPStatus.OK, "application/json; charset=utf-8", text)

    def _send(self, answer: Answer) -> None:
        body = answer.text.encode()
        self._begin(answer.status, answer.kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _begin(self, status: HTTPStatus, kind: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Cache-Control", "no-store")
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Content-Security-Policy", "frame-ancestors 'none'")
        self.send_header("Cross-Origin-Resource-Policy", "same-origin")

    def _send_events(self, content: int) -> None:
        """Tell the browser, which has this content, about every change until one goes away."""
        self._begin(HTTPStatus.OK, "text/event-stream; charset=utf-8")
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True
        page, seen = self.server.page, (-1, content)
        while not page.ended and self.server.is_open(self.connection):
            now = page.wait(seen, _ALIVE_SECONDS, lambda: self.server.is_open(self.connection))
            text = ": alive\n\n"
            if now.status_number != seen[0]:
                text += f"event: status\ndata: {json.dumps(now.status)}\n\n"
            if now.content_number != seen[1]:
                text += f"id: {now.content_number}\nevent: content\ndata: 0\n\n"
            seen = (now.status_number, now.content_number)
            self.server.used(self.connection)
            self.wfile.write(text.encode())
            self.wfile.flush()

    def version_string(self) -> str:
        return "streamgauge"

    def log_message(self, *_: Any) -> None:
        """The terminal is for the user."""


def _number(text: str) -> int:
    """The content that a browser says it has; -1 if it says none."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 16 else -1


def listen(host: str, port: int, page: LivePage, answers: Answers | None = None) -> LiveServer:
    """A server on a port, 0 for any free one; `serve_forever` runs it."""
    check_integer("port", port)
    if not 0 <= port < 2**16:
        raise UsageError(f"port {port}: expected a number from 0 (any free port) to 65535")
    try:
        server = (_Server6 if ":" in host else LiveServer)((host, port), _Handler)
    except OSError as error:
        where = f"port {port}" if host == HOST else f"host {host}, port {port}"
        raise UsageError(
            f"{where}: cannot listen: {error.strerror}; choose another with --port, or 0 for "
            "any free one"
        ) from None
    server.page, server.answers = page, answers or {}
    server.local = ipaddress.ip_address(str(server.server_address[0])).is_loopback
    return server


@contextlib.contextmanager
def refreshed(page: LivePage, seconds: float) -> Iterator[None]:
    """Refresh a page repeatedly in a thread; leaving the block ends it and the page."""
    ended = threading.Event()

    def poll() -> None:
        while not ended.wait(seconds):
            page.refresh()

    thread = threading.Thread(target=poll, daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        page.end()
        thread.join()
