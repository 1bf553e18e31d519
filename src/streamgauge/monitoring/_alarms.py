"""Alarms: thresholds with hysteresis, references that are better, detectors."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import msgspec
import numpy as np

from streamgauge._support.call_parser import build
from streamgauge._support.clock import time_text
from streamgauge._support.durations import duration
from streamgauge._support.errors import UsageError, did_you_mean
from streamgauge._support.types import Clock
from streamgauge.measures.curves import Curve
from streamgauge.measures.forgetting import TimeWindow, Window
from streamgauge.measures.reference import accuracy_column
from streamgauge.measures.scale import Scale
from streamgauge.monitoring._text import moment_text
from streamgauge.monitoring.config import AlarmRule


class Alarm:
    """One rule for one model or segment.

    Attributes
    ----------
    firing
        Whether the alarm is on.
    value
        The value that was checked last.
    nothing
        Whether the alarm is that its rule has matched nothing.
    since
        The time from which on it has been firing, or not.
    """

    state_fields = ("firing", "value", "raised", "since", "_checked")

    def __init__(
        self, rule: AlarmRule, model: str, segment: str | None, nothing: bool = False
    ) -> None:
        self.rule, self.model, self.segment = rule, model, segment
        self.nothing = nothing  # it says that the rule has matched nothing
        self.firing, self.value, self.raised = False, math.nan, 0
        self.since: int | None = None
        self._checked = 0  # rows

    @property
    def name(self) -> str:
        """The rule's name, or what it says."""
        return self.rule.name or self.condition

    @property
    def condition(self) -> str:
        """The rule in words."""
        rule = self.rule
        if rule.detector is not None:
            return f"{rule.detector} alarms"
        over = f"{rule.metric} over {rule.over}"
        if rule.worse_than is not None:
            return f"{over} worse than {rule.worse_than}"
        if rule.below is not None:
            return f"{over} below {rule.below:g}"
        return f"{over} above {rule.above:g}"

    def check(self, curve: Curve, history: bool = True) -> list[dict[str, Any]]:
        """Look at new points of the curve; return what changed.

        Without `history`, an alarm that has looked at none begins with the last one.
        """
        rule = self.rule
        if rule.detector is not None:
            return []
        new = np.flatnonzero(curve.rows > self._checked)
        if not len(new):
            return []
        if not (history or self._checked):
            new = new[-1:]
        self._checked = int(curve.rows[-1])
        values = self._values(curve)[new]
        moments = curve.moments
        assert moments is not None
        events = []
        for place, value in zip(new.tolist(), values.tolist(), strict=True):
            rows, moment = int(curve.rows[place]), int(moments[place])
            if math.isnan(value):
                continue
            self.value = value
            if not self.firing and rows >= rule.rows and self._is_bad(value):
                events.append(self._change(True, rows, moment))
            elif self.firing and self._is_good(value):
                events.append(self._change(False, rows, moment))
        return events

    @property
    def column(self) -> str:
        """The column of the curve that it looks at."""
        reference = self.rule.worse_than
        return self.rule.metric if reference is None else accuracy_column(reference)

    def missed(self, curve: Curve, began: int | None, history: bool) -> list[dict[str, Any]]:
        """Look whether what the rule is about has occurred, by the time of a model's points.

        The alarm is on from the first full window on, until it `began`; None: it has not yet.
        """
        new = np.flatnonzero(curve.rows > self._checked)
        if not len(new):
            return []
        if not (history or self._checked):
            new = new[-1:]
        self._checked = int(curve.rows[-1])
        moments = curve.moments
        assert moments is not None
        need, after = self._first_window(int(moments[0]))
        events = []
        for place in new.tolist():
            rows, moment = int(curve.rows[place]), int(moments[place])
            missing = began is None or began > moment
            if not self.firing and missing and rows >= need and moment >= after:
                events.append(self._change(True, rows, moment))
            elif self.firing and not missing:
                events.append(self._change(False, rows, moment))
        return events

    def _first_window(self, first: int) -> tuple[int, int]:
        """The rows and the time from which on a window is full."""
        over = build(self.rule.over, "forgetting")
        if isinstance(over, Window):
            return max(self.rule.rows, over.w), first
        if isinstance(over, TimeWindow):
            return self.rule.rows, first + duration("TimeWindow", over.d)
        return self.rule.rows, first

    def detected(self, alarms: list[tuple[int, int]]) -> list[dict[str, Any]]:
        """A detector's alarms; each is one event, after which the next one counts again."""
        return [self._change(True, rows, moment) for rows, moment in alarms]

    def _values(self, curve: Curve) -> Any:
        rule = self.rule
        values = curve[rule.metric, rule.over]
        if rule.worse_than is None:
            return values
        return values - curve[accuracy_column(rule.worse_than), rule.over]

    def _is_bad(self, value: float) -> bool:
        rule = self.rule
        if rule.above is not None:
            return value > rule.above
        return value < (0.0 if rule.below is None else rule.below)

    def _is_good(self, value: float) -> bool:
        """Whether an alarm ends: at `clear`, so that a value near the threshold does not toggle."""
        rule = self.rule
        if rule.above is not None:
            return value <= (rule.above if rule.clear is None else rule.clear)
        limit = 0.0 if rule.below is None else rule.below
        return value >= (limit if rule.clear is None else rule.clear)

    def _change(self, firing: bool, rows: int, moment: int) -> dict[str, Any]:
        self.firing = firing and self.rule.detector is None
        self.since = moment
        self.raised += firing
        return {
            "alarm": self.name,
            "model": self.model,
            "segment": self.segment,
            "state": "raised" if firing else "ended",
            "row": rows,
            "time": moment,
            "value": None if math.isnan(self.value) else self.value,
        }

    @property
    def _about(self) -> dict[str, str]:
        given = {"model": self.rule.model, "segment": self.rule.segment, "metric": self.column}
        return {name: repr(value) for name, value in given.items() if value is not None}

    def id_of(self, event: dict[str, Any]) -> str:
        """A name of an event, the same each time that the log is read: who gets it twice knows."""
        names = ("number", "segment", "state", "row", "time")
        facts = [self.rule, *(event[name] for name in names)]
        return hashlib.sha256(msgspec.json.encode(facts)).hexdigest()[:16]

    def explain(self, event: dict[str, Any], clock: Clock) -> str:
        """An event in one line."""
        who = self.model if self.segment is None else f"{self.model}, {self.segment}"
        when = (
            f"at scored row {event['row']:,}, {moment_text(time_text(event['time'], clock), clock)}"
        )
        if self.nothing:
            verb = "has matched nothing yet" if event["state"] == "raised" else "has begun to match"
            about = ", ".join(f"{k} {v}" for k, v in self._about.items())
            return f"Alarm “{self.name}” {verb} {when}: it is about {about}."
        if self.rule.detector is not None:
            return f"{who}: {self.rule.detector} found a change in the errors {when}."
        difference = "accuracy minus that of " + str(self.rule.worse_than)
        what = self.rule.metric if self.rule.worse_than is None else difference
        verb = "raised" if event["state"] == "raised" else "ended"
        return (
            f"{who}: {what} over {self.rule.over} is {event['value']:.4g} {when}; alarm "
            f"“{self.name}” {verb}."
        )

    def status(self, clock: Clock) -> dict[str, Any]:
        """The alarm as plain values."""
        return {
            "alarm": self.name,
            "condition": self.condition,
            "model": self.model,
            "segment": self.segment,
            "firing": self.firing,
            "matched": not self.nothing,
            "value": None if math.isnan(self.value) else self.value,
            "since": None if self.since is None else time_text(self.since, clock),
            "raised": self.raised,
        }


