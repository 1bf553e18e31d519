"""A study that is being watched: its progress and its page, read from the store again and again."""

from __future__ import annotations

import hashlib
import threading
import time
from pathlib import Path
from typing import NamedTuple

from streamgauge._support.errors import MissingExtra, StreamgaugeError
from streamgauge.experiments.status import status
from streamgauge.reports._content import make_content
from streamgauge.reports._live_status import status_html
from streamgauge.reports.html import Html, tag
from streamgauge.reports.material import Material, gather
from streamgauge.reports.page import Content
from streamgauge.runs.directories import saved_in

_REBUILD_SHARE = 5  # the page is made again after this many times as long as it took


class Snapshot(NamedTuple):
    """What a browser shows; the numbers grow with every change."""

    status: Html
    content: Content
    title: str
    status_number: int
    content_number: int


class Study:
    """The newest state of a store, whatever happens to it meanwhile."""

    def __init__(self, folder: Path, metrics: tuple[str, ...], experiment: str | None) -> None:
        self.folder = folder
        self._metrics, self._experiment = metrics, experiment
        self._changed = threading.Condition()
        self._seen: object = None  # the runs and failures that the page shows
        self._rebuild_after = 0.0
        empty = make_content(Material(folder.name, folder=str(folder)))
        self._now = Snapshot(Html(""), empty, folder.name, 0, 0)
        self.ended = False
        self.refresh()

    @property
    def now(self) -> Snapshot:
        """The newest state."""
        return self._now

    def wait(self, seen: tuple[int, int], timeout: float) -> Snapshot:
        """The newest state, after it has changed or the time is over."""
        with self._changed:
            self._changed.wait_for(
                lambda: self.ended or (self._now.status_number, self._now.content_number) != seen,
                timeout,
            )
            return self._now

    def end(self) -> None:
        """Let nobody wait any longer."""
        with self._changed:
            self.ended = True
            self._changed.notify_all()

    def refresh(self) -> None:
        """Read the store; what cannot be read is said on the page, which keeps what it has."""
        before = self._now
        try:
            shown, content, title = self._read(before)
        except MissingExtra:
            raise
        except (StreamgaugeError, OSError) as error:
            shown, content, title = _problem(str(error)), before.content, before.title
        except Exception as error:  # the page must not freeze in silence
            text = f"internal error: {type(error).__name__}: {error}; please report this bug"
            shown, content, title = _problem(text), before.content, before.title
        new_status, new_content = shown != before.status, content is not before.content
        if new_status or new_content:
            with self._changed:
                self._now = Snapshot(
                    shown,
                    content,
                    title,
                    before.status_number + new_status,
                    before.content_number + new_content,
                )
                self._changed.notify_all()

    def _read(self, before: Snapshot) -> tuple[Html, Content, str]:
        found, anything = _state_of(self.folder)
        statuses = status(self.folder) if (self.folder / "grids").is_dir() else []
        named = [each for each in statuses if self._experiment in (None, each.name)]
        shown = status_html(named) if named else _problem("No experiment has been started here.")
        if not anything or found == self._seen or time.monotonic() < self._rebuild_after:
            return shown, before.content, before.title
        began = time.monotonic()
        material = gather(self.folder, self._experiment)
        content = make_content(material, self._metrics if material.entries else (), quick=True)
        ended = time.monotonic()
        self._rebuild_after = ended + _REBUILD_SHARE * (ended - began)
        self._seen = found
        return shown, content, material.title


def _problem(text: str) -> Html:
    return tag("p", tag("strong", text))


def _state_of(folder: Path) -> tuple[str, bool]:
    """A hash of the runs, failures and plans and their times; and whether there are any."""
    paths = [*saved_in(folder).values(), *(folder / "grids").glob("*.json")]
    facts = sorted((path.name, path.stat().st_mtime_ns) for path in paths)
    return hashlib.sha256(repr(facts).encode()).hexdigest(), bool(facts)
