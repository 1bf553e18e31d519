"""`Run`: the results of one learner over one stream."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from streamgauge._support.errors import UsageError
from streamgauge._support.types import Floats, Longs
from streamgauge.measures.curves import Curve
from streamgauge.measures.sums import divide
from streamgauge.measures.verdict import Verdict
from streamgauge.rendering.frames import frame_of
from streamgauge.rendering.plain_values import plain
from streamgauge.runs._bin_scorer import BinScorer
from streamgauge.runs._bins import Bins
from streamgauge.runs._predictions import PredictionLog
from streamgauge.runs.identity import Settings, run_id
from streamgauge.runs.store import save_run
from streamgauge.runs.text import show_runs
from streamgauge.streams.base import Stream

FORMAT = "streamgauge.run/1"


@dataclass(frozen=True)
class Counts:
    """Number of rows that arrived, were scored or never got a label, and of events skipped."""

    rows: int
    scored: int
    unlabelled: int
    skipped: dict[str, int] = field(default_factory=dict)  # events of a log, by reason


@dataclass(frozen=True)
class Cost:
    """What learning cost by the end of the run, and `curve`, the same block by block.

    The curve's columns: rows (scored), seconds, rows_per_second, model_bytes, ram_hours.
    """

    seconds: float  # CPU time of the learner alone
    rows_per_second: float  # arrived rows
    model_bytes: float  # NaN if unknown
    ram_hours: float  # GiB × learner CPU hours
    curve: dict[str, Floats] = field(repr=False)

    @staticmethod
    def of(points: list[tuple[int, int, float, float]]) -> Cost:
        """The cost from (arrived rows, scored rows, seconds, bytes) along the run."""
        arrived, rows, seconds, size = np.array(points, np.float64).T
        curve = {
            "rows": rows,
            "seconds": seconds,
            "rows_per_second": divide(arrived, seconds),
            "model_bytes": size,
            "ram_hours": np.cumsum(size * np.diff(seconds, prepend=0.0)) / 2**30 / 3600,
        }
        end = {name: float(column[-1]) for name, column in curve.items() if name != "rows"}
        return Cost(**end, curve=curve)


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


@dataclass(frozen=True, repr=False)
class Run:
    """One learner's pass over one stream; printing it shows the table and the verdict."""

    name: str
    identity: str  # the learner and its parameters before the run
    learner: Any  # after the run
    stream: Stream
    settings: Settings
    counts: Counts
    curve: Curve
    confusion: Longs | None  # true class × predicted class, abstention last; None for regression
    references: dict[str, dict[str, float]]  # each reference's cumulative metrics on the same rows
    overall: dict[str, float]  # the learner's cumulative metrics
    verdict: Verdict
    cost: Cost
    time: Time
    failure: Failure | None
    _log: PredictionLog
    _bins: Bins | None = None
    _bin_scorer: BinScorer | None = None

    @property
    def bins(self) -> Bins:
        """Metrics per bin of the wait: `run.bins["accuracy"]`, bins 0 to B + 1."""
        if self._bins is None:
            raise UsageError(
                "this run has no bins; to get them: evaluate(..., reevaluate=Reevaluate())"
            )
        return self._bins

    def bins_at(self, labels: int) -> Bins:
        """The table of bins after the first `labels` labels."""
        if self._bin_scorer is None:
            return self.bins  # raises, and says how to get them
        return self._bin_scorer.table_after(labels)

    @property
    def summary(self) -> dict[str, float]:
        """Every metric at the end of the run, under the first forgetting."""
        return _Summary(self.curve.last(), self.curve)

    @property
    def undefined(self) -> dict[str, tuple[int, str]]:
        """The metrics with undefined points on the curve: how many there are, and why."""
        return self.curve.undefined()

    @property
    def classes(self) -> tuple[Any, ...]:
        """The classes, in the order of the confusion table."""
        return self.stream.schema.classes

    @property
    def predictions(self) -> pa.Table:
        """Row, label, the learner's first prediction and the references', in reveal order."""
        return self._log.table()

    def to_frame(self, kind: str | None = None) -> Any:
        """The curve as a frame: "pandas", "polars" or "arrow"; by default the first installed."""
        return frame_of(self.curve.to_arrow(), kind)

    def save(self, folder: str | Path) -> Path:
        """Save the run in a new directory under `folder` and return that directory.

        The directory appears only when it is complete.
        """
        return save_run(self, Path(folder))

    @cached_property
    def id(self) -> str:
        """A hash of everything that determines the run's numbers."""
        return run_id(self.stream.fingerprint(), self.identity, self.settings)

    def to_dict(self) -> dict[str, Any]:
        """The run as plain values, as `--json` writes it (docs/json.md); undefined is None."""
        verdict = {
            a.reference: {"word": a.word, "z": a.z, "batches": a.batches}
            for a in self.verdict.against
        }
        values: dict[str, Any] = plain(
            {
                "format": FORMAT,
                "status": "failed" if self.failure else "complete",
                "stream": self.stream.name,
                "learner": self.name,
                "classes": list(self.classes),
                "drifts": [drift._asdict() for drift in self.stream.drifts],
                "settings": asdict(self.settings),
                "counts": asdict(self.counts),
                "summary": {f: self.curve.last(f) for f in self.curve.forgettings},
                "undefined": {
                    f: {
                        m: {"points": n, "why": why}
                        for m, (n, why) in self.curve.undefined(f).items()
                    }
                    for f in self.curve.forgettings
                },
                "points": len(self.curve),
                "overall": self.overall,
                "references": self.references,
                "verdict": {
                    "text": str(self.verdict),
                    "against": verdict,
                    "kappa_plus_share": self.verdict.plus_share,
                    "kappa_plus_undefined_share": self.verdict.undefined_share,
                },
                "confusion": None if self.confusion is None else self.confusion.tolist(),
                "cost": {
                    "seconds": self.cost.seconds,
                    "rows_per_second": self.cost.rows_per_second,
                    "model_bytes": self.cost.model_bytes,
                    "ram_hours": self.cost.ram_hours,
                },
                "time": asdict(self.time),
                "bins": None if self._bins is None else self._bins.to_dict(),
                "failure": None if self.failure is None else asdict(self.failure),
            }
        )
        return values

    def __str__(self) -> str:
        return show_runs([self])

    __repr__ = __str__


class _Summary(dict[str, float]):
    """A dict whose error for an unknown metric says how to get it."""

    def __init__(self, values: dict[str, float], curve: Curve) -> None:
        super().__init__(values)
        self._curve = curve

    def __missing__(self, name: str) -> float:
        return float(self._curve[name][-1])
