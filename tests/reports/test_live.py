"""The live page: on this machine only, no paths, whatever happens to the store."""

from __future__ import annotations

import json
import shutil
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

import streamgauge as sg
from streamgauge.reports import live
from streamgauge.reports.html import Html
from streamgauge.reports.live import serve, watch
from streamgauge.reports.live_page import LivePage, Shown
from streamgauge.reports.page import Content
from streamgauge.reports.server import LiveServer, listen
from tests.experiments.stores import grid, write_failure
from tests.reports.pages import Page
from tests.reports.serving import Events, get, served


@pytest.fixture(scope="module")
def complete(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("live") / "store"
    sg.run_grid(grid(), folder, workers=0)
    return folder


@pytest.fixture(scope="module")
def still(complete: Path) -> Iterator[LiveServer]:
    """The page of a study that does not change."""
    with served(complete) as server:
        yield server


@pytest.fixture
def store(complete: Path, tmp_path: Path) -> Path:
    """One complete cell, one failed, six not begun."""
    made, folder = grid(), tmp_path / "store"
    shutil.copytree(complete, folder)
    for cell in made.cells[1:]:
        shutil.rmtree(folder / cell.directory)
    failed = made.cells[1]
    write_failure(folder, failed, "raised", "no <b>weight</b>", "Trace </pre><script>")
    return folder


@pytest.fixture
def server(store: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LiveServer]:
    monkeypatch.setattr(live, "_POLL_SECONDS", 0.05)
    with served(store) as server:
        yield server


def test_page_is_the_report_and_may_talk_to_its_server_only(still: LiveServer) -> None:
    status, text = get(still, "/")
    assert status == 200
    page = Page(text)
    (policy,) = page.all("meta", **{"http-equiv": "Content-Security-Policy"})
    assert "connect-src 'self'" in str(policy["content"])
    assert "unsafe" not in str(policy["content"])
    assert len(page.curves) == 2
    assert page.all("div", id="status")


def test_listens_on_this_machine_only(still: LiveServer) -> None:
    assert still.server_address[0] == "127.0.0.1"


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "evil.example"}, {"Host": "evil.example:80"}, {"Host": ""}, {"Host": "127.0.0.1"},
        {"Origin": "http://evil.example"}, {"Origin": "null"}, {"Origin": "https://localhost"},
        {"Origin": "localhost"},
    ],
)  # fmt: skip
@pytest.mark.parametrize("path", ["/", "/content", "/events"])
def test_other_hosts_and_origins_are_refused(
    still: LiveServer, path: str, headers: dict[str, str]
) -> None:
    assert get(still, path, **headers)[0] == 403


def test_localhost_is_this_machine(still: LiveServer) -> None:
    port = still.server_port
    own = {"Host": f"localhost:{port}", "Origin": f"http://localhost:{port}"}
    assert get(still, "/content", **own)[0] == 200


@pytest.mark.parametrize(
    "path",
    [
        "/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "//etc/passwd", "/content/../run.json",
        "/grids/small.json", "/index.html", "/\\..\\x", "/page.js",
    ],
)  # fmt: skip
def test_no_path_reaches_a_file(still: LiveServer, path: str) -> None:
    assert get(still, path) == (404, "There is no such page.\n")


def test_only_get_is_answered(still: LiveServer) -> None:
    assert get(still, "/", "POST")[0] == 501
    assert get(still, "/", "DELETE")[0] == 501


def test_events_tell_progress_failures_and_new_runs(
    server: LiveServer, store: Path, complete: Path
) -> None:
    number = Page(get(server, "/")[1]).all("body")[0]["data-live"]
    events = Events(server, str(number))
    said = events.next("status")
    assert "1 of 8 cells done, 0 running, 1 failed, 6 waiting" in said
    assert "Not begun: 6" in said
    assert "no &lt;b&gt;weight&lt;/b&gt;" in said
    assert "Trace &lt;/pre&gt;&lt;script&gt;" in said
    cell = grid().cells[2]
    shutil.copytree(complete / cell.directory, store / "copy")
    (store / "copy").rename(store / cell.directory)
    assert "2 of 8 cells done" in events.next("status")
    events.next("content")
    content = json.loads(get(server, "/content")[1])
    assert "2 of 2 runs" in content["main"]
    assert content["charts"]
    events.close()


def test_survives_a_store_that_goes_and_comes_back(
    server: LiveServer, store: Path, tmp_path: Path
) -> None:
    events = Events(server)
    assert "1 of 8 cells" in events.next("status")
    store.rename(tmp_path / "moved")
    assert "No such file or directory" in events.next("status")
    assert "1 of 1 runs" in get(server, "/content")[1]
    (tmp_path / "moved").rename(store)
    assert "1 of 8 cells" in events.next("status")
    events.close()


def test_store_without_an_experiment(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        events = Events(server)
        assert "No experiment has been started here." in events.next("status")
        assert "No run is complete yet." in get(server, "/")[1]
        events.close()


def test_unexpected_errors_are_said(server: LiveServer, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: object) -> None:
        raise ZeroDivisionError("by <zero>")

    monkeypatch.setattr("streamgauge.reports.live.status", fail)
    server.page.refresh()
    assert "internal error: ZeroDivisionError: by &lt;zero&gt;" in server.page.now.status


def test_ctrl_c_ends_it(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(LiveServer, "serve_forever", interrupt)
    addresses: list[str] = []
    watch(store, 0, started=addresses.append)
    assert addresses[0].startswith("http://127.0.0.1:")


def test_invalid_folder_and_ports(store: Path, tmp_path: Path) -> None:
    with pytest.raises(sg.UsageError, match="no such folder"), serve(tmp_path / "none"):
        pass
    for port in (-1, 65536):
        with pytest.raises(sg.UsageError, match=r"from 0 \(any free port\) to 65535"):
            watch(store, port)
    with pytest.raises(sg.UsageError, match="port"):
        watch(store, "x")  # type: ignore[arg-type]
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(sg.UsageError, match=f"port {port}: cannot listen: .*--port"):
            watch(store, port)


class Blank(LivePage):
    """A page of which nothing changes."""

    def __init__(self) -> None:
        super().__init__(Content(Html("head"), Html("main"), []), "blank")

    def _read(self, before: Shown) -> tuple[Html, Content, str]:
        return before.status, before.content, before.title


def test_server_for_other_machines_refuses_foreign_pages_only() -> None:
    with listen("0.0.0.0", 0, Blank()) as server:
        assert not server.local
        assert server.allows("monitor.example:9000", None)
        assert server.allows("monitor.example:9000", "http://monitor.example:9000")
        assert not server.allows("monitor.example:9000", "http://evil.example")
        assert not server.allows("monitor.example:9000", "null")
    with listen("127.0.0.1", 0, Blank()) as server:
        assert server.local
        assert not server.allows("monitor.example:9000", None)


def test_host_that_is_not_of_this_machine_is_named() -> None:
    with pytest.raises(sg.UsageError, match=r"host 192\.0\.2\.1, port 0: cannot listen"):
        listen("192.0.2.1", 0, Blank())
