"""A results table: mean ± sd over seeds, ranks and tests; missing values stay visible."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeAlias

import numpy as np

from streamgauge._support.errors import UsageError
from streamgauge._support.types import Flags, Floats, Longs
from streamgauge.experiments._cells import STREAM_DEFAULT
from streamgauge.experiments.tables.cell_values import (
    CellValues,
    MissingValue,
    pickled_in,
    same_cell,
)
from streamgauge.experiments.tables.table_text import (
    Mark,
    Style,
    as_csv,
    as_html,
    as_latex,
    mark_of,
    sheet_of_table,
)
from streamgauge.measures.scale import Scale, common_scale
from streamgauge.ranking.ranking import Ranking
from streamgauge.ranking.score_table import LearnerScore, ScoreTable
from streamgauge.ranking.variants import tables_of
from streamgauge.rendering.markdown import sheet_markdown
from streamgauge.rendering.sheet import Sheet
from streamgauge.rendering.text_table import sheet_text
from streamgauge.runs.facts import BY_SIZE
from streamgauge.streams.origin import Origin

Key: TypeAlias = tuple[str, ...]  # a value of each dimension
_Place: TypeAlias = tuple[int, int]  # row, column


@dataclass(frozen=True, repr=False)
class ResultTable:
    """Values of one metric, rows × columns, averaged over seeds. Printing it shows it as text."""

    sides: tuple[tuple[str, ...], tuple[str, ...]]
    row_keys: tuple[Key, ...]  # a value of each row dimension
    column_keys: tuple[Key, ...]
    value: str
    scale: Scale  # its direction and unit
    forgetting: str
    seeds: int  # of a complete cell, times the models of a cross-validation
    mean: Floats  # over the seeds that have a run; NaN without a run or if the metric is undefined
    sd: Floats  # NaN for a single seed
    runs: Longs
    expected: Longs  # runs of a complete cell: a run that does not depend on the seed is one
    holes: Mapping[_Place, Sequence[MissingValue]]  # of the seeds without a run
    marks: Mapping[_Place, Mark]  # what the verdicts say about a cell
    reference_rows: Flags
    reference_columns: Flags
    models: int = 1  # of a cross-validation
    damaged: tuple[str, ...] = field(default=())  # cells whose runs cannot be used
    origins: Mapping[str, Origin] = field(default_factory=dict)  # of the streams, by name
    is_fixed: bool = False  # whether no run depends on the seed
    fixed: tuple[str, ...] = ()  # learners with runs that do not depend on the seed
    pickled: tuple[str, ...] = ()  # learners whose size, which is shown, is their pickled size
    about: str = ""  # the stream and labels of all cells, if neither rows nor columns show them

    @property
    def rows(self) -> tuple[str, ...]:
        """Names of the rows."""
        return tuple(map(joined, self.row_keys))

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns."""
        return tuple(map(joined, self.column_keys))

    @cached_property
    def complete(self) -> Flags:
        """Rows without missing or undefined values; averages, ranks and tests use only these.

        References do not count, neither their rows nor holes in their columns, nor do columns
        without any value: a learner that fails everywhere.
        """
        ignored = self.reference_columns | self.empty_columns
        defined = (self.runs == self.expected) & ~np.isnan(self.mean) | ignored
        return np.asarray(defined.all(axis=1) & ~self.reference_rows, np.bool_)

    @cached_property
    def empty_columns(self) -> Flags:
        """Columns of learners without a value in any row, as long as others have one."""
        known = ((self.runs > 0) & ~np.isnan(self.mean))[~self.reference_rows].any(axis=0)
        empty = ~known & ~self.reference_columns
        others = ~self.reference_columns & known
        return np.asarray(empty & bool(others.any()), np.bool_)

    @cached_property
    def _ranked_columns(self) -> Longs:
        return np.flatnonzero(~self.reference_columns & ~self.empty_columns)

    @property
    def average(self) -> Floats:
        """Average of each column over the complete rows."""
        rows = self.mean[self.complete]
        return rows.mean(axis=0) if len(rows) else np.full(len(self.columns), np.nan)

    @cached_property
    def ranks(self) -> Floats:
        """Rank of each value within its row; NaN in incomplete rows and for references.

        All are NaN if the value has no direction.
        """
        ranks = np.full(self.mean.shape, np.nan)
        if self.scale.direction and self.complete.any():
            learners = self._ranked_columns
            scores = self.mean[self.complete][:, learners]
            table = ScoreTable(self.rows, tuple(self.columns[j] for j in learners), scores)
            found = Ranking(table, self.scale.lower_is_better).ranks
            ranks[np.ix_(self.complete, learners)] = found
        return ranks

    @cached_property
    def rankings(self) -> dict[str, Ranking]:
        """Rankings of the columns over the complete rows, by label policy and injection.

        The name is "" if there is only one. There is none with fewer than two streams or columns,
        if the rows are not streams, or if the value has no direction. References are not ranked.
        """
        if "stream" not in self.sides[0] or self.scale.direction is None:
            return {}
        scores = []
        for i in np.flatnonzero(self.complete):
            key = dict(zip(self.sides[0], self.row_keys[i], strict=True))
            stream, others = key.pop("stream"), joined(key.values())
            for j in self._ranked_columns:
                mean, sd, runs = self.mean[i, j], self.sd[i, j], int(self.runs[i, j])
                score = LearnerScore(stream, self.columns[j], mean, others, sd=sd, runs=runs)
                scores.append(score._replace(origin=self.origins.get(stream)))
        return {
            variant: Ranking(table, self.scale.lower_is_better, variant=variant, metric=self.value)
            for variant, table in tables_of(scores).items()
            if min(table.scores.shape) > 1
        }

    @property
    def sheet(self) -> Sheet:
        """The table ready to be shown: cells with their marks, averages, notes."""
        return sheet_of_table(self, Style(best="bold"))

    def to_text(
        self,
        *,
        digits: int = 3,
        percent: bool = False,
        ranks: bool = False,
        verdicts: bool = True,
        details: bool = False,
    ) -> str:
        """Format as aligned text; a star marks the best value of a row.

        Parameters
        ----------
        digits
            Number of decimals of metrics.
        percent
            Multiply metrics without a unit by 100.
        ranks
            Show the rank beside each value.
        verdicts
            Mark learners that are better or worse than the references.
        details
            Add every note, with the tests of the ranks.
        """
        return sheet_text(
            sheet_of_table(self, Style(digits, percent, ranks, verdicts, details=details))
        )

    def to_markdown(
        self,
        *,
        digits: int = 3,
        percent: bool = False,
        ranks: bool = False,
        verdicts: bool = True,
    ) -> str:
        """Format as a Markdown table; the best value of a row is bold."""
        style = Style(digits, percent, ranks, verdicts, best="bold")
        return sheet_markdown(sheet_of_table(self, style))

    def to_latex(
        self,
        *,
        digits: int = 3,
        percent: bool = False,
        ranks: bool = False,
        verdicts: bool = True,
        caption: str | None = None,
        label: str | None = None,
        width: str | None = None,
    ) -> str:
        """Format as a LaTeX table (packages booktabs and siunitx), ready to paste.

        The best value of a row is bold.

        Parameters
        ----------
        digits, percent, ranks, verdicts
            As in `to_text`.
        caption
            The caption, as LaTeX; by default one in words, which stays a note below another.
        label
            The label for `\\ref`; by default "tab:" and the value.
        width
            "column" (3.3 inches) or "page" (6.9): a wider table is set small, turned over, set
            sideways or split, and a long one goes over pages. By default it is left as it is.
        """
        style = Style(digits, percent, ranks, verdicts, best="bold", common_unit=True)
        return as_latex(sheet_of_table(self, style), caption, label or f"tab:{self.value}", width)

    def to_csv(self) -> str:
        """Format as CSV with every digit: mean, sd and number of runs of each column.

        `sg.rank` and `streamgauge rank` read it.
        """
        return as_csv([self])

    @property
    def details(self) -> str:
        """The table with every note and the tests of the ranks; printing has fewer notes."""
        return self.to_text(details=True)

    def __str__(self) -> str:
        return self.to_text()

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return as_html(sheet_of_table(self, Style(best="bold")))


