"""The directories and files of saved runs: their names.

A directory's name ends in the first digits of the run's id: STREAM-LEARNER-0123456789ab. That of a
failed run ends in `.failed`, so the names alone say which runs exist.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

FORMAT = "streamgauge.run/5"
RUN_FILE = "run.json"
CURVE, COST = "curve.parquet", "cost.parquet"
PREDICTIONS = "predictions.parquet"
BINS, EFFORT = "bins.parquet", "effort.parquet"
OUTCOMES = "outcomes.arrow"
FAILED = ".failed"
FAILURE = "failure.json"  # in the directory of a failed cell: why it has no run
PARTS = (CURVE, COST, PREDICTIONS, BINS, EFFORT, OUTCOMES)
_NAME = re.compile(rf"[^.].*-([0-9a-f]{{12}})({re.escape(FAILED)})?")
_RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\.|$)", re.IGNORECASE)  # on Windows


def directory_name(stream: str, learner: str, run_id: str) -> str:
    """The name of a complete run's directory."""
    return f"{readable(stream)}-{readable(learner)}-{run_id[:12]}"


def id_in_name(name: str) -> str:
    """The first digits of a run's id, which the name of its directory ends in; "" if it does not.

    >>> id_in_name("elec2-NaiveBayes-0123456789ab.failed")
    '0123456789ab'
    """
    found = _NAME.fullmatch(name)
    return found[1] if found else ""


def saved_in(folder: Path) -> dict[str, Path]:
    """Runs by the first 12 digits of their id; a complete run hides a failed one."""
    complete: dict[str, Path] = {}
    failed: dict[str, Path] = {}
    with os.scandir(folder) as entries:
        for entry in entries:
            if found := _NAME.fullmatch(entry.name):
                (failed if found[2] else complete)[found[1]] = Path(entry.path)
    return failed | complete


def readable(name: str) -> str:
    """A name that is safe as the beginning of a file name, on every system.

    It has no "=": readers of Parquet take seed=1 in a path for a column of the table.

    >>> readable(".x/y\\n"), readable("CON"), readable("日本"), readable("SEA(9, seed=1)")
    ('x_y', '_CON', 'unnamed', 'SEA_9_seed_1')
    """
    short = re.sub(r"[^A-Za-z0-9.]+", "_", name).strip("_.")[:60] or "unnamed"
    return f"_{short}" if _RESERVED.match(short) else short
