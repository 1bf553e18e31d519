"""A monitor as a service: follows its sources, serves what it finds, ends on a signal."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Callable, Iterator
from functools import partial
from types import FrameType

import pyarrow as pa

from streamgauge._support.clock import time_text
from streamgauge._support.compile_message import compile_message
from streamgauge._support.errors import MissingExtra
from streamgauge.monitoring.monitor import Monitor
from streamgauge.monitoring.serving._answers import Health, answers
from streamgauge.monitoring.serving._open_metrics import require_prometheus_client
from streamgauge.monitoring.serving._page import MonitorPage
from streamgauge.monitoring.serving._reading import Readings
from streamgauge.monitoring.serving.log import Log
from streamgauge.reports.page import require_javascript
from streamgauge.reports.server import HOST, LiveServer, listen, refreshed

PORT = 8766
_POLL_SECONDS = 1.0
_FACTS = ("alarm", "state", "model", "segment", "value", "row")  # of an alarm, for the log


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
        page = MonitorPage(self.monitor.config.name, self._readings)
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
