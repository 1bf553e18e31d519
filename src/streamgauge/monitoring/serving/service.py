"""A monitor as a service: follows its sources, serves page, metrics, health, ends on a signal."""

from __future__ import annotations

import contextlib
import signal
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from http import HTTPStatus
from types import FrameType

import pyarrow as pa

from streamgauge._support.clock import time_text
from streamgauge._support.compile_message import compile_message
from streamgauge._support.errors import MissingExtra
from streamgauge.monitoring.monitor import Monitor
from streamgauge.monitoring.serving._open_metrics import metrics_answer, require_prometheus_client
from streamgauge.monitoring.serving._reading import Reading, Readings
from streamgauge.monitoring.serving._sections import make_content, status_html
from streamgauge.monitoring.serving.log import Log
from streamgauge.reports.html import Html
from streamgauge.reports.live_page import LivePage, Shown, problem_html
from streamgauge.reports.page import Content, require_javascript
from streamgauge.reports.server import HOST, Answer, Answers, LiveServer, listen, plain, refreshed

PORT = 8766
_POLL_SECONDS = 1.0
_FACTS = ("alarm", "state", "model", "segment", "value", "row")  # of an alarm, for the log

STUCK = 60.0  # seconds without a look at the sources, after which a monitor is not healthy

_WATCHED = 30.0  # seconds for which a page counts as watched after a browser asked for it
_REBUILD_SHARE = 5  # the page is made again after this many times the work that it took
_AT_LEAST = 2.0  # seconds between two makings


class Service:
    """A monitor, the readings of it, and its log.

    Parameters
    ----------
    monitor
        The monitor to follow.
    log
        Where events are written.
    """

    def __init__(self, monitor: Monitor, log: Log) -> None:
        self.monitor, self._log = monitor, log
        self._readings = Readings()
        self._health = Health(self._readings)
        self._logged = _count(monitor)
        compile_message.show = partial(log.say, "compiling")

    @contextlib.contextmanager
    def serving(self, host: str = HOST, port: int = PORT) -> Iterator[LiveServer]:
        """Serve the page, the metrics and the health while the block runs."""
        page = _MonitorPage(self.monitor.config.name, self._readings)
        with listen(host, port, page, answers(self._readings, self._health)) as server:
            for what, require in _NEEDED.items():
                try:
                    require()
                except MissingExtra as error:
                    self._log.say("missing", f"{what}: {error}", "warning")
            thread = threading.Thread(target=server.serve_forever, args=(0.1,), daemon=True)
            thread.start()
            try:
                with refreshed(page, _POLL_SECONDS):
                    self._log.say("serving", f"serving {server.address}", address=server.address)
                    try:
                        yield server
                    finally:
                        self._readings.end()
            finally:
                server.shutdown()
                thread.join()

    def follow(self, stop: Callable[[], bool]) -> None:
        """Follow the sources until `stop` says so; a snapshot is written at the end."""
        monitor = self.monitor
        name, folder = monitor.config.name, str(monitor.folder)
        self._log.say("started", f"{name} follows its sources; state in {folder}", state=folder)
        monitor.run(stop, self._after)
        self._log_alarms()
        self._log.say("stopped", f"{name} has ended; a snapshot is in {folder}", state=folder)

    def _after(self, idle: bool) -> None:
        caught_up = idle and not self._health.ready
        self._readings.offer(self.monitor, at_once=caught_up)
        for remark in self.monitor.take_remarks():
            self._log.say("source", remark, "warning")
        self._log_alarms()
        if caught_up:
            self._health.ready = True
            self._log.say("ready", "all lines that were there have been read")

    def _log_alarms(self) -> None:
        for event in self.monitor.events:
            if event["number"] >= self._logged:
                level = "warning" if event["state"] == "raised" else "info"
                facts = {name: event[name] for name in _FACTS}
                at = time_text(event["time"], self.monitor.clock)
                self._log.say("alarm", event["text"], level, **facts, event_time=at)
        self._logged = _count(self.monitor)


_NEEDED: dict[str, Callable[[], None]] = {
    "/metrics": require_prometheus_client,
    "the page": require_javascript,
}


def _count(monitor: Monitor) -> int:
    return int(monitor.events[-1]["number"]) + 1 if monitor.events else 0


@contextlib.contextmanager
def stopped_by_signals() -> Iterator[Callable[[], bool]]:
    """Whether SIGTERM or Ctrl-C has come; the earlier handlers are back after the block."""
    stopped = threading.Event()

    def stop(number: int, frame: FrameType | None) -> None:
        stopped.set()

    before = {each: signal.signal(each, stop) for each in (signal.SIGTERM, signal.SIGINT)}
    pa.enable_signal_handlers(False)  # Arrow would give up the lines that it is parsing
    try:
        yield stopped.is_set
    finally:
        pa.enable_signal_handlers(True)
        for number, handler in before.items():
            signal.signal(number, handler)


class Health:
    """Whether the monitor looks at its sources, and whether it has caught up with them."""

    def __init__(self, readings: Readings) -> None:
        self._readings = readings
        self.ready = False

    def healthz(self, _: str) -> Answer:
        """200 while the monitor looks at its sources again and again."""
        silent = time.monotonic() - self._readings.looked
        if silent > STUCK:
            said = f"The monitor has not looked at its sources for {silent:.0f} s."
            return plain(HTTPStatus.SERVICE_UNAVAILABLE, said)
        return plain(HTTPStatus.OK, "ok")

    def readyz(self, _: str) -> Answer:
        """200 once all lines have been read that were there at the start."""
        if not self.ready:
            return plain(HTTPStatus.SERVICE_UNAVAILABLE, "The monitor is still catching up.")
        return plain(HTTPStatus.OK, "ready")


def answers(readings: Readings, health: Health) -> Answers:
    """The addresses of a monitor, beside its page."""

    def metrics(accept: str) -> Answer:
        reading = readings.latest()
        if reading is None:
            return plain(HTTPStatus.SERVICE_UNAVAILABLE, "No figures have been read yet.")
        try:
            return metrics_answer(reading, accept)
        except MissingExtra as error:
            return plain(HTTPStatus.SERVICE_UNAVAILABLE, str(error))

    return {"/metrics": metrics, "/healthz": health.healthz, "/readyz": health.readyz}


class _MonitorPage(LivePage):
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
