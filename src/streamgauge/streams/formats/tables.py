"""Files of rows as Arrow batches, piece by piece: CSV and Parquet here, ARFF in its own file."""

from __future__ import annotations

import csv as python_csv
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Literal

import pyarrow as pa
import pyarrow.parquet as pq
from pyarrow import csv

from streamgauge._support.errors import InputError
from streamgauge.streams.base import at_row
from streamgauge.streams.formats.csv.chunk import Piece
from streamgauge.streams.formats.csv.parser import NotPlain
from streamgauge.streams.formats.csv.reader import QuickReader

BYTES = 1 << 19  # of a text file at once: what is made of them fits a cache
_GLANCE = 1 << 14  # bytes by which a column's type is guessed
BATCH_ROWS = 1 << 14
_BUFFER = 1 << 16  # bytes of a Parquet column at once
MISSING = ["", "?", "NA", "N/A", "n/a", "#N/A", "<NA>", "NULL", "null", "None"]
MISSING += ["NaN", "nan", "NAN", "Nan", "-nan", "-NaN"]


class Table(ABC):
    """A file with named columns. `declared`: nominal columns whose values the file itself lists."""

    typed = False  # does the file say which columns are numbers? else they are text until scanned

    def __init__(self, path: Path) -> None:
        self.path = path
        self.names: list[str] = []
        self.declared: dict[str, tuple[str, ...]] = {}
        self.kinds: dict[str, Literal["numbers", "text"]] = {}  # what the file says of others
        self.guessed: dict[str, pa.DataType] = {}  # what columns look like at the beginning

    @abstractmethod
    def where(self, row: int) -> str:
        """A row as its reader finds it in the file."""

    @abstractmethod
    def batches(
        self, columns: list[str] | None = None, types: dict[str, pa.DataType] | None = None
    ) -> Iterator[pa.RecordBatch]:
        """The columns, of all rows; of a text file as these types."""

    def pieces(
        self, features: Sequence[str], types: dict[str, pa.DataType], read: int = 0, end: int = 0
    ) -> Iterator[Piece | pa.RecordBatch]:
        """The columns that have types as `batches`, or in pieces with a matrix of the features,
        which are read faster; after `read` rows up to byte `end`."""
        return self.batches(list(types), types)

    def whole(self, columns: Sequence[str]) -> dict[str, pa.Array]:
        """Some columns with all their rows in memory; those of a text file as text."""
        names = list(dict.fromkeys(columns))
        batches = list(self.batches(names, dict.fromkeys(names, pa.string())))
        if not batches:
            raise no_rows(self.path)
        table = pa.Table.from_batches(batches).combine_chunks()
        return {name: table.column(name).chunk(0) for name in names}


def open_table(path: str | Path) -> Table:
    """The file by its ending: .parquet, .arrow, .feather, .arff, else CSV; text may be .gz."""
    from streamgauge.streams.formats.arff import ArffTable

    path = Path(path)
    if not path.exists():
        raise InputError(
            f"no such file: {path}; expected a CSV file (.csv or .csv.gz), .parquet, .arff or the "
            "name of a data set such as elec2"
        )
    if path.is_dir():
        raise InputError(f"{path} is a folder; expected a file in it: .csv, .parquet, .arff")
    ending = path.name.lower().removesuffix(".gz").rpartition(".")[2]
    kinds: dict[str, type[Table]] = {"parquet": ParquetTable, "pq": ParquetTable, "arff": ArffTable}
    kinds |= {"arrow": ArrowTable, "feather": ArrowTable}
    return kinds.get(ending, CsvTable)(path)


def no_rows(path: Path) -> InputError:
    """A file without rows is a mistake."""
    return InputError(f"{path}: has a header but no rows; expected at least one row")


