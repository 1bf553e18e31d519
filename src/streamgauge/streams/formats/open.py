"""Open a table file by its extension."""

from __future__ import annotations

from pathlib import Path

from streamgauge._support.errors import InputError, UsageError, shown
from streamgauge._support.file_stamp import FileStamp
from streamgauge.streams.formats._arff import ArffTable
from streamgauge.streams.formats._parquet import ArrowTable, ParquetTable
from streamgauge.streams.formats._table import Table
from streamgauge.streams.formats.csv.table import CsvTable

_FORMATS: dict[str, type[Table]] = {
    "parquet": ParquetTable,
    "pq": ParquetTable,
    "arrow": ArrowTable,
    "feather": ArrowTable,
    "arff": ArffTable,
}
_COMPRESSED = (".gz", ".bz2", ".zst", ".lz4")  # as Arrow tells them
_EXPECTED = (
    "a CSV file (.csv or .csv.gz), .parquet, .arrow, .arff or the name of a data set such as elec2"
)


def open_table(path: str | Path) -> Table:
    """Open a .parquet, .arrow, .feather or .arff file; any other file is CSV. Text may be .gz."""
    if not isinstance(path, str | Path):
        raise UsageError(f"expected the path of a file, got {type(path).__name__}: {shown(path)}")
    path = Path(path)
    if not _is_utf_8(path):
        raise InputError(
            f"{path}: the file's name is not UTF-8; rename it, or use a UTF-8 locale, such as "
            "LC_ALL=C.UTF-8"
        )
    stamp = FileStamp(path, _EXPECTED)
    name = path.name.lower()
    packed = next((ending for ending in _COMPRESSED if name.endswith(ending)), "")
    extension = name.removesuffix(packed).rpartition(".")[2]
    return _FORMATS.get(extension, CsvTable)(stamp)


def _is_utf_8(path: Path) -> bool:
    """Whether Arrow can open it."""
    try:
        str(path).encode()
    except UnicodeEncodeError:
        return False
    return True
