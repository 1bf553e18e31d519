"""Monitoring: joined events per second from files, waiting predictions, snapshots, flat memory."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv as pa_csv
import pyarrow.parquet as pq

import streamgauge as sg
from bench.clock import Line

_JOINED = 1_000_000
_WAITING = 10_000_000
_FLAT = (2_000_000, 20_000_000, 100_000_000)  # events; pools of memory fill up until the second
_CHUNK = 1_000_000
_NAMES = np.array(["no", "yes"])
_MOST_GROWTH = 1.1
_TURNS = 3
_SPEED = 300_000  # joined events a second
_TOML = """
classes = ["no", "yes"]
predictions = { path = "p.csv", prediction = "prediction" }
labels = { path = "l.csv" }
join = { timeout = 10000, lateness = 60, remember = 600 }
"""
_ENTRY = "from streamgauge.cli import main; main()"


def measure() -> Iterator[Line]:
    """Each in a process of its own, on one core."""
    for job in _JOBS:
        with tempfile.TemporaryDirectory() as folder:
            command = [sys.executable, "-m", "bench.monitoring", job, folder]
            done = subprocess.run(command, capture_output=True, text=True, check=True)
        for line in done.stdout.splitlines():
            what, shown, promised, kept = line.split("\t")
            yield Line(what, shown, promised, kept == "True")


def speed(folder: Path) -> Iterator[Line]:
    """Labels come up to an hour after their prediction, in another order; files are complete."""
    feeds = _feeds(0, _JOINED)
    for kind, (shown, write) in _FORMATS.items():
        home = folder / kind
        home.mkdir()
        paths = {name: write(home / name, feed) for name, feed in feeds.items()}
        rate = max(_rate(home, paths, f"state-{turn}") for turn in range(_TURNS))
        what = f"joined events per second of one core, from {shown}, best of {_TURNS}"
        yield Line(what, f"{rate:,.0f}", f">= {_SPEED:,}", rate >= _SPEED)


def _rate(home: Path, paths: dict[str, str], state: str) -> float:
    monitor = _monitor(home, 10_000, paths["p"], paths["l"], state)
    while not (models := monitor.status()["models"]) or not models["monitor"]["scored"]:
        monitor.poll()  # compiles
    before, began = _lines(monitor), time.process_time()
    monitor.catch_up()
    return (_lines(monitor) - before) / 2 / (time.process_time() - began)


def waiting(folder: Path) -> Iterator[Line]:
    """No label comes, for ten million predictions."""
    with ProcessPoolExecutor(1) as elsewhere:  # its memory is not the monitor's
        elsewhere.submit(_write_waiting, folder).result()
    (folder / "l.csv").write_text(f"id,time,label\n0,5,no\n1,{2 * _WAITING},yes\n")
    monitor = _monitor(folder, 10**9)
    monitor.catch_up()
    status = monitor.status()["models"]["monitor"]
    each = status["bytes"] / status["waiting"]
    yield Line("bytes per waiting prediction", f"{each:.0f}", "<= 100", each <= 100)
    size = _gigabytes("VmHWM")
    what = "10 million waiting, peak GB of the process"
    yield Line(what, f"{size:.2f}", "<= 1.5", size <= 1.5)
    began = time.perf_counter()
    monitor.save(wait=False)
    stopped = time.perf_counter() - began
    monitor.close()  # waits until it is written
    took = time.perf_counter() - began
    yield Line("snapshot of them, seconds", f"{took:.1f}", "<= 5", took <= 5)
    yield Line("… intake stopped, seconds", f"{stopped:.2f}", "<= 1", stopped <= 1)
    began = time.perf_counter()
    monitor = _monitor(folder, 10**9)
    took = time.perf_counter() - began
    assert monitor.status()["lines"]["predictions"] == _WAITING
    yield Line("… read again after a restart, seconds", f"{took:.1f}", "<= 10", took <= 10)


def flat(folder: Path) -> Iterator[Line]:
    """Folders whose files are made and removed as they are read; a snapshot after each."""
    for name in "pl":
        (folder / name).mkdir()
    sizes, began = [], time.perf_counter()
    monitor = _monitor(folder, 10_000, "p", "l")
    for start in range(0, _FLAT[-1] // 2, _CHUNK):
        written = [folder / name / f"{start:012}.parquet" for name in "pl"]
        for path, feed in zip(written, _feeds(start, _CHUNK).values(), strict=True):
            pq.write_table(feed, path)
        monitor.catch_up()
        monitor.save(wait=False)
        for path in written:
            path.unlink()
        if 2 * (start + _CHUNK) in _FLAT:
            model = monitor.status()["models"]["monitor"]
            assert model["scored"] > 0.99 * (start + _CHUNK)
            sizes.append(_gigabytes("VmRSS"))
            print(f"{2 * (start + _CHUNK):,} events: {sizes[-1]:.2f} GB", file=sys.stderr)
    minutes = (time.perf_counter() - began) / 60
    monitor.close()
    counts = ", ".join(f"{each:,}" for each in _FLAT[:-1])
    yield Line(
        f"GB of the process at {counts} and {_FLAT[-1]:,} events (half of them labels)",
        f"{', '.join(f'{size:.2f}' for size in sizes)} ({minutes:.0f} min)",
        f"the last <= {_MOST_GROWTH}x that at {_FLAT[1]:,}", sizes[-1] <= _MOST_GROWTH * sizes[1],
    )  # fmt: skip


def stopping(folder: Path) -> Iterator[Line]:
    """SIGTERM while a monitor that serves its page reads a long file."""
    (folder / "monitor.toml").write_text(_TOML)
    for name, feed in _feeds(0, 2 * _JOINED).items():
        _write_csv(folder / name, feed)
    command = [sys.executable, "-c", _ENTRY, "monitor", "monitor.toml", "--port", "0"]
    with subprocess.Popen(command, cwd=folder, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        next(line for line in process.stderr if "follows its sources" in line)
        time.sleep(2)
        began = time.perf_counter()
        process.send_signal(signal.SIGTERM)
        code = process.wait()
        took = time.perf_counter() - began
    kept = code == 0 and took <= 1
    yield Line("from SIGTERM to the end, seconds", f"{took:.2f}", "<= 1, exit code 0", kept)


_JOBS = {"speed": speed, "stopping": stopping, "waiting": waiting, "flat": flat}


def _monitor(
    folder: Path,
    timeout: int,
    predictions: str = "p.csv",
    labels: str = "l.csv",
    state: str = "state",
) -> sg.Monitor:
    config: dict[str, Any] = {
        "state": state,
        "predictions": {"path": predictions, "prediction": "prediction"},
        "labels": {"path": labels},
        "classes": _NAMES.tolist(),
        "join": {"timeout": timeout, "lateness": 60, "remember": 600},
    }
    return sg.Monitor(config, home=folder)


def _feeds(start: int, rows: int) -> dict[str, pa.Table]:
    """Predictions, a row a second, and the labels that come in that time."""
    rng = np.random.default_rng(start)
    ids = np.arange(start, start + rows)
    y = rng.integers(0, 2, rows)
    guess = np.where(rng.random(rows) < 0.8, y, 1 - y)
    revealed = np.minimum(ids + rng.integers(0, 3600, rows), start + rows)
    order = np.argsort(revealed, kind="stable")
    predictions = {"id": ids, "time": ids, "prediction": _NAMES[guess]}
    labels = {"id": ids[order], "time": revealed[order], "label": _NAMES[y[order]]}
    return {"p": pa.table(predictions), "l": pa.table(labels)}


def _write_csv(path: Path, feed: pa.Table) -> str:
    pa_csv.write_csv(feed, path.with_suffix(".csv"))
    return f"{path.name}.csv"


def _write_jsonl(path: Path, feed: pa.Table) -> str:
    names = feed.column_names
    cells = zip(*(feed[name].to_pylist() for name in names), strict=True)
    form = f'{{"{names[0]}": %d, "{names[1]}": %d, "{names[2]}": "%s"}}\n'
    path.with_suffix(".jsonl").write_text("".join(form % row for row in cells))
    return f"{path.name}.jsonl"


def _write_parquet(path: Path, feed: pa.Table) -> str:
    path.mkdir()
    for start in range(0, feed.num_rows, _JOINED // 4):
        pq.write_table(feed.slice(start, _JOINED // 4), path / f"{start:09}.parquet")
    return path.name


_FORMATS = {
    "csv": ("CSV", _write_csv),
    "jsonl": ("JSONL", _write_jsonl),
    "parquet": ("a folder of Parquet", _write_parquet),
}


def _write_waiting(folder: Path) -> None:
    for start in range(0, _WAITING, _CHUNK):
        ids = np.arange(start, start + _CHUNK)
        feed = pa.table({"id": ids, "time": ids, "prediction": _NAMES[ids % 2]})
        with (folder / "p.csv").open("ab") as file:
            pa_csv.write_csv(feed, file, pa_csv.WriteOptions(include_header=not start))


def _lines(monitor: sg.Monitor) -> int:
    return sum(monitor.status()["lines"].values())


def _gigabytes(what: str) -> float:
    """Memory of this process: VmRSS now, VmHWM at most."""
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    found = re.search(rf"{what}:\s+(\d+)", status)
    assert found is not None
    return int(found[1]) * 1024 / 1e9


if __name__ == "__main__":
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    for found in _JOBS[sys.argv[1]](Path(sys.argv[2])):
        print(found.what, found.shown, found.promised, found.kept, sep="\t", flush=True)
