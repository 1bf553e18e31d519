"""Alarms of detectors over the runs of an experiment, in a file beside each run.

They follow from the saved predictions, so that they are no part of a run's id: adding a detector
runs no cell again.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from streamgauge.comparison.detect import detect
from streamgauge.learners.parsing import parse_detector

ALARMS = "alarms.parquet"
_NAMES = b"detectors"


def keep_alarms(run: Path, detectors: Sequence[str], seed: int) -> None:
    """Run the detectors over a saved run, unless its file has their alarms already."""
    path = run / ALARMS
    before = _read(path)
    known = [] if before is None else _detectors_of(before)
    new = [text for text in detectors if repr(parse_detector(text)) not in known]
    if not new:
        return
    found = detect(run, new, seed=seed)
    table = found.to_frame("arrow")
    if before is not None:
        table = pa.concat_tables([before.replace_schema_metadata(None), table])
    names = json.dumps([*known, *found.alarms])
    _write(table.replace_schema_metadata({_NAMES: names}), path)


def alarm_counts(run: Path) -> dict[str, int]:
    """The number of alarms of each detector that ran over a saved run."""
    table = _read(run / ALARMS)
    if table is None:
        return {}
    column = table["detector"]
    return {
        f"alarms[{name}]": pc.sum(pc.equal(column, name)).as_py() or 0
        for name in _detectors_of(table)
    }


def _detectors_of(table: pa.Table) -> list[str]:
    return list(json.loads(table.schema.metadata[_NAMES]))


def _read(path: Path) -> pa.Table | None:
    return pq.read_table(path) if path.exists() else None


def _write(table: pa.Table, path: Path) -> None:
    """Write a file that appears only when it is complete."""
    handle, aside = tempfile.mkstemp(prefix=".writing-", dir=path.parent)
    os.close(handle)
    try:
        pq.write_table(table, aside)
        Path(aside).chmod(0o644)
        Path(aside).replace(path)
    except BaseException:
        Path(aside).unlink(missing_ok=True)
        raise
