"""PromQL over the metrics that a monitor exports."""

from __future__ import annotations

import json

from streamgauge.monitoring._metric_families import Family


def selected(family: Family, monitor: str, **labels: str) -> str:
    """The series of a metric of one monitor, with these labels.

    >>> from streamgauge.monitoring._metric_families import FIRING
    >>> selected(FIRING, "loans", alarm='say "no"')
    'streamgauge_alarm_firing{monitor="loans",alarm="say \\\\"no\\\\""}'
    """
    unknown = set(labels) - set(family.labels)
    assert not unknown, f"{family.name} has no label {unknown}"
    named = {"monitor": monitor, **labels}
    shown = ",".join(f"{name}={quoted(value)}" for name, value in named.items())
    return f"{family.name}{{{shown}}}"


def quoted(text: str) -> str:
    """A string of PromQL and of YAML: JSON's are both."""
    return json.dumps(text, ensure_ascii=False)
