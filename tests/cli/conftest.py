"""Fixtures of the command line tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.running import Shell, write_table


@pytest.fixture(autouse=True)
def wide_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal that wraps nothing, so that a message is one line."""
    monkeypatch.setenv("COLUMNS", "2000")


@pytest.fixture
def shell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Shell:
    """Runs commands in this process, in a folder with table.csv."""
    monkeypatch.chdir(tmp_path)
    write_table(tmp_path / "table.csv")
    return Shell(monkeypatch, capsys)
