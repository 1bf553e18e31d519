"""Cells of a store and their results: the facts of a complete run, a failure, or nothing yet."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from streamgauge._support.errors import InputError, UsageError, did_you_mean
from streamgauge.experiments._cells import Cell
from streamgauge.experiments._store import Failure, Store
from streamgauge.runs.store import FAILED, FORMAT, RUN_FILE

COST = ("seconds", "rows_per_second", "model_bytes", "ram_hours")


class Facts(msgspec.Struct, frozen=True):
    """The part of a run.json that tables show."""

    format: str
    id: str
    status: str
    stream: str
    learner: str
    settings: dict[str, Any]
    counts: dict[str, Any]
    summary: dict[str, dict[str, float | None]]
    cost: dict[str, float | None]
    failure: dict[str, Any] | None = None


class CellResult(NamedTuple):
    """A cell of an experiment, or a run outside any experiment, with its result."""

    experiment: str | None
    cell: Cell
    path: Path | None  # directory of its run or failure
    facts: Facts | None  # of a complete run
    failure: Failure | None

    @property
    def status(self) -> str:
        """complete, failed, or missing (not run yet)."""
        if self.failure is not None:
            return "failed"
        return "missing" if self.facts is None else "complete"


def read_cell_results(folder: Path, experiment: str | None) -> list[CellResult]:
    """Read every cell in the order of the plan, then the runs outside any experiment.

    `experiment` restricts it to the cells of one experiment.
    """
    store = Store(folder)
    saved, plans = store.saved(), store.plans()
    names = [plan.name for plan in plans]
    if experiment is not None and experiment not in names:
        raise UsageError(
            f"{folder} has no experiment {experiment!r}{did_you_mean(experiment, names)}; "
            f"it has: {', '.join(names) or 'none'}"
        )
    found, planned = [], set()
    for plan in plans:
        for cell in plan.cells:
            planned.add(cell.short_id)
            if experiment in (None, plan.name):
                found.append(_result(store, plan.name, cell, saved.get(cell.short_id)))
    others = [] if experiment is not None else [key for key in saved if key not in planned]
    return found + [each for key in sorted(others) if (each := _single_run(saved[key]))]


def _result(store: Store, experiment: str, cell: Cell, path: Path | None) -> CellResult:
    if path is None:
        return CellResult(experiment, cell, None, None, None)
    if path.name.endswith(FAILED):
        return CellResult(experiment, cell, path, None, store.failure(cell))
    return CellResult(experiment, cell, path, _read_facts(path), None)


def _single_run(path: Path) -> CellResult | None:
    """A run outside any experiment; None for failed cells of earlier plans."""
    if not (path / RUN_FILE).exists():
        return None
    facts = _read_facts(path)
    settings = facts.settings
    cell = Cell(
        facts.stream, facts.learner, settings["labels"], settings["seed"], facts.id, path.name,
        settings.get("model"),
    )  # fmt: skip
    if facts.failure is None:
        return CellResult(None, cell, path, facts, None)
    failure = Failure(facts.id, "raised", facts.failure["message"], facts.failure["traceback"])
    return CellResult(None, cell, path, None, failure)


def _read_facts(path: Path) -> Facts:
    file = path / RUN_FILE
    try:
        # Not strict: an infinite number is written as text.
        facts = msgspec.json.decode(file.read_bytes(), type=Facts, strict=False)
    except (OSError, msgspec.DecodeError) as error:
        raise InputError(
            f"{file}: not a streamgauge run: {error}; remove {path} and run it again"
        ) from None
    if facts.format != FORMAT:
        raise InputError(
            f"{file}: expected format {FORMAT!r}, got {facts.format!r}; remove {path} and run it "
            "again"
        )
    return facts
