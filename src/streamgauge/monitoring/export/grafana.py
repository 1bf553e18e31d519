"""A Grafana dashboard, as JSON: the figures of a monitor over a Prometheus data source."""

from __future__ import annotations

import hashlib
import json
from typing import Any, NamedTuple

from streamgauge._support import registry
from streamgauge._support.call_parser import build
from streamgauge.monitoring._metric_families import (
    ALARM_VALUE,
    COMPARED_SCORE,
    COVERAGE,
    DETECTED,
    FALSE_ALARMS,
    FIRING,
    HELD,
    LINES,
    NOT_SCORED,
    RECENT_SCORE,
    REFERENCE,
    SCORE,
    TIMED_OUT,
    WAITING,
    WAITING_BYTES,
    WATERMARK,
)
from streamgauge.monitoring.config import MonitorConfig
from streamgauge.monitoring.export._queries import selected

_SCHEMA = 36  # the version of the dashboard's format; newer Grafanas migrate it
_SOURCE = {"type": "prometheus", "uid": "${datasource}"}
_COLUMNS, _HEIGHT = 2, 8  # panels in a row of 24 units, units of a panel


class PanelQuery(NamedTuple):
    """A query, and how its series are called."""

    expression: str
    legend: str


class Panel(NamedTuple):
    """A panel: its title, what it means, its queries, the unit of its values."""

    title: str
    about: str
    queries: tuple[PanelQuery, ...]
    unit: str = "none"
    kind: str = "timeseries"


def panels(config: MonitorConfig) -> list[Panel]:
    """All panels of a dashboard, in order."""
    name, regression = config.name, config.task == "regression"
    metric = "mae" if regression else "accuracy"
    unit = "percentunit" if registry.find(metric, "metric").unit == "fraction" else "none"
    model = "{{model}}"
    forgettings = [repr(build(text, "forgetting")) for text in config.forget]
    found = [
        Panel(
            "Alarms", "1 while an alarm is on.",
            (PanelQuery(selected(FIRING, name), "{{alarm}} · {{model}} {{segment}}"),),
            kind="state-timeline",
        ),
        Panel(
            "Values that alarms look at", "The last value of each alarm.",
            (PanelQuery(selected(ALARM_VALUE, name), "{{alarm}} · {{model}} {{segment}}"),),
        ),
    ]  # fmt: skip
    found += [
        Panel(
            f"{metric} over {over}", "Models, on the rows whose label has come.",
            (PanelQuery(selected(SCORE, name, segment="", metric=metric, over=over), model),), unit,
        )
        for over in forgettings
    ]  # fmt: skip
    found += [
        Panel(
            f"{metric} of the references", "Over all rows; a model should be better than these.",
            (PanelQuery(selected(REFERENCE, name, metric=metric), "{{reference}} · {{model}}"),),
            unit,
        ),
        Panel(
            f"{metric} of rows that may still get a label",
            "So far, reweighted by past waits with its interval, and worst and best case.",
            (PanelQuery(selected(RECENT_SCORE, name), "{{model}} · {{estimate}}"),), unit,
        ),
        Panel(
            "Labels in by age", "Fraction of predictions whose label comes by an age.",
            (PanelQuery(selected(COVERAGE, name), "{{model}} · {{age}}"),), "percentunit",
        ),
        Panel(
            "Waiting for a label", "Predictions that wait, and that timed out per second.",
            (
                PanelQuery(selected(WAITING, name), f"waiting · {model}"),
                PanelQuery(f"rate({selected(TIMED_OUT, name)}[5m])", f"timed out per s · {model}"),
            ),
        ),
    ]  # fmt: skip
    for column in config.predictions.segments:
        query = selected(SCORE, name, metric=metric, over=forgettings[0])
        by_segment = query.removesuffix("}") + f',segment=~"{column}=.*"}}'
        about = f"Over {forgettings[0]}, by {column}."
        queries = (PanelQuery(by_segment, "{{model}} · {{segment}}"),)
        found.append(Panel(f"{metric} by {column}", about, queries, unit))
    if config.scores.compare:
        query = selected(COMPARED_SCORE, name)
        about = "Two models on the rows that both predicted."
        queries = (PanelQuery(query, "{{model}} ({{a}} against {{b}})"),)
        found.append(Panel("A against B", about, queries, unit))
    if config.scores.detectors:
        found.append(
            Panel(
                "Detectors",
                "Alarms per hour, and the rate on blocks of errors in random order: all false.",
                (
                    PanelQuery(f"increase({selected(DETECTED, name)}[1h])",
                               "{{detector}} · {{model}}"),
                    PanelQuery(selected(FALSE_ALARMS, name), "false per 1,000 rows · {{detector}}"),
                ),
            )
        )  # fmt: skip
    return [*found, *_health(name)]


def _health(name: str) -> list[Panel]:
    behind = f"time() - {selected(WATERMARK, name)}"
    return [
        Panel(
            "Lines read", "Per second.",
            (PanelQuery(f"rate({selected(LINES, name)}[5m])", "{{feed}}"),),
        ),
        Panel(
            "Not scored", "Per second, by reason.",
            (PanelQuery(f"rate({selected(NOT_SCORED, name)}[5m])", "{{reason}} {{model}}"),),
        ),
        Panel(
            "Behind the clock", "Now minus the watermark.", (PanelQuery(behind, "behind"),), "s",
        ),
        Panel(
            "Held and waiting", "Memory of what waits; events that wait for the watermark.",
            (
                PanelQuery(selected(WAITING_BYTES, name), "bytes · {{model}}"),
                PanelQuery(selected(HELD, name), "held events"),
            ),
        ),
    ]  # fmt: skip


def dashboard_json(config: MonitorConfig) -> str:
    """The file that Grafana imports."""
    variable = {
        "name": "datasource", "label": "Data source", "type": "datasource", "query": "prometheus",
    }  # fmt: skip
    dashboard = {
        "title": f"streamgauge: {config.name}",
        "uid": hashlib.sha256(config.name.encode()).hexdigest()[:16],
        "tags": ["streamgauge"],
        "schemaVersion": _SCHEMA,
        "version": 1,
        "editable": True,
        "refresh": "30s",
        "time": {"from": "now-24h", "to": "now"},
        "timezone": "utc",
        "templating": {"list": [variable]},
        "panels": [_panel(number, each) for number, each in enumerate(panels(config))],
    }
    return json.dumps(dashboard, indent=2, ensure_ascii=False) + "\n"


def _panel(number: int, panel: Panel) -> dict[str, Any]:
    row, column = divmod(number, _COLUMNS)
    width = 24 // _COLUMNS
    return {
        "id": number + 1,
        "type": panel.kind,
        "title": panel.title,
        "description": panel.about,
        "datasource": _SOURCE,
        "gridPos": {"x": column * width, "y": row * _HEIGHT, "w": width, "h": _HEIGHT},
        "fieldConfig": {"defaults": {"unit": panel.unit}, "overrides": []},
        "targets": [
            {
                "refId": chr(ord("A") + place),
                "datasource": _SOURCE,
                "expr": query.expression,
                "legendFormat": query.legend,
            }
            for place, query in enumerate(panel.queries)
        ],
    }
