"""What an evaluation was asked to do: checked, with its defaults filled in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import numpy as np
import numpy.typing as npt

from streamgauge._support.errors import UsageError, check_whole
from streamgauge._support.types import Floats, Schema
from streamgauge.learners.base import Learner, Player
from streamgauge.learners.references.last_value import LastValue
from streamgauge.learners.references.majority import Majority
from streamgauge.learners.references.mean import Mean
from streamgauge.learners.references.persistent import Persistent
from streamgauge.learners.references.transition import Transition
from streamgauge.measures.forgetting import Cumulative, Forgetting, Window
from streamgauge.measures.metrics import Metric, metrics_for
from streamgauge.prequential.labels import FromStream, Immediate, LabelPolicy
from streamgauge.prequential.protocols import (
    FoldModel,
    Holdout,
    Prequential,
    PrequentialCV,
    RowRoles,
)
from streamgauge.prequential.reevaluation.reevaluate import Reevaluate
from streamgauge.runs.identity import Settings
from streamgauge.streams.base import Stream

Protocol = Holdout | PrequentialCV

DEFAULT_FORGET: tuple[Forgetting, ...] = (Cumulative(), Window(1000))
_CURVE_POINTS = 500
_EVERY_IF_UNKNOWN = 1000


@dataclass(frozen=True)
class Plan:
    """Everything asked of an evaluation, checked."""

    labels: LabelPolicy
    forget: tuple[Forgetting, ...]
    seed: int
    warmup: int
    metrics: tuple[Metric, ...]
    cost: Floats | None
    every: int
    keep: str | Path
    oracle: bool
    reevaluate: Reevaluate | None
    protocol: Protocol | None

    @property
    def rows(self) -> RowRoles:
        """Which rows are learned and scored, before models share them."""
        return self.protocol if isinstance(self.protocol, Holdout) else Prequential(self.warmup)

    @property
    def models(self) -> list[FoldModel | None]:
        """Of a cross-validation each model; else all play all."""
        return [*self.protocol.models()] if isinstance(self.protocol, PrequentialCV) else [None]

    def references(self, schema: Schema) -> list[Learner | Player]:
        """Whom every learner is measured against."""
        if schema.regression:
            return [Mean(), LastValue()]
        # The authors' No-Change is the first class from the start.
        start_as = 0 if self.reevaluate is not None and self.reevaluate.compat else None
        return [Majority(), Persistent(start_as, oracle=self.oracle), Transition()]

    def settings(self, model: FoldModel | None = None) -> Settings:
        """The plan as text."""
        cost = None if self.cost is None else tuple(map(tuple, self.cost.tolist()))
        return Settings(
            repr(self.labels),
            tuple(map(repr, self.forget)),
            self.every,
            tuple(metric.name for metric in self.metrics),
            self.seed,
            self.warmup,
            cost,
            self.oracle,
            None if self.reevaluate is None else repr(self.reevaluate),
            None if self.protocol is None else repr(self.protocol),
            None if model is None else model.number,
        )


def make_plan(
    stream: Stream,
    protocol: Protocol | None,
    labels: LabelPolicy | None,
    forget: Sequence[Forgetting] | None,
    seed: int,
    warmup: int,
    metrics: str | Sequence[str],
    cost: npt.ArrayLike | None,
    every: int | None,
    keep: str | Path,
    oracle: bool,
    reevaluate: Reevaluate | None,
) -> Plan:
    """Check what was asked; see `evaluate` for what each option means."""
    if not isinstance(stream, Stream):
        raise UsageError(
            f"{type(stream).__name__} is no stream; make one with load, read, from_frame, "
            "from_arrays or from_rows"
        )
    for what, count in (("warmup", warmup), ("every", 1 if every is None else every)):
        check_whole(what, count)
    if warmup < 0 or (stream.rows is not None and warmup >= stream.rows):
        raise UsageError(
            f"warmup={warmup}: expected 0 or more, and fewer than the stream's {stream.rows} rows"
        )
    if not isinstance(keep, str | Path):
        raise UsageError(f"keep={keep!r}: it is 'memory', 'none' or a folder")
    if not isinstance(protocol, Holdout | PrequentialCV | None):
        raise UsageError(
            f"protocol={protocol!r}: expected Holdout(every, size) or PrequentialCV(k)"
        )
    if isinstance(protocol, Holdout):
        if warmup:
            raise UsageError("warmup: with Holdout rows that are learned are not scored anyway")
        protocol.check(stream.rows)
        forget = (Window(protocol.size), Cumulative()) if forget is None else forget
        every = protocol.size if every is None else every
    forget = DEFAULT_FORGET if forget is None else forget
    if hasattr(forget, "fold"):
        raise UsageError(f"forget={forget!r}: expected a list: forget=[{forget!r}]")
    schema = stream.schema
    matrix = None if cost is None else _cost_matrix(cost, schema)
    if every is None:
        every = max(1, stream.rows // _CURVE_POINTS) if stream.rows else _EVERY_IF_UNKNOWN
    chosen = metrics_for(schema, metrics, matrix is not None)
    for forgetting in forget:
        if not hasattr(forgetting, "fold"):
            raise UsageError(
                f"forget: {forgetting!r} is none; expected Cumulative(), Window(w) or Fading(a)"
            )
        spans = isinstance(getattr(forgetting, "d", None), timedelta | np.timedelta64)
        if spans and not schema.time:
            raise UsageError(
                f"{forgetting}: this stream has no times; expected a number of rows, e.g. "
                "TimeWindow(1000)"
            )
    policy = _default_policy(stream) if labels is None else labels
    if not hasattr(policy, "timetable"):
        raise UsageError(
            f"labels: {labels!r} is none; expected Immediate(), Delay(n), Chunks(n), "
            "FromStream() or Sampled(p)"
        )
    if reevaluate is not None:
        if not isinstance(reevaluate, Reevaluate):
            raise UsageError(f"reevaluate={reevaluate!r}: expected Reevaluate(every=10, bins=50)")
        reevaluate.check(schema)
    return Plan(
        policy, tuple(forget), seed, warmup, chosen, matrix, every, keep, oracle, reevaluate,
        protocol,
    )  # fmt: skip


def _default_policy(stream: Stream) -> LabelPolicy:
    """Labels come when the data say; at once if they say nothing."""
    if stream.schema.time:
        first = next(stream.blocks(1), None)
        if first is not None and first.revealed is not None:
            return FromStream()
    return Immediate()


def _cost_matrix(cost: npt.ArrayLike, schema: Schema) -> Floats:
    matrix = np.asarray(cost, np.float64)
    k = len(schema.classes)
    if not k or matrix.shape != (k, k) or not np.isfinite(matrix).all():
        raise UsageError(
            f"cost: expected {k} × {k} finite numbers, true class by predicted class in the order "
            f"{schema.classes}, got shape {matrix.shape}"
        )
    return matrix
