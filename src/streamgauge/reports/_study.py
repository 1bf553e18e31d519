"""A study that is being watched: its progress and its page, read from the store again and again."""

from __future__ import annotations

import hashlib
import time
from pathlib import Path

from streamgauge.experiments.status import status
from streamgauge.reports._content import make_content
from streamgauge.reports._live_status import status_html
from streamgauge.reports.html import Html
from streamgauge.reports.live_page import LivePage, Shown, problem_html
from streamgauge.reports.material import Material, gather
from streamgauge.reports.page import Content
from streamgauge.runs.directories import saved_in

_REBUILD_SHARE = 5  # the page is made again after this many times as long as it took


class Study(LivePage):
    """The newest state of a store, whatever happens to it meanwhile."""

    def __init__(self, folder: Path, metrics: tuple[str, ...], experiment: str | None) -> None:
        self.folder = folder
        self._metrics, self._experiment = metrics, experiment
        self._seen: object = None  # the runs and failures that the page shows
        self._rebuild_after = 0.0
        empty = make_content(Material(folder.name, folder=str(folder)))
        super().__init__(empty, folder.name)
        self.refresh()

    def _read(self, before: Shown) -> tuple[Html, Content, str]:
        found, anything = _state_of(self.folder)
        statuses = status(self.folder) if (self.folder / "grids").is_dir() else []
        named = [each for each in statuses if self._experiment in (None, each.name)]
        shown = (
            status_html(named) if named else problem_html("No experiment has been started here.")
        )
        if not anything or found == self._seen or time.monotonic() < self._rebuild_after:
            return shown, before.content, before.title
        began = time.monotonic()
        material = gather(self.folder, self._experiment)
        content = make_content(material, self._metrics if material.entries else (), quick=True)
        ended = time.monotonic()
        self._rebuild_after = ended + _REBUILD_SHARE * (ended - began)
        self._seen = found
        return shown, content, material.title


def _state_of(folder: Path) -> tuple[str, bool]:
    """A hash of the runs, failures and plans and their times; and whether there are any."""
    paths = [*saved_in(folder).values(), *(folder / "grids").glob("*.json")]
    facts = sorted((path.name, path.stat().st_mtime_ns) for path in paths)
    return hashlib.sha256(repr(facts).encode()).hexdigest(), bool(facts)
