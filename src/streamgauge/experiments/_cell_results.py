"""Cells of a store and their results: a complete run, a failure, or nothing yet."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from streamgauge._support.errors import InputError, UsageError, did_you_mean
from streamgauge.experiments._cells import UNKNOWN, Cell
from streamgauge.experiments._store import CellFailure, Store
from streamgauge.runs.directories import FAILED, RUN_FILE, id_in_name
from streamgauge.runs.open_run import run_of
from streamgauge.runs.record import read_intact
from streamgauge.runs.run import Run


class CellResult(NamedTuple):
    """A cell of an experiment, or a run outside any experiment, with its result."""

    experiment: str | None
    cell: Cell
    path: Path | None  # directory of its run or failure
    run: Run | None  # if it is complete
    failure: CellFailure | None
    damage: str | None = None  # why the run cannot be used

    @property
    def status(self) -> str:
        """complete, failed, damaged, or missing (not run yet)."""
        if self.damage is not None:
            return "damaged"
        if self.failure is not None:
            return "failed"
        return "missing" if self.run is None else "complete"


class StoreResults(NamedTuple):
    """The cells of a folder's experiments, and the other runs: those may be superseded."""

    in_use: list[CellResult]
    left_out: list[CellResult]  # of no experiment, in a folder that has experiments


def read_cell_results(folder: Path, experiment: str | None) -> StoreResults:
    """Read every cell in the order of the plan, or of one experiment; and the other runs."""
    store = Store(folder)
    saved, plans = store.saved(), store.plans()
    names = [plan.name for plan in plans]
    if experiment is not None and experiment not in names:
        damaged = "".join(f". {each}" for each in store.damaged_plans())
        raise UsageError(
            f"{folder} has no experiment {experiment!r}{did_you_mean(experiment, names)}; "
            f"it has: {', '.join(names) or 'none'}{damaged}"
        )
    found, planned = [], set()
    for plan in plans:
        for cell in plan.cells:
            planned.add(cell.short_id)
            if experiment in (None, plan.name):
                planned_place = folder / cell.directory
                place = planned_place if planned_place.is_dir() else saved.get(cell.short_id)
                found.append(_result(store, plan.name, cell, place))
    others = [] if experiment is not None else [key for key in saved if key not in planned]
    singles = [each for key in sorted(others) if (each := _single_run(saved[key]))]
    if store.damaged_plans():  # which may be those of the other runs
        return StoreResults(found + singles, [])
    return StoreResults(found, singles) if found else StoreResults(singles, [])


def _result(store: Store, experiment: str, cell: Cell, path: Path | None) -> CellResult:
    if path is None:
        return CellResult(experiment, cell, None, None, None)
    if path.name.endswith(FAILED):
        return CellResult(experiment, cell, path, None, store.failure(cell))
    try:
        return CellResult(experiment, cell, path, _read_run(path, cell.id), None)
    except InputError as error:
        return CellResult(experiment, cell, path, None, None, str(error))


def _single_run(path: Path) -> CellResult | None:
    """A run outside any experiment; None for failed cells of earlier plans."""
    if path.name.endswith(FAILED) and not (path / RUN_FILE).exists():
        return None
    try:
        return _with_cell(_read_run(path, None), path.name)
    except InputError as error:  # only its directory is known
        cell = Cell(path.name, UNKNOWN, UNKNOWN, 0, id_in_name(path.name), path.name)
        return CellResult(None, cell, path, None, None, str(error))


def cell_results_of(runs: Sequence[tuple[str, Run]]) -> list[CellResult]:
    """Named runs, in memory or opened, as tables read them."""
    return [_with_cell(run, "", name) for name, run in runs]


def _read_run(path: Path, run_id: str | None) -> Run:
    """A run that is intact, as far as that is known without reading all of it."""
    return run_of(read_intact(path, run_id, quick=True), path.absolute())


def _with_cell(run: Run, directory: str, name: str | None = None) -> CellResult:
    """A run outside any experiment, with the cell that it would be."""
    settings, failed = run.settings, run.failure
    cell = Cell(
        run.stream.name, name or run.name, settings.labels, settings.seed, run.id, directory,
        settings.model, run.stream.origin,
    )  # fmt: skip
    if failed is None:
        return CellResult(None, cell, run.path, run, None)
    failure = CellFailure(run.id, "raised", failed.message, failed.traceback)
    return CellResult(None, cell, run.path, None, failure)