class RuleContext(NamedTuple):
    """What there is to make rules about.

    `metrics` lack those of single classes, such as recall[late], if `classes_known` is not true.
    """

    regression: bool
    detectors: Sequence[str]
    metrics: Mapping[str, Scale]
    references: Sequence[str]
    segments: Sequence[str]  # columns
    classes_known: bool


def check_rule(rule: AlarmRule, context: RuleContext) -> None:
    """Raise an error unless a rule says one thing, about figures that there are."""
    detectors, metrics, references = context.detectors, context.metrics, context.references
    given = [
        name
        for name in ("below", "above", "worse_than", "detector")
        if getattr(rule, name) is not None
    ]
    if len(given) != 1:
        raise UsageError(
            f"alarms: {rule.name or 'a rule'} has {' and '.join(given) or 'no condition'}; "
            "expected one of below, above, worse_than, detector"
        )
    if rule.worse_than is not None and (context.regression or rule.metric != "accuracy"):
        raise UsageError("alarms: worse_than compares the accuracy of classifiers only")
    if rule.detector is not None and rule.detector not in detectors:
        raise UsageError(
            f"alarms: detector = {rule.detector!r}{did_you_mean(rule.detector, detectors)} is not "
            "in the detectors of [scores]; add it there"
        )
    if rule.worse_than is not None and rule.worse_than not in references:
        raise UsageError(
            f"alarms: worse_than = {rule.worse_than!r}{did_you_mean(rule.worse_than, references)} "
            f"is no reference; expected one of {', '.join(references)}, or add it to the "
            "references of [scores]"
        )
    wanted = rule.metric if rule.worse_than is None else accuracy_column(rule.worse_than)
    may_come = "[" in wanted and not context.classes_known
    if rule.detector is None and wanted not in metrics and not may_come:
        raise UsageError(
            f"alarms: metric = {wanted!r}{did_you_mean(wanted, metrics)} is not computed; expected "
            "a metric of docs/numbers.md: if [scores] has metrics, add it there"
        )
    _check_thresholds(rule, metrics.get(wanted))
    _check_segment(rule, context.segments)


