"""Files by https: in pieces, with a progress bar, going on where a broken connection left off."""

from __future__ import annotations

import hashlib
import http.client
import time
import urllib.error
import urllib.request
from email.message import Message
from pathlib import Path
from typing import IO, Any

from streamgauge._support.errors import DownloadError
from streamgauge._support.progress import Progress
from streamgauge.streams.datasets._card import check_url
from streamgauge.streams.datasets._packages import ADVICE

_PATIENCE = 30.0  # seconds without a byte
_ATTEMPTS = 4
_PAUSE = 1.0  # seconds before the second attempt; later ones wait longer
_PIECE = 1 << 16


class _BrokenOff(Exception):  # noqa: N818 - not an error yet
    """The connection is gone; what came is kept."""


def download(url: str, part: Path, title: str, sha256: str | None = None) -> None:
    """Fetch `url` into the file `part`, which may hold the beginning from an earlier attempt.

    Beside it a note keeps which version of which file the beginning is of. Whatever goes wrong is
    a DownloadError, but for the disk: that is an OSError.
    """
    reason = ""
    for attempt in range(_ATTEMPTS):
        time.sleep(_PAUSE * attempt)
        try:
            _fetch_rest(url, part, title)
        except _BrokenOff as broken:
            reason = str(broken)
            continue
        if sha256 is not None:
            _check_sum(part, sha256, f"{title}: {url}")
        return
    kept = "what came is kept for the next attempt; " if part.exists() else ""
    raise DownloadError(f"{title}: {url}: {reason}, {_ATTEMPTS} times; {kept}{ADVICE}")


def discard(part: Path) -> None:
    """Forget what was fetched."""
    part.unlink(missing_ok=True)
    _note(part).unlink(missing_ok=True)


def _note(part: Path) -> Path:
    return part.with_name(part.name + ".note")


def _fetch_rest(url: str, part: Path, title: str) -> None:
    have, version = _beginning(url, part)
    if not have:
        discard(part)
    request = urllib.request.Request(url, headers={"User-Agent": "streamgauge"})
    if have:  # a server whose file has changed sends all of the new one
        request.add_header("Range", f"bytes={have}-")
        request.add_header("If-Range", version)
    try:
        answer = _open(request, title)
    except urllib.error.HTTPError as error:
        error.close()
        if have and error.code == http.HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE:
            if error.headers.get("Content-Range") == f"bytes */{have}":
                return  # there is no more: it was complete
            discard(part)
            raise _BrokenOff("the beginning that was kept does not fit the file") from None
        if error.code >= http.HTTPStatus.INTERNAL_SERVER_ERROR:
            raise _BrokenOff(f"the server says {error.code} {error.reason}") from None
        raise DownloadError(
            f"{title}: {url}: the server says {error.code} {error.reason}; has the file moved? "
            f"{ADVICE}"
        ) from None
    with answer:
        if answer.status == http.HTTPStatus.PARTIAL_CONTENT:
            span = answer.headers.get("Content-Range") or ""
            if not span.startswith(f"bytes {have}-"):
                discard(part)
                raise _BrokenOff(f"the server sends {span!r}, asked for bytes {have}-")
        else:  # all of it, asked for or not
            have = 0
            discard(part)
        if not have:
            _note(part).write_text(f"{url}\n{_version(answer.headers)}", encoding="utf-8")
        length = answer.headers.get("Content-Length", "")
        total = have + int(length) if length.isdecimal() else None
        with part.open("ab") as file:
            have = _copy(answer, file, have, total, title)
    if total is not None and have < total:
        raise _BrokenOff(f"the connection broke off after {have:,} of {total:,} bytes")


def _beginning(url: str, part: Path) -> tuple[int, str]:
    """How many bytes are here already, and of which version of the file; 0 if that is unknown."""
    if not part.exists() or not _note(part).exists():
        return 0, ""
    noted, _, version = _note(part).read_text("utf-8", "replace").partition("\n")
    return (part.stat().st_size, version) if noted == url and version else (0, "")


def _version(headers: Message) -> str:
    """What the server calls this version of its file, if it says so reliably."""
    tag = headers.get("ETag") or ""
    return tag if tag and not tag.startswith("W/") else headers.get("Last-Modified") or ""


def _open(request: urllib.request.Request, title: str) -> Any:
    opener = urllib.request.build_opener(_SafeRedirects())
    try:
        return opener.open(request, timeout=_PATIENCE)
    except urllib.error.HTTPError:
        raise
    except (http.client.HTTPException, ConnectionResetError) as error:
        raise _BrokenOff(f"no proper answer ({error})") from None
    except (OSError, ValueError) as error:  # no network, no such host, no certificate, ...
        reason = getattr(error, "reason", error)
        raise DownloadError(f"{title}: {request.full_url}: {reason}; {ADVICE}") from None


class _SafeRedirects(urllib.request.HTTPRedirectHandler):
    def redirect_request(
        self, req: urllib.request.Request, fp: IO[bytes], code: int, msg: str, headers: Any,
        newurl: str,
    ) -> urllib.request.Request | None:  # fmt: skip
        try:
            check_url(newurl)
        except ValueError:
            fp.close()
            raise
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def _copy(answer: Any, file: IO[bytes], have: int, total: int | None, title: str) -> int:
    """Write what comes; how many bytes are there now."""
    with Progress(f"fetching {title}", total and total // 1000, unit="kB") as progress:
        while True:
            try:
                piece = answer.read(_PIECE)
            except (http.client.HTTPException, OSError) as error:
                why = str(error) or type(error).__name__
                raise _BrokenOff(f"the connection broke off after {have:,} bytes ({why})") from None
            if not piece:
                return have
            file.write(piece)
            have += len(piece)
            progress.advance(have // 1000)


def _check_sum(part: Path, expected: str, what: str) -> None:
    with part.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != expected:
        discard(part)
        raise DownloadError(
            f"{what}: the file's SHA-256 is {found}, expected {expected}; it is another file, or "
            "damaged: nothing of it is kept"
        )
