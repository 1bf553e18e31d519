"""A run read back from the directory it was saved in: its summary and its predictions."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from streamgauge.errors import InputError
from streamgauge.runs.run import FORMAT


@dataclass(frozen=True)
class StoredRun:
    """What `run.save` wrote: run.json as `summary`, and the predictions."""

    folder: Path
    summary: dict[str, Any] = field(repr=False)

    @property
    def name(self) -> str:
        """The learner's."""
        return str(self.summary["learner"])

    @property
    def predictions(self) -> pa.Table:
        """As in `Run.predictions`."""
        path = self.folder / "predictions.parquet"
        if not path.exists():
            raise InputError(
                f"{self.folder}: this run was saved without its predictions; evaluate it again "
                "without keep='none'"
            )
        return pq.read_table(path)


def read_run(folder: str | Path) -> StoredRun:
    """The run in a directory."""
    path = Path(folder) / "run.json"
    try:
        summary = json.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        raise InputError(
            f"{folder}: no saved run here (no run.json); expected a directory that run.save or "
            "streamgauge evaluate --save made"
        ) from None
    except ValueError as error:
        raise InputError(f"{path}: no JSON: {error}") from None
    found = summary.get("format") if isinstance(summary, dict) else None
    if found != FORMAT:
        raise InputError(f"{path}: its format is {found!r}; expected {FORMAT!r}")
    return StoredRun(Path(folder), summary)
