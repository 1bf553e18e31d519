"""The scoring plan: what an evaluation measures for every learner."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from streamgauge._support.types import Clock, Floats, Schema
from streamgauge.measures.forgetting import Forgetting
from streamgauge.measures.metric import Metric
from streamgauge.measures.metrics.select import known_metrics
from streamgauge.measures.reference import Reference
from streamgauge.measures.scale import Scale
from streamgauge.runs.facts import COSTS


@dataclass(frozen=True)
class ScoringPlan:
    """References, forgettings, metrics and bins, the same for every learner."""

    schema: Schema
    references: tuple[Reference, ...]
    forget: tuple[Forgetting, ...]
    every: int  # rows between points of the curve
    metrics: tuple[Metric, ...]
    cost: Floats | None
    bins: int | None = None  # of the wait, under re-evaluation
    clock: Clock | None = None  # what the reveal times count; None: rows have no times
    late: bool = False  # whether labels may come in another order than their rows
    save: Path | None = None  # the folder of the run, where predictions go as they are made
    predictions: bool = False  # whether they are kept

    @property
    def reference_names(self) -> tuple[str, ...]:
        return tuple(reference.name for reference in self.references)

    @cached_property
    def orderless_metrics(self) -> tuple[Metric, ...]:
        """Metrics that can be computed from counts, without order of rows and probabilities."""
        known = known_metrics(self.schema, self.cost is not None)
        every = {metric.name: metric for metric in (*known, *self.metrics)}
        return tuple(m for m in every.values() if m.needs not in ("sequence", "probabilities"))

    @cached_property
    def scales(self) -> dict[str, Scale]:
        """What every metric and cost of a run declares."""
        metrics = {metric.name: metric.scale for metric in (*self.orderless_metrics, *self.metrics)}
        return metrics | COSTS
