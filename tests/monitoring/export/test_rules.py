"""Alert rules: of every alarm, over metrics that are exported; accepted by Prometheus' own tool."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from streamgauge.monitoring._metric_families import FAMILIES
from streamgauge.monitoring.config import MonitorConfig, make_config, read_config
from streamgauge.monitoring.export.grafana import panels
from streamgauge.monitoring.export.rules import alerts, literal, rules_yaml
from tests.monitoring.loans import ALARM, make_loans

NAMES = {each.name for each in FAMILIES}


@pytest.fixture
def config(tmp_path: Path) -> MonitorConfig:
    return read_config(make_loans(tmp_path, 10))


def promtool() -> str:
    found = shutil.which("promtool")
    if found is None:
        pytest.skip("no promtool: on Debian or Ubuntu, apt-get install prometheus")
    return found


def check_rules(path: Path) -> str:
    done = subprocess.run(
        [promtool(), "check", "rules", str(path)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_every_alarm_has_an_alert_over_exported_metrics(config: MonitorConfig) -> None:
    found = {each.name: each for each in alerts(config)}
    assert {ALARM, "B worse than guessing", "errors of A change"} <= set(found)
    for alert in found.values():
        used = set(re.findall(r"\bstreamgauge_\w+", alert.query))
        assert used, alert.name
        assert used <= NAMES
    assert found[ALARM].query.endswith(
        f'streamgauge_alarm_firing{{monitor="loans",alarm="{ALARM}",model="A"}} == 1'
    )


def test_one_feed_has_one_alert_on_silence() -> None:
    feed = {"path": "p.csv", "prediction": "p", "label": "y"}
    made = make_config({"predictions": feed, "join": {"timeout": 9}})
    quiet = [each.name for each in alerts(made) if each.name.startswith("StreamgaugeNo")]
    assert quiet == ["StreamgaugeNoPredictions"]


def test_names_stay_text_in_templates_and_queries(config: MonitorConfig) -> None:
    values: dict[str, Any] = {
        "predictions": {"path": "p.csv", "prediction": "p", "label": "y"},
        "join": {"timeout": 9},
        "name": 'my "{{ x }}"\\',
    }
    made = make_config(values)
    down = next(each for each in alerts(made) if each.name == "StreamgaugeMonitorDown")
    assert down.summary.endswith('my "{{ "{{" }} x }}"\\')
    assert 'monitor="my \\"{{ x }}\\"\\\\"' in down.query
    assert literal("plain") == "plain"


@pytest.mark.long
def test_promtool_accepts_the_rules(config: MonitorConfig, tmp_path: Path) -> None:
    path = tmp_path / "rules.yml"
    path.write_text(rules_yaml(config))
    assert f"{len(alerts(config))} rules found" in check_rules(path)
    hostile = make_config(
        {
            "predictions": {"path": "p.csv", "prediction": "p", "label": "y"},
            "join": {"timeout": 9},
            "name": 'a "{{ x }}"\\ : #\n- \'é',
            "alarms": [{"name": "{{ y", "below": 0.5}],
        }
    )
    path.write_text(rules_yaml(hostile))
    check_rules(path)


@pytest.mark.long
def test_promtool_accepts_every_query_of_the_dashboard(
    config: MonitorConfig, tmp_path: Path
) -> None:
    queries = [query.expression for panel in panels(config) for query in panel.queries]
    path = tmp_path / "queries.yml"
    lines = ["groups:", "  - name: queries", "    rules:"]
    for number, query in enumerate(queries):
        escaped = query.replace("'", "''")
        lines += [f"      - record: query_{number}", f"        expr: '{escaped}'"]
    path.write_text("\n".join(lines) + "\n")
    assert f"{len(queries)} rules found" in check_rules(path)