def table_of(
    entries: Sequence[CellValues],
    down: tuple[str, ...],
    across: tuple[str, ...],
    value: str,
    forgetting: str,
    damaged: tuple[str, ...],
) -> ResultTable:
    """The table of one value; `down` and `across` are the dimensions of rows and columns."""
    found: dict[tuple[Key, Key], dict[tuple[int, int | None], float]] = {}
    holes: dict[tuple[Key, Key], list[MissingValue]] = {}
    fixed: dict[tuple[Key, Key], bool] = {}
    verdicts: dict[tuple[Key, Key], list[Mapping[str, str]]] = {}
    for entry in entries:
        position = (_key(entry, down), _key(entry, across))
        seeds = found.setdefault(position, {})
        fixed[position] = fixed.get(position, True) and entry.cell.is_fixed
        if entry.values is None:
            holes.setdefault(position, []).append(entry.hole or MissingValue("not run"))
            continue
        seed = (entry.cell.seed, entry.cell.model)
        if seed in seeds:
            raise UsageError(same_cell(entries, entry))
        number = entry.value(value)
        if number is not None:
            seeds[seed] = number
        if entry.verdict is not None:
            verdicts.setdefault(position, []).append(entry.verdict)
    keys = [tuple(dict.fromkeys(position[i] for position in found)) for i in (0, 1)]
    places = {
        (row, column): (i, j) for i, row in enumerate(keys[0]) for j, column in enumerate(keys[1])
    }
    values = [[list(found.get((row, c), {}).values()) for c in keys[1]] for row in keys[0]]
    marks = {places[position]: mark_of(each) for position, each in verdicts.items()}
    learners = [entry for entry in entries if not entry.is_reference]
    known = [entry.origin.run for entry in entries if entry.origin]
    varying = [entry for entry in learners if not entry.cell.is_fixed]
    models = len({entry.cell.model for entry in learners})
    count = len({(entry.cell.seed, entry.cell.model) for entry in varying or learners})
    return ResultTable(
        (down, across),
        keys[0],
        keys[1],
        value,
        common_scale(value, (run.scales for run in known if run)),
        forgetting,
        count,
        np.array([[np.mean(v) if v else np.nan for v in line] for line in values]),
        np.array([[np.std(v, ddof=1) if len(v) > 1 else np.nan for v in line] for line in values]),
        np.array([[len(v) for v in line] for line in values]),
        np.array([[models if fixed.get((r, c)) else count for c in keys[1]] for r in keys[0]]),
        {places[position]: each for position, each in holes.items()},
        {place: mark for place, mark in marks.items() if mark is not None},
        _only_references(entries, keys[0], down),
        _only_references(entries, keys[1], across),
        models,
        damaged,
        _origins(learners),
        not varying,
        tuple(dict.fromkeys(each.cell.learner for each in learners if each.cell.is_fixed)),
        pickled_in(each.origin for each in learners if each.origin) if value in BY_SIZE else (),
        _about(learners, (*down, *across)),
    )


