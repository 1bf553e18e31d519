"""The status of a monitor as plain values: what text, JSON, metrics and the page show."""

from __future__ import annotations

import math
from typing import Any

from streamgauge._support.clock import time_text
from streamgauge._support.types import Clock
from streamgauge.monitoring._engine import Engine
from streamgauge.monitoring._monitored_model import MonitoredModel
from streamgauge.prequential.id_table import TIMED_OUT
from streamgauge.prequential.reasons import REASONS
from streamgauge.runs.run import Run
from streamgauge.runs.scorer import Scorer


def model_status(model: MonitoredModel, run: Run, engine: Engine, clock: Clock) -> dict[str, Any]:
    """One model: counts, figures, references, verdict, segments, detectors, label maturity."""
    counts = model.counts(engine.now)
    waiting, early = counts.pop("waiting"), counts.pop("early")
    verdict = run.verdict.lasting(run.counts.rows)  # a monitor is looked at again and again
    segments: dict[str, dict[str, Any]] = {}
    for (column, code), scorer in sorted(model.segments.items()):
        name, _, value = engine.segment_name(column, code).partition("=")
        segments.setdefault(name, {})[value] = _segment(scorer)
    return {
        "arrived": model.arrived,
        "scored": model.scorer.seen,
        "waiting": waiting,
        "timed_out": counts[REASONS[TIMED_OUT]],
        "labels_waiting_for_a_prediction": early,
        "counts": {reason: count for reason, count in counts.items() if count},
        "bytes": model.nbytes,
        "figures": {each: run.curve.last(each) for each in run.curve.forgettings},
        "references": run.references,
        "against": {each.reference: each.word for each in verdict.against},
        "verdict": str(verdict).splitlines(),
        "segments": segments,
        "detectors": [detector.status(clock) for detector in model.detectors],
        "maturity": maturity_status(model, engine.now, clock),
    }


def _segment(scorer: Scorer) -> dict[str, Any]:
    curve = scorer.curve()
    return {
        "scored": scorer.seen,
        "figures": {each: curve.last(each) for each in curve.forgettings},
    }


def maturity_status(model: MonitoredModel, now: int, clock: Clock) -> dict[str, Any]:
    """How many labels are in and will come, and what that does to the score."""
    maturity = model.maturity
    coverage = maturity.coverage_by_age(now)
    cohorts = maturity.cohorts(now)
    for cohort in cohorts:
        cohort["start"] = time_text(cohort["start"], clock)
    return {
        "cohort_length": maturity.length,
        "coverage_by_age": [
            {"age": int(age), "coverage": float(share)}
            for age, share in zip(maturity.edges, coverage, strict=True)
        ],
        "cohorts": cohorts,
        "recent": maturity.recent(now),
        "bias": maturity.bias(now),
    }


def plain(value: Any) -> Any:
    """Plain values with None for NaN, which JSON does not have."""
    if isinstance(value, dict):
        return {str(key): plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return value
