"""Views for `results.sql`: one kind of file of all runs, with the runs' ids."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from streamgauge._support.errors import UsageError
from streamgauge.experiments._alarms import ALARMS, read_alarms


def register_view(database: Any, view: str, files: Mapping[Path, str], folder: Path) -> None:
    """Make the files, each with the id of its run, a view in the database."""
    ids = {str(path): id for path, id in files.items() if _is_readable(path)}
    if not ids:
        raise UsageError(f"sql: no run in {folder} has {view}")
    database.register(f"files_of_{view}", pa.table({"file": list(ids), "id": list(ids.values())}))
    groups = _by_time(list(ids))
    mixed = len(groups.keys() - {""}) > 1
    parts = [
        f"select * {'replace (cast(time as varchar) as time)' if kind and mixed else ''} from "
        f"{_source(database, f'{view}_{number}', paths)}"
        for number, (kind, paths) in enumerate(groups.items())
    ]
    database.execute(
        f"create view {view} as select f.id, c.* exclude (filename) from "
        f"({' union all by name '.join(parts)}) c join files_of_{view} f on f.file = c.filename"
    )


def _source(database: Any, name: str, paths: list[str]) -> str:
    """What DuckDB reads the files from.

    Alarms are read by Arrow: their checksum is that of their content, and DuckDB may refuse a
    damaged file from which Arrow reads it.
    """
    if Path(paths[0]).name != ALARMS:
        listed = ", ".join("'" + path.replace("'", "''") + "'" for path in paths)
        return (
            f"read_parquet([{listed}], filename=true, union_by_name=true, hive_partitioning=false)"
        )
    tables = [
        table.replace_schema_metadata(None).append_column(
            "filename", pa.array([path] * len(table), pa.string())
        )
        for path in paths
        if (table := read_alarms(Path(path))) is not None
    ]
    database.register(name, pa.concat_tables(tables, promote_options="default"))
    return name


def _is_readable(path: Path) -> bool:
    """Whether a file can be read; all but alarms have been compared with run.json."""
    return path.exists() if path.name != ALARMS else read_alarms(path) is not None


def _by_time(paths: list[str]) -> dict[str, list[str]]:
    """Files by the type of their times, since a column has one type; "" for files without."""
    groups: dict[str, list[str]] = {}
    for path in paths:
        schema = pq.read_schema(path)
        place = schema.get_field_index("time")
        groups.setdefault("" if place < 0 else str(schema.types[place]), []).append(path)
    return groups