def _check_thresholds(rule: AlarmRule, scale: Scale | None) -> None:
    """Raise an error for a threshold that no value reaches, or that all do."""
    if rule.detector is not None:
        return
    limit = rule.below if rule.below is not None else rule.above
    bad = "below" if rule.above is None else "above"
    if limit is not None and scale is not None and scale.unit == "fraction":
        possible = 0 < limit <= 1 if bad == "below" else 0 <= limit < 1
        if not possible:
            always = limit > 0 if bad == "below" else limit < 0
            hint = f"; did you mean {limit / 100:g}?" if 1 < limit < 100 else ""
            raise UsageError(
                f"alarms: {rule.metric} {bad} {limit:g}: {rule.metric} is a fraction, from 0 to 1: "
                f"the alarm would {'always' if always else 'never'} be on{hint}"
            )
    start = 0.0 if limit is None else limit
    if rule.clear is not None and (rule.clear < start if bad == "below" else rule.clear > start):
        side = "or above" if bad == "below" else "or below"
        raise UsageError(
            f"alarms: clear = {rule.clear:g} is on the wrong side of {bad} = {start:g}: the alarm "
            f"would end while it is to begin; expected {start:g} {side}"
        )
    if rule.rows < 1:
        raise UsageError(f"alarms: rows = {rule.rows}; expected 1 or more")


def _check_segment(rule: AlarmRule, columns: Sequence[str]) -> None:
    if rule.segment is None:
        return
    column, equals, _ = rule.segment.partition("=")
    if not equals:
        raise UsageError(
            f"alarms: segment = {rule.segment!r}; expected 'COLUMN=VALUE', or 'COLUMN=*' for "
            "a rule for each value"
        )
    if rule.detector is not None:
        raise UsageError("alarms: a detector watches all rows of a model; leave segment out")
    if column not in columns:
        raise UsageError(
            f"alarms: segment = {rule.segment!r}: {column!r}{did_you_mean(column, columns)} is not "
            "in the segments of [predictions]; add it there"
        )
