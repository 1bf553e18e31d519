"""Alarms of detectors over the runs of an experiment, in a file beside each run.

They follow from the saved predictions, so that they are no part of a run's id: adding a detector
runs no cell again.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from streamgauge._support.inside import Inside
from streamgauge._support.whole_file import whole_file
from streamgauge.detection.detect import detect
from streamgauge.learners.learner_text import parse_detector

ALARMS = "alarms.parquet"
_NAMES, _CHECKSUM = b"detectors", b"checksum"


def keep_alarms(run: Path, detectors: Sequence[str], seed: int) -> None:
    """Run the detectors over a saved run, unless its file has their alarms already."""
    path = run / ALARMS
    before = read_alarms(path)
    known = [] if before is None else _detectors_of(before)
    new = [text for text in detectors if repr(parse_detector(text)) not in known]
    if not new:
        return
    found = detect(run, new, seed=seed)
    table = found.to_frame("arrow")
    if before is not None:
        table = pa.concat_tables([before.replace_schema_metadata(None), table])
    table = table.replace_schema_metadata(None)
    names = json.dumps([*known, *found.alarms])
    metadata = {_NAMES: names, _CHECKSUM: _checksum(table, names)}
    with whole_file(Inside(run.parent, run.name, ALARMS)) as file:
        pq.write_table(table.replace_schema_metadata(metadata), file)


def alarm_counts(run: Path) -> dict[str, int]:
    """The number of alarms of each detector that ran over a saved run."""
    table = read_alarms(run / ALARMS)
    if table is None:
        return {}
    column = table["detector"]
    return {
        f"alarms[{name}]": pc.sum(pc.equal(column, name)).as_py() or 0
        for name in _detectors_of(table)
    }


def _detectors_of(table: pa.Table) -> list[str]:
    return list(json.loads(table.schema.metadata[_NAMES]))


def read_alarms(path: Path) -> pa.Table | None:
    """The alarms in a file; None if it is missing or damaged: `run` makes it again."""
    if not path.exists():
        return None
    try:
        table = pq.read_table(path, partitioning=None)
        names = table.schema.metadata[_NAMES].decode()
        intact = table.schema.metadata[_CHECKSUM].decode() == _checksum(table, names)
    except Exception:  # a damaged file may raise anything
        return None
    return table if intact else None


def _checksum(table: pa.Table, names: str) -> str:
    content = json.dumps([names, table.to_pydict()], default=str)
    return hashlib.sha256(content.encode()).hexdigest()
