"""A table of an experiment: mean ± sd over seeds, ranks and tests; holes are shown as holes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from streamgauge._support.errors import UsageError, did_you_mean
from streamgauge._support.types import Flags, Floats, Longs
from streamgauge.comparison.ranking import Ranking, rank
from streamgauge.comparison.score_table import LOWER_IS_BETTER, ScoreTable
from streamgauge.experiments.results import COST, Line, Results

SIDES = ("stream", "learner", "labels")  # what rows and columns may be
_CHEAPER_IS_BETTER = frozenset(COST) - {"rows_per_second"}


@dataclass(frozen=True)
class Table:
    """Values of one metric, rows × columns. Printing it shows it as text."""

    sides: tuple[tuple[str, ...], tuple[str, ...]]
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    value: str
    forgetting: str
    seeds: int  # of a cell without holes
    mean: Floats  # over the seeds that have a run; NaN: none has, or the metric is undefined
    sd: Floats  # NaN for a single seed
    runs: Longs
    failed: Longs

    @property
    def lower_is_better(self) -> bool:
        """Is this a loss, or a cost?"""
        return self.value in LOWER_IS_BETTER or self.value in _CHEAPER_IS_BETTER

    @property
    def whole(self) -> Flags:
        """Rows without holes and undefined values: averages, ranks and tests are over them."""
        there = (self.runs == self.seeds) & ~np.isnan(self.mean)
        return np.asarray(there.all(axis=1), np.bool_)

    @property
    def average(self) -> Floats:
        """Of each column, over the whole rows."""
        rows = self.mean[self.whole]
        return rows.mean(axis=0) if len(rows) else np.full(len(self.columns), np.nan)

    @cached_property
    def ranking(self) -> Ranking | None:
        """Of the columns over the whole rows; None with fewer than two of either."""
        if self.whole.sum() < 2 or len(self.columns) < 2:
            return None
        names = tuple(np.array(self.rows, dtype=object)[self.whole])
        scores = ScoreTable(names, self.columns, self.mean[self.whole])
        return rank(scores, lower_is_better=self.lower_is_better)

    def __str__(self) -> str:
        from streamgauge.experiments.table_text import as_text

        return as_text(self)

    __repr__ = __str__


def make_table(
    results: Results,
    rows: str | Sequence[str] = "stream",
    cols: str | Sequence[str] = "learner",
    value: str = "kappa",
    forget: str | None = None,
    where: Mapping[str, str | Sequence[str]] | None = None,
) -> Table:
    """Of the results of one experiment.

    rows, cols: stream, learner, labels, or several of them; what is in neither and has several
    values joins the rows. value: a metric, or a cost (seconds,
    rows_per_second, model_bytes, ram_hours). forget: under which forgetting, by default the first.
    where: only cells like this, e.g. {"labels": "Delay(100)"}.
    """
    across, down = _sides("cols", cols), _sides("rows", rows)
    if both := set(across) & set(down):
        raise UsageError(f"{both.pop()} cannot be rows and columns at once")
    lines = _chosen(_one_experiment(results), where or {})
    for side in SIDES:  # nothing is averaged but seeds
        if side not in (*across, *down) and len({getattr(line.cell, side) for line in lines}) > 1:
            down = (*down, side)
    complete = [line for line in lines if line.facts is not None]
    forgetting = _forgetting(complete, forget)
    found: dict[tuple[str, str], dict[int, float]] = {}
    failed: dict[tuple[str, str], int] = {}
    for line in lines:
        place = (_label(line, down), _label(line, across))
        seeds = found.setdefault(place, {})
        if line.facts is not None:
            if line.cell.seed in seeds:
                raise UsageError(
                    f"two runs of {place[1]} on {place[0]} with seed {line.cell.seed}: they differ "
                    "in settings that tables do not show; keep experiments in a folder of their own"
                )
            seeds[line.cell.seed] = _value(line, value, forgetting)
        elif line.failure is not None:
            failed[place] = failed.get(place, 0) + 1
    names = [tuple(dict.fromkeys(place[i] for place in found)) for i in (0, 1)]
    places = [[(row, column) for column in names[1]] for row in names[0]]
    values = [[list(found.get(place, {}).values()) for place in line] for line in places]
    return Table(
        (down, across),
        names[0],
        names[1],
        value,
        forgetting,
        len({line.cell.seed for line in lines}),
        np.array([[np.mean(v) if v else np.nan for v in line] for line in values]),
        np.array([[np.std(v, ddof=1) if len(v) > 1 else np.nan for v in line] for line in values]),
        np.array([[len(v) for v in line] for line in values]),
        np.array([[failed.get(place, 0) for place in line] for line in places]),
    )


def _sides(what: str, given: str | Sequence[str]) -> tuple[str, ...]:
    sides = tuple(given.split(",")) if isinstance(given, str) else tuple(given)
    for side in sides:
        if side not in SIDES:
            raise UsageError(
                f"{what}: {side!r}{did_you_mean(side, SIDES)}; expected {', '.join(SIDES)}"
            )
    return sides


def _one_experiment(results: Results) -> list[Line]:
    names = list(dict.fromkeys(line.grid for line in results.lines if line.grid is not None))
    if len(names) > 1:
        raise UsageError(
            f"{results.folder} has {len(names)} experiments: name one of {', '.join(names)}"
        )
    lines = [line for line in results.lines if line.grid == (names[0] if names else None)]
    if not any(line.facts for line in lines):
        raise UsageError(f"{results.folder}: no run is complete, so there is nothing to show")
    return lines


def _chosen(lines: list[Line], where: Mapping[str, str | Sequence[str]]) -> list[Line]:
    for key, wanted in where.items():
        keys = (*SIDES, "seed")
        if key not in keys:
            raise UsageError(f"where {key}: expected one of {', '.join(keys)}")
        values = [wanted] if isinstance(wanted, str | int) else list(wanted)
        there = list(dict.fromkeys(str(getattr(line.cell, key)) for line in lines))
        for each in map(str, values):
            if each not in there:
                hint = did_you_mean(each, there)
                raise UsageError(
                    f"where {key}={each}: no such cell{hint}; {key} is {', '.join(there)}"
                )
        lines = [line for line in lines if str(getattr(line.cell, key)) in map(str, values)]
    return lines


def _forgetting(lines: list[Line], asked: str | None) -> str:
    there = list(dict.fromkeys(f for line in lines if line.facts for f in line.facts.summary))
    if asked is not None and asked not in there:
        raise UsageError(
            f"forget: {asked!r}{did_you_mean(asked, there)}; the runs have {', '.join(there)}"
        )
    return asked or (there[0] if there else "")


def _label(line: Line, sides: tuple[str, ...]) -> str:
    return " · ".join(getattr(line.cell, side) for side in sides)


def _value(line: Line, name: str, forgetting: str) -> float:
    assert line.facts is not None
    metrics = line.facts.summary.get(forgetting, {})
    there = {**metrics, **line.facts.cost}
    if name not in there:
        raise UsageError(
            f"value: {name!r}{did_you_mean(name, there)}; {line.cell.learner} on "
            f"{line.cell.stream} has {', '.join(there)}"
        )
    value = there[name]
    return np.nan if value is None else float(value)
