"""The command for alarms: whatever names hold, it is run, or a line says why not."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from streamgauge.monitoring._announce import run_command
from tests.hostile_text import HOSTILE

WRITE = (
    "import json, os, sys; open(sys.argv[2], 'w').write(json.dumps("
    "[sys.argv[1], os.environ['STREAMGAUGE_MODEL'], json.load(sys.stdin)['model']]))"
)


def event(model: str) -> dict[str, Any]:
    names = {"id": "1", "alarm": "low", "model": model, "state": "raised"}
    return names | {"text": f"{model}: low", "value": 0}


@pytest.mark.parametrize("model", ["a", "a\x00b", "\x00", HOSTILE, "x" * 300_000, "{text}", "é🏳"])
def test_any_name_reaches_the_command(tmp_path: Path, model: str) -> None:
    out = tmp_path / "out"
    assert run_command([sys.executable, "-c", WRITE, "{model}", str(out)], event(model)) is None
    argument, variable, whole = json.loads(out.read_text())
    assert whole == model
    assert argument == variable
    assert "\x00" not in argument
    assert argument.startswith(model[:1].replace("\x00", "\\x00"))


@pytest.mark.parametrize("command", [["/nowhere"], ["a\x00b"], [sys.executable, "-c", "1/0"]])
def test_failure_is_said_and_ends_nothing(command: list[str]) -> None:
    problem = run_command(command, event("a"))
    assert problem is not None
    assert problem.startswith("the command ")
