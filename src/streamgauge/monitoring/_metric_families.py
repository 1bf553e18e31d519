"""The metrics that a monitor exports: names, meanings, and the samples of a reading.

Alert rules and dashboards take their names from here.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, Literal, NamedTuple

from streamgauge._support.types import Clock
from streamgauge.prequential.reasons import FAR_AHEAD

_NANOSECONDS = 1e9
_ESTIMATES = {
    "so_far": "score", "reweighted": "reweighted", "reweighted_low": "reweighted_low",
    "reweighted_high": "reweighted_high", "worst": "worst", "best": "best",
}  # fmt: skip


class Family(NamedTuple):
    """One metric: a name for Prometheus, its kind, its meaning and its labels."""

    name: str
    kind: Literal["counter", "gauge"]
    help: str
    labels: tuple[str, ...] = ()


Sample = tuple[Family, tuple[str, ...], float]  # the values of `labels`, and the value

LINES = Family("streamgauge_lines_read_total", "counter", "Lines read from a feed.", ("feed",))
NOT_SCORED = Family(
    "streamgauge_events_not_scored_total", "counter",
    "Lines and events that were not scored as they came, by reason; model is empty where none "
    "got them.", ("model", "reason"),
)  # fmt: skip
HELD = Family("streamgauge_events_held", "gauge", "Events that wait for the watermark.")
SET_ASIDE = Family(
    "streamgauge_events_set_aside", "gauge",
    "Events far ahead of all others of their feed: they wait until others come as far.", ("feed",),
)  # fmt: skip
WATERMARK = Family(
    "streamgauge_watermark_timestamp_seconds", "gauge",
    "All events before this time have happened.",
)  # fmt: skip
INTEGER_WATERMARK = Family(
    "streamgauge_watermark", "gauge",
    "All events before this time have happened, in the unit of integer times.",
)  # fmt: skip
TAKEN = Family("streamgauge_reading_timestamp_seconds", "gauge", "When these figures were read.")
PREDICTIONS = Family("streamgauge_predictions_total", "counter", "Predictions.", ("model",))
SCORED = Family(
    "streamgauge_scored_predictions_total", "counter", "Predictions with their label.", ("model",)
)
TIMED_OUT = Family(
    "streamgauge_timed_out_predictions_total", "counter",
    "Predictions whose label did not come in time.", ("model",),
)  # fmt: skip
WAITING = Family(
    "streamgauge_waiting_predictions", "gauge", "Predictions that wait for a label.", ("model",)
)
WAITING_BYTES = Family("streamgauge_waiting_bytes", "gauge", "Memory of what waits.", ("model",))
SCORE = Family(
    "streamgauge_score", "gauge",
    "A metric of a model, over a forgetting; segment is empty for all rows. NaN if undefined.",
    ("model", "segment", "metric", "over"),
)  # fmt: skip
NOW = Family(
    "streamgauge_now", "gauge",
    "The newest window, in accuracy or mean absolute error: score and rows, low and high of its "
    "99 % interval; baseline, and the change from it (positive is better) with change_low, "
    "change_high.",
    ("model", "segment", "figure"),
)  # fmt: skip
REFERENCE = Family(
    "streamgauge_reference_score", "gauge",
    "A metric of a reference on the rows of a model, over all rows.",
    ("model", "reference", "metric"),
)  # fmt: skip
DETECTED = Family(
    "streamgauge_detector_alarms_total", "counter", "Alarms of a drift detector.",
    ("model", "detector"),
)  # fmt: skip
FALSE_ALARMS = Family(
    "streamgauge_detector_false_alarms_per_1000_rows", "gauge",
    "Alarms of the detector on blocks of the model's latest errors in random order, where nothing "
    "drifts; NaN if unknown.",
    ("model", "detector"),
)  # fmt: skip
COVERAGE = Family(
    "streamgauge_label_coverage_ratio", "gauge",
    "Fraction of predictions whose label comes by this age (seconds, or the unit of integer "
    "times), from past waits.", ("model", "age"),
)  # fmt: skip
RECENT = Family(
    "streamgauge_recent_predictions", "gauge",
    "Predictions that may still get a label, and those of them that have one.",
    ("model", "labelled"),
)  # fmt: skip
RECENT_SCORE = Family(
    "streamgauge_recent_score", "gauge",
    "Score of the predictions that may still get a label: so far, reweighted by past waits with "
    "its 99 % interval, and its bounds once all labels are in.", ("model", "estimate"),
)  # fmt: skip
COMPARED_ROWS = Family(
    "streamgauge_compared_rows",
    "gauge",
    "Rows that both models predicted; 0 where each has rows of its own.",
    ("a", "b"),
)
COMPARED_SCORE = Family(
    "streamgauge_compared_score", "gauge", "Score of one of two models on the rows of both.",
    ("a", "b", "model"),
)  # fmt: skip
FIRING = Family(
    "streamgauge_alarm_firing", "gauge", "1 while an alarm is on.", ("alarm", "model", "segment")
)
RAISED = Family(
    "streamgauge_alarms_raised_total", "counter", "How often an alarm was raised.",
    ("alarm", "model", "segment"),
)  # fmt: skip
ALARM_VALUE = Family(
    "streamgauge_alarm_value", "gauge", "The value that an alarm looked at last.",
    ("alarm", "model", "segment"),
)  # fmt: skip

NOTIFICATIONS = Family(
    "streamgauge_notifications_waiting", "gauge",
    "Alarm events that the command or the web hook has not got yet.",
)  # fmt: skip

FAMILIES = tuple(each for each in globals().values() if isinstance(each, Family))


def samples(
    status: dict[str, Any], clock: Clock, watermark: int | None, taken: float
) -> Iterator[Sample]:
    """All samples of a status."""
    yield TAKEN, (), taken
    yield HELD, (), status["held"]
    if watermark is not None:
        if clock == "integers":
            yield INTEGER_WATERMARK, (), watermark
        else:
            yield WATERMARK, (), watermark / _NANOSECONDS
    yield NOTIFICATIONS, (), status["notifications"]["waiting"]
    for feed, lines in status["lines"].items():
        yield LINES, (feed,), lines
    for feed, events in status["set_aside"].items():
        yield SET_ASIDE, (feed,), events
    for reason, count in status["counts"].items():
        if reason == FAR_AHEAD:
            continue  # it may become less, and has a metric of its own
        yield NOT_SCORED, ("", reason), count
    for name, model in status["models"].items():
        yield from _of_model(name, model, clock)
    for pair in status["comparisons"]:
        both = (pair["a"], pair["b"])
        yield COMPARED_ROWS, both, pair["rows"]
        for side in ("a", "b"):
            yield COMPARED_SCORE, (*both, pair[side]), _number(pair[f"{side}_score"])
    for alarm in status["alarms"]:
        key = (alarm["alarm"], alarm["model"], alarm["segment"] or "")
        yield FIRING, key, float(alarm["firing"])
        yield RAISED, key, alarm["raised"]
        yield ALARM_VALUE, key, _number(alarm["value"])


def _of_model(name: str, model: dict[str, Any], clock: Clock) -> Iterator[Sample]:
    yield PREDICTIONS, (name,), model["arrived"]
    yield SCORED, (name,), model["scored"]
    yield TIMED_OUT, (name,), model["timed_out"]
    yield WAITING, (name,), model["waiting"]
    yield WAITING_BYTES, (name,), model["bytes"]
    for reason, count in model["counts"].items():
        yield NOT_SCORED, (name, reason), count
    yield from _scores(name, "", model["figures"])
    yield from _now(name, "", model["now"])
    for column, values in model["segments"].items():
        for value, segment in values.items():
            yield from _scores(name, f"{column}={value}", segment["figures"])
            yield from _now(name, f"{column}={value}", segment["now"])
    for reference, figures in model["references"].items():
        for metric, score in figures.items():
            yield REFERENCE, (name, reference, metric), _number(score)
    for detector in model["detectors"]:
        yield DETECTED, (name, detector["detector"]), detector["alarms"]
        rate = _number(detector["false_alarms_per_1000_rows"])
        yield FALSE_ALARMS, (name, detector["detector"]), rate
    maturity, unit = model["maturity"], 1 if clock == "integers" else _NANOSECONDS
    for point in maturity["coverage_by_age"]:
        yield COVERAGE, (name, f"{point['age'] / unit:g}"), _number(point["coverage"])
    recent = maturity["recent"]
    yield RECENT, (name, "yes"), recent["labelled"]
    yield RECENT, (name, "no"), recent["arrived"] - recent["labelled"]
    for estimate, key in _ESTIMATES.items():
        yield RECENT_SCORE, (name, estimate), _number(recent[key])


def _now(name: str, segment: str, now: dict[str, Any]) -> Iterator[Sample]:
    figures = {each: now[each] for each in ("score", "rows", "low", "high")}
    figures["baseline"] = now["baseline"]["score"]
    for figure, key in (("change", "effect"), ("change_low", "low"), ("change_high", "high")):
        figures[figure] = now["change"][key]
    for figure, value in figures.items():
        yield NOW, (name, segment, figure), _number(value)


def _scores(name: str, segment: str, figures: dict[str, Any]) -> Iterator[Sample]:
    for over, metrics in figures.items():
        for metric, value in metrics.items():
            yield SCORE, (name, segment, metric, over), _number(value)


def _number(value: float | None) -> float:
    return math.nan if value is None else float(value)
