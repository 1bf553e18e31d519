"""The status of experiments: done, running, failed, damaged and waiting cells, and the time left.

Of the runs it reads run.json, and files that are newer.
"""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from streamgauge._support.errors import UsageError
from streamgauge._support.printable import printable, printable_lines, printed
from streamgauge._support.progress import duration
from streamgauge.experiments._cells import Cell
from streamgauge.experiments._store import CellFailure, Program, Store, StoredPlan
from streamgauge.rendering.layout import wrap
from streamgauge.rendering.words import plural
from streamgauge.runs.directories import FAILED
from streamgauge.runs.integrity import damage

_MAX_LINES = 10  # failed and damaged cells; further ones are only counted
_FEW_LINES = 3  # without the details


@dataclass(frozen=True)
class Status:
    """Status of one experiment. `rate`: cells per second of the running programs, or None."""

    name: str
    total: int
    done: int
    running: int
    failures: tuple[tuple[Cell, CellFailure], ...]
    workers: int
    rate: float | None
    damaged: tuple[tuple[Cell, str], ...] = ()  # and why; they wait to be run again
    active: tuple[Cell, ...] = ()  # being run now
    waiting: tuple[Cell, ...] = ()  # not begun yet; damaged ones are not among them

    @property
    def left(self) -> int:
        """Number of cells that have neither a run that can be used nor a failure."""
        return self.total - self.done - len(self.failures)

    @property
    def seconds_left(self) -> float | None:
        """Estimate from the rate since the running programs started."""
        return self.left / self.rate if self.rate else None

    @property
    def details(self) -> str:
        """The same with up to ten cells of each kind; printing names three."""
        return printable_lines(self._text(_MAX_LINES))

    @printed
    def __str__(self) -> str:
        return wrap(self._text(_FEW_LINES))

    def _text(self, most: int) -> str:
        head = (
            f"{printable(self.name)} · {self.total:,} cells: {self.done:,} done, "
            f"{self.running:,} running, {len(self.failures):,} failed, "
            f"{self.left - self.running:,} waiting"
        )
        head += f" ({len(self.damaged):,} of them damaged)" if self.damaged else ""
        lines = [head, f"  {self.progress}"]
        lines += _first([failure_line(*each) for each in self.failures], "failed cells", most)
        lines += _first([damage_line(*each) for each in self.damaged], "damaged cells", most)
        lines += [f"  not begun: {text}" for text in self.not_begun(most)]
        return "\n".join(lines)

    def not_begun(self, most: int = _MAX_LINES) -> list[str]:
        """The cells that wait, or their number for each learner if they are many."""
        if len(self.waiting) <= most:
            return [str(cell) for cell in self.waiting]
        counts = Counter(cell.learner for cell in self.waiting)
        lines = [f"{plural(count, 'cell')} of {name}" for name, count in counts.items()]
        more = len(lines) - most
        return lines[:most] + ([f"cells of {more:,} more learners"] if more > 0 else [])

    @property
    def progress(self) -> str:
        """Who works on it, how fast, and the time left."""
        if not self.left:
            return "finished, except the failed cells" if self.failures else "finished"
        if not self.workers:
            verb = "resumes" if self.left < self.total else "starts"
            return f"not running: the same `streamgauge run` command {verb} it"
        running = f"{self.workers} worker{'s' if self.workers > 1 else ''}"
        if self.seconds_left is None or self.rate is None:
            return f"{running}; time left unknown until the first cell is done"
        return f"{running}, {self.rate:.2g} cells/s, about {duration(self.seconds_left)} left"


def _first(lines: list[str], what: str, most: int) -> list[str]:
    more = len(lines) - most
    return lines[:most] + ([f"  ... and {more:,} more {what}"] if more > 0 else [])


def damage_line(cell: Cell, reason: str) -> str:
    """Describe a damaged run in one line."""
    return f"  damaged: {cell}: {reason}"


def failure_line(cell: Cell, failure: CellFailure) -> str:
    """Describe a failure in one line; its traceback is in the store."""
    message = failure.message.splitlines()[0] if failure.message else "no message"
    return printable(f"  failed ({failure.kind}): {cell}: {message}")


def damaged_plans(folder: str | Path) -> list[str]:
    """Why the plans of experiments in a store cannot be used; their runs are kept."""
    return Store(folder).damaged_plans()


def status(folder: str | Path) -> list[Status]:
    """Read the status of every experiment in a store whose plan is not damaged."""
    store = Store(folder)
    plans = store.plans()
    if not plans and not store.damaged_plans():
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
    damaged = {
        key: reason
        for key, path in done.items()
        if (reason := damage(path, cells[key].id, quick=True)) is not None
    }
    done = {key: path for key, path in done.items() if key not in damaged}
    failures = [
        (cells[key], failure)
        for key, path in paths.items()
        if path.name.endswith(FAILED)
        and key not in running  # being run again
        and (failure := store.failure(cells[key])) is not None
    ]
    own = [program for program in programs if program.name == plan.name]
    active = running & (cells.keys() - done.keys())
    begun = done.keys() | active | damaged.keys() | {cell.short_id for cell, _ in failures}
    rate = None
    if own:
        started = min(program.started for program in own)
        new = sum(_modified(path) >= started for path in done.values())
        rate = new / max(time.time() - started, 1e-9) if new else None
    workers = sum(program.workers for program in own)
    harm = tuple((cells[key], why) for key, why in damaged.items() if key not in running)
    return Status(
        plan.name, len(cells), len(done), len(active), tuple(failures), workers, rate, harm,
        tuple(cell for key, cell in cells.items() if key in active),
        tuple(cell for key, cell in cells.items() if key not in begun),
    )  # fmt: skip


def _modified(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:  # removed meanwhile
        return 0.0
