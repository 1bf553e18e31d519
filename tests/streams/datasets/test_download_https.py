"""Downloads from a local server: no failure leaves a partial file that looks complete."""

from __future__ import annotations

import errno
import gzip
import hashlib
import socket
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import streamgauge as sg
from streamgauge._support import progress
from streamgauge._support.inside import Inside
from streamgauge.streams.datasets import _download_https as download
from streamgauge.streams.datasets import _normalise as normalise
from tests.cli.running import Terminal
from tests.streams.datasets.site import Site, serving
from tests.streams.tables import whole

ROWS = 20_000
TABLE = "a,b,y\n" + "".join(f"{i},{i % 7}.5,{'no' if i % 3 else 'yes'}\n" for i in range(ROWS))
FILE = TABLE.encode()


@pytest.fixture
def site(monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    monkeypatch.setattr(download, "_PAUSE", 0.0)
    with serving() as site:
        site.files["/table.csv"] = FILE
        yield site


@pytest.fixture
def card(cached: Path, tmp_path: Path, site: Site) -> Callable[..., str]:
    """Writes a user's card for the site's table; returns its path."""

    def write_card(*lines: str, url: str = f"{site.address}/table.csv", top: str = "") -> str:
        path = tmp_path / "mine.toml"
        path.write_text(
            'name = "mine"\ntitle = "My table"\nabout = "-"\npaper = "-"\nlicence = "-"\n'
            f'target = "y"\nfeatures = ["a", "b"]\n{top}\n[https]\nurl = "{url}"\n'
            + "\n".join(lines)
        )
        return str(path)

    return write_card


def left(cached: Path) -> list[str]:
    """File names in the cache, without the hash."""
    return sorted(path.name.replace(path.name[5:17], "#") for path in cached.iterdir())


def check(stream: sg.Stream) -> None:
    assert stream.rows == ROWS
    block = whole(stream)
    assert block.X[-1].tolist() == [ROWS - 1, (ROWS - 1) % 7 + 0.5]
    assert stream.schema.classes == ("no", "yes")


def test_download_is_cached_per_card(card: Callable[..., str], site: Site, cached: Path) -> None:
    path = card()
    check(sg.load(path))
    assert left(cached) == ["mine-#.csv.gz"]
    check(sg.load(path))
    assert site.asked == [None]  # the second time it is in the cache
    card('target_column = "y"')
    check(sg.load(path))
    assert len(site.asked) == 2  # another card, another file


def test_lost_connection_is_resumed(card: Callable[..., str], site: Site, cached: Path) -> None:
    site.cuts = [1000, 50_000]
    check(sg.load(card()))
    assert site.asked == [None, "bytes=1000-", "bytes=51000-"]
    assert left(cached) == ["mine-#.csv.gz"]


def test_next_call_resumes_partial_download(
    card: Callable[..., str], site: Site, cached: Path
) -> None:
    site.cuts = [1000, 1000, 1000, 1000]
    path = card()
    with pytest.raises(sg.DownloadError) as caught:
        sg.load(path)
    assert "My table: https://127.0.0.1" in str(caught.value)
    assert f"lost after 4,000 of {len(FILE):,} bytes; gave up after 4 attempts; the partial" in str(
        caught.value
    )
    assert "STREAMGAUGE_DATA" in str(caught.value)
    assert len(left(cached)) == 2  # the partial file and its note
    assert all(name.startswith(".mine") for name in left(cached))  # hidden files
    check(sg.load(path))
    assert site.asked[-1] == "bytes=4000-"
    assert left(cached) == ["mine-#.csv.gz"]


def test_changed_file_is_downloaded_again(card: Callable[..., str], site: Site) -> None:
    site.cuts = [1000, 1000, 1000, 1000]
    path = card()
    with pytest.raises(sg.DownloadError):
        sg.load(path)
    site.etag = '"second"'
    site.files["/table.csv"] = FILE.replace(b"a,b,y\n0,", b"a,b,y\n77,")
    assert whole(sg.load(path)).X[0, 0] == 77
    assert site.asked[-1] == "bytes=4000-"  # but the server sent the whole file


@pytest.mark.parametrize("etag", [None, 'W/"weak"'])
def test_partial_download_without_strong_etag_is_not_resumed(
    card: Callable[..., str], site: Site, etag: str | None
) -> None:
    site.etag, site.cuts = etag, [1000]
    check(sg.load(card()))
    assert site.asked == [None, None]


def test_server_without_ranges_sends_the_whole_file(card: Callable[..., str], site: Site) -> None:
    site.ranges, site.cuts = False, [5000, 1000]
    check(sg.load(card()))
    assert site.asked == [None, "bytes=5000-", "bytes=1000-"]


def test_wrong_range_discards_the_partial_download(card: Callable[..., str], site: Site) -> None:
    site.shift, site.cuts = 7, [5000]
    check(sg.load(card()))
    assert site.asked == [None, "bytes=5000-", None]  # the partial file is discarded


def test_separators_are_supported(card: Callable[..., str], site: Site) -> None:
    for mark in (";", "\\t", "|"):
        text = TABLE.replace(",", mark.replace("\\t", "\t"))
        site.files["/table.csv"] = "\ufeff".encode() + text.encode()
        check(sg.load(card(f'separator = "{mark}"')))


def test_failed_label_file_is_resumed(card: Callable[..., str], site: Site, cached: Path) -> None:
    site.files["/labels"] = b"no\nyes\n" * (ROWS // 2)
    path = card(f'label_url = "{site.address}/labels"', 'target_column = "class"')
    site.cuts = [len(FILE), 100, 0, 0, 0]
    with pytest.raises(sg.DownloadError, match=r"My table, labels: .*/labels: connection lost"):
        sg.load(path)
    assert len(left(cached)) == 4  # both parts and their notes
    assert whole(sg.load(path)).y[:4].tolist() == [0, 1, 0, 1]
    assert site.asked[-2:] == [f"bytes={len(FILE)}-", "bytes=100-"]  # the first was complete
    assert left(cached) == ["mine-#.csv.gz"]


def test_partial_download_longer_than_the_file_is_discarded(
    card: Callable[..., str], site: Site
) -> None:
    path = card()
    site.files["/table.csv"] = FILE + FILE
    site.cuts = [len(FILE) + 10, 0, 0, 0]
    with pytest.raises(sg.DownloadError):
        sg.load(path)
    site.files["/table.csv"] = FILE
    check(sg.load(path))
    assert site.asked[-2:] == [f"bytes={len(FILE) + 10}-", None]


def test_truncation_without_content_length_is_found_by_row_count(
    card: Callable[..., str], site: Site
) -> None:
    site.length = False
    check(sg.load(card()))
    site.cuts = [1000]  # only the card can tell
    rows = f"rows = {ROWS}"
    with pytest.raises(sg.DownloadError, match=r"table.csv (has|does not match)"):
        sg.load(card(top=rows))


def test_stalled_connection_times_out(
    card: Callable[..., str], site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(download, "_TIMEOUT", 0.3)
    monkeypatch.setattr(download, "_ATTEMPTS", 2)
    site.stall = 0.8
    with pytest.raises(
        sg.DownloadError, match=r"lost after .* bytes \(.*timed out\); gave up after 2 attempts"
    ):
        sg.load(card())


def test_checksum_is_verified(card: Callable[..., str], site: Site, cached: Path) -> None:
    good = hashlib.sha256(FILE).hexdigest()
    check(sg.load(card(f'sha256 = "{good}"')))
    site.files["/table.csv"] = FILE.replace(b"5", b"6")
    with pytest.raises(sg.DownloadError, match=f"SHA-256 is [0-9a-f]{{64}}, expected {good}; the"):
        sg.load(
            card(f'sha256 = "{good}"', 'format = "csv"', 'header = "names"', 'target_column = "y"')
        )
    assert left(cached) == ["mine-#.csv.gz"]  # the good one


def test_table_that_does_not_match_its_card_is_rejected(
    card: Callable[..., str], cached: Path
) -> None:
    for top, complaint in (
        (f'content_sha256 = "{"0" * 64}"', "contains a different table: its content_sha256 is "),
        ("rows = 19999", "table.csv has 20,000 rows, expected 19,999"),
        (
            'classes = ["no", "maybe"]',
            "card: unexpected label 'yes'; expected one of maybe, no",
        ),
        ('arrives = "t"', "does not match its card: missing column t; the file has a, b, y"),
    ):
        with pytest.raises(sg.DownloadError, match=f"My table: table.csv {complaint}|{complaint}"):
            sg.load(card(top=top))
        assert left(cached) == []
    with pytest.raises(sg.DownloadError, match=r"table.csv \(unverified source: its card"):
        sg.load(card("unverified = true", top="rows = 3"))


@pytest.mark.parametrize(
    "junk", [b"", b"<html>Sign in first</html>", b"\x1f\x8b damaged", gzip.compress(FILE)[:-9]]
)
def test_damaged_or_foreign_file_is_rejected(
    card: Callable[..., str], site: Site, cached: Path, junk: bytes
) -> None:
    site.files["/table.csv"] = junk
    with pytest.raises(sg.DownloadError, match=r"My table: table.csv does not match its card: "):
        sg.load(card())
    assert left(cached) == []


def test_client_errors_fail_and_server_errors_are_retried(
    card: Callable[..., str], site: Site, cached: Path
) -> None:
    with pytest.raises(
        sg.DownloadError, match=r"/gone.csv: the server answered 404 Not Found; the file"
    ):
        sg.load(card(url=f"{site.address}/gone.csv"))
    site.failures = [503, 500]
    check(sg.load(card()))
    site.failures = [503] * 4
    with pytest.raises(
        sg.DownloadError, match="the server answered 503 Service Unavailable; gave up after 4"
    ):
        sg.load(card('target_column = "y"'))
    assert left(cached) == ["mine-#.csv.gz"]


def test_refused_connection_is_a_download_error(card: Callable[..., str], cached: Path) -> None:
    with socket.socket() as taken:  # a port without a listener
        taken.bind(("127.0.0.1", 0))
        url = f"https://127.0.0.1:{taken.getsockname()[1]}/table.csv"
        with pytest.raises(sg.DownloadError, match=r"table.csv: .*refused; check the network, or"):
            sg.load(card(url=url))
    assert left(cached) == []


def test_redirects_must_stay_on_https(card: Callable[..., str], site: Site) -> None:
    plain = site.address.replace("https", "http")
    bad = ["http://example.org/x.csv", f"{plain}/table.csv", "http://localhost/x.csv"]
    site.moved = {"/old.csv": f"{site.address}/table.csv"}
    check(sg.load(card(url=f"{site.address}/old.csv")))
    for target in bad:
        site.moved["/bad.csv"] = target
        with pytest.raises(sg.DownloadError, match=rf"'{target}': expected https://"):
            sg.load(card(url=f"{site.address}/bad.csv"))


def test_invalid_or_plain_http_url_is_rejected(card: Callable[..., str]) -> None:
    for url in ("http://example.org/x.csv", "http://127.0.0.1/x.csv", "http://localhost:80/x.csv",
                "http://[::1]/x.csv", "file:///etc/hosts", "ftp://127.0.0.1/x", "x.csv",
                "https://", "https://[x/", "https://x.org:port/",
                "http://127.0.0.1.example.org/x.csv"):  # fmt: skip
        with pytest.raises(sg.UsageError, match=r"mine\.toml: https: "):
            sg.load(card(url=url))


def test_full_disk_is_a_download_error_and_leaves_nothing(
    card: Callable[..., str], cached: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    full = OSError(errno.ENOSPC, "No space left on device")

    def open_full(path: Inside, mode: str) -> Any:
        file = open_file(path, mode)
        return _Full(file) if path.name.endswith(".part") and "a" in mode else file

    class _Full:
        def __init__(self, file: Any) -> None:
            self.file, self.written = file, 0

        def __enter__(self) -> _Full:
            return self

        def __exit__(self, *error: object) -> None:
            self.file.close()

        def write(self, data: bytes) -> None:
            self.written += len(data)
            self.file.write(data)
            if self.written > 100_000:
                raise full

    open_file = Inside.open
    with monkeypatch.context() as patch:
        patch.setattr(Inside, "open", open_full)
        with pytest.raises(sg.DownloadError, match=r"My table: cannot write to .*No space left"):
            sg.load(card())
    assert left(cached) == []

    def write_full(*arguments: Any) -> None:
        raise full

    with monkeypatch.context() as patch:
        patch.setattr(normalise, "write_table", write_full)
        with pytest.raises(sg.DownloadError, match=r"My table: cannot write to .*No space left"):
            sg.load(card())
    assert left(cached) == []
    check(sg.load(card()))


def test_concurrent_loads_download_once(card: Callable[..., str], site: Site) -> None:
    path = card()
    with ThreadPoolExecutor(4) as pool:
        streams = list(pool.map(lambda _: sg.load(path), range(4)))
    assert len(site.asked) == 1
    for stream in streams:
        check(stream)


@pytest.mark.usefixtures("not_quiet")
def test_progress_is_shown_on_a_terminal(
    card: Callable[..., str], site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "_SHOW_AFTER", 0.0)  # as if it took over a second
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "120")
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    check(sg.load(card()))
    assert "downloading My table" in terminal.text
    assert "kB/s" in terminal.text


def test_interrupted_normalisation_leaves_nothing(
    card: Callable[..., str], cached: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*arguments: Any) -> None:
        raise KeyboardInterrupt

    path = card()
    with monkeypatch.context() as patch:
        patch.setattr(normalise, "write_table", interrupt)
        with pytest.raises(KeyboardInterrupt):
            sg.load(path)
    assert left(cached) == []
    check(sg.load(path))
