"""streamgauge demo: how it calls streamgauge in what it suggests."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from streamgauge.cli import demo


def test_the_next_command_works_from_this_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`make demo` installs into .venv, which is not on the PATH."""
    scripts = tmp_path / ".venv" / "bin"
    scripts.mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "executable", str(scripts / "python"))
    monkeypatch.setenv("PATH", "/nowhere")
    assert demo._command() == "streamgauge"  # there is no script to name
    (scripts / "streamgauge").write_text("#!/bin/sh\n")
    (scripts / "streamgauge").chmod(0o755)
    assert demo._command() == ".venv/bin/streamgauge"
    monkeypatch.setenv("PATH", str(scripts))
    assert demo._command() == "streamgauge"
