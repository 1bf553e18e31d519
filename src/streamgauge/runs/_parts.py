"""The large parts of a run: what they are, and those of a run that has just been evaluated."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import pyarrow as pa

from streamgauge._support.arrow_numbers import arrow_numbers
from streamgauge._support.seeding import GlobalRandom
from streamgauge._support.types import Floats
from streamgauge.measures.curves import Curve
from streamgauge.runs._predictions import PredictionLog
from streamgauge.runs.bins.bins import Bins
from streamgauge.runs.directories import BINS, COST, CURVE, EFFORT, OUTCOMES, PREDICTIONS
from streamgauge.runs.identity import Settings, run_id
from streamgauge.runs.integrity import StoredFile

if TYPE_CHECKING:
    from streamgauge.streams.base import Stream


class Parts(Protocol):
    """What a run computes or reads only when it is asked for."""

    @property
    def path(self) -> Path | None: ...
    @property
    def id(self) -> str: ...
    @property
    def files(self) -> Mapping[str, StoredFile]: ...
    @property
    def learner(self) -> Any: ...
    @property
    def curve(self) -> Curve: ...
    @property
    def cost_curve(self) -> dict[str, Floats]: ...
    @property
    def predictions(self) -> pa.Table: ...
    @property
    def bins(self) -> Bins | None: ...

    def write(self, folder: Path) -> None:
        """Write all files but run.json."""

    def saved_in(self, directory: Path) -> None:
        """The files that `write` wrote are now in this directory."""


@dataclass
class LiveParts:
    """The parts of a run in memory; predictions and outcomes may be on disk."""

    learner: Any
    stream: Stream
    identity: str
    settings: Settings
    curve: Curve
    cost_curve: dict[str, Floats]
    log: PredictionLog
    bins: Bins | None
    path: Path | None = None

    @cached_property
    def id(self) -> str:
        """The run's id; for the stream's fingerprint all its rows may be read."""
        with GlobalRandom(self.settings.seed).in_use():  # as when the rows were evaluated
            fingerprint = self.stream.fingerprint()
        return run_id(fingerprint, self.identity, self.settings)

    @property
    def files(self) -> Mapping[str, StoredFile]:
        return {}

    @property
    def predictions(self) -> pa.Table:
        return self.log.table()

    def write(self, folder: Path) -> None:
        import pyarrow.parquet as pq  # here, because listing runs does not need it

        pq.write_table(self.curve.to_arrow(), folder / CURVE)
        costs = {name: arrow_numbers(values) for name, values in self.cost_curve.items()}
        pq.write_table(pa.table(costs), folder / COST)
        self.log.save(folder / PREDICTIONS)
        if self.bins is not None:
            pq.write_table(self.bins.to_arrow(), folder / BINS)
            pq.write_table(pa.table(self.bins.effort), folder / EFFORT)
            self.bins._outcomes.save(folder / OUTCOMES)

    def saved_in(self, directory: Path) -> None:
        self.path = directory
        self.log.moved(directory / PREDICTIONS)
        if self.bins is not None:
            self.bins._outcomes.moved(directory / OUTCOMES)
