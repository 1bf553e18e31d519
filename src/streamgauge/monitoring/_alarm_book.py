"""The book of alarms: every rule for every model or segment that it is about."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from streamgauge._support.types import Clock
from streamgauge.monitoring._alarms import Alarm, check_rule
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

    state_fields = ("alarms", "events", "count", "outbox")

    def __init__(
        self, rules: Sequence[AlarmRule], regression: bool, detectors: Sequence[str],
        metrics: Sequence[str], references: Sequence[str], models: Mapping[str, MonitoredModel],
        outbox: Outbox,
    ) -> None:  # fmt: skip
        for rule in rules:
            check_rule(rule, regression, list(detectors), metrics, references)
        self._rules = {msgspec.json.encode(rule).decode(): rule for rule in rules}
        self._detectors, self._models = list(detectors), models
        self.alarms: dict[Key, Alarm] = {}
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
                for scorer in self._scorers(rule, model, segment):
                    alarm = self._alarm((text, name, rule.segment or ""))
                    events = alarm.check(scorer.curve(complete=False), history)
                    found += [(alarm, event) for event in events]
        self._note(found, clock)

    def _scorers(
        self, rule: AlarmRule, model: MonitoredModel, segment: Callable[[int, int], str]
    ) -> list[Scorer]:
        """What a rule looks at: the model, or a segment of it."""
        if rule.segment is None:
            return [model.scorer]
        return [each for place, each in model.segments.items() if segment(*place) == rule.segment]

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
        """All alarms, by rule and model."""
        rules, names = list(self._rules), list(self._models)

        def place(key: Key) -> tuple[int, int]:
            return rules.index(key[0]), names.index(key[1])

        return [self.alarms[key] for key in sorted(self.alarms, key=place)]

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
        return {"alarms": alarms} | kept

    def load_parts(self, parts: dict[str, StatePart]) -> None:
        """Go on from a snapshot; alarms whose rule is gone are forgotten."""
        names = {model.code: name for name, model in self._models.items()}
        for (text, code, segment), part in parts.pop("alarms").pairs():
            if text in self._rules and self._rules[text].model in (None, names[code]):
                part.into(self._alarm((text, names[code], segment)))
        load_fields(self, parts)
