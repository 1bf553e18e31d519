"""Files by https, against a server on this machine: whatever goes wrong, nothing half-written."""

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
from streamgauge.streams.datasets import _download as download
from streamgauge.streams.datasets import _normalise as rewrite
from tests.cli.running import Terminal
from tests.streams.datasets.site import Site, serving
from tests.streams.tables import whole

ROWS = 20_000
TABLE = "a,b,y\n" + "".join(f"{i},{i % 7}.5,{'no' if i % 3 else 'yes'}\n" for i in range(ROWS))
FILE = TABLE.encode()


@pytest.fixture
def site(monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    monkeypatch.setattr(download, "_PAUSE", 0.0)
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    with serving() as site:
        site.files["/table.csv"] = FILE
        yield site


@pytest.fixture
def card(cached: Path, tmp_path: Path, site: Site) -> Callable[..., str]:
    """Writes a card of one's own for the site's table; its path."""

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
    """What lies in the cache, without the hash in a name."""
    return sorted(path.name.replace(path.name[5:17], "#") for path in cached.iterdir())


def check(stream: sg.Stream) -> None:
    assert stream.rows == ROWS
    block = whole(stream)
    assert block.X[-1].tolist() == [ROWS - 1, (ROWS - 1) % 7 + 0.5]
    assert stream.schema.classes == ("no", "yes")


def test_a_download(card: Callable[..., str], site: Site, cached: Path) -> None:
    path = card()
    check(sg.load(path))
    assert left(cached) == ["mine-#.csv.gz"]
    check(sg.load(path))
    assert site.asked == [None]  # the second time it is in the cache
    card('label = "y"')
    check(sg.load(path))
    assert len(site.asked) == 2  # another card, another file


def test_a_broken_connection_goes_on(card: Callable[..., str], site: Site, cached: Path) -> None:
    site.cuts = [1000, 50_000]
    check(sg.load(card()))
    assert site.asked == [None, "bytes=1000-", "bytes=51000-"]
    assert left(cached) == ["mine-#.csv.gz"]


def test_the_next_attempt_goes_on(card: Callable[..., str], site: Site, cached: Path) -> None:
    site.cuts = [1000, 1000, 1000, 1000]
    path = card()
    with pytest.raises(sg.DownloadError) as caught:
        sg.load(path)
    assert "My table: http://127.0.0.1" in str(caught.value)
    assert f"broke off after 4,000 of {len(FILE):,} bytes, 4 times; what came is kept" in str(
        caught.value
    )
    assert "STREAMGAUGE_DATA" in str(caught.value)
    assert len(left(cached)) == 2  # the beginning and its note
    assert all(name.startswith(".mine") for name in left(cached))  # which nobody takes for a table
    check(sg.load(path))
    assert site.asked[-1] == "bytes=4000-"
    assert left(cached) == ["mine-#.csv.gz"]


def test_a_file_that_changed_meanwhile(card: Callable[..., str], site: Site) -> None:
    site.cuts = [1000, 1000, 1000, 1000]
    path = card()
    with pytest.raises(sg.DownloadError):
        sg.load(path)
    site.etag = '"second"'
    site.files["/table.csv"] = FILE.replace(b"a,b,y\n0,", b"a,b,y\n77,")
    assert whole(sg.load(path)).X[0, 0] == 77
    assert site.asked[-1] == "bytes=4000-"  # but the server sent it all


@pytest.mark.parametrize("etag", [None, 'W/"weak"'])
def test_versions_that_cannot_be_told_apart(
    card: Callable[..., str], site: Site, etag: str | None
) -> None:
    site.etag, site.cuts = etag, [1000]
    check(sg.load(card()))
    assert site.asked == [None, None]


def test_a_server_without_ranges(card: Callable[..., str], site: Site) -> None:
    site.ranges, site.cuts = False, [5000, 1000]
    check(sg.load(card()))
    assert site.asked == [None, "bytes=5000-", "bytes=1000-"]


def test_a_server_that_sends_another_range(card: Callable[..., str], site: Site) -> None:
    site.shift, site.cuts = 7, [5000]
    check(sg.load(card()))
    assert site.asked == [None, "bytes=5000-", None]  # what was kept is not trusted either


def test_other_separators(card: Callable[..., str], site: Site) -> None:
    for mark in (";", "\\t", "|"):
        text = TABLE.replace(",", mark.replace("\\t", "\t"))
        site.files["/table.csv"] = "\ufeff".encode() + text.encode()
        check(sg.load(card(f'separator = "{mark}"')))


def test_two_files_of_which_the_second_breaks(
    card: Callable[..., str], site: Site, cached: Path
) -> None:
    site.files["/labels"] = b"no\nyes\n" * (ROWS // 2)
    path = card(f'label_url = "{site.address}/labels"', 'label = "class"')
    site.cuts = [len(FILE), 100, 0, 0, 0]
    with pytest.raises(
        sg.DownloadError, match=r"My table, labels: .*/labels: the connection broke"
    ):
        sg.load(path)
    assert len(left(cached)) == 4  # both parts and their notes
    assert whole(sg.load(path)).y[:4].tolist() == [0, 1, 0, 1]
    assert site.asked[-2:] == [f"bytes={len(FILE)}-", "bytes=100-"]  # the first was complete
    assert left(cached) == ["mine-#.csv.gz"]


def test_a_beginning_longer_than_the_file(card: Callable[..., str], site: Site) -> None:
    path = card()
    site.files["/table.csv"] = FILE + FILE
    site.cuts = [len(FILE) + 10, 0, 0, 0]
    with pytest.raises(sg.DownloadError):
        sg.load(path)
    site.files["/table.csv"] = FILE
    check(sg.load(path))
    assert site.asked[-2:] == [f"bytes={len(FILE) + 10}-", None]


def test_without_a_length(card: Callable[..., str], site: Site) -> None:
    site.length = False
    check(sg.load(card()))
    site.cuts = [1000]  # nobody can tell, but for the card
    rows = f"rows = {ROWS}"
    with pytest.raises(sg.DownloadError, match=r"table.csv (has|is not)"):
        sg.load(card(top=rows))


def test_no_byte_for_long(
    card: Callable[..., str], site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(download, "_PATIENCE", 0.05)
    monkeypatch.setattr(download, "_ATTEMPTS", 2)
    site.stall = 0.2
    with pytest.raises(sg.DownloadError, match=r"broke off after .* bytes \(timed out\), 2 times"):
        sg.load(card())


def test_a_checksum(card: Callable[..., str], site: Site, cached: Path) -> None:
    good = hashlib.sha256(FILE).hexdigest()
    check(sg.load(card(f'sha256 = "{good}"')))
    site.files["/table.csv"] = FILE.replace(b"5", b"6")
    with pytest.raises(sg.DownloadError, match=f"SHA-256 is [0-9a-f]{{64}}, expected {good}; it"):
        sg.load(card(f'sha256 = "{good}"', 'format = "csv"', 'header = "names"', 'label = "y"'))
    assert left(cached) == ["mine-#.csv.gz"]  # the good one


def test_another_table(card: Callable[..., str], cached: Path) -> None:
    for top, complaint in (
        (f'content_sha256 = "{"0" * 64}"', "holds another table: its content_sha256 is "),
        ("rows = 19999", "table.csv has 20,000 rows, expected 19,999"),
        ('classes = ["no", "maybe"]', "is not as expected: label 'yes' is none of maybe, no"),
        ('arrives = "t"', "is not as expected: there is no column t; there are a, b, y"),
    ):
        with pytest.raises(sg.DownloadError, match=f"My table: table.csv {complaint}|{complaint}"):
            sg.load(card(top=top))
        assert left(cached) == []
    with pytest.raises(sg.DownloadError, match=r"table.csv \(unverified: this file was never seen"):
        sg.load(card("unverified = true", top="rows = 3"))


@pytest.mark.parametrize(
    "junk", [b"", b"<html>Sign in first</html>", b"\x1f\x8b damaged", gzip.compress(FILE)[:-9]]
)
def test_something_else(card: Callable[..., str], site: Site, cached: Path, junk: bytes) -> None:
    site.files["/table.csv"] = junk
    with pytest.raises(sg.DownloadError, match=r"My table: table.csv is not as expected: "):
        sg.load(card())
    assert left(cached) == []


def test_the_server_refuses(card: Callable[..., str], site: Site, cached: Path) -> None:
    with pytest.raises(
        sg.DownloadError, match=r"/gone.csv: the server says 404 Not Found; has the"
    ):
        sg.load(card(url=f"{site.address}/gone.csv"))
    site.failures = [503, 500]
    check(sg.load(card()))
    site.failures = [503] * 4
    with pytest.raises(sg.DownloadError, match="the server says 503 Service Unavailable, 4 times"):
        sg.load(card('label = "y"'))
    assert left(cached) == ["mine-#.csv.gz"]


def test_no_network(card: Callable[..., str], cached: Path) -> None:
    with socket.socket() as taken:  # a port where nobody listens
        taken.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{taken.getsockname()[1]}/table.csv"
        with pytest.raises(sg.DownloadError, match=r"table.csv: .*refused; check the network, or"):
            sg.load(card(url=url))
    assert left(cached) == []


def test_redirects(card: Callable[..., str], site: Site) -> None:
    site.moved = {"/old.csv": f"{site.address}/table.csv", "/bad.csv": "http://example.org/x.csv"}
    check(sg.load(card(url=f"{site.address}/old.csv")))
    with pytest.raises(sg.DownloadError, match=r"'http://example.org/x.csv': expected https://"):
        sg.load(card(url=f"{site.address}/bad.csv"))


def test_plain_http_is_refused(card: Callable[..., str]) -> None:
    for url in ("http://example.org/x.csv", "file:///etc/hosts", "ftp://127.0.0.1/x", "x.csv",
                "https://", "https://[x/", "https://x.org:port/",
                "http://127.0.0.1.example.org/x.csv"):  # fmt: skip
        with pytest.raises(sg.UsageError, match=r"mine\.toml: https: "):
            sg.load(card(url=url))


def test_a_full_disk(
    card: Callable[..., str], cached: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    full = OSError(errno.ENOSPC, "No space left on device")

    def open_full(path: Path, mode: str = "r", *rest: Any, **more: Any) -> Any:
        file = open_file(path, mode, *rest, **more)
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

    open_file = Path.open
    with monkeypatch.context() as patch:
        patch.setattr(Path, "open", open_full)
        with pytest.raises(sg.DownloadError, match=r"My table: cannot be kept in .*No space left"):
            sg.load(card())
    assert left(cached) == []

    def write_full(*arguments: Any) -> None:
        raise full

    with monkeypatch.context() as patch:
        patch.setattr(rewrite, "write_table", write_full)
        with pytest.raises(sg.DownloadError, match=r"My table: cannot be kept in .*No space left"):
            sg.load(card())
    assert left(cached) == []
    check(sg.load(card()))


def test_many_at_once_fetch_once(card: Callable[..., str], site: Site) -> None:
    path = card()
    with ThreadPoolExecutor(4) as pool:
        streams = list(pool.map(lambda _: sg.load(path), range(4)))
    assert len(site.asked) == 1
    for stream in streams:
        check(stream)


def test_progress(card: Callable[..., str], site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "_PATIENCE", 0.0)  # as if it took over a second
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "120")
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    check(sg.load(card()))
    assert "fetching My table, once" in terminal.text
    assert "kB/s" in terminal.text


def test_interrupted(
    card: Callable[..., str], cached: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*arguments: Any) -> None:
        raise KeyboardInterrupt

    path = card()
    with monkeypatch.context() as patch:
        patch.setattr(rewrite, "write_table", interrupt)
        with pytest.raises(KeyboardInterrupt):
            sg.load(path)
    assert left(cached) == []
    check(sg.load(path))
