"""A local https server that misbehaves as a test demands."""

from __future__ import annotations

import os
import re
import ssl
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from unittest.mock import patch

CERTIFICATE = Path(__file__).parent / "site.pem"  # of 127.0.0.1, with its key: for these tests only


@dataclass
class Site:
    """Files by path, and how to serve them. `cuts`: bytes after which each response breaks off."""

    files: dict[str, bytes] = field(default_factory=dict)
    cuts: list[int] = field(default_factory=list)
    failures: list[int] = field(default_factory=list)  # status codes of the first responses
    ranges: bool = True
    shift: int = 0  # sends a range shifted by these bytes
    etag: str | None = '"first"'
    length: bool = True  # sends Content-Length
    stall: float = 0.0  # seconds before the last byte
    moved: dict[str, str] = field(default_factory=dict)
    asked: list[str | None] = field(default_factory=list)  # the Range of each request
    address: str = ""


@contextmanager
def serving() -> Iterator[Site]:
    """A running server, whose certificate is trusted meanwhile."""
    site = Site()
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(site))
    secured = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    secured.load_cert_chain(CERTIFICATE)
    server.socket = secured.wrap_socket(server.socket, server_side=True)
    site.address = f"https://127.0.0.1:{server.server_address[1]}"
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    trusted = {"SSL_CERT_FILE": str(CERTIFICATE), "no_proxy": "127.0.0.1"}
    try:
        with patch.dict(os.environ, trusted):
            yield site
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def _handler(site: Site) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def log_message(self, format: str, *arguments: object) -> None:
            pass

        def do_GET(self) -> None:
            site.asked.append(self.headers.get("Range"))
            if site.failures:
                self.send_error(site.failures.pop(0))
            elif self.path in site.moved:
                self.send_response(302)
                self.send_header("Location", site.moved[self.path])
                self.end_headers()
            elif self.path not in site.files:
                self.send_error(404)
            else:
                self._send(site.files[self.path])

        def _send(self, data: bytes) -> None:
            wanted = re.fullmatch(r"bytes=(\d+)-", self.headers.get("Range") or "")
            start = int(wanted[1]) if wanted and site.ranges else 0
            if self.headers.get("If-Range") not in (None, site.etag):
                start = 0
            if start and start >= len(data):
                self.send_response(416)
                self.send_header("Content-Range", f"bytes */{len(data)}")
                self.end_headers()
                return
            self.send_response(206 if start else 200)
            if start:
                start += site.shift
                self.send_header("Content-Range", f"bytes {start}-{len(data) - 1}/{len(data)}")
            if site.etag:
                self.send_header("ETag", site.etag)
            if site.length:
                self.send_header("Content-Length", str(len(data) - start))
            self.end_headers()
            body = data[start:]
            cut = site.cuts.pop(0) if site.cuts else len(body)
            self.wfile.write(body[:-1][:cut])
            time.sleep(site.stall)
            if cut >= len(body):
                self.wfile.write(body[-1:])

    return Handler
