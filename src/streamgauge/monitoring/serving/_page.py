"""The live page of a monitor."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from streamgauge.monitoring.serving._reading import Reading, Readings
from streamgauge.monitoring.serving._sections import make_content, status_html
from streamgauge.reports.html import Html
from streamgauge.reports.live_page import LivePage, Shown, problem_html
from streamgauge.reports.page import Content

_WATCHED = 30.0  # seconds for which a page counts as watched after a browser asked for it
_REBUILD_SHARE = 5  # the page is made again after this many times the work that it took
_AT_LEAST = 2.0  # seconds between two makings


class MonitorPage(LivePage):
    """The newest reading as a page, made only while browsers show it."""

    def __init__(self, name: str, readings: Readings) -> None:
        super().__init__(Content(Html(""), Html(""), []), name)
        self._readings = readings
        self._shown: Reading | None = None
        self._making = threading.Lock()
        self._asked, self._rebuild_after = -_WATCHED, 0.0

    def fresh(self) -> Shown:
        """The state for a browser that opens the page."""
        super().refresh()
        self._asked = time.monotonic()
        return self.now

    def wait(self, seen: tuple[int, int], timeout: float, asks: Callable[[], bool]) -> Shown:
        """The newest state, after it has changed, the time is over, or the browser has gone."""
        found = super().wait(seen, timeout, asks)
        if self._shown is not None:
            self._asked = time.monotonic()
        return found

    def refresh(self) -> None:
        """Make the page again if a browser shows it."""
        if time.monotonic() - self._asked < _WATCHED:
            super().refresh()

    def _read(self, before: Shown) -> tuple[Html, Content, str]:
        reading = self._readings.latest()
        if reading is None:
            return problem_html("No figures have been read yet."), before.content, before.title
        with self._making:
            status, began = status_html(reading), time.thread_time()
            if time.monotonic() < self._rebuild_after or _is_same(reading, self._shown):
                return status, self.now.content, before.title
            content = make_content(reading)
            pause = max(_AT_LEAST, _REBUILD_SHARE * (time.thread_time() - began))
            self._rebuild_after = time.monotonic() + pause
            self._shown = reading
            return status, content, before.title


def _is_same(reading: Reading, shown: Reading | None) -> bool:
    return shown is not None and reading.status == shown.status
