"""How far experiments are: done, running, failed, left, and for how long. Reads names, no runs."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

from streamgauge._support.errors import UsageError
from streamgauge.experiments._cells import Cell
from streamgauge.experiments._store import Failure, GridFile, Live, Store
from streamgauge.runs.store import FAILED

_SHOWN = 10  # failures; the rest is counted


@dataclass(frozen=True)
class Status:
    """One experiment. `rate`: cells per second of those at work now; None if it cannot be told."""

    name: str
    total: int
    done: int
    running: int
    failures: tuple[tuple[Cell, Failure], ...]
    workers: int
    rate: float | None

    @property
    def left(self) -> int:
        """Cells that have neither a run nor failed."""
        return self.total - self.done - len(self.failures)

    @property
    def seconds_left(self) -> float | None:
        """As fast as it has been since it was started."""
        return self.left / self.rate if self.rate else None

    def __str__(self) -> str:
        head = (
            f"{self.name} · {self.total:,} cells: {self.done:,} done, {self.running:,} running, "
            f"{len(self.failures):,} failed, {self.left - self.running:,} waiting"
        )
        lines = [head, f"  {self._pace()}"]
        lines += [failure_line(*each) for each in self.failures[:_SHOWN]]
        if len(self.failures) > _SHOWN:
            lines.append(f"  ... and {len(self.failures) - _SHOWN:,} more that failed")
        return "\n".join(lines)

    def _pace(self) -> str:
        if not self.left:
            return "nothing is left to do" + (": the failed ones aside" if self.failures else "")
        if not self.workers:
            return "nobody is at work: the same `streamgauge run` goes on where it stopped"
        if self.seconds_left is None or self.rate is None:
            return f"{self.workers} at work; no cell is finished yet, so the time left is unknown"
        return (
            f"{self.workers} at work, {self.rate:.2g} cells/s, about {period(self.seconds_left)} "
            "left"
        )


def failure_line(cell: Cell, failure: Failure) -> str:
    """A failure in one line; its traceback is in the store."""
    message = failure.message.splitlines()[0] if failure.message else "no message"
    return (
        f"  failed ({failure.kind}): {cell.learner} on {cell.stream}, labels {cell.labels}, seed "
        f"{cell.seed}: {message}"
    )


def period(seconds: float) -> str:
    """40 s, 12 min, 3.5 h, 2.1 days."""
    for unit, size, most in (("s", 1, 120), ("min", 60, 7200), ("h", 3600, 172800)):
        if seconds < most:
            shown = seconds / size
            return f"{shown:.0f} {unit}" if unit != "h" else f"{shown:.1f} {unit}"
    return f"{seconds / 86400:.1f} days"


def status(folder: str | Path) -> list[Status]:
    """Of every experiment in a store."""
    store = Store(folder)
    plans = store.plans()
    if not plans:
        raise UsageError(f"{folder}: no experiment was started here; expected a store of `run`")
    saved = store.saved()
    programs, at_work = store.at_work()
    return [_of(plan, store, saved, programs, at_work) for plan in plans]


def _of(
    plan: GridFile, store: Store, saved: dict[str, Path], programs: list[Live], at_work: set[str]
) -> Status:
    cells = {cell.id[:12]: cell for cell in plan.cells}
    places = {key: saved[key] for key in cells if key in saved}
    done = {key: path for key, path in places.items() if not path.name.endswith(FAILED)}
    failures = [
        (cells[key], failure)
        for key, path in places.items()
        if path.name.endswith(FAILED)
        and key not in at_work  # tried again right now
        and (failure := store.failure(cells[key])) is not None
    ]
    mine = [live for live in programs if live.name == plan.name]
    running = at_work & (cells.keys() - done.keys())
    rate = None
    if mine:
        began = min(live.began for live in mine)
        new = sum(path.stat().st_mtime >= began for path in done.values())
        rate = new / max(time.time() - began, 1e-9) if new else None
    workers = sum(live.workers for live in mine)
    return Status(plan.name, len(cells), len(done), len(running), tuple(failures), workers, rate)
