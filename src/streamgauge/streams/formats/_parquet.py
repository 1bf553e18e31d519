"""Parquet and Arrow files, whose own types say what the columns are."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator

import pyarrow as pa
import pyarrow.parquet as pq

from streamgauge._support.errors import InputError
from streamgauge._support.file_stamp import FileStamp
from streamgauge.streams.blocks import at_row
from streamgauge.streams.formats._table import Table

BATCH_ROWS = 1 << 14
_BUFFER_BYTES = 1 << 16  # of a Parquet column at a time


class TypedTable(Table):
    """A file that stores column types."""

    typed = True
    format: str  # for error messages

    def __init__(self, stamp: FileStamp) -> None:
        super().__init__(stamp)
        try:
            self.names = self._column_names()
        except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
            raise InputError(
                f"{self.path}: cannot be read as {self.format}: {error}; expected a complete "
                f"{self.format} file: write it again, or rename it if it has another format"
            ) from None

    def where(self, row: int) -> str:
        return f"{self.path}: {at_row(row)}"

    def _batches(
        self, columns: list[str] | None, types: dict[str, pa.DataType] | None
    ) -> Iterator[pa.RecordBatch]:
        """Read columns with the types in the file, in batches of bounded length."""
        try:
            for batch in self._read(columns or self.names):
                batch.validate(full=True)  # e.g. invalid UTF-8, codes outside a dictionary
                for start in range(0, len(batch), BATCH_ROWS):
                    yield batch.slice(start, BATCH_ROWS)
        except (pa.ArrowException, OSError, IndexError, NotImplementedError) as error:
            raise InputError(f"{self.path}: the file is damaged: {error}; write it again") from None

    @abstractmethod
    def _column_names(self) -> list[str]: ...

    @abstractmethod
    def _read(self, columns: list[str]) -> Iterator[pa.RecordBatch]: ...


class ParquetTable(TypedTable):
    """A Parquet file."""

    format = "Parquet"

    def _column_names(self) -> list[str]:
        return list(self._open().schema_arrow.names)

    def _read(self, columns: list[str]) -> Iterator[pa.RecordBatch]:
        return self._open().iter_batches(BATCH_ROWS, columns=columns)  # type: ignore[no-any-return]

    def _open(self) -> pq.ParquetFile:
        # Arrow's defaults read ahead, so that memory grows with the file.
        return pq.ParquetFile(self.file, pre_buffer=False, buffer_size=_BUFFER_BYTES)


class ArrowTable(TypedTable):
    """An Arrow IPC file, also called Feather."""

    format = "Arrow"

    def _column_names(self) -> list[str]:
        with pa.OSFile(str(self.file)) as file, pa.ipc.open_file(file) as table:
            return list(table.schema.names)

    def _read(self, columns: list[str]) -> Iterator[pa.RecordBatch]:
        with pa.OSFile(str(self.file)) as file, pa.ipc.open_file(file) as table:
            for i in range(table.num_record_batches):
                yield table.get_batch(i).select(columns)
