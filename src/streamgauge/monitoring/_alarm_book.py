"""The book of alarms: every rule for every model or segment that it is about."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from streamgauge._support.types import Clock
from streamgauge.monitoring._alarms import Alarm, RuleContext, check_rule
from streamgauge.monitoring._monitored_model import MonitoredModel
from streamgauge.monitoring._outbox import Outbox
from streamgauge.monitoring._state_tree import StatePart, load_fields
from streamgauge.monitoring.config import AlarmRule
from streamgauge.runs.scorer import Scorer

_KEPT = 1000  # events that are listed
Key = tuple[str, str, str]  # the rule as text, the model, the segment


class AlarmBook:
    """All alarms, and what happened to them.

    Attributes
    ----------
    events
        The last events: an alarm was raised or has ended, with an explanation in one line.
    """

    state_fields = ("alarms", "unmatched", "events", "count", "outbox")

    def __init__(
        self, rules: Sequence[AlarmRule], context: RuleContext,
        models: Mapping[str, MonitoredModel], outbox: Outbox,
    ) -> None:  # fmt: skip
        for rule in rules:
            check_rule(rule, context)
        self._rules = {msgspec.json.encode(rule).decode(): rule for rule in rules}
        self._detectors, self._models = list(context.detectors), models
        self.alarms: dict[Key, Alarm] = {}
        self.unmatched = {
            text: Alarm(rule, rule.model or "", rule.segment, nothing=True)
            for text, rule in self._rules.items()
        }
        self._matched: set[str] = set()  # rules that need not be looked at any more
        self.events: list[dict[str, Any]] = []
        self.count = 0  # events ever
        self.outbox = outbox

    def check(self, segment: Callable[[int, int], str], clock: Clock, history: bool = True) -> None:
        """Look at the new points of all curves, and at the detectors' alarms.

        Without `history`, rules that are new look at the last points only: what happened before
        them is not news.
        """
        found: list[tuple[Alarm, dict[str, Any]]] = []
        for text, rule in self._rules.items():
            for name, model in self._models.items():
                if rule.model not in (None, name):
                    continue
                if rule.detector is not None:
                    alarm = self._alarm((text, name, ""))
                    alarms = model.found[self._detectors.index(rule.detector)]
                    found += [(alarm, event) for event in alarm.detected(alarms)]
                    continue
                for name_of, scorer in self._scorers(rule, model, segment):
                    alarm = self._alarm((text, name, name_of))
                    curve = scorer.curve(complete=False)
                    if alarm.column in curve.metrics:
                        found += [(alarm, event) for event in alarm.check(curve, history)]
        for text, alarm in self.unmatched.items():
            found += [(alarm, event) for event in self._missed(alarm, text, segment, history)]
        self._note(found, clock)

    def _scorers(
        self, rule: AlarmRule, model: MonitoredModel, segment: Callable[[int, int], str]
    ) -> list[tuple[str, Scorer]]:
        """What a rule looks at: the model, a segment of it, or each segment of a column."""
        if rule.segment is None:
            return [("", model.scorer)]
        named = [(segment(*place), each) for place, each in model.segments.items()]
        return [(name, each) for name, each in named if _is_about(rule.segment, name)]

    def _missed(
        self, alarm: Alarm, text: str, segment: Callable[[int, int], str], history: bool
    ) -> list[dict[str, Any]]:
        """Whether a rule has matched nothing, by the time of one of the models."""
        rule, models = alarm.rule, list(self._models.values())
        own = [each for each in models if rule.model in (None, each.name)]
        if not models or (text in self._matched and not alarm.firing):
            return []
        began = [each.began for each in own if self._computes(rule, each)]
        if rule.segment is not None:
            began = [
                time
                for each in own
                for place, time in each.segment_began.items()
                if _is_about(rule.segment, segment(*place)) and self._computes(rule, each)
            ]
        if began and not alarm.firing and rule.segment is None and rule.model is None:
            self._matched.add(text)
            return []
        curve = models[0].scorer.curve(complete=False)
        events = alarm.missed(curve, min(began, default=None), history)
        if began and not alarm.firing and len(curve.rows):
            self._matched.add(text)
        return events

    def _computes(self, rule: AlarmRule, model: MonitoredModel) -> bool:
        """Whether the metric of a rule exists; that of a class may not."""
        return (
            rule.detector is not None
            or "[" not in rule.metric
            or (rule.metric in model.scorer.scales)
        )

    def _note(self, found: list[tuple[Alarm, dict[str, Any]]], clock: Clock) -> None:
        """Keep events, in order of time: how many come at once depends on when files are read."""
        for alarm, event in sorted(found, key=lambda each: each[1]["time"]):
            event["text"] = alarm.explain(event, clock)
            event["number"] = self.count
            event["id"] = alarm.id_of(event)
            self.count += 1
            self.events = [*self.events, event][-_KEPT:]
            self.outbox.put(event)

    def listed(self) -> list[Alarm]:
        """All alarms, by rule and model; a rule that has matched nothing is one, too."""
        rules, names = list(self._rules), list(self._models)

        def place(key: Key) -> tuple[int, int]:
            return rules.index(key[0]), names.index(key[1])

        found = [(place(key), alarm) for key, alarm in self.alarms.items()]
        known = {key[0] for key in self.alarms}
        for text, alarm in self.unmatched.items():
            if text not in known or alarm.firing:
                found.append(((rules.index(text), -1), alarm))
        return [alarm for _, alarm in sorted(found, key=lambda each: each[0])]

    @property
    def firing(self) -> bool:
        """Whether an alarm is on."""
        return any(each.firing for each in (*self.alarms.values(), *self.unmatched.values()))

    def _alarm(self, key: Key) -> Alarm:
        if key not in self.alarms:
            text, model, segment = key
            self.alarms[key] = Alarm(self._rules[text], model, segment or None)
        return self.alarms[key]

    def dump_state(self) -> dict[str, Any]:
        """What a snapshot keeps; models by their code, since a name may change."""
        alarms = {
            (text, self._models[name].code, segment): alarm
            for (text, name, segment), alarm in self.alarms.items()
        }
        kept = {"events": self.events, "count": self.count, "outbox": self.outbox}
        return {"alarms": alarms, "unmatched": self.unmatched} | kept

    def load_parts(self, parts: dict[str, StatePart]) -> None:
        """Go on from a snapshot; alarms whose rule is gone are forgotten."""
        names = {model.code: name for name, model in self._models.items()}
        for (text, code, segment), part in parts.pop("alarms").pairs():
            if text in self._rules and self._rules[text].model in (None, names[code]):
                part.into(self._alarm((text, names[code], segment)))
        for text, part in parts.pop("unmatched").pairs():
            if text in self._rules:
                part.into(self.unmatched[text])
        load_fields(self, parts)


def _is_about(wanted: str, segment: str) -> bool:
    """Whether a rule's segment names this one: carrier=* is each value of a column."""
    column, _, value = wanted.partition("=")
    return segment == wanted or (value == "*" and segment.startswith(f"{column}="))
