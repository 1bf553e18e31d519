"""Readings: what a monitor knows at one moment, handed from its thread to those who serve it."""

from __future__ import annotations

import threading
import time
from typing import Any, NamedTuple

from streamgauge._support.types import Clock
from streamgauge.measures.curves import Curve
from streamgauge.measures.scale import Scale
from streamgauge.monitoring.monitor import Monitor

_FRESH = 1.0  # seconds for which a reading is new enough
_PATIENCE = 2.0  # seconds to wait for a new one, before an old one is served
_SHARE = 5  # readings take at most one part in five of the monitor's time


class Reading(NamedTuple):
    """The status of a monitor and its curves."""

    status: dict[str, Any]
    curves: dict[str, Curve]
    scales: dict[str, Scale]  # of the metrics
    clock: Clock
    watermark: int | None
    taken: float  # seconds since 1970


class Readings:
    """The newest reading. One is taken on request, so that a monitor is otherwise free."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._newest: Reading | None = None
        self._wanted, self._not_before = True, 0.0
        self._ended = False
        self.looked = time.monotonic()  # when the monitor last looked at its sources

    def offer(self, monitor: Monitor, at_once: bool = False) -> None:
        """Take a reading if one is wanted; the monitor's thread calls this after each look."""
        began = self.looked = time.monotonic()
        if not at_once and (not self._wanted or began < self._not_before):
            return
        reading = take(monitor)
        ended = time.monotonic()
        with self._changed:
            self._newest, self._wanted = reading, False
            self._not_before = ended + _SHARE * (ended - began)
            self._changed.notify_all()

    def latest(self) -> Reading | None:
        """A reading of the last second; an older one, or None, if the monitor is too busy."""
        with self._changed:
            before = self._newest
            if before is None or time.time() - before.taken > _FRESH:
                self._wanted = True
                self._changed.wait_for(lambda: self._ended or self._newest is not before, _PATIENCE)
            return self._newest

    def end(self) -> None:
        """End all waits for a reading."""
        with self._changed:
            self._ended = True
            self._changed.notify_all()


def take(monitor: Monitor) -> Reading:
    """What a monitor knows now."""
    return Reading(
        monitor.status(), monitor.curves, monitor.scales, monitor.clock, monitor.watermark,
        time.time(),
    )  # fmt: skip
