"""A results table: mean ± sd over seeds, ranks and tests; missing values stay visible."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TypeAlias

import numpy as np

from streamgauge._support.errors import UsageError, did_you_mean
from streamgauge._support.selection import Where, select
from streamgauge._support.types import Flags, Floats, Longs
from streamgauge.comparison.ranking import Ranking
from streamgauge.comparison.score_table import KEYS, LOWER_IS_BETTER, Score, ScoreTable
from streamgauge.comparison.variants import tables_of
from streamgauge.experiments._cell_results import CellResult
from streamgauge.experiments._cells import UNKNOWN
from streamgauge.experiments._table_text import Style, as_csv, as_latex, as_markdown, as_text

SIDES = ("stream", "learner", "labels")  # dimensions of rows and columns
_Key: TypeAlias = tuple[str, ...]  # a value of each dimension


@dataclass(frozen=True, repr=False)
class Table:
    """Values of one metric, rows × columns, averaged over seeds. Printing it shows it as text."""

    sides: tuple[tuple[str, ...], tuple[str, ...]]
    row_keys: tuple[_Key, ...]  # a value of each row dimension
    columns: tuple[str, ...]
    value: str
    forgetting: str
    seeds: int  # of a complete cell, times the models of a cross-validation
    mean: Floats  # over the seeds that have a run; NaN without a run or if the metric is undefined
    sd: Floats  # NaN for a single seed
    runs: Longs
    failed: Longs
    models: int = 1  # of a cross-validation
    damaged: tuple[str, ...] = ()  # cells whose runs cannot be used

    @property
    def rows(self) -> tuple[str, ...]:
        """Names of the rows."""
        return tuple(map(_joined, self.row_keys))

    @property
    def lower_is_better(self) -> bool:
        """Whether the value is a loss or a cost."""
        return self.value in LOWER_IS_BETTER

    @property
    def complete(self) -> Flags:
        """Rows without missing or undefined values; averages, ranks and tests use only these."""
        defined = (self.runs == self.seeds) & ~np.isnan(self.mean)
        return np.asarray(defined.all(axis=1), np.bool_)

    @property
    def average(self) -> Floats:
        """Average of each column over the complete rows."""
        rows = self.mean[self.complete]
        return rows.mean(axis=0) if len(rows) else np.full(len(self.columns), np.nan)

    @property
    def ranks(self) -> Floats:
        """Rank of each value within its row; NaN in incomplete rows."""
        ranks = np.full(self.mean.shape, np.nan)
        if self.complete.any():
            scores = ScoreTable(self.rows, self.columns, self.mean[self.complete])
            ranks[self.complete] = Ranking(scores, self.lower_is_better).ranks
        return ranks

    @cached_property
    def rankings(self) -> dict[str, Ranking]:
        """Rankings of the columns over the complete rows, by label policy and injection.

        The name is "" if there is only one. There is none with fewer than two streams or columns,
        or if the rows are not streams.
        """
        if "stream" not in self.sides[0]:
            return {}
        scores = []
        for i in np.flatnonzero(self.complete):
            key = dict(zip(self.sides[0], self.row_keys[i], strict=True))
            stream, others = key.pop("stream"), _joined(key.values())
            for j, column in enumerate(self.columns):
                mean, sd, runs = self.mean[i, j], self.sd[i, j], int(self.runs[i, j])
                scores.append(Score(stream, column, mean, others, sd=sd, runs=runs))
        return {
            variant: Ranking(table, self.lower_is_better, variant=variant)
            for variant, table in tables_of(scores).items()
            if min(table.scores.shape) > 1
        }

    def to_text(self, *, digits: int = 3, percent: bool = False, ranks: bool = False) -> str:
        """Format as aligned text; a star marks the best value of a row.

        Parameters
        ----------
        digits
            Number of decimals.
        percent
            Multiply values by 100.
        ranks
            Show the rank beside each value.
        """
        return as_text(self, Style(digits, percent, ranks))

    def to_markdown(self, *, digits: int = 3, percent: bool = False, ranks: bool = False) -> str:
        """Format as a Markdown table; the best value of a row is bold."""
        return as_markdown(self, Style(digits, percent, ranks))

    def to_latex(self, *, digits: int = 3, percent: bool = False, ranks: bool = False) -> str:
        """Format as a LaTeX tabular (package booktabs); the best value of a row is bold."""
        return as_latex(self, Style(digits, percent, ranks))

    def to_csv(self) -> str:
        """Format as CSV with every digit: mean, sd and number of runs of each column.

        `sg.rank` and `streamgauge rank` read it.
        """
        return as_csv(self)

    def __str__(self) -> str:
        return self.to_text()

    __repr__ = __str__


def make_table(
    cell_results: Sequence[CellResult],
    folder: Path,
    rows: str | Sequence[str],
    cols: str | Sequence[str],
    value: str,
    forget: str | None,
    where: Where | None,
) -> Table:
    """Make the table of one experiment in `folder`; see `Results.table` for the options."""
    across, down = _sides("cols", cols), _sides("rows", rows)
    if both := set(across) & set(down):
        raise UsageError(f"{both.pop()} cannot be rows and columns at once")
    chosen = _chosen(cell_results, folder, where)
    for side in SIDES:  # only seeds are averaged
        if side not in (*across, *down) and len({getattr(r.cell, side) for r in chosen}) > 1:
            down = (*down, side)
    forgetting = _forgetting(chosen, forget)
    found: dict[tuple[_Key, _Key], dict[tuple[int, int | None], float]] = {}
    failed: dict[tuple[_Key, _Key], int] = {}
    for result in chosen:
        position = (_key(result, down), _key(result, across))
        seeds = found.setdefault(position, {})
        if result.facts is not None:
            seed = (result.cell.seed, result.cell.model)
            if seed in seeds:
                raise UsageError(
                    f"two runs of {_joined(position[1])} on {_joined(position[0])} with seed "
                    f"{seed[0]}: they differ in settings that tables do not show; keep each "
                    "experiment in its own folder"
                )
            seeds[seed] = _value(result, value, forgetting)
        elif result.failure is not None:
            failed[position] = failed.get(position, 0) + 1
    names = [tuple(dict.fromkeys(position[i] for position in found)) for i in (0, 1)]
    positions = [[(row, column) for column in names[1]] for row in names[0]]
    values = [[list(found.get(each, {}).values()) for each in line] for line in positions]
    return Table(
        (down, across),
        names[0],
        tuple(map(_joined, names[1])),
        value,
        forgetting,
        len({(result.cell.seed, result.cell.model) for result in chosen}),
        np.array([[np.mean(v) if v else np.nan for v in line] for line in values]),
        np.array([[np.std(v, ddof=1) if len(v) > 1 else np.nan for v in line] for line in values]),
        np.array([[len(v) for v in line] for line in values]),
        np.array([[failed.get(each, 0) for each in line] for line in positions]),
        len({result.cell.model for result in chosen}),
        tuple(str(each.cell) for each in cell_results if each.damage),
    )


def _sides(option: str, given: str | Sequence[str]) -> tuple[str, ...]:
    sides = tuple(given.split(",")) if isinstance(given, str) else tuple(given)
    for side in sides:
        if side not in SIDES:
            raise UsageError(
                f"{option}: {side!r}{did_you_mean(side, SIDES)}; expected {', '.join(SIDES)}"
            )
    return sides


def _one_experiment(cell_results: Sequence[CellResult], folder: Path) -> list[CellResult]:
    names = list(dict.fromkeys(r.experiment for r in cell_results if r.experiment is not None))
    if len(names) > 1:
        raise UsageError(f"{folder} has {len(names)} experiments: name one of {', '.join(names)}")
    here = names[0] if names else None
    chosen = [r for r in cell_results if r.experiment == here and r.cell.learner != UNKNOWN]
    if not any(result.facts for result in chosen):
        damaged = [str(each.cell) for each in cell_results if each.damage]
        why = f"; damaged: {', '.join(damaged)}" if damaged else ""
        raise UsageError(f"{folder}: no run is complete, so the table would be empty{why}")
    return chosen


def list_scores(
    cell_results: Sequence[CellResult],
    folder: Path,
    value: str,
    forget: str | None,
    where: Where | None,
) -> list[Score]:
    """The value of every cell of one experiment; NaN without a run."""
    chosen = _chosen(cell_results, folder, where)
    forgetting = _forgetting(chosen, forget)
    return [
        Score(
            result.cell.stream,
            result.cell.learner,
            np.nan if result.facts is None else _value(result, value, forgetting),
            result.cell.labels,
            str(result.cell.seed),
            model=result.cell.model,
        )
        for result in chosen
    ]


def _chosen(
    cell_results: Sequence[CellResult], folder: Path, where: Where | None
) -> list[CellResult]:
    one = _one_experiment(cell_results, folder)
    return select(one, where, KEYS, lambda result, key: getattr(result.cell, key))


def _forgetting(cell_results: list[CellResult], asked: str | None) -> str:
    known = list(dict.fromkeys(f for r in cell_results if r.facts for f in r.facts.summary))
    if asked is not None and asked not in known:
        raise UsageError(
            f"forget: {asked!r}{did_you_mean(asked, known)}; the runs have {', '.join(known)}"
        )
    return asked or (known[0] if known else "")


def _key(result: CellResult, sides: tuple[str, ...]) -> _Key:
    return tuple(getattr(result.cell, side) for side in sides)


def _joined(key: Iterable[str]) -> str:
    return " · ".join(key)


def _value(result: CellResult, name: str, forgetting: str) -> float:
    assert result.facts is not None
    values = {**result.facts.summary.get(forgetting, {}), **result.facts.cost}
    if name not in values:
        raise UsageError(
            f"no metric or cost {name!r}{did_you_mean(name, values)}; {result.cell.learner} on "
            f"{result.cell.stream} has {', '.join(values)}"
        )
    value = values[name]
    return np.nan if value is None else float(value)
