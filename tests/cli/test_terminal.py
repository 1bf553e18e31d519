"""The terminal: one way out for everything that verbs print."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import streamgauge.cli
from streamgauge.cli._terminal import echo

CLI = Path(streamgauge.cli.__file__).parent


def test_verbs_print_only_through_echo() -> None:
    for path in CLI.glob("*.py"):
        if path.name != "_terminal.py":
            assert not re.search(r"typer\.s?echo|\bprint\(|std(out|err)\.write", path.read_text())


def test_echo_shows_controls(capsys: pytest.CaptureFixture[str]) -> None:
    echo("a\n\x1b[31mb\t\u202e")
    assert capsys.readouterr().out == "a\n\\x1b[31mb\t\\u202e\n"
