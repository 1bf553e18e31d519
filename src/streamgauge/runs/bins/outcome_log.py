"""The log of outcomes per bin, in reveal order: an Arrow file in memory or on disk.

Neighbouring bins mostly agree, so it compresses well; Parquet took ten times as long to write.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from streamgauge._support.errors import InputError, UsageError
from streamgauge._support.types import Floats, Longs, Targets
from streamgauge.measures.reference import column_of
from streamgauge.runs._scratch import ScratchDirectory
from streamgauge.runs.directories import OUTCOMES
from streamgauge.runs.scoring_plan import ScoringPlan


class BinRows(NamedTuple):
    """Scored rows: labels, when they were revealed, the effort, the outcomes in every bin."""

    y: Targets
    times: Longs
    effort: Floats  # N_C, N_B, N_R
    outcomes: list[Targets]  # of the learner and each reference, rows × bins

    @staticmethod
    def concatenated(parts: Sequence[BinRows]) -> BinRows:
        y, times, effort, outcomes = zip(*parts, strict=True)
        each = [np.concatenate(shown) for shown in zip(*outcomes, strict=True)]
        return BinRows(np.concatenate(y), np.concatenate(times), np.concatenate(effort), each)


class OutcomeLog:
    """A complete log: columns y, time, effort, prediction, one per reference.

    Predictions are lists of bins: class codes (-1 for an abstention) or target values.
    """

    def __init__(
        self,
        source: Path | pa.Buffer | None,
        scratch: ScratchDirectory | None = None,
        check: Callable[[], object] | None = None,  # of the source, before it is read
    ) -> None:
        self._source, self._scratch, self._check = source, scratch, check

    def read(self, rows: int) -> Iterator[BinRows]:
        """The first `rows` rows, in the batches in which they were added."""
        if self._source is None:
            raise UsageError(
                "this run did not keep its outcomes per bin; to keep them: "
                "evaluate(..., predictions=True)"
            )
        if self._check is not None:
            self._check()
        on_disk = isinstance(self._source, Path)
        source = str(self._source) if on_disk else pa.BufferReader(self._source)
        try:
            with pa.ipc.open_file(source) as file:
                for i in range(file.num_record_batches):
                    part = file.get_batch(i).slice(0, rows)
                    rows -= len(part)
                    yield _rows_of(part)
                    if not rows:
                        return
        except (OSError, ValueError) as error:  # Arrow's errors are ValueErrors
            raise InputError(
                f"{self._source}: not a log of outcomes: {error}; expected the file that run.save "
                "wrote"
            ) from None
        if rows:
            raise InputError(f"{self._source}: {rows:,} rows are missing; expected all scored rows")

    def save(self, path: Path) -> None:
        """Copy the log to `path`, if it was kept."""
        if isinstance(self._source, Path):
            shutil.copyfile(self._source, path)
        elif self._source is not None:
            path.write_bytes(self._source)

    def moved(self, path: Path) -> None:
        """Read the log from `path` from now on."""
        if self._scratch is not None:
            self._source = path
            self._scratch.clear()


def _rows_of(batch: pa.RecordBatch) -> BinRows:
    y, times, *lists = batch.columns
    kind = np.float64 if pa.types.is_floating(y.type) else np.int32
    effort, *outcomes = (np.array(each.flatten()).reshape(len(batch), -1) for each in lists)
    return BinRows(
        np.array(y).astype(kind), np.array(times), effort, [each.astype(kind) for each in outcomes]
    )


class OutcomeWriter:
    """Writes the log while rows are scored."""

    def __init__(self, plan: ScoringPlan, bins: int) -> None:
        k = len(plan.schema.classes)
        self._kind = np.dtype(np.min_scalar_type(-max(2, k)) if k else np.float64)
        cell = pa.from_numpy_dtype(self._kind)
        names = ["prediction", *map(column_of, plan.reference_names)]
        self._columns = pa.schema(
            [
                ("y", cell),
                ("time", pa.int64()),
                ("effort", pa.list_(pa.float64(), 3)),
                *((name, pa.list_(cell, bins + 2)) for name in names),
            ]
        )
        self._scratch: ScratchDirectory | None = None
        self._writer: pa.RecordBatchWriter | None = None
        if not plan.predictions:
            return
        if plan.save is not None:
            self._scratch = ScratchDirectory(plan.save)
        self._buffer = pa.BufferOutputStream()
        sink = self._buffer if self._scratch is None else str(self._scratch.path / OUTCOMES)
        options = pa.ipc.IpcWriteOptions(compression="zstd")
        self._writer = pa.ipc.new_file(sink, self._columns, options=options)

    def add(self, rows: BinRows) -> None:
        """Write the outcomes of scored rows, unless none are kept."""
        if self._writer is None or not len(rows.y):
            return
        lists = [
            pa.FixedSizeListArray.from_arrays(pa.array(each.ravel()), each.shape[1])
            for each in (rows.effort, *(shown.astype(self._kind) for shown in rows.outcomes))
        ]
        columns = [pa.array(rows.y.astype(self._kind)), pa.array(rows.times), *lists]
        self._writer.write_batch(pa.record_batch(columns, schema=self._columns))

    def finish(self) -> OutcomeLog:
        """The log of all rows added."""
        if self._writer is None:
            return OutcomeLog(None)
        self._writer.close()
        if self._scratch is None:
            return OutcomeLog(self._buffer.getvalue())
        return OutcomeLog(self._scratch.path / OUTCOMES, self._scratch)
