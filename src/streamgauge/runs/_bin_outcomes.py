"""The log of outcomes per bin, in reveal order: an Arrow file in memory or on disk.

Neighbouring bins mostly agree, so it compresses well; Parquet took ten times as long to write.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa

from streamgauge._support.errors import UsageError
from streamgauge._support.types import Floats, Schema, Targets
from streamgauge.runs._scratch import Scratch


class OutcomeLog:
    """Columns y, effort (N_C, N_B, N_R), prediction, one per reference.

    Predictions are lists of bins: class codes (-1 for an abstention) or target values.
    """

    def __init__(
        self, schema: Schema, references: Sequence[str], bins: int, keep: str | Path
    ) -> None:
        k = len(schema.classes)
        self._kind = np.dtype(np.min_scalar_type(-max(2, k)) if k else np.float64)
        self._read_as = np.dtype(np.int32 if k else np.float64)
        cell = pa.from_numpy_dtype(self._kind)
        names = ["prediction", *(name.lower() for name in references)]
        self._columns = pa.schema(
            [
                ("y", cell),
                ("effort", pa.list_(pa.float64(), 3)),
                *((name, pa.list_(cell, bins + 2)) for name in names),
            ]
        )
        self._writer: pa.RecordBatchWriter | None = None
        self._folder: Scratch | None = None
        self._source: Path | pa.Buffer | None = None
        if keep == "none":
            return
        if keep == "memory":
            self._buffer = pa.BufferOutputStream()
        else:
            self._folder = Scratch(keep)
            self._source = self._folder.path / "outcomes.arrow"
        sink = self._buffer if self._source is None else str(self._source)
        options = pa.ipc.IpcWriteOptions(compression="zstd")
        self._writer = pa.ipc.new_file(sink, self._columns, options=options)

    def add(self, y: Targets, effort: Floats, outcomes: Sequence[Targets]) -> None:
        """Add rows: the effort N_C, N_B, N_R, and for each participant rows × bins."""
        if self._writer is None or not len(y):
            return
        lists = [
            pa.FixedSizeListArray.from_arrays(pa.array(each.ravel()), each.shape[1])
            for each in (effort, *(shown.astype(self._kind) for shown in outcomes))
        ]
        columns = [pa.array(y.astype(self._kind)), *lists]
        self._writer.write_batch(pa.record_batch(columns, schema=self._columns))

    def close(self) -> None:
        """Write what is left; nothing more will be added."""
        if self._writer is not None:
            self._writer.close()
            self._writer = None
            if self._source is None:
                self._source = self._buffer.getvalue()

    def read(self, rows: int) -> Iterator[tuple[Targets, Floats, list[Targets]]]:
        """The first `rows` rows, batch by batch, as they were added."""
        with pa.ipc.open_file(self._kept()) as file:
            for i in range(file.num_record_batches):
                part = file.get_batch(i).slice(0, rows)
                rows -= len(part)
                y, *lists = part.columns
                effort, *shown = (np.array(each.flatten()).reshape(len(part), -1) for each in lists)
                known = np.array(y).astype(self._read_as)
                yield known, effort, [each.astype(self._read_as) for each in shown]
                if not rows:
                    return

    def save(self, path: Path) -> None:
        """Copy the log to `path`, if it was kept."""
        if isinstance(self._source, Path):
            shutil.copyfile(self._source, path)
        elif self._source is not None:
            path.write_bytes(self._source)

    def moved(self, path: Path) -> None:
        """Read the log from `path` from now on."""
        if self._folder is not None:
            self._source = path
            self._folder.clear()

    def _kept(self) -> str | pa.BufferReader:
        if self._source is None:
            raise UsageError(
                "this run did not keep its outcomes per bin; to keep them: "
                "evaluate(..., keep='memory') or a folder"
            )
        on_disk = isinstance(self._source, Path)
        return str(self._source) if on_disk else pa.BufferReader(self._source)
