"""A run read back from its directory: facts, curves and predictions."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from streamgauge._support.errors import InputError
from streamgauge.rendering.frames import frame_of
from streamgauge.runs.run import FORMAT


@dataclass(frozen=True)
class StoredRun:
    """A saved run: run.json as `facts` (docs/json.md), its curve, its predictions."""

    folder: Path
    facts: dict[str, Any] = field(repr=False)

    @property
    def name(self) -> str:
        """The learner's name."""
        return str(self.facts["learner"])

    @property
    def stream(self) -> str:
        """The stream's name."""
        return str(self.facts["stream"])

    @property
    def settings(self) -> dict[str, Any]:
        """How the run was made: labels, forget, seed, ..."""
        return dict(self.facts["settings"])

    @property
    def summary(self) -> dict[str, float | None]:
        """Every metric at the end of the run, under the first forgetting; None if undefined."""
        return dict(self.facts["summary"][self.settings["forget"][0]])

    @property
    def verdict(self) -> str:
        """The verdict in words."""
        return str(self.facts["verdict"]["text"])

    @property
    def predictions(self) -> pa.Table:
        """The predictions, as in `Run.predictions`."""
        path = self.folder / "predictions.parquet"
        if not path.exists():
            raise InputError(
                f"{self.folder}: this run was saved without its predictions; evaluate it again "
                "without keep='none'"
            )
        return pq.read_table(path)

    def to_frame(self, kind: str | None = None) -> Any:
        """The curve as a frame: "pandas", "polars" or "arrow"; by default the first installed."""
        return frame_of(pq.read_table(self.folder / "curve.parquet"), kind)


def read_run(folder: str | Path) -> StoredRun:
    """Read the run in a directory."""
    path = Path(folder) / "run.json"
    try:
        facts = json.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        raise InputError(
            f"{folder}: not a saved run (it has no run.json); expected a directory made by run.save"
            " or streamgauge evaluate --save"
        ) from None
    except ValueError as error:
        raise InputError(f"{path}: invalid JSON: {error}") from None
    found = facts.get("format") if isinstance(facts, dict) else None
    if found != FORMAT:
        raise InputError(f"{path}: expected format {FORMAT!r}, got {found!r}")
    return StoredRun(Path(folder), facts)
