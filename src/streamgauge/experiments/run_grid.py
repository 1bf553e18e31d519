"""`sg.run_grid`: runs the cells of a grid in this process, in worker processes or on a Ray cluster.

Running an experiment again resumes it: cells in the store are not run again. A failed cell is
recorded, and the other cells still run.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from pathlib import Path
from typing import Protocol

from streamgauge._support.cores import available_cores
from streamgauge._support.errors import Interrupted, UsageError
from streamgauge._support.printable import printable
from streamgauge._support.progress import Progress, show_message
from streamgauge.experiments._alarms import keep_alarms
from streamgauge.experiments._jobs import Job, share_streams
from streamgauge.experiments._queue import Queue
from streamgauge.experiments._ray_cluster import connect
from streamgauge.experiments._store import CellFailure, Store
from streamgauge.experiments._supervisor import Supervisor, SupervisorStopped
from streamgauge.experiments._worker import Reply, Request, handle
from streamgauge.experiments.grid import Grid
from streamgauge.experiments.results import Results, results
from streamgauge.rendering.words import plural
from streamgauge.runs.record import damage_of_fields

_ATTEMPTS = 3  # for a cell whose process dies: another program may have caused it
_REFRESH_SECONDS = 0.2  # of the progress bar


class CellRunner(Protocol):
    """Runs one cell at a time."""

    def run(self, job: Job, folder: Path) -> Reply: ...

    def stop(self) -> None: ...


class _InProcess:
    """Runs cells in this process, for debugging or where starting processes is expensive."""

    def run(self, job: Job, folder: Path) -> Reply:
        return handle(Request(job, str(folder)))

    def stop(self) -> None:
        pass


def run_grid(
    grid: Grid | str | Path,
    store: str | Path = "results",
    *,
    workers: int | None = None,
    ray: str | None = None,
    retry: bool = False,
    progress: bool | None = None,
    started: Callable[[str], None] | None = None,
) -> Results:
    """Run every cell that the store lacks, and return the results of the grid.

    Parameters
    ----------
    grid
        A grid, or the path of its TOML file.
    store
        The folder for the runs.
    workers
        Number of worker processes; by default one per core. 0 runs the cells in this process.
    ray
        Run on the Ray cluster at this address instead; "auto" finds the local one.
    retry
        Also run cells that failed earlier.
    progress
        As in `evaluate`, in cells.
    started
        Called once with a line of text that says how many cells will run.

    Returns
    -------
    Results
        The results of the grid's cells.

    Raises
    ------
    UsageError
        If the grid is not valid.

    Examples
    --------
    >>> import streamgauge as sg
    >>> streams = [{"generate": "SEA(1000)"}, {"generate": "Sine1(1000)"}]
    >>> grid = sg.Grid(streams, ["NaiveBayes", "Majority"])
    >>> results = sg.run_grid(grid, store="results", workers=0)
    >>> [(run.name, round(run.summary["accuracy"], 3)) for run in results]
    [('NaiveBayes', 0.927), ('Majority', 0.693), ('NaiveBayes', 0.957), ('Majority', 0.527)]
    >>> len(sg.run_grid(grid, store="results", workers=0))  # nothing is run again
    4
    """
    grid = grid if isinstance(grid, Grid) else Grid.read(grid)
    spec = grid.spec
    limits = (spec.timeout, spec.memory_bytes)
    if workers is not None and (not isinstance(workers, int) or workers < 0):
        raise UsageError(f"workers={workers!r}: expected 0 or more processes")
    if workers == 0 and ray is None and limits != (None, None):
        raise UsageError(
            "workers=0: timeout and max_memory need a worker process to stop; use workers=1"
        )
    storage = Store(store, damage_of_fields)
    storage.open()
    storage.write_plan(spec, grid.cells)
    jobs = share_streams(grid.jobs, storage.streams)
    in_process = workers == 0 and ray is None
    here_only = [] if in_process else [job for job in jobs if job.kept]
    if here_only and limits != (None, None):
        raise UsageError(
            f"{here_only[0].kept[0]} is only in this process, which timeout and max_memory cannot "
            "stop; give it as text, such as 'mine:Model(x=1)' with modules=['mine']"
        )
    queue = Queue([job for job in jobs if job not in here_only], storage, retry)
    here = Queue(here_only, storage, retry)
    to_run = queue.initial_length + here.initial_length
    if started is not None:
        started(
            f"{printable(spec.name)} · {queue.total + here.total:,} cells: "
            f"{queue.done + here.done:,} already done, "
            f"{len(queue.failures) + len(here.failures):,} failed earlier, {to_run:,} to run"
        )
    if here.initial_length:
        names = ", ".join(dict.fromkeys(name for job in here_only for name in job.kept))
        show_message(
            f"{plural(here.initial_length, 'cell')} will run in this process, one after another: "
            f"no text describes {names}; to use other processes, define it in a file and name it, "
            "such as 'mine:Model(x=1)' with modules=['mine']"
        )
        with storage.register_program(spec.name, 1):
            _run_all(here, storage, [_InProcess()], spec.name, progress)
    if not queue.initial_length:
        return _with_alarms(results(storage.folder, spec.name), spec.detectors)
    with contextlib.ExitStack() as stack:
        make_runner: Callable[[], CellRunner]
        if ray is not None:
            cluster = connect(ray, *limits)
            stack.callback(cluster.close)
            make_runner, count = cluster.runner, workers or cluster.cores
        elif in_process:
            make_runner, count = _InProcess, 1
        else:
            make_runner, count = (lambda: Supervisor(*limits)), workers or available_cores()
        count = min(count, queue.initial_length)
        stack.enter_context(storage.register_program(spec.name, count))
        _run_all(queue, storage, [make_runner() for _ in range(count)], spec.name, progress)
    return _with_alarms(results(storage.folder, spec.name), spec.detectors)


def _with_alarms(found: Results, detectors: tuple[str, ...]) -> Results:
    """The results, after the detectors have run over every complete run.

    The cells are read now: a later grid of the same name replaces the plan in the store.
    """
    for each in found.cell_results:
        if detectors and each.run is not None and each.path is not None:
            keep_alarms(each.path, detectors, each.cell.seed)
    return found


def _run_all(
    queue: Queue, store: Store, runners: list[CellRunner], name: str, progress: bool | None
) -> None:
    """Let the runners empty the queue, each in its thread."""
    before = queue.settled
    with Progress(name, queue.initial_length, progress, "cells") as bar:

        def show() -> None:
            bar.advance(queue.settled - before)

        try:
            if isinstance(runners[0], _InProcess):  # in the main thread, so that Ctrl-C reaches it
                run_queued(queue, store, runners[0], show)
            else:
                _run_in_threads(queue, store, runners, show)
        except KeyboardInterrupt:
            raise Interrupted(
                f"interrupted: {queue.done:,} of {queue.total:,} cells are done and saved to "
                f"{store.name}; run the same command to resume"
            ) from None


def _run_in_threads(
    queue: Queue, store: Store, runners: list[CellRunner], show: Callable[[], None]
) -> None:
    with ThreadPoolExecutor(len(runners)) as threads:
        active = {threads.submit(run_queued, queue, store, runner) for runner in runners}
        try:
            while active:
                ended, active = wait(active, _REFRESH_SECONDS, "FIRST_COMPLETED")
                for each in ended:
                    each.result()
                show()
        finally:
            queue.stop()
            for runner in runners:
                runner.stop()


def run_queued(
    queue: Queue, store: Store, runner: CellRunner, show: Callable[[], None] = lambda: None
) -> None:
    """Run cells from the queue with one runner until the queue is empty."""
    for job, lock in queue.locked_jobs():
        try:
            failure = _run_cell(job, store, runner)
        except SupervisorStopped:
            return
        finally:
            lock.release()
        queue.finish(job, failure)
        show()


def _run_cell(job: Job, store: Store, runner: CellRunner) -> CellFailure | None:
    """Run a cell and store its run, or its failure."""
    for attempt in range(1, _ATTEMPTS + 1):  # noqa: B007 - used below
        try:
            with store.scratch(job.cell) as folder:
                reply = runner.run(job, folder.path)
                if reply.kind == "done":
                    store.keep_run(job.cell, folder / Path(reply.directory).name)
                    return None
        except OSError as error:
            reply = Reply("disk", "", f"cannot start a process or write files: {error}")
        if reply.kind != "died":
            break
    attempts = f" ({attempt} times)" if reply.kind == "died" else ""
    failure = CellFailure(job.cell.id, reply.kind, reply.message + attempts, reply.traceback)
    with contextlib.suppress(OSError):  # no space for it either: the next run tries the cell again
        store.keep_failure(job.cell, failure)
    return failure
