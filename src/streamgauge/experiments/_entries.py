"""What tables read: a value of each cell or why it has none, with references as participants."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np

from streamgauge._support.errors import UsageError, did_you_mean
from streamgauge._support.selection import Where, select
from streamgauge.comparison.score_table import KEYS, Score
from streamgauge.experiments._cell_results import CellResult
from streamgauge.experiments._cells import UNKNOWN, Cell
from streamgauge.measures.reference import accuracy_column
from streamgauge.measures.scale import Scale, common_scale

_CUMULATIVE = "Cumulative()"


class Hole(NamedTuple):
    """Why a cell of the experiment has no value."""

    kind: str  # failed, damaged or not run
    why: str = ""


class Entry(NamedTuple):
    """A cell with its values by name, or the reason why it has none."""

    cell: Cell  # of a reference: with its name as the learner
    values: Mapping[str, float | None] | None
    hole: Hole | None = None
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
        value = values[name]
        return np.nan if value is None else float(value)


def choose(
    cell_results: Sequence[CellResult], folder: Path | None, where: Where | None
) -> list[CellResult]:
    """The cells of one experiment that `where` selects."""
    one = _one_experiment(cell_results, folder)
    return select(one, where, KEYS, lambda result, key: getattr(result.cell, key))


def forgetting_of(cell_results: Sequence[CellResult], asked: str | None) -> str:
    """The forgetting to read: the one asked for, or the first."""
    known = list(dict.fromkeys(f for r in cell_results if r.facts for f in r.facts.summary))
    if asked is not None and asked not in known:
        raise UsageError(
            f"forget: {asked!r}{did_you_mean(asked, known)}; the runs have {', '.join(known)}"
        )
    return asked or (known[0] if known else "")


def entries_of(
    cell_results: Sequence[CellResult], forgetting: str, references: bool
) -> list[Entry]:
    """An entry per cell, then one per reference, stream, label policy and seed."""
    learners = [_entry(result, forgetting) for result in cell_results]
    return learners + (_references(cell_results, forgetting) if references else [])


def list_scores(
    cell_results: Sequence[CellResult],
    folder: Path,
    value: str,
    forget: str | None,
    where: Where | None,
) -> list[Score]:
    """The value of every cell of one experiment; NaN without a run."""
    chosen = choose(cell_results, folder, where)
    forgetting = forgetting_of(chosen, forget)
    scores = []
    for each in entries_of(chosen, forgetting, references=False):
        found = None if each.values is None else each.value(value)
        cell = each.cell
        score = Score(cell.stream, cell.learner, np.nan if found is None else found, cell.labels)
        scores.append(score._replace(seed=str(cell.seed), model=cell.model, origin=cell.origin))
    return scores


def scale_in(
    cell_results: Sequence[CellResult], folder: Path, value: str, where: Where | None
) -> Scale:
    """What the cells of one experiment declare of a metric or cost."""
    chosen = choose(cell_results, folder, where)
    return common_scale(value, (each.facts.scales for each in chosen if each.facts))


def _one_experiment(cell_results: Sequence[CellResult], folder: Path | None) -> list[CellResult]:
    names = list(dict.fromkeys(r.experiment for r in cell_results if r.experiment is not None))
    if len(names) > 1:
        raise UsageError(f"{folder} has {len(names)} experiments: name one of {', '.join(names)}")
    here = names[0] if names else None
    chosen = [r for r in cell_results if r.experiment == here and r.cell.learner != UNKNOWN]
    if not any(result.facts for result in chosen):
        damaged = [str(each.cell) for each in cell_results if each.damage]
        why = f"; damaged: {', '.join(damaged)}" if damaged else ""
        where = "" if folder is None else f"{folder}: "
        raise UsageError(f"{where}no run is complete, so the table would be empty{why}")
    return chosen


def _entry(result: CellResult, forgetting: str) -> Entry:
    facts, failure = result.facts, result.failure
    if facts is not None:
        values = {**facts.summary.get(forgetting, {}), **facts.cost}
        return Entry(result.cell, values, verdict=facts.verdict, origin=result)
    if result.damage is not None:
        return Entry(result.cell, None, Hole("damaged", result.damage))
    if failure is not None:
        what = "" if failure.kind == "raised" else f"{failure.kind}: "
        return Entry(result.cell, None, Hole("failed", f"{what}{failure.message}"))
    return Entry(result.cell, None, Hole("not run"))


def _references(cell_results: Sequence[CellResult], forgetting: str) -> list[Entry]:
    """Every reference once per stream, label policy and seed: all runs there have the same ones."""
    taken = {result.cell.learner for result in cell_results}  # a learner that is a reference too
    found: dict[str, dict[tuple[object, ...], Entry]] = {}
    for result in cell_results:
        cell, facts = result.cell, result.facts
        for name in facts.references if facts else ():
            if facts is not None and name not in taken:
                values = facts.references[name]
                if forgetting != _CUMULATIVE:  # then the run keeps its accuracy alone
                    accuracy = facts.summary[forgetting].get(accuracy_column(name))
                    values = {} if accuracy is None else {"accuracy": accuracy}
                entry = Entry(msgspec.structs.replace(cell, learner=name), values, None, None, True)
                key = (cell.stream, cell.labels, cell.seed, cell.model)
                found.setdefault(name, {}).setdefault(key, entry)
    return [entry for by_cell in found.values() for entry in by_cell.values()]
