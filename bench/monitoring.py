"""Monitoring: joined events per second from files, waiting predictions, snapshots, flat memory."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv as pa_csv

import streamgauge as sg
from bench.clock import Line

_JOINED = 1_000_000
_WAITING = 10_000_000
_FLAT = (1_000_000, 10_000_000)  # joined events between which memory may not grow
_CHUNK = 1_000_000
_NAMES = np.array(["no", "yes"])


def measure() -> Iterator[Line]:
    """Each in a process of its own, on one core, from CSV files that are complete."""
    for job in ("speed", "waiting", "flat"):
        with tempfile.TemporaryDirectory() as folder:
            command = [sys.executable, "-m", "bench.monitoring", job, folder]
            done = subprocess.run(command, capture_output=True, text=True, check=True)
        for line in done.stdout.splitlines():
            what, shown, promised, kept = line.split("\t")
            yield Line(what, shown, promised, kept == "True")


def speed(folder: Path) -> Iterator[Line]:
    """Labels come up to an hour after their prediction, in another order."""
    _write(folder, 0, _JOINED)
    monitor = _monitor(folder)
    for _ in range(4):
        monitor.poll()  # compiles
    before, began = _lines(monitor), time.process_time()
    monitor.catch_up()
    rate = (_lines(monitor) - before) / 2 / (time.process_time() - began)
    yield Line(
        "joined events per second of one core, from CSV", f"{rate:,.0f}", ">= 300,000",
        rate >= 300_000,
    )  # fmt: skip


def waiting(folder: Path) -> Iterator[Line]:
    """No label comes, for ten million predictions."""
    for start in range(0, _WAITING, _CHUNK):
        ids = np.arange(start, start + _CHUNK)
        _append(folder / "p.csv", {"id": ids, "time": ids, "prediction": _NAMES[ids % 2]})
    (folder / "l.csv").write_text(f"id,time,label\n0,5,no\n1,{_WAITING},yes\n")
    monitor = _monitor(folder, timeout=10**9)
    monitor.catch_up()
    status = monitor.status()["models"]["monitor"]
    each = status["bytes"] / status["waiting"]
    yield Line("bytes per waiting prediction", f"{each:.0f}", "<= 100", each <= 100)
    size = _resident()
    yield Line("10 million waiting, GB of the process", f"{size:.2f}", "<= 1.5", size <= 1.5)
    began = time.perf_counter()
    monitor.save(wait=False)
    stopped = time.perf_counter() - began
    monitor.close()  # waits until it is written
    took = time.perf_counter() - began
    yield Line("snapshot of them, seconds", f"{took:.1f}", "<= 5", took <= 5)
    yield Line("… intake stopped, seconds", f"{stopped:.2f}", "<= 1", stopped <= 1)


def flat(folder: Path) -> Iterator[Line]:
    """The files are read and cut again: what is on disk says nothing about memory."""
    sizes = []
    monitor = _monitor(folder)
    for start in range(0, _FLAT[-1], _CHUNK):
        _write(folder, start, _CHUNK)
        monitor.catch_up()
        if start + _CHUNK in _FLAT:
            sizes.append(_resident())
    shown = " and ".join(f"{size:.2f}" for size in sizes)
    yield Line(
        f"GB of the process at {_FLAT[0]:,} and {_FLAT[1]:,} joined events", shown,
        "the last <= 1.1x", sizes[-1] <= 1.1 * sizes[0],
    )  # fmt: skip


def _monitor(folder: Path, timeout: int = 10_000) -> sg.Monitor:
    config: dict[str, Any] = {
        "predictions": {"path": "p.csv", "prediction": "prediction"},
        "labels": {"path": "l.csv"},
        "classes": _NAMES.tolist(),
        "join": {"timeout": timeout, "lateness": 60, "remember": 600},
    }
    return sg.Monitor(config, home=folder)


def _write(folder: Path, start: int, rows: int) -> None:
    """Append predictions, a row a second, and the labels that come in that time."""
    rng = np.random.default_rng(start)
    ids = np.arange(start, start + rows)
    y = rng.integers(0, 2, rows)
    guess = np.where(rng.random(rows) < 0.8, y, 1 - y)
    _append(folder / "p.csv", {"id": ids, "time": ids, "prediction": _NAMES[guess]})
    revealed = np.minimum(ids + rng.integers(0, 3600, rows), start + rows)
    order = np.argsort(revealed, kind="stable")
    labels = {"id": ids[order], "time": revealed[order], "label": _NAMES[y[order]]}
    _append(folder / "l.csv", labels)


def _append(path: Path, columns: dict[str, Any]) -> None:
    header = not path.exists()
    with path.open("ab") as file:
        pa_csv.write_csv(pa.table(columns), file, pa_csv.WriteOptions(include_header=header))


def _lines(monitor: sg.Monitor) -> int:
    return sum(monitor.status()["lines"].values())


def _resident() -> float:
    """Memory of this process in GB."""
    status = Path("/proc/self/status")
    if not status.exists():
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e9
    line = next(each for each in status.read_text().splitlines() if each.startswith("VmRSS"))
    return int(line.split()[1]) * 1024 / 1e9


if __name__ == "__main__":
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    for found in {"speed": speed, "waiting": waiting, "flat": flat}[sys.argv[1]](Path(sys.argv[2])):
        print(found.what, found.shown, found.promised, found.kept, sep="\t")
