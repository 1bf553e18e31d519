"""`sg.run`: the cells of a grid, in this process, in worker processes, or on a Ray cluster.

Running twice is resuming: what the store has is not run again. A cell that fails is recorded and
the rest goes on.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from pathlib import Path
from typing import Protocol

from streamgauge._support.errors import Interrupted, UsageError
from streamgauge._support.progress import Progress
from streamgauge.experiments._jobs import Job
from streamgauge.experiments._queue import Todo
from streamgauge.experiments._store import Failure, Store
from streamgauge.experiments._supervisor import Stopped, Worker
from streamgauge.experiments._worker import Answer, Order, answer
from streamgauge.experiments.grid import Grid
from streamgauge.experiments.results import Results, results

_TRIES = 3  # for a cell whose process is killed: it may have been somebody else's fault
_SHOW_EVERY = 0.2


class Runner(Protocol):
    """Whatever runs one cell at a time."""

    def run(self, job: Job, folder: Path) -> Answer: ...

    def stop(self) -> None: ...


class _Here:
    """In this very process: to debug, or where processes are dear."""

    def run(self, job: Job, folder: Path) -> Answer:
        return answer(Order(job, str(folder)))

    def stop(self) -> None:
        pass


def run(
    grid: Grid | str | Path,
    store: str | Path = "results",
    *,
    workers: int | None = None,
    ray: str | None = None,
    retry: bool = False,
    progress: bool | None = None,
    started: Callable[[str], None] | None = None,
) -> Results:
    """Run every cell that the store does not have; the results of the grid.

    workers: processes; by default as many as there are cores; 0: none but this one. ray: instead on
    a Ray cluster, by its address or "auto". retry: also what failed before. progress: a bar on the
    terminal, or none; by default if somebody watches. started: is told in words what will be done.
    """
    grid = grid if isinstance(grid, Grid) else Grid.read(grid)
    spec = grid.spec
    limits = (spec.timeout, spec.memory_bytes)
    if workers is not None and (not isinstance(workers, int) or workers < 0):
        raise UsageError(f"workers={workers!r}: expected 0 or more processes")
    if workers == 0 and ray is None and limits != (None, None):
        raise UsageError("workers=0: timeout and max_memory need a process to end; give workers=1")
    place = Store(store)
    place.open()
    place.write_plan(spec, grid.cells)
    todo = Todo(grid.jobs, place, retry)
    if started is not None:
        started(
            f"{spec.name} · {todo.total:,} cells: {todo.done:,} done before, "
            f"{len(todo.failures):,} failed before, {todo.to_do:,} to do"
        )
    if not todo.to_do:
        return results(store, spec.name)
    with contextlib.ExitStack() as stack:
        make: Callable[[], Runner]
        if ray is not None:
            from streamgauge.experiments._ray_cluster import connect

            cluster = connect(ray, *limits)
            stack.callback(cluster.close)
            make, count = cluster.runner, workers or cluster.cores
        elif workers == 0:
            make, count = _Here, 1
        else:
            make, count = (lambda: Worker(*limits)), workers or _cores()
        count = min(count, todo.to_do)
        stack.enter_context(place.live(spec.name, count))
        _execute(todo, place, [make() for _ in range(count)], spec.name, progress)
    return results(store, spec.name)


def _execute(
    todo: Todo, store: Store, runners: list[Runner], name: str, progress: bool | None
) -> None:
    before = todo.settled
    with Progress(name, todo.to_do, progress, "cells") as bar:

        def show() -> None:
            bar.advance(todo.settled - before)

        if isinstance(runners[0], _Here):  # in the main thread, so that Ctrl-C reaches it
            serve(todo, store, runners[0], show)
            return
        with ThreadPoolExecutor(len(runners)) as threads:
            serving = {threads.submit(serve, todo, store, runner) for runner in runners}
            try:
                while serving:
                    ended, serving = wait(serving, _SHOW_EVERY, "FIRST_COMPLETED")
                    for each in ended:
                        each.result()
                    show()
            except KeyboardInterrupt:
                raise Interrupted(
                    f"interrupted: {todo.done:,} of {todo.total:,} cells are done and kept; the "
                    "same command goes on"
                ) from None
            finally:
                todo.stop()
                for runner in runners:
                    runner.stop()


def serve(
    todo: Todo, store: Store, runner: Runner, show: Callable[[], None] = lambda: None
) -> None:
    """Run cell after cell until none is left."""
    for job, claim in todo.claimed():
        try:
            failure = _settle(job, store, runner)
        except Stopped:
            return
        finally:
            claim.release()
        todo.finished(job, failure)
        show()


def _settle(job: Job, store: Store, runner: Runner) -> Failure | None:
    """Run a cell and keep its run, or why there is none."""
    for attempt in range(1, _TRIES + 1):  # noqa: B007 - said below
        try:
            with store.scratch(job.cell) as folder:
                told = runner.run(job, folder)
                if told.kind == "done":
                    store.keep(job.cell, Path(told.place))
                    return None
        except OSError as error:
            told = Answer("disk", "", f"there is no room or process for it: {error}")
        if told.kind != "died":
            break
    tries = f" ({attempt} times)" if told.kind == "died" else ""
    failure = Failure(job.cell.id, told.kind, told.message + tries, told.traceback)
    with contextlib.suppress(OSError):  # no room for that either: the cell stays to be done
        store.keep_failure(job.cell, failure)
    return failure


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
