"""The dashboard: every query has metrics and labels that the monitor exports."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import streamgauge as sg
from streamgauge.monitoring._metric_families import FAMILIES
from streamgauge.monitoring.config import make_config
from streamgauge.monitoring.export.grafana import dashboard_json
from streamgauge.monitoring.serving._open_metrics import metrics_answer
from streamgauge.monitoring.serving._reading import take
from tests.cli.conftest import shell
from tests.cli.running import Shell
from tests.monitoring.loans import caught_up, make_loans

__all__ = ["shell"]

LABELS = {each.name: {"monitor", *each.labels} for each in FAMILIES}


def targets(dashboard: dict[str, Any]) -> list[dict[str, Any]]:
    return [target for panel in dashboard["panels"] for target in panel["targets"]]


def test_queries_and_legends_use_labels_that_exist(tmp_path: Path) -> None:
    dashboard = json.loads(dashboard_json(sg.Monitor(make_loans(tmp_path, 10)).config))
    for target in targets(dashboard):
        ((name, matchers),) = re.findall(r"(streamgauge_\w+)\{(.*)\}", target["expr"])
        assert set(re.findall(r'(\w+)=~?"', matchers)) <= LABELS[name]
        assert set(re.findall(r"\{\{(\w+)\}\}", target["legendFormat"])) <= LABELS[name]


def test_every_query_finds_a_series_of_a_monitor_that_has_read_a_log(tmp_path: Path) -> None:
    monitor = caught_up(tmp_path)
    text = metrics_answer(take(monitor), "").text
    samples = [
        (name, dict(re.findall(r'(\w+)="((?:[^"\\]|\\.)*)"', labels)))
        for name, labels in re.findall(r"^(\w+)\{(.*)\} ", text, re.M)
    ]
    for target in targets(json.loads(dashboard_json(monitor.config))):
        ((name, matchers),) = re.findall(r"(streamgauge_\w+)\{(.*)\}", target["expr"])
        wanted = re.findall(r'(\w+)(=~?)"((?:[^"\\]|\\.)*)"', matchers)
        found = [
            labels
            for other, labels in samples
            if other == name
            and all(
                re.fullmatch(v if op == "=~" else re.escape(v), labels[k]) for k, op, v in wanted
            )
        ]
        assert found, target["expr"]
    monitor.close()


def test_panels_do_not_overlap(tmp_path: Path) -> None:
    dashboard = json.loads(dashboard_json(sg.Monitor(make_loans(tmp_path, 10)).config))
    places = [(each["gridPos"]["x"], each["gridPos"]["y"]) for each in dashboard["panels"]]
    assert len(set(places)) == len(places) > 10
    assert len({each["id"] for each in dashboard["panels"]}) == len(places)
    assert {each["datasource"]["uid"] for each in dashboard["panels"]} == {"${datasource}"}


def test_forgettings_are_named_as_the_metrics_name_them() -> None:
    feed = {"path": "p.csv", "prediction": "p", "label": "y"}
    scores = {"forget": ['TimeWindow("24h")']}
    made = make_config({"predictions": feed, "join": {"timeout": "1d"}, "scores": scores})
    assert "over=\\\"TimeWindow('24h')\\\"" in dashboard_json(made)


def test_command_writes_files_or_prints(shell: Shell, tmp_path: Path) -> None:
    make_loans(tmp_path, 10)
    code, out, _ = shell("monitor", "export", "grafana", "monitor.toml")
    assert code == 0
    assert json.loads(out)["title"] == "streamgauge: loans"
    code, out, _ = shell("monitor", "export", "rules", "monitor.toml", "-o", "rules.yml")
    assert (code, out) == (0, "Wrote rules.yml\n")
    assert Path("rules.yml").read_text().startswith('groups:\n  - name: "streamgauge loans"\n')
    code, _, err = shell("monitor", "export", "rules", "monitor.toml", "-o", "no/rules.yml")
    assert code == 2
    assert "cannot write the rules" in err


@pytest.mark.parametrize("what", ["rules", "grafana"])
def test_command_names_what_is_wrong_with_the_configuration(shell: Shell, what: str) -> None:
    code, _, err = shell("monitor", "export", what, "nowhere.toml")
    assert code == 2
    assert "nowhere.toml: cannot read the configuration" in err
