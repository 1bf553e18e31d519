"""docs/operating.md: its configuration, its commands and its table of metrics are true."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from streamgauge.monitoring._metric_families import FAMILIES
from tests.cli.conftest import shell
from tests.cli.running import Shell

__all__ = ["shell"]

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "operating.md").read_text()


def blocks(kind: str) -> list[str]:
    return re.findall(rf"```{kind}\n(.*?)```", PAGE, re.DOTALL)


def test_configuration_is_the_example() -> None:
    assert blocks("toml") == [(ROOT / "examples" / "monitor.toml").read_text()]


def test_every_metric_is_in_the_table() -> None:
    for family in FAMILIES:
        labels = ", ".join(f"`{label}`" for label in family.labels)
        assert f"| `{family.name}` | {labels} | {family.help} |" in PAGE
    assert PAGE.count("| `streamgauge_") == len(FAMILIES)


def test_commands_of_the_guide_work(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    names: dict[str, Any] = {}
    exec(compile(blocks("python")[0], "operating.md", "exec"), names)
    monkeypatch.chdir(names["folder"])
    Path("monitor.toml").write_text(blocks("toml")[0])
    commands = [line for block in blocks("sh") for line in block.splitlines()]
    ours = [shlex.split(each)[1:] for each in commands if each.startswith("streamgauge ")]
    first, once, service, *exports = ours
    assert shell(*first, "-o", "first.toml").code == 0
    assert service == ["monitor", "monitor.toml"]  # it would not end
    code, out, _ = shell(*once)
    assert code == 3
    assert "ALARM accuracy of a day below 0.8 (new) since 2026-03-02T22:32Z: 0." in out
    assert [shell(*each)[0] for each in exports] == [0, 0]
    assert 'alert: "worse than repeating the last label"' in Path("rules.yml").read_text()
    assert json.loads(Path("dashboard.json").read_text())["title"] == "streamgauge: loans"
