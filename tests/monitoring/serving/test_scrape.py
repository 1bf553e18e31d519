"""A real scrape: Prometheus reads a running monitor, and its alerts fire."""

from __future__ import annotations

import json
import shutil
import subprocess
import time
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import streamgauge as sg
from streamgauge.monitoring._metric_families import FAMILIES
from streamgauge.monitoring.export.rules import alerts, rules_yaml
from streamgauge.monitoring.serving.log import Log
from tests.monitoring.loans import ALARM, make_loans
from tests.monitoring.serving.test_service import free_port, running, wait_for
from tests.reports.serving import get

pytestmark = pytest.mark.long

_HOW = "on Debian or Ubuntu, apt-get install prometheus"


def tool(name: str) -> str:
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"no {name}: {_HOW}")
    return found


def ask(address: str, path: str, **query: str) -> Any:
    url = f"{address}/api/v1/{path}?{urllib.parse.urlencode(query)}"
    with urllib.request.urlopen(url, timeout=10) as answer:
        return json.load(answer)["data"]


@contextmanager
def prometheus(folder: Path, target: str, rules: str) -> Iterator[str]:
    """A Prometheus that scrapes a monitor twice a second."""
    path = tool("prometheus")
    (folder / "rules.yml").write_text(rules)
    (folder / "prometheus.yml").write_text(
        "global: {scrape_interval: 500ms, scrape_timeout: 400ms, evaluation_interval: 500ms}\n"
        "rule_files: [rules.yml]\n"
        f"scrape_configs: [{{job_name: loans, static_configs: [{{targets: ['{target}']}}]}}]\n"
    )
    port = free_port()
    process = subprocess.Popen(
        [
            path, "--config.file=prometheus.yml", "--storage.tsdb.path=data",
            f"--web.listen-address=127.0.0.1:{port}", "--log.level=warn",
        ],
        cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
    )  # fmt: skip
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.communicate(timeout=30)


def succeeds(attempt: Callable[[], bool]) -> Callable[[], bool]:
    def tried() -> bool:
        try:
            return attempt()
        except OSError:
            return False

    return tried


def test_promtool_finds_no_fault_in_the_metrics(tmp_path: Path) -> None:
    path = tool("promtool")
    with running(sg.Monitor(make_loans(tmp_path)), Log()) as server:
        wait_for(lambda: get(server, "/readyz")[0] == 200)
        text = get(server, "/metrics", Accept="text/plain")[1]
    done = subprocess.run(
        [path, "check", "metrics"], input=text, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_prometheus_scrapes_the_scores_and_raises_the_alarm(tmp_path: Path) -> None:
    monitor = sg.Monitor(make_loans(tmp_path))
    with running(monitor, Log()) as server:
        wait_for(lambda: get(server, "/readyz")[0] == 200)
        target = server.address.removeprefix("http://").rstrip("/")
        with prometheus(tmp_path, target, rules_yaml(monitor.config)) as address:
            query = 'streamgauge_score{model="A",segment="",metric="accuracy",over="Window(200)"}'
            wait_for(succeeds(lambda: bool(ask(address, "query", query=query)["result"])))
            (found,) = ask(address, "query", query=query)["result"]
            expected = monitor.runs["A"].curve.last("Window(200)")["accuracy"]
            assert float(found["value"][1]) == expected

            def firing() -> set[str]:
                return {each["labels"]["alertname"] for each in ask(address, "alerts")["alerts"]}

            wait_for(succeeds(lambda: ALARM in firing()))
            assert "StreamgaugeMonitorDown" not in firing()
            alert = next(
                each for each in ask(address, "alerts")["alerts"]
                if each["labels"]["alertname"] == ALARM
            )  # fmt: skip
            assert alert["state"] == "firing"
            assert alert["annotations"]["summary"].startswith("A: accuracy over Window(200) below")
            (group,) = ask(address, "rules")["groups"]
            assert len(group["rules"]) == len(alerts(monitor.config))
            time.sleep(1)
            assert {rule["health"] for rule in group["rules"]} == {"ok"}
            known = ask(address, "metadata")
            kinds = {each.name.removesuffix("_total"): each.kind for each in FAMILIES}
            ours = {name: each[0]["type"] for name, each in known.items() if "streamgauge" in name}
            assert len(ours) > 15
            assert ours == {name: kinds[name.removesuffix("_total")] for name in ours}
