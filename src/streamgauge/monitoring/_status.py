"""The status of a monitor as plain values: what text, JSON, metrics and the page show."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import numpy as np

from streamgauge._support.call_parser import build
from streamgauge._support.clock import clock_words, time_text
from streamgauge._support.durations import duration
from streamgauge._support.errors import UsageError
from streamgauge._support.types import NEVER, Clock
from streamgauge.measures.forgetting import TimeWindow, Window
from streamgauge.monitoring._engine import Engine
from streamgauge.monitoring._history import History, Period, change, period_status
from streamgauge.monitoring._monitored_model import MonitoredModel
from streamgauge.monitoring.config import BaselinePeriod, MonitorConfig
from streamgauge.prequential.id_table import TIMED_OUT
from streamgauge.prequential.reasons import REASONS
from streamgauge.runs.run import Run
from streamgauge.runs.scorer import Scorer


def model_status(
    model: MonitoredModel, run: Run, engine: Engine, rules: NowRules, clock: Clock
) -> dict[str, Any]:
    """One model: counts, figures, references, verdict, segments, detectors, label maturity."""
    counts = model.counts(engine.now)
    waiting, early = counts.pop("waiting"), counts.pop("early")
    verdict = run.verdict.lasting(run.counts.rows)  # a monitor is looked at again and again
    segments: dict[str, dict[str, Any]] = {}
    for (column, code), scorer in sorted(model.segments.items()):
        name, _, value = engine.segment_name(column, code).partition("=")
        history = model.segment_history.get((column, code), History())
        now = {"now": newest(history, rules, clock)}
        segments.setdefault(name, {})[value] = _segment(scorer) | now
    return {
        "arrived": model.arrived,
        "scored": model.scorer.seen,
        "waiting": waiting,
        "timed_out": counts[REASONS[TIMED_OUT]],
        "labels_waiting_for_a_prediction": early,
        "counts": {reason: count for reason, count in counts.items() if count},
        "bytes": model.nbytes,
        "now": newest(model.history, rules, clock),
        "figures": {each: run.curve.last(each) for each in run.curve.forgettings},
        "references": run.references,
        "against": {each.reference: each.word for each in verdict.against},
        "verdict": str(verdict).splitlines(),
        "segments": segments,
        "detectors": [detector.status(clock) for detector in model.detectors],
        "maturity": maturity_status(model, engine.now, clock),
    }


def newest(history: History, rules: NowRules, clock: Clock) -> dict[str, Any]:
    """The newest window: its score, and how it compares with the baseline period."""
    if isinstance(rules.over, TimeWindow) and history.span is not None:
        end = history.span[1]
        now = history.between(end - duration("TimeWindow", rules.over.d), end)
    else:
        now = history.last_rows(rules.over.w if isinstance(rules.over, Window) else _USUAL)
    before = rules.period(history, now, clock)
    baseline = period_status(before, rules.regression, clock)
    return {
        "metric": "mae" if rules.regression else "accuracy",
        "over": repr(rules.over),
        **period_status(now, rules.regression, clock),
        "baseline": {**baseline, "declared": rules.baseline is not None},
        "change": change(now, before, rules.regression),
    }


_USUAL = 1000  # rows


@dataclass(frozen=True)
class NowRules:
    """What the newest window is, and what it is compared with."""

    over: Any  # a forgetting
    baseline: BaselinePeriod | None
    regression: bool

    @staticmethod
    def of(config: MonitorConfig) -> NowRules:
        """The first window of the configuration; without one, the last 1,000 rows."""
        windows = [build(text, "forgetting") for text in config.forget]
        windows = [each for each in windows if isinstance(each, Window | TimeWindow)]
        over = windows[0] if windows else Window(_USUAL)
        return NowRules(over, config.baseline, config.task == "regression")

    def period(self, history: History, now: Period, clock: Clock) -> Period:
        """The baseline period of a model: as declared, else all before the newest window."""
        given = self.baseline
        if given is None or history.span is None:
            return history.before(now.rows)
        first, last = history.span
        if given.first is not None:
            return history.between(-NEVER, first + duration("baseline: first", given.first))
        start = -NEVER if given.start is None else _moment("from", given.start, clock) - 1
        return history.between(start, last if given.to is None else _moment("to", given.to, clock))


def _moment(what: str, given: str | int, clock: Clock) -> int:
    """A time of the configuration, in the unit of the events' times."""
    if isinstance(given, int) or clock == "integers":
        if not (isinstance(given, int) and clock == "integers"):
            raise UsageError(
                f"baseline: {what} = {given!r}, but times are {clock_words(clock)}; expected one"
            )
        return given
    try:
        moment = datetime.fromisoformat(given)
    except ValueError:
        raise UsageError(
            f"baseline: {what} = {given!r}; expected a time such as 2026-01-31T00:00Z"
        ) from None
    moment = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    return int(np.datetime64(moment.replace(tzinfo=None), "ns").astype(np.int64))


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
