"""Metrics: read back by Prometheus' own parsers, equal to the status."""

from __future__ import annotations

import builtins
import math
from typing import Any

import pytest
from prometheus_client.openmetrics.parser import text_string_to_metric_families as parse_open
from prometheus_client.parser import text_string_to_metric_families as parse_text

import streamgauge as sg
from streamgauge.monitoring._metric_families import FAMILIES
from streamgauge.monitoring.serving._open_metrics import OPEN_METRICS, metrics_answer
from streamgauge.monitoring.serving._reading import Reading
from tests.hostile_text import hostile
from tests.monitoring.loans import ALARM

PROMETHEUS = "application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4;q=0.5,*/*;q=0.1"


def values(
    reading: Reading, accept: str = ""
) -> dict[tuple[str, frozenset[tuple[str, str]]], float]:
    parse = parse_text if accept == "text/plain" else parse_open
    text = metrics_answer(reading, accept).text
    return {
        (sample.name, frozenset(sample.labels.items())): sample.value
        for family in parse(text)
        for sample in family.samples
    }


class Found:
    """The samples of a reading by name and labels."""

    def __init__(self, reading: Reading) -> None:
        self._values = values(reading)

    def __call__(self, name: str, **labels: str) -> float:
        return self._values[name, frozenset({"monitor": "loans", **labels}.items())]


@pytest.fixture(scope="module")
def value(reading: Reading) -> Found:
    return Found(reading)


def test_scores_are_those_of_the_runs(value: Found, monitor: Any) -> None:
    run = monitor.runs["A"]
    for over in run.curve.forgettings:
        for metric, expected in run.curve.last(over).items():
            found = value("streamgauge_score", model="A", segment="", metric=metric, over=over)
            assert found == expected or (math.isnan(found) and math.isnan(expected))
    found = value("streamgauge_reference_score", model="A", reference="Majority", metric="accuracy")
    assert found == run.references["Majority"]["accuracy"]


def test_segments_counts_and_alarms_are_exported(reading: Reading, value: Found) -> None:
    model = reading.status["models"]["A"]
    north = model["segments"]["region"]["n"]["figures"]["Window(200)"]["accuracy"]
    labels = {"model": "A", "metric": "accuracy", "over": "Window(200)"}
    assert value("streamgauge_score", segment="region=n", **labels) == north
    assert value("streamgauge_predictions_total", model="A") == model["arrived"] > 1400
    assert value("streamgauge_waiting_predictions", model="B") > 0
    alarm = {"alarm": ALARM, "model": "A", "segment": ""}
    assert value("streamgauge_alarm_firing", **alarm) == 1
    assert value("streamgauge_alarms_raised_total", **alarm) >= 1
    assert value("streamgauge_lines_read_total", feed="predictions") == 3000


def test_watermark_is_in_seconds(value: Found, monitor: Any) -> None:
    assert value("streamgauge_watermark_timestamp_seconds") == monitor.watermark / 1e9


@pytest.mark.parametrize(
    ("accept", "kind"),
    [
        ("", OPEN_METRICS), ("*/*", OPEN_METRICS), (PROMETHEUS, OPEN_METRICS),
        ("text/plain", "text/plain"),
    ],
)  # fmt: skip
def test_format_is_open_metrics_unless_another_is_asked_for(
    reading: Reading, accept: str, kind: str
) -> None:
    answer = metrics_answer(reading, accept)
    assert answer.kind.startswith(kind)
    assert answer.text.endswith("# EOF\n") == (kind == OPEN_METRICS)
    assert {name for name, _ in values(reading, accept)} <= {each.name for each in FAMILIES}


def test_names_of_models_cannot_break_the_format(reading: Reading) -> None:
    name = hostile("model\n", '\0"}\\ 1')
    models = {name: reading.status["models"]["A"]}
    found = values(reading._replace(status=reading.status | {"models": models}))
    labels = frozenset({"monitor": "loans", "model": name}.items())
    assert found["streamgauge_predictions_total", labels] > 1400


def test_missing_package_is_named_with_its_pip_line(
    reading: Reading, monkeypatch: pytest.MonkeyPatch
) -> None:
    original = builtins.__import__

    def without(name: str, *arguments: Any, **options: Any) -> Any:
        if name.startswith("prometheus_client"):
            raise ImportError(name)
        return original(name, *arguments, **options)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(sg.MissingExtra, match=r"pip install 'streamgauge\[metrics\]'"):
        metrics_answer(reading, "")
