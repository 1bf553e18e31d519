"""Alert rules for Prometheus, as YAML: the alarms of a monitor, and its own health."""

from __future__ import annotations

from typing import NamedTuple

from streamgauge.monitoring._alarms import Alarm
from streamgauge.monitoring._metric_families import (
    ALARM_VALUE,
    FIRING,
    LINES,
    NOT_SCORED,
    NOTIFICATIONS,
    RAISED,
    SET_ASIDE,
    TAKEN,
)
from streamgauge.monitoring.config import AlarmRule, MonitorConfig
from streamgauge.monitoring.export._queries import quoted, selected
from streamgauge.prequential.reasons import UNREADABLE

_STUCK = 300  # seconds without new figures, after which a monitor is stuck
_QUIET = "6h"  # without a line of a feed, after which to look


class Alert(NamedTuple):
    """An alert: raised once `query` has given a result for the time `wait`."""

    name: str
    query: str
    wait: str
    severity: str
    summary: str  # a template of Prometheus


def alerts(config: MonitorConfig) -> list[Alert]:
    """The alarms of a configuration, then what an operator must know about the monitor itself."""
    return [*(_of_rule(rule, config.name) for rule in config.alarms), *_of_health(config)]


def rules_yaml(config: MonitorConfig) -> str:
    """The file that `rule_files` of Prometheus names."""
    lines = ["groups:", f"  - name: {quoted(f'streamgauge {config.name}')}", "    rules:"]
    for alert in alerts(config):
        lines += [
            f"      - alert: {quoted(alert.name)}",
            f"        expr: {quoted(alert.query)}",
            f"        for: {alert.wait}",
            "        labels:",
            f"          severity: {alert.severity}",
            "        annotations:",
            f"          summary: {quoted(alert.summary)}",
        ]
    return "\n".join(lines) + "\n"


def _of_rule(rule: AlarmRule, monitor: str) -> Alert:
    """The monitor decides when an alarm is on, with its hysteresis; the alert repeats it."""
    alarm = Alarm(rule, "", None)
    segment = None if (rule.segment or "").endswith("=*") else rule.segment
    given = {"alarm": alarm.name, "model": rule.model, "segment": segment}
    labels = {name: value for name, value in given.items() if value is not None}
    who = "{{ $labels.model }}{{ if $labels.segment }}, {{ $labels.segment }}{{ end }}"
    if rule.detector is not None:
        query = f"increase({selected(RAISED, monitor, **labels)}[10m]) > 0"
        return Alert(alarm.name, query, "0s", "warning", f"{who}: {literal(alarm.condition)}")
    value, firing = selected(ALARM_VALUE, monitor, **labels), selected(FIRING, monitor, **labels)
    summary = f"{who}: {literal(alarm.condition)}; it is {{{{ $value }}}}"
    return Alert(alarm.name, f"{value} and {firing} == 1", "0s", "warning", summary)


def _of_health(config: MonitorConfig) -> list[Alert]:
    monitor, name = config.name, literal(config.name)
    taken = selected(TAKEN, monitor)
    unreadable = selected(NOT_SCORED, monitor, reason=UNREADABLE)
    feeds = ["predictions"] if config.labels is None else ["predictions", "labels"]
    return [
        Alert(
            "StreamgaugeMonitorDown", f"absent({taken})", "5m", "critical",
            f"Prometheus gets no figures of the monitor {name}",
        ),
        Alert(
            "StreamgaugeMonitorStuck", f"time() - {taken} > {_STUCK}", "1m", "critical",
            f"The monitor {name} has had no new figures for {{{{ $value }}}} seconds",
        ),
        *(
            Alert(
                f"StreamgaugeNo{feed.title()}",
                f"increase({selected(LINES, monitor, feed=feed)}[10m]) == 0", _QUIET, "warning",
                f"The monitor {name} has read no {feed} for {_QUIET}",
            )
            for feed in feeds
        ),
        Alert(
            "StreamgaugeWrongTimes", f"delta({selected(SET_ASIDE, monitor)}[1h]) > 0", "0s",
            "warning", f"{{{{ $value }}}} {{{{ $labels.feed }}}} of the monitor {name} in the last "
            "hour are dated far ahead of all others",
        ),
        Alert(
            "StreamgaugeUnannouncedAlarms", f"{selected(NOTIFICATIONS, monitor)} > 0", "15m",
            "warning", f"{{{{ $value }}}} alarms of the monitor {name} could not be announced",
        ),
        Alert(
            "StreamgaugeUnreadableLines", f"increase({unreadable}[15m]) > 0", "0s", "warning",
            f"The monitor {name} cannot read {{{{ $value }}}} lines of the last 15 minutes",
        ),
    ]  # fmt: skip


def literal(text: str) -> str:
    """Text in a template of Prometheus that stands for itself.

    >>> literal("a {{ b }}")
    'a {{ "{{" }} b }}'
    """
    return text.replace("{{", '{{ "{{" }}')
