"""The scoring plan: what an evaluation measures for every learner."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from streamgauge._support.types import Floats, Schema
from streamgauge.measures.forgetting import Forgetting
from streamgauge.measures.metrics import Metric, metrics_for
from streamgauge.measures.reference import Reference


@dataclass(frozen=True)
class ScoringPlan:
    """References, forgettings, metrics and bins, the same for every learner."""

    schema: Schema
    references: tuple[Reference, ...]
    forget: tuple[Forgetting, ...]
    every: int  # rows between points of the curve
    metrics: tuple[Metric, ...]
    cost: Floats | None
    keep: str | Path  # where predictions go
    bins: int | None = None  # of the wait, under re-evaluation

    @property
    def reference_names(self) -> tuple[str, ...]:
        return tuple(reference.name for reference in self.references)

    @property
    def orderless_metrics(self) -> tuple[Metric, ...]:
        """Metrics that can be computed from counts, without the order of the rows."""
        known = metrics_for(self.schema, "labels", self.cost is not None)
        return tuple(metric for metric in known if metric.name != "error_autocorrelation")
