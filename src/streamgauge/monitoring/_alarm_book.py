"""The book of alarms: every rule for every model or segment that it is about."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from streamgauge._support.types import Clock
from streamgauge.monitoring._alarms import Alarm, check_rule
from streamgauge.monitoring._lane import Lane
from streamgauge.monitoring._state_tree import Arrays, load
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
    announced
        Number of events, of all there have been, for which the command has been run.
    """

    def __init__(
        self, rules: Sequence[AlarmRule], regression: bool, detectors: Sequence[str]
    ) -> None:
        for rule in rules:
            check_rule(rule, regression, list(detectors))
        self._rules = {msgspec.json.encode(rule).decode(): rule for rule in rules}
        self._detectors = list(detectors)
        self.alarms: dict[Key, Alarm] = {}
        self.events: list[dict[str, Any]] = []
        self.count = 0  # events ever
        self.announced = 0

    def check(
        self,
        lanes: Mapping[str, Lane],
        segment: Callable[[int, int], str],
        clock: Clock,
        history: bool = True,
    ) -> None:
        """Look at the new points of all curves, and at the detectors' alarms.

        Without `history`, rules that are new look at the last points only: what happened before
        them is not news.
        """
        for text, rule in self._rules.items():
            for name, lane in lanes.items():
                if rule.model not in (None, name):
                    continue
                if rule.detector is not None:
                    alarm = self._alarm((text, name, ""))
                    found = lane.found[self._detectors.index(rule.detector)]
                    self._note(alarm, alarm.detected(found), clock)
                elif rule.segment is None:
                    self._check(self._alarm((text, name, "")), lane.scorer, clock, history)
                else:
                    for place, scorer in lane.segments.items():
                        if segment(*place) == rule.segment:
                            alarm = self._alarm((text, name, rule.segment))
                            self._check(alarm, scorer, clock, history)

    def _check(self, alarm: Alarm, scorer: Scorer, clock: Clock, history: bool) -> None:
        self._note(alarm, alarm.check(scorer.curve(complete=False), history), clock)

    def _note(self, alarm: Alarm, events: list[dict[str, Any]], clock: Clock) -> None:
        for event in events:
            event["text"] = alarm.explain(event, clock)
            event["number"] = self.count
            self.count += 1
            self.events = [*self.events, event][-_KEPT:]

    def unannounced(self) -> list[dict[str, Any]]:
        """Events for which the command has not been run."""
        return [event for event in self.events if event["number"] >= self.announced]

    def _alarm(self, key: Key) -> Alarm:
        if key not in self.alarms:
            text, model, segment = key
            self.alarms[key] = Alarm(self._rules[text], model, segment or None)
        return self.alarms[key]

    def load_tree(self, tree: Any, arrays: Arrays) -> None:
        """Take the state of a snapshot; alarms whose rule is gone are forgotten."""
        fields = tree["fields"]
        for key_tree, each in fields["alarms"]["pairs"]:
            text, model, segment = load(None, key_tree, arrays)
            if text in self._rules:
                load(self._alarm((text, model, segment)), each, arrays)
        for name in ("events", "count", "announced"):
            setattr(self, name, load(None, fields[name], arrays))
