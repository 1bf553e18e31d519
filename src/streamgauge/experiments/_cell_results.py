"""Cells of a store and their results: the facts of a complete run, a failure, or nothing yet."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from streamgauge._support.errors import InputError, UsageError, did_you_mean
from streamgauge.experiments._cells import UNKNOWN, Cell
from streamgauge.experiments._store import Failure, Store
from streamgauge.measures.scale import Scale
from streamgauge.rendering.plain_values import number
from streamgauge.runs.directories import FAILED, RUN_FILE, id_in_name
from streamgauge.runs.document import Numbers
from streamgauge.runs.facts import COSTS, Counts
from streamgauge.runs.facts import Failure as RunFailure
from streamgauge.runs.identity import Settings
from streamgauge.runs.intact import read_intact
from streamgauge.runs.integrity import StoredFile
from streamgauge.runs.run import Run
from streamgauge.streams.origin import Origin


class Facts(NamedTuple):
    """The part of a run.json that tables show."""

    id: str
    stream: str
    learner: str
    settings: Settings
    counts: Counts
    summary: dict[str, dict[str, float | None]]  # None: undefined
    cost: dict[str, float | None]
    failure: RunFailure | None
    files: dict[str, StoredFile]
    references: dict[str, dict[str, float | None]]  # their cumulative metrics on the same rows
    scales: dict[str, Scale]  # direction and unit of each metric and cost
    verdict: dict[str, str]  # the word against each reference, the strongest first
    identity: str  # the learner and its parameters
    features: int
    stream_rows: int | None
    origin: Origin


class CellResult(NamedTuple):
    """A cell of an experiment, or a run outside any experiment, with its result."""

    experiment: str | None
    cell: Cell
    path: Path | None  # directory of its run or failure
    facts: Facts | None  # of a complete run
    failure: Failure | None
    damage: str | None = None  # why the run cannot be used

    @property
    def status(self) -> str:
        """complete, failed, damaged, or missing (not run yet)."""
        if self.damage is not None:
            return "damaged"
        if self.failure is not None:
            return "failed"
        return "missing" if self.facts is None else "complete"


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
        return CellResult(experiment, cell, path, _read_facts(path, cell.id), None)
    except InputError as error:
        return CellResult(experiment, cell, path, None, None, str(error))


def _single_run(path: Path) -> CellResult | None:
    """A run outside any experiment; None for failed cells of earlier plans."""
    if path.name.endswith(FAILED) and not (path / RUN_FILE).exists():
        return None
    try:
        facts = _read_facts(path, None)
    except InputError as error:  # only its directory is known
        cell = Cell(path.name, UNKNOWN, UNKNOWN, 0, id_in_name(path.name), path.name)
        return CellResult(None, cell, path, None, None, str(error))
    settings = facts.settings
    cell = Cell(
        facts.stream, facts.learner, settings.labels, settings.seed, facts.id, path.name,
        settings.model, facts.origin,
    )  # fmt: skip
    if facts.failure is None:
        return CellResult(None, cell, path, facts, None)
    failure = Failure(facts.id, "raised", facts.failure.message, facts.failure.traceback)
    return CellResult(None, cell, path, None, failure)


def _read_facts(path: Path, run_id: str | None) -> Facts:
    """What tables show of a run that is intact, as far as that is known without reading it all."""
    run = read_intact(path, run_id, quick=True)
    summary = {forgetting: _plain(values) for forgetting, values in run.summary.items()}
    cost = _plain(msgspec.structs.asdict(run.cost))
    return Facts(
        run.id, run.stream, run.learner, run.settings, run.counts, summary, cost, run.failure,
        run.files,
        {name: _plain(values) for name, values in run.references.items()},
        run.scales,
        {name: each.word for name, each in run.verdict.against.items()},
        run.identity, run.features, run.stream_rows, run.origin,
    )  # fmt: skip


def cell_results_of(runs: Sequence[tuple[str, Run]]) -> list[CellResult]:
    """Named runs, in memory or opened, as tables read them."""
    found = []
    for name, run in runs:
        settings, failure = run.settings, None
        if run.failure is not None:
            failure = Failure(run.id, "raised", run.failure.message, run.failure.traceback)
        cell = Cell(
            run.stream.name, name, settings.labels, settings.seed, run.id, "", settings.model,
            run.stream.origin,
        )  # fmt: skip
        cost = {each: getattr(run.cost, each) for each in COSTS}
        facts = Facts(
            run.id, run.stream.name, name, settings, run.counts,
            {each: dict(run.curve.last(each)) for each in run.curve.forgettings}, cost, run.failure,
            {}, {each: dict(values) for each, values in run.references.items()},
            run.scales,
            {each.reference: each.word for each in run.verdict.against},
            run.identity, run.stream.features, run.stream.rows, run.stream.origin,
        )  # fmt: skip
        found.append(CellResult(None, cell, run.path, None if failure else facts, failure))
    return found


def _plain(values: Numbers) -> dict[str, float | None]:
    return {name: None if value is None else number(value) for name, value in values.items()}
