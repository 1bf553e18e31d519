"""The large parts of a saved run, read from its directory when they are asked for."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from streamgauge._support.arrow_numbers import numbers
from streamgauge._support.errors import InputError, UsageError
from streamgauge._support.types import Floats, Schema
from streamgauge.measures.bins import BinTable
from streamgauge.measures.curves import Curve, clock_in
from streamgauge.measures.forgetting import Forgetting, forgetting_of
from streamgauge.measures.metrics.select import metrics_for
from streamgauge.measures.reference import Reference, column_of
from streamgauge.runs.bins.bins import Bins
from streamgauge.runs.bins.outcome_log import OutcomeLog
from streamgauge.runs.bins.replay import BinReplay
from streamgauge.runs.directories import (
    BINS,
    COST,
    CURVE,
    EFFORT,
    OUTCOMES,
    PREDICTIONS,
    RUN_FILE,
)
from streamgauge.runs.facts import COSTS
from streamgauge.runs.integrity import REMEDY, StoredFile, check_file
from streamgauge.runs.record import StoredBins, StoredRecord, read_bins
from streamgauge.runs.scoring_plan import ScoringPlan


@dataclass
class StoredParts:
    """The parts of a run in its directory."""

    path: Path
    record: StoredRecord

    @property
    def id(self) -> str:
        return self.record.id

    @property
    def files(self) -> dict[str, StoredFile]:
        return self.record.files

    @property
    def learner(self) -> Any:
        raise UsageError(
            f"{self.path}: a saved run does not keep the trained learner; evaluate "
            f"{self.record.name} again"
        )

    @cached_property
    def curve(self) -> Curve:
        table = self._read(CURVE, ["forgetting", "rows", *self.record.settings.metrics])
        if len(table) % len(self._forget):
            raise InputError(
                f"{self.path / CURVE}: {len(table):,} rows; expected the same number for each of "
                f"{', '.join(map(repr, self._forget))}"
            )
        return Curve.of_arrow(table, self._forget)

    @cached_property
    def cost_curve(self) -> dict[str, Floats]:
        return _columns(self._read(COST, ["arrived", "rows", *COSTS]))

    @property
    def predictions(self) -> pa.Table:
        if PREDICTIONS not in self.files:
            raise UsageError(
                f"{self.path}: this run did not keep its predictions; to keep them: "
                "evaluate(..., predictions=True)"
            )
        references = [*map(column_of, self.record.references)]
        return self._read(PREDICTIONS, ["row", "y", "prediction", *references, "revealed_at"])

    @cached_property
    def bins(self) -> Bins | None:
        if self.record.settings.reevaluate is None:
            return None
        kept = read_bins(self.path)
        outcomes = self.path / OUTCOMES if OUTCOMES in self.files else None
        log = OutcomeLog(outcomes, check=partial(self._check, OUTCOMES))
        return Bins.of(
            self._bin_tables(kept),
            tuple(self.record.references),
            np.array([kept.n_c, kept.n_b, kept.n_r]),
            kept.verdicts,
            _columns(self._read(EFFORT, ["rows", "n_c", "n_b", "n_r"])),
            BinReplay(partial(self._plan, kept.bins), log),
            self.record.name,
            self.record.stream.name,
            self.record.scales,
        )

    def write(self, folder: Path) -> None:
        for file in self.path.iterdir():
            if file.is_file() and file.name != RUN_FILE:
                shutil.copyfile(file, folder / file.name)
        for name, expected in self.files.items():
            check_file(folder / name, expected, f"{self.path} is damaged: {REMEDY}")

    def saved_in(self, directory: Path) -> None:
        """Nothing moved: the files were copied."""

    @cached_property
    def _forget(self) -> tuple[Forgetting, ...]:
        return tuple(map(forgetting_of, self.record.settings.forget))

    def _bin_tables(self, kept: StoredBins) -> list[BinTable]:
        """The tables of the learner and of each reference, one below the other in the file."""
        participants = ["learner", *self.record.references]
        table = self._read(BINS, ["participant", "bin", "part", *kept.metrics])
        length = kept.bins + 2
        if table["participant"].to_pylist() != [who for who in participants for _ in range(length)]:
            raise InputError(
                f"{self.path / BINS}: expected {length} rows for each of {', '.join(participants)}"
            )
        values = table.drop_columns("participant")
        return [
            BinTable.of_arrow(values.slice(i * length, length), kept.labels, list(kept.metrics))
            for i in range(len(participants))
        ]

    def _plan(self, bins: int) -> ScoringPlan:
        """The plan by which the run was scored."""
        settings = self.record.settings
        schema = Schema((), (), self.record.stream.classes)
        cost = None if settings.cost is None else np.array(settings.cost)
        # The function of a custom metric is not saved; its values are.
        metrics = [name for name in settings.metrics if name not in settings.custom_metrics]
        names = tuple(self.record.references)
        added = names[len(names) - len(settings.references) :]
        return ScoringPlan(
            schema,
            tuple(Reference(name, "") for name in names),
            self._forget,
            settings.every,
            metrics_for(schema, metrics or "labels", cost is not None, added),
            cost,
            bins=bins,
            clock=clock_in(self._read(CURVE, []).schema),
        )

    def _read(self, name: str, columns: Sequence[str]) -> pa.Table:
        """Read a Parquet file and check its content and its columns."""
        file = self._check(name)
        try:
            # Not pq.read_table, which takes long to import and makes a column of a folder a=1.
            with pq.ParquetFile(file) as content:
                table = content.read()
        except (OSError, pa.ArrowException) as error:
            raise InputError(
                f"{file}: not a Parquet file: {error}; expected the file that run.save wrote"
            ) from None
        if missing := [each for each in columns if each not in table.column_names]:
            raise InputError(
                f"{file}: no column {missing[0]!r}; expected {', '.join(columns)}: the file that "
                "run.save wrote"
            )
        return table

    def _check(self, name: str) -> Path:
        """The path of a file, which is as it was written."""
        file = self.path / name
        remedy = f"expected the file that run.save wrote; {REMEDY}"
        check_file(file, self.files.get(name), remedy)
        return file


def _columns(table: pa.Table) -> dict[str, Floats]:
    return {name: numbers(table[name]) for name in table.column_names}
