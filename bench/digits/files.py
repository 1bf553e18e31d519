"""One table with text, missing values and times, written in every format we read."""

from __future__ import annotations

import gzip
import tempfile
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from pyarrow import feather

_SCRATCH = tempfile.TemporaryDirectory(prefix="digits")  # removed when the program ends


def folder() -> Path:
    """A scratch folder."""
    return Path(_SCRATCH.name)


def first_lines(path: Path, lines: int = 3000) -> Path:
    """Write the first lines of a gzipped text file to the scratch folder."""
    short = folder() / path.name.removesuffix(".gz")
    with gzip.open(path, "rt") as file:
        short.write_text("".join(islice(file, lines)))
    return short


@cache
def files() -> dict[str, Any]:
    """The folder with the files, and the same data as a table, as rows and as events."""
    random, n = np.random.default_rng(3), 800
    table = pa.table(
        {
            "x": pa.array(random.normal(size=n), mask=random.random(n) < 0.1),
            "count": random.integers(0, 50, n),
            "colour": pa.array(random.choice(["red", "green, or so", "blue"], n)),
            "arrives": np.arange(n) // 2,
            "revealed": np.arange(n) // 2 + random.integers(0, 30, n),
            "label": pa.array(random.choice(["yes", "no"], n), mask=random.random(n) < 0.05),
            "amount": random.normal(size=n),
        }
    )
    place, rows = folder(), table.to_pylist()
    pq.write_table(table, place / "made.parquet")
    feather.write_feather(table, place / "made.feather", compression="uncompressed")
    quoted = [",".join(table.column_names)]
    quoted += [",".join(_quoted(cell) for cell in row.values()) for row in rows]
    (place / "made.csv").write_text("\n".join(quoted) + "\n")
    with gzip.open(place / "plain.csv.gz", "wt") as file:
        names = ("x", "count", "label", "amount")
        file.write(",".join(names) + "\n")
        file.writelines(
            ",".join("" if row[n] is None else str(row[n]) for n in names) + "\n" for row in rows
        )
    head = "@relation made\n@attribute x numeric\n@attribute colour {red,'green, or so',blue}\n"
    head += "@attribute label {no,yes}\n@data\n"
    dense = [f"{_unknown(r['x'])},{r['colour']!r},{_unknown(r['label'])}\n" for r in rows]
    (place / "made.arff").write_text(head + "".join(dense))
    sparse = [f"{{0 {_unknown(r['x'])}, 2 {_unknown(r['label'])}}}\n" for r in rows]
    (place / "sparse.arff").write_text(head + "".join(sparse))
    return {"folder": place, "table": table, "rows": rows, "events": _events(rows)}


def _quoted(cell: Any) -> str:
    return "" if cell is None else f'"{cell}"' if isinstance(cell, str) else repr(cell)


def _unknown(cell: Any) -> str:
    return "?" if cell is None else str(cell)


def _events(rows: list[dict[str, Any]]) -> pa.Table:
    """An event log: instances, an update of every third, labels; some lines conflict."""
    lines = []
    for i, row in enumerate(rows):
        line = {"id": f"i{i}", "time": 10 * i, "kind": "instance", "x": row["x"], "label": None}
        lines.append({**line, "count": row["count"]})
        if i % 3 == 0:
            lines.append({**line, "time": 10 * i + 15, "kind": "update", "x": i / 7, "count": None})
        if row["label"] is not None:
            label = {**line, "time": 10 * i + 35 + i % 50, "kind": "label", "label": row["label"]}
            lines += [{**label, "count": None}] * (2 if i % 100 == 7 else 1)
    return pa.Table.from_pylist(sorted(lines, key=lambda line: line["time"]))
