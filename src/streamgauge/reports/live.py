"""`watch`: the page of a running study, read again from its store, served on this machine only."""

from __future__ import annotations

import contextlib
import hashlib
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from streamgauge._support.errors import UsageError
from streamgauge.experiments.status import Status, status
from streamgauge.reports._content import make_content
from streamgauge.reports.html import Html, joined, preformatted, tag
from streamgauge.reports.live_page import LivePage, Shown, problem_html
from streamgauge.reports.page import Content
from streamgauge.reports.report_data import ReportData, gather
from streamgauge.reports.server import HOST, LiveServer, listen, refreshed
from streamgauge.runs.directories import saved_in

PORT = 8765
_POLL_SECONDS = 1.0

_REBUILD_SHARE = 5  # the page is made again after this many times as long as it took

_MAX_LISTED = 50  # cells of one kind


@contextlib.contextmanager
def serve(
    folder: str | Path,
    port: int = PORT,
    metrics: tuple[str, ...] = (),
    experiment: str | None = None,
) -> Iterator[LiveServer]:
    """A server of the study in a folder; `serve_forever` runs it, and leaving the block ends it."""
    if not Path(folder).is_dir():
        raise UsageError(f"{folder}: no such folder; expected the one given to `run --store`")
    study = _LiveStudy(Path(folder).absolute(), metrics, experiment)
    with (
        listen(HOST, port, study) as server,
        refreshed(study, _POLL_SECONDS),
    ):
        yield server


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


class _LiveStudy(LivePage):
    """The newest state of a store, whatever happens to it meanwhile."""

    def __init__(self, folder: Path, metrics: tuple[str, ...], experiment: str | None) -> None:
        self.folder = folder
        self._metrics, self._experiment = metrics, experiment
        self._seen: object = None  # the runs and failures that the page shows
        self._rebuild_after = 0.0
        empty = make_content(ReportData(folder.name, folder=str(folder)))
        super().__init__(empty, folder.name)
        self.refresh()

    def _read(self, before: Shown) -> tuple[Html, Content, str]:
        found, anything = _state_of(self.folder)
        statuses = status(self.folder) if (self.folder / "grids").is_dir() else []
        named = [each for each in statuses if self._experiment in (None, each.name)]
        shown = (
            _status_html(named) if named else problem_html("No experiment has been started here.")
        )
        if not anything or found == self._seen or time.monotonic() < self._rebuild_after:
            return shown, before.content, before.title
        began = time.monotonic()
        data = gather(self.folder, self._experiment)
        content = make_content(data, self._metrics if data.entries else (), quick=True)
        ended = time.monotonic()
        self._rebuild_after = ended + _REBUILD_SHARE * (ended - began)
        self._seen = found
        return shown, content, data.title


def _state_of(folder: Path) -> tuple[str, bool]:
    """A hash of the runs, failures and plans and their times; and whether there are any."""
    paths = [*saved_in(folder).values(), *(folder / "grids").glob("*.json")]
    facts = sorted((path.name, path.stat().st_mtime_ns) for path in paths)
    return hashlib.sha256(repr(facts).encode()).hexdigest(), bool(facts)


def _status_html(statuses: Sequence[Status]) -> Html:
    """The progress of every experiment in a store."""
    return joined([tag("h2", "Progress"), *map(_experiment, statuses)])


def _experiment(status: Status) -> Html:
    settled = status.done + len(status.failures)
    counts = (
        f"{status.done:,} of {status.total:,} cells done, {status.running:,} running, "
        f"{len(status.failures):,} failed, {status.left - status.running:,} waiting"
    )
    bar = tag("progress", max=str(max(status.total, 1)), value=str(settled), aria_label=counts)
    parts = [tag("p", tag("strong", status.name), f": {counts}. {status.progress}."), bar]
    parts += _listed("Running", [str(cell) for cell in status.active])
    if status.failures:
        failed = [
            tag("li", f"{cell}: {failure.kind}: {_first_line(failure.message)}",
                preformatted(failure.traceback) if failure.traceback else None)
            for cell, failure in status.failures[:_MAX_LISTED]
        ]  # fmt: skip
        summary = tag("summary", f"Failed: {len(status.failures):,}")
        parts.append(tag("details", summary, tag("ul", *failed, class_="holes")))
    parts += _listed("Not begun", status.not_begun(), len(status.waiting))
    return joined(parts)


def _listed(name: str, lines: Sequence[str], count: int | None = None) -> list[Html]:
    if not lines:
        return []
    summary = tag("summary", f"{name}: {len(lines) if count is None else count:,}")
    items = [tag("li", line) for line in lines[:_MAX_LISTED]]
    return [tag("details", summary, tag("ul", *items))]


def _first_line(text: str) -> str:
    return text.splitlines()[0] if text else "no message"
