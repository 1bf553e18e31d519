"""Experiments: the overhead of scheduling a cell, and the time of `status` with many cells."""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import streamgauge as sg
from bench.clock import Line
from streamgauge.experiments._cells import Cell
from streamgauge.experiments._jobs import Job
from streamgauge.experiments._queue import Queue
from streamgauge.experiments._store import Store
from streamgauge.experiments._supervisor import Supervisor
from streamgauge.experiments._worker import Reply
from streamgauge.experiments.run_grid import run_queued

_CELLS, _ROUNDS = 10, 10
_STATUS = "from streamgauge.cli import main; main()"


def _grid(first: int, cells: int) -> sg.Grid:
    seeds = list(range(first, first + cells))
    return sg.Grid([{"generate": "SEA(500)"}], ["NaiveBayes()"], seeds=seeds)


class _Timed(Supervisor):
    """Sums the seconds that cells take inside the worker."""

    seconds = 0.0

    def run(self, job: Job, folder: Path) -> Reply:
        reply = super().run(job, folder)
        self.seconds += reply.seconds
        return reply


def scheduling() -> float:
    """Seconds per cell beyond evaluating and saving it, with a worker that already runs."""
    took = []
    with tempfile.TemporaryDirectory() as folder:
        store, supervisor = Store(folder), _Timed()
        store.open()
        try:
            for i in range(_ROUNDS + 1):
                queue = Queue(_grid(_CELLS * i, _CELLS).jobs, store, retry=False)
                supervisor.seconds, began = 0.0, time.perf_counter()
                run_queued(queue, store, supervisor)
                took.append((time.perf_counter() - began - supervisor.seconds) / _CELLS)
        finally:
            supervisor.stop()
    return statistics.median(took[1:])  # the first round starts the worker


def status(cells: int) -> float:
    """Seconds of `streamgauge status`, in a separate process, for a store with this many cells."""
    ids = [f"{i:012x}" + "0" * 52 for i in range(cells)]
    plan = [Cell("SEA", "NB", "default", i, id, f"SEA-NB-{id[:12]}") for i, id in enumerate(ids)]
    with tempfile.TemporaryDirectory() as folder:
        store = Store(folder)
        store.open()
        store.write_plan(_grid(0, 1).spec, plan)
        for cell in plan[: cells * 9 // 10]:
            (Path(folder) / cell.directory).mkdir()
        took = []
        for _ in range(3):
            began = time.perf_counter()
            command = [sys.executable, "-c", _STATUS, "status", folder]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            took.append(time.perf_counter() - began)
    return min(took)


def measure() -> Iterator[Line]:
    """Scheduling and status."""
    cost = scheduling()
    yield Line("experiments: scheduling a cell", f"{1000 * cost:.0f} ms", "< 50 ms", cost < 0.05)
    took = status(10_000)
    yield Line("experiments: status of 10,000 cells", f"{took:.2f} s", "< 2 s", took < 2)
