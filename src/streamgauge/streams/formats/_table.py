"""The interface of table files: named columns, read as Arrow batches or chunks."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal, TypeVar

import pyarrow as pa

from streamgauge._support.errors import InputError
from streamgauge._support.file_stamp import FileStamp
from streamgauge.streams.formats.csv.chunk import Chunk

DeclaredType = Literal["numeric"]
_Part = TypeVar("_Part")


class Table(ABC):
    """A file of rows with named columns.

    Attributes
    ----------
    path, file
        The path as the caller gave it, for messages, and the absolute path, to open the file.
    stamp
        Tells whether the file has changed.
    names
        The column names, in file order.
    typed
        Whether the file stores column types. Columns of other files are text until scanned.
    declared_values
        The values of nominal columns, if the file lists them.
    declared_types
        What the file says about other columns.
    guessed_types
        Column types guessed from the first rows.
    """

    typed = False

    def __init__(self, stamp: FileStamp) -> None:
        self.stamp, self.path, self.file = stamp, stamp.path, stamp.file
        self.names: list[str] = []
        self.declared_values: dict[str, tuple[str, ...]] = {}
        self.declared_types: dict[str, DeclaredType] = {}
        self.guessed_types: dict[str, pa.DataType] = {}

    @abstractmethod
    def where(self, row: int) -> str:
        """Return the file and the place of a row, for error messages."""

    def batches(
        self, columns: list[str] | None = None, types: dict[str, pa.DataType] | None = None
    ) -> Iterator[pa.RecordBatch]:
        """Read columns of all rows; columns of a text file as these types.

        Raises an InputError if the file changes, here and in `chunks`.
        """
        return self._while_unchanged(self._batches(columns, types))

    def chunks(
        self,
        features: Sequence[str],
        types: dict[str, pa.DataType],
        rows: int = 0,
        offset: int = 0,
        cores: int = 1,
    ) -> Iterator[Chunk | pa.RecordBatch]:
        """Read the columns in `types`, as batches or as chunks, which are faster.

        Parameters
        ----------
        features
            The columns of a chunk's feature matrix.
        rows, offset
            The number of rows already read, and the byte where they end.
        cores
            How many cores are free to parse.
        """
        return self._while_unchanged(self._chunks(features, types, rows, offset, cores))

    def count_rows(self) -> int | None:
        """Return the number of rows; None if only a parser can tell."""
        return None

    def _while_unchanged(self, parts: Iterator[_Part]) -> Iterator[_Part]:
        self.stamp.check()
        try:
            for part in parts:
                self.stamp.check()
                yield part
        except InputError:
            self.stamp.check()  # a change explains any other error
            raise
        self.stamp.check()

    @abstractmethod
    def _batches(
        self, columns: list[str] | None, types: dict[str, pa.DataType] | None
    ) -> Iterator[pa.RecordBatch]: ...

    def _chunks(
        self,
        features: Sequence[str],
        types: dict[str, pa.DataType],
        rows: int,
        offset: int,
        cores: int,
    ) -> Iterator[Chunk | pa.RecordBatch]:
        return self._batches(list(types), types)

    def load_columns(self, columns: Sequence[str]) -> dict[str, pa.Array]:
        """Load columns into memory; columns of a text file as text."""
        names = list(dict.fromkeys(columns))
        batches = list(self.batches(names, dict.fromkeys(names, pa.string())))
        if not batches:
            raise no_rows(self.path)
        table = pa.Table.from_batches(batches).combine_chunks()
        return {name: table.column(name).chunk(0) for name in names}


def no_rows(path: Path) -> InputError:
    """Return the error for a file without rows."""
    return InputError(f"{path}: has a header but no rows; expected at least one row")
