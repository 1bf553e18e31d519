"""Small facts of a run: counts, cost, time, failure."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from streamgauge._support.types import Floats
from streamgauge.measures.scale import Scale
from streamgauge.measures.sums import divide


@dataclass(frozen=True)
class Counts:
    """Number of rows that arrived, were scored or got no label, and of events skipped."""

    rows: int
    scored: int
    unlabelled: int
    awaited: int = 0  # unlabelled rows that wait at the end: their label may still come
    skipped: dict[str, int] = field(default_factory=dict)  # events of a log, by reason


class CostSource(Protocol):
    """Where the curve of the cost is: in memory, or in the run's directory."""

    @property
    def cost_curve(self) -> dict[str, Floats]: ...


COSTS = {  # of `Cost`
    "seconds": Scale("lower", "seconds"),
    "rows_per_second": Scale("higher", "rows/s"),
    "model_bytes": Scale("lower", "bytes"),
    "ram_hours": Scale("lower", "RAM-hours"),
}


@dataclass(frozen=True)
class Cost:
    """What learning cost by the end of the run; `curve` has the same block by block."""

    seconds: float  # CPU time of the learner alone
    rows_per_second: float  # arrived rows
    model_bytes: float  # NaN if unknown
    ram_hours: float  # GiB × learner CPU hours
    _source: CostSource = field(repr=False, compare=False)

    @property
    def curve(self) -> dict[str, Floats]:
        """Columns arrived (rows), rows (scored), seconds, rows_per_second, model_bytes, ram_hours.

        Runs saved by earlier versions have no column `arrived`.
        """
        return self._source.cost_curve


def cost_curve_of(points: list[tuple[int, int, float, float]]) -> dict[str, Floats]:
    """The curve from (arrived rows, scored rows, seconds, bytes) along the run."""
    arrived, rows, seconds, size = np.array(points, np.float64).T
    return {
        "arrived": arrived,
        "rows": rows,
        "seconds": seconds,
        "rows_per_second": divide(arrived, seconds),
        "model_bytes": size,
        "ram_hours": np.cumsum(size * np.diff(seconds, prepend=0.0)) / 2**30 / 3600,
    }


@dataclass(frozen=True)
class Time:
    """Wall-clock seconds of the evaluation: compiling, reading the stream, in total."""

    compile: float
    stream: float
    total: float


@dataclass(frozen=True)
class Failure:
    """Why a run ended early."""

    row: int
    message: str
    traceback: str = field(repr=False)