def _origins(entries: Sequence[CellValues]) -> dict[str, Origin]:
    """What each stream is made from; without seeds if it was drawn several times."""
    found: dict[str, set[Origin]] = {}
    for cell in (entry.cell for entry in entries):
        if cell.origin is not None:
            found.setdefault(cell.stream, set()).add(cell.origin)
    return {
        name: next(iter(each)) if len(each) == 1 else next(iter(each)).unseeded
        for name, each in found.items()
    }


def _about(entries: Sequence[CellValues], sides: tuple[str, ...]) -> str:
    """The stream, if it is no side of the table, and labels that are not immediate."""
    cell = entries[0].cell
    stream = cell.stream if "stream" not in sides else ""
    is_plain = "labels" in sides or cell.labels in (STREAM_DEFAULT, "Immediate()")
    return ", ".join(filter(None, [stream, "" if is_plain else f"labels {cell.labels}"]))


def _only_references(
    entries: Sequence[CellValues], keys: Sequence[Key], sides: tuple[str, ...]
) -> Flags:
    """Which rows or columns belong to references."""
    learners = {_key(entry, sides) for entry in entries if not entry.is_reference}
    return np.array([key not in learners for key in keys], np.bool_)


def _key(entry: CellValues, sides: tuple[str, ...]) -> Key:
    return tuple(getattr(entry.cell, side) for side in sides)


def joined(key: Iterable[str]) -> str:
    """The values of several dimensions as one name."""
    return " · ".join(key)
