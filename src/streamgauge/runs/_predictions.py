"""The log of first predictions, in reveal order: in memory, on disk, or not kept."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from streamgauge._support.arrow_numbers import arrow_numbers, arrow_texts
from streamgauge._support.errors import UsageError
from streamgauge._support.types import Longs, Targets
from streamgauge.measures.reference import column_of
from streamgauge.runs._scratch import ScratchDirectory
from streamgauge.runs.scoring_plan import ScoringPlan

_ROW_GROUP = 1 << 17


class PredictionLog:
    """Columns row, y, prediction, one per reference (class names), and revealed_at.

    revealed_at is the row that had arrived last when the label was revealed.
    """

    def __init__(self, plan: ScoringPlan) -> None:
        self._classes = plan.schema.classes
        self._names = ("y", "prediction", *map(column_of, plan.reference_names))
        self._kept = plan.predictions
        self._held: list[list[Any]] = []
        self._count = 0
        self._is_saved = False
        self._folder: ScratchDirectory | None = None
        self._writer: pq.ParquetWriter | None = None
        if self._kept and plan.save is not None:
            self._folder = ScratchDirectory(plan.save)
            self._path = self._folder.path / "predictions.parquet"
            self._writer = pq.ParquetWriter(self._path, self._arrow([]).schema)

    def add(self, ids: Longs, y: Targets, predictions: Sequence[Targets], at: Longs) -> None:
        """Add rows: labels, predictions of learner and references, when labels were revealed."""
        if not self._kept:
            return
        self._held.append([ids, self._small(y), *map(self._small, predictions), at])
        self._count += len(ids)
        if self._writer is not None and self._count >= _ROW_GROUP:
            self._flush()

    def table(self) -> pa.Table:
        """The whole log."""
        if not self._kept:
            raise UsageError(
                "this run did not keep its predictions; to keep them: "
                "evaluate(..., predictions=True)"
            )
        if self._folder is None:
            return self._arrow(self._held)
        self.close()
        return pq.read_table(self._path, partitioning=None)  # a folder above may be called a=1

    def save(self, path: Path) -> None:
        """Move the log to `path` if it is on disk already, else write it there."""
        if not self._kept:
            return
        if self._folder is None:
            pq.write_table(self._arrow(self._held), path)
            return
        self.close()
        if self._is_saved:
            shutil.copyfile(self._path, path)  # the first saved copy stays
        else:
            shutil.move(self._path, path)

    def moved(self, path: Path) -> None:
        """Read the log from `path` from now on."""
        if self._folder is not None:
            self._path = path
            self._is_saved = True
            self._folder.clear()

    def close(self) -> None:
        """Write what is left; nothing more will be added."""
        if self._writer is not None:
            self._flush()
            self._writer.close()
            self._writer = None

    def _flush(self) -> None:
        assert self._writer is not None
        if self._held:
            self._writer.write_table(self._arrow(self._held))
        self._held, self._count = [], 0

    def _small(self, column: Targets) -> Any:
        """Class codes in as few bytes as possible: a run may have millions."""
        if not self._classes:
            return column.copy()  # it may be part of a larger array
        return column.astype(np.min_scalar_type(-max(2, len(self._classes))))

    def _arrow(self, held: list[list[Any]]) -> pa.Table:
        kind = np.int32 if self._classes else np.float64
        rows = np.empty(0, np.int64)
        empty = [rows, *(np.empty(0, kind) for _ in self._names), rows]
        columns = [
            np.concatenate([e[:0], *c]) for e, c in zip(empty, _columns(held, empty), strict=True)
        ]
        arrays = [
            arrow_numbers(columns[0]),
            *map(self._named, columns[1:-1]),
            arrow_numbers(columns[-1]),
        ]
        return pa.table(arrays, names=["row", *self._names, "revealed_at"])

    def _named(self, codes: Any) -> pa.Array:
        if not self._classes:
            return arrow_numbers(codes.astype(np.float64))
        places = arrow_numbers(codes.astype(np.int32), missing=codes < 0)
        if not isinstance(self._classes[0], str):  # Parquet keeps dictionaries of text only
            return pa.array(self._classes).take(places)
        return pa.DictionaryArray.from_arrays(places, arrow_texts(map(str, self._classes)))


def _columns(held: list[list[Any]], empty: list[Any]) -> list[tuple[Any, ...]]:
    return list(zip(*held, strict=True)) if held else [() for _ in empty]
