"""`sg.results`: what a folder of runs holds, as frames, by SQL, and run by run."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
import pyarrow as pa

from streamgauge._support.errors import InputError, UsageError, did_you_mean
from streamgauge.experiments._cells import Cell
from streamgauge.experiments._store import Failure, Store
from streamgauge.runs.run import frame_of
from streamgauge.runs.store import FAILED
from streamgauge.runs.stored import StoredRun, read_run

if TYPE_CHECKING:
    from streamgauge.experiments.table import Table

COST = ("seconds", "rows_per_second", "model_bytes", "ram_hours")
_FILES = {"curves": "curve.parquet", "predictions": "predictions.parquet"}


class Facts(msgspec.Struct, frozen=True):
    """What of a run.json stands in tables."""

    id: str
    status: str
    stream: str
    learner: str
    settings: dict[str, Any]
    counts: dict[str, Any]
    summary: dict[str, dict[str, float | None]]
    cost: dict[str, float | None]
    failure: dict[str, Any] | None = None


class Line(NamedTuple):
    """A cell of an experiment, or a run that belongs to none, and what became of it."""

    grid: str | None
    cell: Cell
    path: Path | None  # of its run, or of why there is none
    facts: Facts | None  # of a complete run
    failure: Failure | None

    @property
    def status(self) -> str:
        """complete, failed, or missing: not run yet."""
        done = "complete" if self.facts is not None else "missing"
        return done if self.failure is None else "failed"


class Results:
    """Runs and holes of a folder. `len` counts the complete runs; iterating gives them."""

    def __init__(self, folder: str | Path, name: str | None = None) -> None:
        self.folder, self.name = Path(folder), name
        if not self.folder.is_dir():
            raise UsageError(f"{folder}: no such folder; expected one that `run` or --save made")

    @cached_property
    def lines(self) -> list[Line]:
        """Every cell, in the order of the plan; then runs that belong to no experiment."""
        store = Store(self.folder)
        saved, plans = store.saved(), store.plans()
        names = [plan.name for plan in plans]
        if self.name is not None and self.name not in names:
            raise UsageError(
                f"{self.folder} has no experiment {self.name!r}{did_you_mean(self.name, names)}; "
                f"it has: {', '.join(names) or 'none'}"
            )
        found, planned = [], set()
        for plan in plans:
            for cell in plan.cells:
                planned.add(cell.id[:12])
                if self.name in (None, plan.name):
                    found.append(self._line(plan.name, cell, saved.get(cell.id[:12])))
        others = [] if self.name is not None else [k for k in saved if k not in planned]
        return found + [line for key in sorted(others) if (line := self._alone(saved[key]))]

    @property
    def runs(self) -> list[StoredRun]:
        """The complete runs."""
        return [read_run(line.path) for line in self.lines if line.facts and line.path]

    @property
    def failures(self) -> list[tuple[Cell, Failure]]:
        """Cells that failed, and why."""
        return [(line.cell, line.failure) for line in self.lines if line.failure]

    def run(self, **where: Any) -> StoredRun:
        """The run of one cell: `results.run(stream="elec2", learner="NaiveBayes", seed=1)`."""
        for key in where:
            if key not in Cell.__struct_fields__:
                there = ", ".join(Cell.__struct_fields__)
                raise UsageError(f"run({key}=...): a cell has {there}")
        fits = [
            line
            for line in self.lines
            if all(str(getattr(line.cell, key)) == str(value) for key, value in where.items())
        ]
        complete = {line.cell.id: line for line in fits if line.facts is not None}
        if len(complete) == 1:
            (line,) = complete.values()
            assert line.path is not None
            return read_run(line.path)
        asked = ", ".join(f"{key}={value!r}" for key, value in where.items())
        if not complete:
            why = f": {fits[0].failure.message}" if fits and fits[0].failure else ""
            raise UsageError(
                f"run({asked}): of {len(fits)} such cells none has a run{why}; see to_frame()"
            )
        raise UsageError(f"run({asked}): {len(complete)} runs are like that; say which")

    def to_arrow(self) -> pa.Table:
        """A line per cell and forgetting, a column per metric; holes have a status."""
        return pa.Table.from_pylist(list(self._flat()), schema=self._schema())

    def to_frame(self, kind: str | None = None) -> Any:
        """The same as a frame: "pandas", "polars" or "arrow"; by default the first there is."""
        return frame_of(self.to_arrow(), kind)

    def sql(self, query: str, kind: str | None = None) -> Any:
        """Ask DuckDB: `runs` is the table of `to_arrow`; `curves` and `predictions` are those of
        all complete runs, with the run's id."""
        import duckdb

        with duckdb.connect() as database:
            database.register("runs", self.to_arrow())
            for view, file in _FILES.items():
                if re.search(rf"\b{view}\b", query):
                    self._register(database, view, file)
            try:
                relation = database.sql(query)
                table = None if relation is None else relation.to_arrow_table()
            except duckdb.Error as error:
                raise UsageError(
                    f"sql: {error}; there are the tables runs, curves and predictions"
                ) from None
        if table is None:
            raise UsageError(f"sql: {query!r} gives no table; expected a select")
        return frame_of(table, kind)

    def table(self, **options: Any) -> Table:
        """Mean ± sd over seeds, ranks and tests: rows, cols, value, forget, where."""
        from streamgauge.experiments.table import make_table

        return make_table(self, **options)

    def __len__(self) -> int:
        return sum(line.facts is not None for line in self.lines)

    def __iter__(self) -> Iterator[StoredRun]:
        return iter(self.runs)

    def __repr__(self) -> str:
        counts = [line.status for line in self.lines]
        said = ", ".join(f"{counts.count(s):,} {s}" for s in dict.fromkeys(counts)) or "nothing"
        return f"<results in {self.folder}: {said}>"

    def _line(self, grid: str, cell: Cell, path: Path | None) -> Line:
        if path is None:
            return Line(grid, cell, None, None, None)
        if path.name.endswith(FAILED):
            return Line(grid, cell, path, None, Store(self.folder).failure(cell))
        return Line(grid, cell, path, _facts(path), None)

    def _alone(self, path: Path) -> Line | None:
        """A run that belongs to no experiment here; failures of former plans say nothing now."""
        if not (path / "run.json").exists():
            return None
        facts = _facts(path)
        settings = facts.settings
        cell = Cell(
            facts.stream, facts.learner, settings["labels"], settings["seed"], facts.id, path.name
        )
        if facts.failure is None:
            return Line(None, cell, path, facts, None)
        failure = Failure(facts.id, "raised", facts.failure["message"], facts.failure["traceback"])
        return Line(None, cell, path, None, failure)

    def _flat(self) -> Iterator[dict[str, Any]]:
        for line in self.lines:
            cell, facts, failure = line.cell, line.facts, line.failure
            head: dict[str, Any] = {
                "experiment": line.grid, "stream": cell.stream, "learner": cell.learner,
                "labels": cell.labels, "seed": cell.seed, "status": line.status,
            }  # fmt: skip
            tail = {
                "failure": failure and failure.kind,
                "message": failure and failure.message,
                "id": cell.id,
                "path": None if line.path is None else str(line.path),
            }
            if facts is None:
                yield head | tail
                continue
            counts = {key: facts.counts[key] for key in ("rows", "scored")}
            for forgetting, values in facts.summary.items():
                yield head | {"forgetting": forgetting} | counts | values | facts.cost | tail

    def _schema(self) -> pa.Schema:
        facts = [line.facts for line in self.lines if line.facts is not None]
        metrics = dict.fromkeys(m for each in facts for s in each.summary.values() for m in s)
        text, whole, number = pa.string(), pa.int64(), pa.float64()
        return pa.schema(
            [
                ("experiment", text), ("stream", text), ("learner", text), ("labels", text),
                ("seed", whole), ("status", text), ("forgetting", text), ("rows", whole),
                ("scored", whole), *((metric, number) for metric in metrics),
                *((cost, number) for cost in COST), ("failure", text), ("message", text),
                ("id", text), ("path", text),
            ]
        )  # fmt: skip

    def _register(self, database: Any, view: str, file: str) -> None:
        paths = {
            str(line.path / file): line.cell.id for line in self.lines if line.facts and line.path
        }
        there = [path for path in paths if Path(path).exists()]
        if not there:
            raise UsageError(f"sql: no run in {self.folder} has {view}")
        files = pa.table({"file": there, "id": [paths[path] for path in there]})
        database.register(f"files_of_{view}", files)
        listed = ", ".join("'" + path.replace("'", "''") + "'" for path in there)
        database.execute(
            f"create view {view} as select f.id, c.* exclude (filename) from "
            f"read_parquet([{listed}], filename=true, union_by_name=true) c "
            f"join files_of_{view} f on f.file = c.filename"
        )


def results(folder: str | Path = "results", name: str | None = None) -> Results:
    """What a folder of runs holds; `name`: of one of its experiments alone."""
    return Results(folder, name)


def _facts(path: Path) -> Facts:
    file = path / "run.json"
    try:
        return msgspec.json.decode(file.read_bytes(), type=Facts)
    except (OSError, msgspec.DecodeError) as error:
        raise InputError(
            f"{file}: is no run of streamgauge: {error}; remove {path} and run it again"
        ) from None
