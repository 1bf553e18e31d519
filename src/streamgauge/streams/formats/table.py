"""The interface of table files: named columns, read as Arrow batches or chunks."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal, TypeVar

import pyarrow as pa

from streamgauge._support.errors import InputError
from streamgauge._support.file_stamp import FileStamp
from streamgauge.streams.blocks import at_row
from streamgauge.streams.formats.csv.chunk import Chunk

DeclaredType = Literal["numeric"]
BATCH_ROWS = 1 << 14
_DAMAGE = (pa.ArrowException, OSError, ValueError)
_Part = TypeVar("_Part")


class TableFile(ABC):
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
        types
            The columns to read, and the types of those of a text file.
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


class TypedTable(TableFile):
    r"""A file that stores column types; derive from it to let `sg.read` open a format of your own.

    Write `column_names`, `read` and `format`, the format's name in messages. If the file
    cannot be read, raise a ValueError or an OSError, or let Arrow do it.

    Parameters
    ----------
    stamp
        The file, as `sg.read` passes it. `self.file` is its path.

    Examples
    --------
    >>> import json
    >>> from pathlib import Path
    >>> import pyarrow as pa
    >>> import streamgauge as sg
    >>> class Columns(sg.TypedTable):
    ...     format = "columns"
    ...     def column_names(self):
    ...         return list(json.loads(self.file.read_text()))
    ...     def read(self, columns):
    ...         yield pa.record_batch(json.loads(self.file.read_text())).select(columns)
    >>> columns = sg.FileFormat("columns", (".columns",), table=Columns)
    >>> columns.table.typed
    True
    """

    typed = True
    format: str  # for error messages

    def __init__(self, stamp: FileStamp) -> None:
        super().__init__(stamp)
        try:
            self.names = self.column_names()
        except InputError:
            raise
        except _DAMAGE as error:
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
            for batch in self.read(columns or self.names):
                batch.validate(full=True)  # e.g. invalid UTF-8, codes outside a dictionary
                for start in range(0, len(batch), BATCH_ROWS):
                    yield batch.slice(start, BATCH_ROWS)
        except InputError:
            raise
        except (*_DAMAGE, IndexError, NotImplementedError) as error:
            raise InputError(f"{self.path}: the file is damaged: {error}; write it again") from None

    @abstractmethod
    def column_names(self) -> list[str]:
        """The names of all columns, in the order of the file."""

    @abstractmethod
    def read(self, columns: list[str]) -> Iterator[pa.RecordBatch]:
        """These columns of all rows, in batches."""


def no_rows(path: Path) -> InputError:
    """Return the error for a file without rows."""
    return InputError(f"{path}: has a header but no rows; expected at least one row")
