"""Parquet and Arrow files, whose own types say what the columns are."""

from __future__ import annotations

from collections.abc import Iterator

import pyarrow as pa
import pyarrow.parquet as pq

from streamgauge.streams.formats import table
from streamgauge.streams.formats._parquet_file import ParquetFile
from streamgauge.streams.formats.file_format import FileFormat

_BUFFER_BYTES = 1 << 16  # of a Parquet column at a time


class ParquetTable(table.TypedTable):
    """A Parquet file."""

    format = "Parquet"

    def column_names(self) -> list[str]:
        return list(self._open().schema_arrow.names)

    def read(self, columns: list[str]) -> Iterator[pa.RecordBatch]:
        return self._open().iter_batches(table.BATCH_ROWS, columns=columns)  # type: ignore[no-any-return]

    def _open(self) -> pq.ParquetFile:
        # Arrow's defaults read ahead, so that memory grows with the file.
        return pq.ParquetFile(self.file, pre_buffer=False, buffer_size=_BUFFER_BYTES)


class ArrowTable(table.TypedTable):
    """An Arrow IPC file, also called Feather."""

    format = "Arrow"

    def column_names(self) -> list[str]:
        with pa.OSFile(str(self.file)) as file, pa.ipc.open_file(file) as found:
            return list(found.schema.names)

    def read(self, columns: list[str]) -> Iterator[pa.RecordBatch]:
        with pa.OSFile(str(self.file)) as file, pa.ipc.open_file(file) as found:
            for i in range(found.num_record_batches):
                yield found.get_batch(i).select(columns)


parquet = FileFormat("parquet", (".parquet", ".pq"), table=ParquetTable, rows=ParquetFile)
arrow = FileFormat("arrow", (".arrow", ".feather"), table=ArrowTable)
