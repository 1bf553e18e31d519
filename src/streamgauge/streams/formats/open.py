"""Open a table file by its extension."""

from __future__ import annotations

from pathlib import Path

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
_EXPECTED = (
    "a CSV file (.csv or .csv.gz), .parquet, .arrow, .arff or the name of a data set such as elec2"
)


def open_table(path: str | Path) -> Table:
    """Open a .parquet, .arrow, .feather or .arff file; any other file is CSV. Text may be .gz."""
    path = Path(path)
    stamp = FileStamp(path, _EXPECTED)
    extension = path.name.lower().removesuffix(".gz").rpartition(".")[2]
    return _FORMATS.get(extension, CsvTable)(stamp)
