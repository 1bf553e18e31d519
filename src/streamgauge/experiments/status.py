"""The status of experiments: done, running, failed and waiting cells, and the time left.

It reads the names in the store, not the runs.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

from streamgauge._support.errors import UsageError
from streamgauge._support.printable import printable, printed
from streamgauge._support.progress import duration
from streamgauge.experiments._cells import Cell
from streamgauge.experiments._store import Failure, Program, Store, StoredPlan
from streamgauge.runs.store import FAILED

_MAX_FAILURES = 10  # listed; further ones are only counted


@dataclass(frozen=True)
class Status:
    """Status of one experiment. `rate`: cells per second of the running programs, or None."""

    name: str
    total: int
    done: int
    running: int
    failures: tuple[tuple[Cell, Failure], ...]
    workers: int
    rate: float | None

    @property
    def left(self) -> int:
        """Number of cells that have neither a run nor a failure."""
        return self.total - self.done - len(self.failures)

    @property
    def seconds_left(self) -> float | None:
        """Estimate from the rate since the running programs started."""
        return self.left / self.rate if self.rate else None

    @printed
    def __str__(self) -> str:
        head = (
            f"{printable(self.name)} · {self.total:,} cells: {self.done:,} done, "
            f"{self.running:,} running, {len(self.failures):,} failed, "
            f"{self.left - self.running:,} waiting"
        )
        lines = [head, f"  {self._progress()}"]
        lines += [failure_line(*each) for each in self.failures[:_MAX_FAILURES]]
        if len(self.failures) > _MAX_FAILURES:
            more = len(self.failures) - _MAX_FAILURES
            lines.append(f"  ... and {more:,} more failed cells")
        return "\n".join(lines)

    def _progress(self) -> str:
        if not self.left:
            return "finished, except the failed cells" if self.failures else "finished"
        if not self.workers:
            return "not running: the same `streamgauge run` command resumes it"
        running = f"{self.workers} worker{'s' if self.workers > 1 else ''}"
        if self.seconds_left is None or self.rate is None:
            return f"{running}; time left unknown until the first cell is done"
        return f"{running}, {self.rate:.2g} cells/s, about {duration(self.seconds_left)} left"


def failure_line(cell: Cell, failure: Failure) -> str:
    """Describe a failure in one line; its traceback is in the store."""
    message = failure.message.splitlines()[0] if failure.message else "no message"
    return printable(
        f"  failed ({failure.kind}): {cell.learner} on {cell.stream}, labels {cell.labels}, seed "
        f"{cell.seed}: {message}"
    )


def status(folder: str | Path) -> list[Status]:
    """Read the status of every experiment in a store."""
    store = Store(folder)
    plans = store.plans()
    if not plans:
        raise UsageError(f"{folder}: has no experiment; expected a folder written by `run`")
    saved = store.saved()
    programs, running = store.running()
    return [_experiment_status(plan, store, saved, programs, running) for plan in plans]


def _experiment_status(
    plan: StoredPlan,
    store: Store,
    saved: dict[str, Path],
    programs: list[Program],
    running: set[str],
) -> Status:
    cells = {cell.short_id: cell for cell in plan.cells}
    paths = {key: saved[key] for key in cells if key in saved}
    done = {key: path for key, path in paths.items() if not path.name.endswith(FAILED)}
    failures = [
        (cells[key], failure)
        for key, path in paths.items()
        if path.name.endswith(FAILED)
        and key not in running  # being run again
        and (failure := store.failure(cells[key])) is not None
    ]
    own = [program for program in programs if program.name == plan.name]
    count = len(running & (cells.keys() - done.keys()))
    rate = None
    if own:
        started = min(program.started for program in own)
        new = sum(path.stat().st_mtime >= started for path in done.values())
        rate = new / max(time.time() - started, 1e-9) if new else None
    workers = sum(program.workers for program in own)
    return Status(plan.name, len(cells), len(done), count, tuple(failures), workers, rate)
