"""Small facts of a run: counts, cost, time, failure."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from streamgauge._support.types import Floats
from streamgauge.learners.model_size import Measured
from streamgauge.measures.scale import Scale
from streamgauge.measures.sums import divide
from streamgauge.rendering.plain_values import Number


def title_of(name: str, model: int | None) -> str:
    """The name of a learner in a text, with its number if it is a model of a cross-validation."""
    return name if model is None else f"{name} [{model}]"


@dataclass(frozen=True)
class Counts:
    """Number of rows that arrived, were scored or got no label, and of events skipped."""

    rows: int
    scored: int
    unlabelled: int
    awaited: int = 0  # unlabelled rows that wait at the end: their label may still come
    skipped: dict[str, int] = field(default_factory=dict)  # events of a log, by reason


COSTS = {  # of `Cost`
    "seconds": Scale("lower", "seconds"),
    "rows_per_second": Scale("higher", "rows/s"),
    "model_bytes": Scale("lower", "bytes"),
    "ram_hours": Scale("lower", "RAM-hours"),
}

BY_SIZE = ("model_bytes", "ram_hours")  # costs that depend on the size of the model


@dataclass(frozen=True)
class Cost:
    """What learning cost by the end of the run; `run.cost_curve` has the same block by block."""

    seconds: Number  # CPU time of the learner alone
    rows_per_second: Number  # arrived rows
    model_bytes: Number  # NaN if unknown
    ram_hours: Number  # GiB × learner CPU hours
    measured_by: Measured | None  # how the bytes were: the model's own method, or its pickled size

    def numbers(self) -> dict[str, float]:
        """The costs by name."""
        return {name: getattr(self, name) for name in COSTS}


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
class RunFailure:
    """Why a run ended early."""

    row: int
    message: str
    traceback: str = field(repr=False)
