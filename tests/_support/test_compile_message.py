"""The message while kernels are compiled: once, when it happens, and only then."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

MESSAGE = "Compiling new kernels (usually 2 to 25 s, kept for later runs) …\n"
# Two small kernels; labels that are far apart would take another path.
CODE = "import streamgauge as sg; sg.from_arrays([[0.0], [0.0]], [3, 4])"


def stderr_of(cache: Path, quiet: str = "", code: str = CODE) -> str:
    """What a new process, without a terminal, writes to stderr."""
    env = os.environ | {
        "STREAMGAUGE_CACHE": str(cache), "STREAMGAUGE_QUIET": quiet, "PYTHONUTF8": "1",
    }  # fmt: skip
    command = [sys.executable, "-W", "error", "-c", code]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", env=env, check=True)
    return done.stderr


@pytest.mark.long
def test_message_is_shown_once_and_only_if_the_cache_lacks_a_kernel(tmp_path: Path) -> None:
    assert stderr_of(tmp_path) == MESSAGE
    assert stderr_of(tmp_path) == ""
    other = CODE + "\nimport numba\nnumba.njit(lambda x: x + 1)(1)"  # not one of our kernels
    assert stderr_of(tmp_path, code=other) == ""


@pytest.mark.long
def test_quiet_compiles_silently(tmp_path: Path) -> None:
    assert stderr_of(tmp_path, quiet="1") == ""
    assert list(tmp_path.rglob("*.nbi"))  # it did compile


@pytest.mark.long
def test_message_says_why_it_comes_again_in_every_process() -> None:
    where = Path("/dev/null/none")
    said = f"Compiling new kernels (usually 2 to 25 s, not kept: cannot write to {where}) …\n"
    assert stderr_of(where) == said
