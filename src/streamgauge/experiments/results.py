"""`sg.results`: the runs in a folder, as frames, by SQL, as tables and one by one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any, overload

import duckdb
import pyarrow as pa

from streamgauge._support.errors import InputError, UsageError
from streamgauge._support.paths import exists
from streamgauge._support.selection import Where
from streamgauge.experiments._alarms import ALARMS, alarm_counts
from streamgauge.experiments._cell_results import (
    CellResult,
    StoreResults,
    read_cell_results,
)
from streamgauge.experiments._cells import Cell
from streamgauge.experiments._notebook import results_html
from streamgauge.experiments._result_figures import draw_results
from streamgauge.experiments._sql_views import register_view
from streamgauge.experiments._store import CellFailure
from streamgauge.experiments.tables.cell_values import choose, list_scores, scale_in
from streamgauge.experiments.tables.combined import Sides, Tables, make_table
from streamgauge.experiments.tables.result_table import ResultTable
from streamgauge.measures.scale import Scale
from streamgauge.ranking.score_table import LearnerScore
from streamgauge.rendering.frames import frame_of
from streamgauge.runs.facts import title_of
from streamgauge.runs.integrity import check_file
from streamgauge.runs.run import Run
from streamgauge.runs.runs import Runs, number_fields, number_lines

_FILES = {
    "curves": "curve.parquet",
    "predictions": "predictions.parquet",
    "bins": "bins.parquet",
    "alarms": ALARMS,
}

_AlarmCounts = Mapping[Path, Mapping[str, int]]  # of the runs in these directories


class Results:
    """Results of the runs in a folder: complete, failed, damaged and missing cells.

    `len` counts the complete runs; iterating yields them. If the folder has experiments, only
    their cells count, as in every table: other runs in it may be superseded, by a changed learner
    or setting. `left_out` lists those.

    Parameters
    ----------
    folder
        A folder that `sg.run_grid`, `run.save` or `--save` wrote.
    name
        Use only the experiment of this name.

    Examples
    --------
    >>> import streamgauge as sg
    >>> streams = [{"generate": "SEA(1000)"}, {"generate": "Sine1(1000)"}]
    >>> results = sg.run_grid(sg.Grid(streams, ["NaiveBayes", "Majority"]), "results", workers=0)
    >>> len(results), len(results.failures)
    (4, 0)
    >>> run = results.run(stream="SEA(1000)", learner="NaiveBayes")
    >>> print(f"accuracy {run.summary['accuracy']:.3f}")
    accuracy 0.927
    """

    def __init__(self, folder: str | Path, name: str | None = None) -> None:
        self.folder, self.name = Path(folder).absolute(), name
        if not (exists(self.folder) and self.folder.is_dir()):
            raise UsageError(
                f"{folder}: no such folder; expected one written by `run`, `save` or --save"
            )

    @cached_property
    def cell_results(self) -> list[CellResult]:
        """Every cell in the order of the plan; without an experiment, the runs in the folder."""
        return self._found.in_use

    @property
    def left_out(self) -> list[CellResult]:
        """The runs that belong to no experiment, if the folder has experiments."""
        return self._found.left_out

    @cached_property
    def _found(self) -> StoreResults:
        return read_cell_results(self.folder, self.name)

    @property
    def runs(self) -> Runs:
        """The complete runs, under the names of the learners in the experiment."""
        found = ((each.run, each.cell.learner) for each in self.cell_results)
        return Runs(_named(run, name) for run, name in found if run is not None)

    @property
    def failures(self) -> list[tuple[Cell, CellFailure]]:
        """The failed cells and their failures."""
        return [(each.cell, each.failure) for each in self.cell_results if each.failure]

    @property
    def damaged(self) -> list[tuple[Cell, str]]:
        """The cells whose runs cannot be used, and why; the next `run` repairs them."""
        return [(each.cell, each.damage) for each in self.cell_results if each.damage]

    def run(self, **where: Any) -> Run:
        """The run of one cell: `results.run(stream="elec2", learner="NaiveBayes", seed=1)`.

        A run that does not depend on the seed is that of every seed.
        """
        for key in where:
            if key not in Cell.__struct_fields__:
                expected = ", ".join(Cell.__struct_fields__)
                raise UsageError(f"run({key}=...): unknown field; expected {expected}")
        matching = [
            each
            for each in self.cell_results
            if all(
                each.cell.has_seed(value)
                if key == "seed"
                else str(getattr(each.cell, key)) == str(value)
                for key, value in where.items()
            )
        ]
        complete = {each.cell.id: each.run for each in matching if each.run is not None}
        if len(complete) == 1:
            return next(iter(complete.values()))
        asked = ", ".join(f"{key}={value!r}" for key, value in where.items())
        if not complete:
            reasons = [each.damage or (each.failure and each.failure.message) for each in matching]
            why = f": {reasons[0]}" if reasons and reasons[0] else ""
            raise UsageError(
                f"run({asked}): none of the {len(matching)} matching cells has a run{why}; see "
                "to_frame()"
            )
        raise UsageError(f"run({asked}): {len(complete)} runs match; give more fields")

    def by_learner(self, where: Where | None = None) -> dict[str, Runs]:
        """The runs of each learner, by the names of the experiment.

        Parameters
        ----------
        where
            Use only these cells, e.g. {"stream": "elec2", "learner!": "KNN"}.
        """
        found: dict[str, list[Run]] = {}
        for each in choose(self.cell_results, self.folder, where):
            if each.run is not None:
                name = title_of(each.cell.learner, each.cell.model)
                found.setdefault(name, []).append(each.run)
        return {name: Runs(runs) for name, runs in found.items()}

    def to_arrow(self) -> pa.Table:
        """One line per cell and forgetting, one column per metric; `status` marks missing runs.

        The columns `alarms[...]` count the alarms of the experiment's detectors.
        """
        paths = [run.path for run in self if run.path is not None]
        alarms = {path: alarm_counts(path) for path in paths}
        return pa.Table.from_pylist(list(self._records(alarms)), schema=self._schema(alarms))

    def to_frame(self, kind: str | None = None) -> Any:
        """The table of `to_arrow` as a frame.

        Parameters
        ----------
        kind
            "pandas", "polars" or "arrow"; by default the first of them that is installed.
        """
        return frame_of(self.to_arrow(), kind)

    def sql(self, query: str, kind: str | None = None) -> Any:
        """Run a DuckDB query over the tables `runs`, `curves`, `predictions`, `bins` and `alarms`.

        `runs` is the table of `to_arrow`, with a line per forgetting: a query says which one it
        means, e.g. `where forgetting = 'Cumulative()'`. So does one over `curves`. The tables
        `curves`, `predictions`, `bins` and `alarms` hold those of all complete runs, with the
        run's id. If some runs have timestamps and others integer times, the column `time` of
        `curves` is text.
        """
        with duckdb.connect() as database:
            asked = {v: file for v, file in _FILES.items() if re.search(rf"\b{v}\b", query)}
            for view, file in asked.items():
                register_view(database, view, self._files(file), self.folder)
            database.register("runs", self.to_arrow())
            try:
                relation = database.sql(query)
                table = None if relation is None else relation.to_arrow_table()
            except duckdb.Error as error:
                raise UsageError(
                    f"sql: {error}; the tables are runs, curves, predictions, bins and alarms"
                ) from None
        if table is None:
            raise UsageError(f"sql: {query!r} returns no table; expected a select")
        return frame_of(table, kind)

    @overload
    def table(
        self, rows: Sides = None, cols: Sides = None, value: str = "kappa",
        forget: str | None = None, where: Where | None = None, references: bool | None = None,
    ) -> ResultTable: ...  # fmt: skip
    @overload
    def table(
        self, rows: Sides = None, cols: Sides = None, value: Sequence[str] = ...,
        forget: str | None = None, where: Where | None = None, references: bool | None = None,
    ) -> Tables: ...  # fmt: skip
    def table(
        self,
        rows: Sides = None,
        cols: Sides = None,
        value: str | Sequence[str] = "kappa",
        forget: str | None = None,
        where: Where | None = None,
        references: bool | None = None,
    ) -> ResultTable | Tables:
        """Mean ± sd over the seeds, with ranks and tests, or several values beside each other.

        Rows of one stream, under several label policies or injected and not, are not ranked
        together.

        Parameters
        ----------
        rows, cols
            "stream", "learner", "labels", or several of them; by default streams × learners. A
            dimension in neither that has several values is added to the rows. Columns may be
            "metric": one per value, learners below each other, which is the default for several
            values.
        value
            A metric, or a cost: seconds, rows_per_second, model_bytes, ram_hours; or a list of
            them.
        forget
            The forgetting to read; by default the first.
        where
            Use only these cells, e.g. {"labels": "Delay(100)"}.
        references
            Whether to show the references too; by default if the columns are metrics. They are not
            ranked.
        """
        return make_table(
            self.cell_results, self.folder, rows, cols, value, forget, where, references
        )

    def plot(
        self,
        what: str | None = None,
        value: str | None = None,
        *,
        x: str | None = None,
        y: str | None = None,
        cost: str = "seconds",
        forget: str | None = None,
        where: Where | None = None,
    ) -> Any:
        """Draw the results. Needs Altair: pip install 'streamgauge[plot]'.

        Only seeds are averaged: each stream and label policy has a panel.

        Parameters
        ----------
        what
            "cost": score against cost, with the line of those that nothing beats in both.
            "sweep": score against a number that varies between the cells. "grid": score against
            two such numbers, as heat maps. "worth": what the best learner on each stream adds to
            past labels alone, or loses, in accuracy. "delay": by how much learners are better than
            the best reference, against the n of Delay(n). Default: "grid" if two numbers vary,
            "sweep" if one or more do, else "cost".
        value
            The metric. Default: kappa, or mae for regression.
        x, y
            The numbers to draw: a parameter of learners ("grace_period"), of a generator ("noise")
            or of a label policy, "Delay" (the n of Delay(n)), "inject". Default: the first that
            vary.
        cost
            seconds, model_bytes or ram_hours.
        forget
            The forgetting to read. Default: the first.
        where
            Use only these cells, e.g. {"labels": "Delay(100)"}.

        Returns
        -------
        altair.Chart
            The chart: change it as you like; `.save("x.pdf")` also writes .svg, .png and .html.

        Examples
        --------
        >>> import tempfile
        >>> import streamgauge as sg
        >>> trees = [f"HoeffdingTree(grace_period={n})" for n in (50, 200, 800)]
        >>> results = sg.run_grid(sg.Grid(["SEA(2000)"], trees), tempfile.mkdtemp(), workers=0)
        >>> chart = results.plot("sweep", "accuracy", x="grace_period")
        >>> print(*chart.to_dict()["title"]["text"])
        SEA(2000): accuracy against grace_period
        """
        return draw_results(self, what, value, x, y, cost, forget, where)

    def score_list(
        self, metric: str, forget: str | None, where: Where | None
    ) -> list[LearnerScore]:
        """The score of every cell, as `sg.rank` reads it; NaN without a run."""
        return list_scores(self.cell_results, self.folder, metric, forget, where)

    def scale_of(self, metric: str, where: Where | None = None) -> Scale:
        """Whether higher or lower values of a metric or cost are better, and their unit."""
        return scale_in(self.cell_results, self.folder, metric, where)

    def __len__(self) -> int:
        return sum(each.run is not None for each in self.cell_results)

    def __iter__(self) -> Iterator[Run]:
        return iter(self.runs)

    def __repr__(self) -> str:
        counts = [each.status for each in self.cell_results]
        shown = ", ".join(f"{counts.count(s):,} {s}" for s in dict.fromkeys(counts)) or "empty"
        others = f"; {len(self.left_out):,} runs of no experiment" if self.left_out else ""
        return f"<results in {self.folder}: {shown}{others}>"

    def _repr_html_(self) -> str:
        return results_html(self)

    def _checked(self, file: str) -> list[CellResult]:
        """The cells, after this file of every complete run has been read and compared."""
        found = self.cell_results
        for number, each in enumerate(found):
            files = {} if each.run is None else each.run._parts.files
            if each.path is not None and file in files:
                try:
                    check_file(each.path / file, files[file], "run it again")
                except InputError as error:
                    found[number] = each._replace(run=None, damage=str(error))
        return found

    def _records(self, alarms: _AlarmCounts) -> Iterator[dict[str, Any]]:
        for result in self.cell_results:
            cell, run, failure = result.cell, result.run, result.failure
            head: dict[str, Any] = {
                "experiment": result.experiment, "stream": cell.stream, "learner": cell.learner,
                "labels": cell.labels, "seed": cell.seed, "model": cell.model,
                "by_seed": cell.by_seed, "status": result.status,
            }  # fmt: skip
            tail: dict[str, Any] = {
                "failure": failure and failure.kind,
                "message": result.damage or (failure and failure.message),
                "id": cell.id,
                "path": None if result.path is None else str(result.path),
            }
            if run is None:
                yield head | tail
                continue
            tail["measured_by"] = run.cost.measured_by
            tail |= {} if run.path is None else alarms[run.path]
            for numbers in number_lines(run):
                yield head | numbers | tail

    def _files(self, file: str) -> dict[Path, str]:
        """This file of every complete run, with the run's id."""
        return {
            each.path / file: each.cell.id
            for each in self._checked(file)
            if each.run is not None and each.path is not None
        }

    def _schema(self, alarms: _AlarmCounts) -> pa.Schema:
        alarm_names = dict.fromkeys(name for counts in alarms.values() for name in counts)
        text, integer = pa.string(), pa.int64()
        return pa.schema(
            [
                ("experiment", text), ("stream", text), ("learner", text), ("labels", text),
                ("seed", integer), ("model", integer), ("by_seed", text), ("status", text),
                *number_fields(self), ("measured_by", text),
                *((name, integer) for name in alarm_names),
                ("failure", text), ("message", text),
                ("id", text), ("path", text),
            ]
        )  # fmt: skip


def _named(run: Run, name: str) -> Run:
    """The run, with another name of its learner."""
    verdict = replace(run.verdict, learner=title_of(name, run.settings.model))
    return replace(run, name=name, verdict=verdict)


def results(folder: str | Path = "results", name: str | None = None) -> Results:
    """Open the results in a folder.

    Parameters
    ----------
    folder
        A folder that `sg.run_grid`, `run.save` or `--save` wrote.
    name
        Use only the experiment of this name.

    Returns
    -------
    Results
        The runs in the folder.

    Raises
    ------
    UsageError
        If the folder does not exist.

    Examples
    --------
    >>> import streamgauge as sg
    >>> path = sg.evaluate(sg.SEA(1000, seed=1), sg.NaiveBayes()).save("results")
    >>> [round(run.summary["accuracy"], 3) for run in sg.results("results")]
    [0.927]
    """
    return Results(folder, name)
