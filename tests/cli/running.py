"""Runs the command line for tests: in a new process, or in this one, which is faster.

Both call `main`, which sets the exit codes.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from streamgauge.cli import main

ENTRY = "from streamgauge.cli import main; main()"


def details(out: str) -> list[str]:
    """The lines that -v adds, which begin with the first line again."""
    first = out.partition("\n")[0]
    return (first + out.rpartition(first)[2]).splitlines()


class Outcome(NamedTuple):
    """Exit code and output of a command."""

    code: int
    out: str
    err: str


def run(folder: Path, *arguments: str, code: str = ENTRY) -> Outcome:
    """Run a command in a new process, in `folder`, without a terminal."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code, *arguments],
        cwd=folder,
        env=os.environ | {"PYTHONUTF8": "1"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )
    return Outcome(done.returncode, done.stdout, done.stderr)


class Shell:
    """Runs commands in this process."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self._monkeypatch, self._capsys = monkeypatch, capsys

    def __call__(self, *arguments: str) -> Outcome:
        self._monkeypatch.setattr(sys, "argv", ["streamgauge", *arguments])
        with pytest.raises(SystemExit) as done:
            main()
        out, err = self._capsys.readouterr()
        code = done.value.code
        assert isinstance(code, int)
        return Outcome(code, out, err)


class Terminal:
    """A text stream that claims to be a terminal."""

    def __init__(self) -> None:
        self.text = ""

    def write(self, text: str) -> int:
        self.text += text
        return len(text)

    def flush(self) -> None:
        pass

    def isatty(self) -> bool:
        return True

    @property
    def encoding(self) -> str:
        return "utf-8"


def write_table(path: Path, rows: int = 2000) -> Path:
    """Write labels in runs of about twenty, without a season.

    `noise` is independent of them, `hint` determines them.
    """
    random = np.random.default_rng(1)
    noise = random.normal(size=rows)
    code = np.repeat(np.arange(rows // 10) % 2, random.integers(10, 31, rows // 10))
    lines = [f"{noise[i]:.6f},{code[i] * 3}.5,{['no', 'yes'][code[i]]}\n" for i in range(rows)]
    path.write_text("noise,hint,y\n" + "".join(lines))
    return path
