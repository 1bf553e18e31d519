"""Runs on disk: a directory each, written aside and renamed when complete."""

from __future__ import annotations

import itertools
import json
import re
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow.parquet as pq

if TYPE_CHECKING:
    from streamgauge.runs.run import Run


def save_run(run: Run, folder: Path) -> Path:
    """Write run.json, curve.parquet, predictions.parquet (and of re-evaluation bins.parquet,
    outcomes.arrow); the directory they are in.

    The same run saved again takes the place of the first; one of the same identity but with other
    numbers (a learner that draws lots unseeded) stands beside it.
    """
    folder.mkdir(parents=True, exist_ok=True)
    # An unfinished directory is hidden by its dot and never taken for a run.
    aside = Path(tempfile.mkdtemp(prefix=".writing-", dir=folder))
    try:
        summary = {"id": run.id, **run.to_dict()}
        text = json.dumps(summary, indent=1, ensure_ascii=False) + "\n"
        (aside / "run.json").write_text(text, encoding="utf-8")
        pq.write_table(run.curve.to_arrow(), aside / "curve.parquet")
        run._log.save(aside / "predictions.parquet")
        if run._binned is not None:
            pq.write_table(run.bins.to_arrow(), aside / "bins.parquet")
            run._binned.log.save(aside / "outcomes.arrow")
        aside.chmod(0o755)
        place = _place(run, folder, summary)
        if place.exists():
            old = Path(tempfile.mkdtemp(prefix=".replaced-", dir=folder))
            place.rename(old / place.name)
            aside.rename(place)
            shutil.rmtree(old)
        else:
            aside.rename(place)
    except BaseException:
        shutil.rmtree(aside, ignore_errors=True)
        raise
    run._log.moved(place / "predictions.parquet")
    if run._binned is not None:
        run._binned.log.moved(place / "outcomes.arrow")
    return place


def _place(run: Run, folder: Path, summary: dict[str, object]) -> Path:
    name = f"{_readable(run.stream.name)}-{_readable(run.name)}-{run.id[:12]}"
    for attempt in itertools.count(1):
        place = folder / (name if attempt == 1 else f"{name}-{attempt}")
        if not place.exists():
            return place
        there = json.loads((place / "run.json").read_text(encoding="utf-8"))
        if all(there[part] == summary[part] for part in ("counts", "summary", "confusion")):
            return place
    raise AssertionError("unreachable")


def _readable(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9.=]+", "_", name).strip("_")[:60]
