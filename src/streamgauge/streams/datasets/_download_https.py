"""Downloads over https: with a progress bar, retries, and resuming of partial files."""

from __future__ import annotations

import hashlib
import http.client
import time
import urllib.error
import urllib.request
from email.message import Message
from typing import IO, Any

from streamgauge._support.errors import DownloadError
from streamgauge._support.inside import Inside
from streamgauge._support.progress import Progress
from streamgauge.streams.datasets._card import check_url
from streamgauge.streams.datasets._download_package import ADVICE

_TIMEOUT = 30.0  # seconds without a byte
_ATTEMPTS = 4
_PAUSE = 1.0  # seconds before the second attempt; later ones wait longer
_CHUNK = 1 << 16


class _TryAgain(Exception):  # noqa: N818 - not an error yet
    """This attempt failed; another one may succeed."""


def download(url: str, part: Inside, title: str, sha256: str | None = None) -> None:
    """Download `url` into the file `part`, resuming a partial download found there.

    A note beside `part` records the URL and version of the partial file. Every failure is a
    DownloadError, except that a failed write is an OSError.
    """
    reason = ""
    for attempt in range(_ATTEMPTS):
        time.sleep(_PAUSE * attempt)
        try:
            _download_rest(url, part, title)
        except _TryAgain as failed:
            reason = str(failed)
            continue
        if sha256 is not None:
            _check_sha256(part, sha256, f"{title}: {url}")
        return
    kept = "the partial download is kept for the next attempt; " if part.exists() else ""
    raise DownloadError(
        f"{title}: {url}: {reason}; gave up after {_ATTEMPTS} attempts; {kept}{ADVICE}"
    )


def discard(part: Inside) -> None:
    """Delete a partial download and its note."""
    part.unlink()
    _note(part).unlink()


def _note(part: Inside) -> Inside:
    return part.parent / f"{part.name}.note"


def _download_rest(url: str, part: Inside, title: str) -> None:
    have, version = _partial(url, part)
    if not have:
        discard(part)
    request = urllib.request.Request(url, headers={"User-Agent": "streamgauge"})
    if have:  # If-Range: a server whose file has changed sends the whole new file
        request.add_header("Range", f"bytes={have}-")
        request.add_header("If-Range", version)
    try:
        response = _open(request, title)
    except urllib.error.HTTPError as error:
        error.close()
        if have and error.code == http.HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE:
            if error.headers.get("Content-Range") == f"bytes */{have}":
                return  # it was already complete
            discard(part)
            raise _TryAgain("the partial download does not fit the server's file") from None
        if error.code >= http.HTTPStatus.INTERNAL_SERVER_ERROR:
            raise _TryAgain(f"the server answered {error.code} {error.reason}") from None
        raise DownloadError(
            f"{title}: {url}: the server answered {error.code} {error.reason}; the file may have "
            f"moved; {ADVICE}"
        ) from None
    with response:
        if response.status == http.HTTPStatus.PARTIAL_CONTENT:
            sent = response.headers.get("Content-Range") or ""
            if not sent.startswith(f"bytes {have}-"):
                discard(part)
                raise _TryAgain(f"the server sent {sent!r}, expected bytes {have}-")
        else:  # the whole file, even if only the rest was requested
            have = 0
            discard(part)
        if not have:
            with _note(part).open("wb") as note:
                note.write(f"{url}\n{_version(response.headers)}".encode())
        length = response.headers.get("Content-Length", "")
        total = have + int(length) if length.isdecimal() else None
        with part.open("ab") as file:
            have = _copy(response, file, have, total, title)
    if total is not None and have < total:
        raise _TryAgain(f"connection lost after {have:,} of {total:,} bytes")


def _partial(url: str, part: Inside) -> tuple[int, str]:
    """Bytes already downloaded, and the version of the file they belong to; 0 if unknown."""
    if not part.exists() or not _note(part).exists():
        return 0, ""
    with _note(part).open("rb") as note:
        noted, _, version = note.read().decode("utf-8", "replace").partition("\n")
    return (part.stat().st_size, version) if noted == url and version else (0, "")


def _version(headers: Message) -> str:
    """The server's identifier of this version of the file, if it gives a reliable one."""
    tag = headers.get("ETag") or ""
    return tag if tag and not tag.startswith("W/") else headers.get("Last-Modified") or ""


def _open(request: urllib.request.Request, title: str) -> Any:
    opener = urllib.request.build_opener(_SafeRedirects())
    try:
        return opener.open(request, timeout=_TIMEOUT)
    except urllib.error.HTTPError:
        raise
    except (http.client.HTTPException, ConnectionResetError) as error:
        raise _TryAgain(f"invalid response ({error})") from None
    except (OSError, ValueError) as error:  # no network, unknown host, bad certificate, ...
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


def _copy(response: Any, file: IO[bytes], have: int, total: int | None, title: str) -> int:
    """Append the response to the file; return the file's size."""
    with Progress(f"downloading {title}", total and total // 1000, unit="kB") as progress:
        while True:
            try:
                chunk = response.read(_CHUNK)
            except (http.client.HTTPException, OSError) as error:
                why = str(error) or type(error).__name__
                raise _TryAgain(f"connection lost after {have:,} bytes ({why})") from None
            if not chunk:
                return have
            file.write(chunk)
            have += len(chunk)
            progress.advance(have // 1000)


def _check_sha256(part: Inside, expected: str, what: str) -> None:
    with part.path.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != expected:
        discard(part)
        raise DownloadError(
            f"{what}: the file's SHA-256 is {found}, expected {expected}; the file has changed or "
            "is damaged, and was discarded"
        )
