"""Open a table file by its extension."""

from __future__ import annotations

from pathlib import Path

from streamgauge._support.errors import UsageError, shown
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
    stamp = FileStamp(path, _EXPECTED)
    name = path.name.lower()
    packed = next((ending for ending in _COMPRESSED if name.endswith(ending)), "")
    extension = name.removesuffix(packed).rpartition(".")[2]
    return _FORMATS.get(extension, CsvTable)(stamp)
