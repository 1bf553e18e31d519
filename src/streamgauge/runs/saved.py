"""A run as it lies on disk: its summary at once, curves and predictions when asked for."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq

from streamgauge.errors import InputError, UsageError
from streamgauge.runs.run import frame_of


class SavedRun:
    """What `Run.save` left in a directory. `run.facts` is all of its run.json (docs/json.md)."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)

    @cached_property
    def facts(self) -> dict[str, Any]:
        """Everything in run.json."""
        file = self.path / "run.json"
        try:
            values: dict[str, Any] = msgspec.json.decode(file.read_bytes())
        except FileNotFoundError:
            raise UsageError(f"{self.path} holds no run: it has no run.json") from None
        except msgspec.DecodeError as error:
            raise InputError(f"{file}: is no JSON: {error}") from None
        return values

    @property
    def id(self) -> str:
        return str(self.facts["id"])

    @property
    def stream(self) -> str:
        return str(self.facts["stream"])

    @property
    def learner(self) -> str:
        return str(self.facts["learner"])

    @property
    def settings(self) -> dict[str, Any]:
        """How it was made: labels, forget, seed, ..."""
        return dict(self.facts["settings"])

    @property
    def summary(self) -> dict[str, float | None]:
        """Every metric at the end, under the first forgetting; undefined is None."""
        return dict(self.facts["summary"][self.settings["forget"][0]])

    @property
    def verdict(self) -> str:
        """In words, against the references."""
        return str(self.facts["verdict"]["text"])

    @property
    def predictions(self) -> pa.Table:
        """Row, label, first prediction and the references', in the order the labels came."""
        file = self.path / "predictions.parquet"
        if not file.exists():
            raise UsageError(f"{self.path}: this run did not keep its predictions")
        return pq.read_table(file)

    def to_frame(self, kind: str | None = None) -> Any:
        """The curve as a frame: "pandas", "polars" or "arrow"; by default the first there is."""
        return frame_of(pq.read_table(self.path / "curve.parquet"), kind)

    def __repr__(self) -> str:
        return f"<run {self.learner} on {self.stream}, in {self.path}>"
