"""The command line's fixtures: a folder to stand in, a table there, a shell."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.running import Shell, write_table


@pytest.fixture
def shell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Shell:
    """Commands in this process, in a folder with table.csv."""
    monkeypatch.chdir(tmp_path)
    write_table(tmp_path / "table.csv")
    return Shell(monkeypatch, capsys)