class CsvTable(Table):
    """A header line, then rows of as many cells."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        schema = self._first_batch().schema
        try:
            self.names = list(schema.names)
        except UnicodeDecodeError as error:
            raise InputError(
                f"{path}: its header cannot be read: {error}; expected text in UTF-8"
            ) from None
        other = (
            next((c for c in ";\t|" if c in self.names[0]), None) if len(self.names) == 1 else None
        )
        if other is not None:
            raise InputError(
                f"{path}: its only column is {self.names[0]!r}; expected cells separated by "
                f"commas, not by {other!r}: save it so, or pass a frame: "
                f"from_frame(pandas.read_csv(path, sep={other!r}), ...)"
            )
        numbers = (pa.types.is_integer, pa.types.is_floating)
        self.guessed = {
            field.name: pa.float64() if any(f(field.type) for f in numbers) else pa.string()
            for field in schema
        }

    def _first_batch(self) -> pa.RecordBatch:
        """Arrow guesses its types. A short one, unless rows are long."""
        for room in (_GLANCE, BYTES):
            try:
                return next(self._arrow_batches(None, None, min(room, BYTES)))
            except StopIteration:
                raise no_rows(self.path) from None
            except InputError:
                if room == BYTES:
                    raise
        raise AssertionError("unreachable")

    def where(self, row: int) -> str:
        """Only for errors: the file is read again for the line, since empty ones are no rows, and
        a quoted cell may go on in the next."""
        text = (line.decode("utf-8", "replace") + "\n" for line in lines_of(self.path))
        reader = python_csv.reader(text)
        before, first = row + 1, 1  # rows, the header with them, and the line where the next begins
        with suppress(python_csv.Error):  # e.g. a lone return: its lines are not an editor's
            for cells in reader:
                if cells not in ([], ["\ufeff"]):
                    if not before:
                        return f"row {row:,} (line {first:,})"
                    before -= 1
                first = reader.line_num + 1
        return f"row {row:,}"

    def batches(
        self, columns: list[str] | None = None, types: dict[str, pa.DataType] | None = None
    ) -> Iterator[pa.RecordBatch]:
        """As Arrow reads them."""
        return self._arrow_batches(columns, types, BYTES)

    def pieces(
        self, features: Sequence[str], types: dict[str, pa.DataType], read: int = 0, end: int = 0
    ) -> Iterator[Piece | pa.RecordBatch]:
        """By the quick reader as long as the file is plain, then by Arrow."""
        if len(self.names) > 1:
            reader = QuickReader(self.path, self.names, features, types, MISSING, BYTES)
            try:
                for piece in reader.pieces(end):
                    read += piece.num_rows
                    yield piece
                return
            except (NotPlain, OSError):
                pass
        for batch in self.batches(list(types), types):
            if read < len(batch):
                yield batch.slice(read)
            read = max(0, read - len(batch))

    def _arrow_batches(
        self, columns: list[str] | None, types: dict[str, pa.DataType] | None, piece: int
    ) -> Iterator[pa.RecordBatch]:
        try:
            source = pa.input_stream(str(self.path), compression="detect")
            yield from text_batches(source, columns, types, csv.ReadOptions(), MISSING, piece=piece)
        except (pa.ArrowInvalid, pa.ArrowKeyError) as error:
            if "Empty CSV file" in str(error):  # or a header that no newline ends
                raise InputError(
                    f"{self.path}: has no rows; expected a header line, then at least one row"
                ) from None
            raise InputError(
                f"{self.path}: cannot be read as CSV: {error}; expected a header line and rows of "
                "as many cells, separated by commas, in UTF-8"
            ) from None
        except OSError as error:
            raise InputError(
                f"{self.path}: cannot be read: {error}; expected a whole file that you may read"
            ) from None


def text_batches(
    source: pa.NativeFile,
    columns: list[str] | None,
    types: dict[str, pa.DataType] | None,
    how: csv.ReadOptions,
    missing: list[str],
    separator: str = ",",
    piece: int | None = None,
) -> Iterator[pa.RecordBatch]:
    """Rows of cells; without types, Arrow guesses them."""
    how.use_threads, how.block_size = False, piece or BYTES
    reader = csv.open_csv(
        source,
        how,
        csv.ParseOptions(delimiter=separator, newlines_in_values=missing is MISSING),
        csv.ConvertOptions(
            column_types=types or {},
            include_columns=columns or [],
            null_values=missing,
            strings_can_be_null=True,
            quoted_strings_can_be_null=missing is MISSING,
        ),
    )
    for batch in reader:
        if len(batch):
            yield batch


def lines_of(path: Path) -> Iterator[bytes]:
    """A text file's lines, without their ends."""
    try:
        with pa.input_stream(str(path), compression="detect") as file:
            held = b""
            while chunk := file.read(BYTES):
                *whole, held = (held + chunk).split(b"\n")
                yield from whole
            if held:
                yield held
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error}") from None


class TypedTable(Table):
    """A file whose own types say what the columns are."""

    typed = True
    form: str  # what it cannot be read as

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        try:
            self.names = self._names()
        except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
            raise InputError(f"{path}: cannot be read as {self.form}: {error}") from None

    def where(self, row: int) -> str:
        return at_row(row)

    def batches(
        self, columns: list[str] | None = None, types: dict[str, pa.DataType] | None = None
    ) -> Iterator[pa.RecordBatch]:
        """As the file has them, cut to a bounded length."""
        try:
            for batch in self._read(columns or self.names):
                batch.validate(full=True)  # text that is none, places outside a dictionary
                for start in range(0, len(batch), BATCH_ROWS):
                    yield batch.slice(start, BATCH_ROWS)
        except (pa.ArrowException, OSError, IndexError, NotImplementedError) as error:
            raise InputError(f"{self.path}: is damaged: {error}") from None

    @abstractmethod
    def _names(self) -> list[str]:
        """Of the columns."""

    @abstractmethod
    def _read(self, columns: list[str]) -> Iterator[pa.RecordBatch]:
        """These columns, of all rows."""


class ParquetTable(TypedTable):
    """A Parquet file."""

    form = "Parquet"

    def _names(self) -> list[str]:
        return list(self._open().schema_arrow.names)

    def _read(self, columns: list[str]) -> Iterator[pa.RecordBatch]:
        return self._open().iter_batches(BATCH_ROWS, columns=columns)  # type: ignore[no-any-return]

    def _open(self) -> pq.ParquetFile:
        """Unlike Arrow's defaults: read what is asked for when it is asked for."""
        return pq.ParquetFile(self.path, pre_buffer=False, buffer_size=_BUFFER)


class ArrowTable(TypedTable):
    """An Arrow file, also called Feather; batches as it was written."""

    form = "an Arrow file"

    def _names(self) -> list[str]:
        with pa.OSFile(str(self.path)) as file, pa.ipc.open_file(file) as table:
            return list(table.schema.names)

    def _read(self, columns: list[str]) -> Iterator[pa.RecordBatch]:
        with pa.OSFile(str(self.path)) as file, pa.ipc.open_file(file) as table:
            for i in range(table.num_record_batches):
                yield table.get_batch(i).select(columns)
