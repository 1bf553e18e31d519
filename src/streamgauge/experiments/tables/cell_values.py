"""What tables read: the values of each cell or why it has none; runs that share a cell."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np

from streamgauge._support.errors import UsageError, did_you_mean, shown
from streamgauge._support.selection import Where, select
from streamgauge.experiments._cell_results import CellResult
from streamgauge.experiments._cells import UNKNOWN, Cell
from streamgauge.measures.reference import accuracy_column
from streamgauge.measures.scale import Scale, common_scale
from streamgauge.ranking.score_table import KEYS, LearnerScore
from streamgauge.rendering.words import join_words
from streamgauge.runs.run import Run

_CUMULATIVE = "Cumulative()"

_MAX_LETTERS = 60  # of a value


class MissingValue(NamedTuple):
    """Why a cell of the experiment has no value."""

    kind: str  # failed, damaged or not run
    why: str = ""


class CellValues(NamedTuple):
    """A cell with its values by name, or the reason why it has none."""

    cell: Cell  # of a reference: with its name as the learner
    values: Mapping[str, float] | None
    hole: MissingValue | None = None
    verdict: Mapping[str, str] | None = None  # None for references
    is_reference: bool = False
    origin: CellResult | None = None  # None for references

    def value(self, name: str) -> float | None:
        """A metric or cost; NaN if undefined, None if a reference does not have it."""
        values = self.values or {}
        if name not in values:
            if self.is_reference:
                return None
            raise UsageError(
                f"no metric or cost {name!r}{did_you_mean(name, values)}; {self.cell.learner} on "
                f"{self.cell.stream} has {', '.join(values)}"
            )
        return float(values[name])


def choose(
    cell_results: Sequence[CellResult], folder: Path | None, where: Where | None
) -> list[CellResult]:
    """The cells of one experiment that `where` selects."""
    one = _one_experiment(cell_results, folder)
    return select(one, where, KEYS, _field_of)


def _field_of(result: CellResult, key: str) -> object:
    """A field of a cell; the seed is None, which is any, if nothing depends on it."""
    return None if key == "seed" and result.cell.is_fixed else getattr(result.cell, key)


def forgetting_of(cell_results: Sequence[CellResult], asked: str | None) -> str:
    """The forgetting to read: the one asked for, or the first."""
    known = list(dict.fromkeys(f for r in cell_results if r.run for f in r.run.summaries))
    if asked is not None and asked not in known:
        raise UsageError(
            f"forget: {asked!r}{did_you_mean(asked, known)}; the runs have {', '.join(known)}"
        )
    return asked or (known[0] if known else "")


def entries_of(
    cell_results: Sequence[CellResult], forgetting: str, references: bool
) -> list[CellValues]:
    """An entry per cell, then one per reference, stream, label policy and seed."""
    learners = [_entry(result, forgetting) for result in cell_results]
    return learners + (_references(cell_results, forgetting) if references else [])


def list_scores(
    cell_results: Sequence[CellResult],
    folder: Path,
    value: str,
    forget: str | None,
    where: Where | None,
) -> list[LearnerScore]:
    """The value of every cell of one experiment; NaN without a run."""
    chosen = choose(cell_results, folder, where)
    forgetting = forgetting_of(chosen, forget)
    scores = []
    for each in entries_of(chosen, forgetting, references=False):
        found = None if each.values is None else each.value(value)
        cell = each.cell
        score = LearnerScore(
            cell.stream, cell.learner, np.nan if found is None else found, cell.labels
        )
        score = score._replace(seed=str(cell.seed), model=cell.model, origin=cell.origin)
        scores.append(score._replace(fixed=cell.is_fixed))
    return scores


def scale_in(
    cell_results: Sequence[CellResult], folder: Path, value: str, where: Where | None
) -> Scale:
    """What the cells of one experiment declare of a metric or cost."""
    chosen = choose(cell_results, folder, where)
    return common_scale(value, (each.run.scales for each in chosen if each.run))


def pickled_in(cell_results: Iterable[CellResult]) -> tuple[str, ...]:
    """The learners whose size is their pickled size."""
    found = ((each.cell.learner, each.run) for each in cell_results)
    return tuple(
        dict.fromkeys(name for name, run in found if run and run.cost.measured_by == "pickled")
    )


def _one_experiment(cell_results: Sequence[CellResult], folder: Path | None) -> list[CellResult]:
    names = list(dict.fromkeys(r.experiment for r in cell_results if r.experiment is not None))
    if len(names) > 1:
        raise UsageError(f"{folder} has {len(names)} experiments: name one of {', '.join(names)}")
    here = names[0] if names else None
    chosen = [r for r in cell_results if r.experiment == here and r.cell.learner != UNKNOWN]
    if not any(result.run for result in chosen):
        damaged = [str(each.cell) for each in cell_results if each.damage]
        why = f"; damaged: {', '.join(damaged)}" if damaged else ""
        where = "" if folder is None else f"{folder}: "
        raise UsageError(f"{where}no run is complete, so the table would be empty{why}")
    return chosen


def _entry(result: CellResult, forgetting: str) -> CellValues:
    run, failure = result.run, result.failure
    if run is not None:
        values = {**run.summaries.get(forgetting, {}), **run.cost.numbers()}
        verdict = {each.reference: each.word for each in run.verdict.against}
        return CellValues(result.cell, values, verdict=verdict, origin=result)
    if result.damage is not None:
        return CellValues(result.cell, None, MissingValue("damaged", result.damage))
    if failure is not None:
        what = "" if failure.kind == "raised" else f"{failure.kind}: "
        return CellValues(result.cell, None, MissingValue("failed", f"{what}{failure.message}"))
    return CellValues(result.cell, None, MissingValue("not run"))


def _references(cell_results: Sequence[CellResult], forgetting: str) -> list[CellValues]:
    """Every reference once per stream, label policy and seed: all runs there have the same ones.

    If only learners depend on the seed, a reference is there once for all seeds.
    """
    taken = {result.cell.learner for result in cell_results}  # a learner that is a reference too
    found: dict[str, dict[tuple[object, ...], CellValues]] = {}
    for result in cell_results:
        cell, run = result.cell, result.run
        for name in run.references if run else ():
            if run is not None and name not in taken:
                values = run.references[name]
                if forgetting != _CUMULATIVE:  # then the run keeps its accuracy alone
                    accuracy = run.summaries[forgetting].get(accuracy_column(name))
                    values = {} if accuracy is None else {"accuracy": accuracy}
                by_seed = "rows" if cell.by_seed == "rows" else "nothing"
                own = msgspec.structs.replace(cell, learner=name, by_seed=by_seed)
                entry = CellValues(own, values, None, None, True)
                key = (cell.stream, cell.labels, None if own.is_fixed else cell.seed, cell.model)
                found.setdefault(name, {}).setdefault(key, entry)
    return [entry for by_cell in found.values() for entry in by_cell.values()]


def same_cell(entries: Sequence[CellValues], later: CellValues) -> str:
    """The error for an entry whose cell an earlier one fills already."""
    cell = later.cell
    earlier = next(
        each for each in entries if each.values is not None and _key(each) == _key(later)
    )
    origins = [each.origin for each in (earlier, later) if each.origin is not None]
    places = join_words([str(origin.path) for origin in origins])
    return (
        f"two runs of {cell.learner} on {cell.stream} with seed {cell.seed}: {places}; "
        f"{_difference(origins)}. A table shows one of them: remove the other folder, or save "
        "its run in a folder of its own (--save FOLDER)"
    )


def _key(entry: CellValues) -> tuple[object, ...]:
    cell = entry.cell
    return cell.stream, cell.learner, cell.labels, cell.seed, cell.model


def _difference(origins: Sequence[CellResult]) -> str:
    """What differs, the value of the earlier run first."""
    first, second = (dict(_values(origin.run)) for origin in origins if origin.run is not None)
    differing = [
        f"{name} ({shown(first[name], _MAX_LETTERS)} and {shown(second[name], _MAX_LETTERS)})"
        for name in first
        if first[name] != second[name]
    ]
    if differing:
        return f"they differ in {join_words(differing)}"
    return (
        "their settings are equal, so the streams differ: in the rows, or in which columns are "
        "features or nominal (--drop, --nominal)"
    )


def _values(run: Run) -> Iterator[tuple[str, object]]:
    """What determines a run's numbers, by name."""
    yield "the learner", run.identity
    yield "the number of features", run.stream.features
    yield "the rows of the stream", run.stream.rows
    yield from asdict(run.settings).items()
