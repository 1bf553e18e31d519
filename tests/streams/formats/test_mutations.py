"""Mutated files: every reader gives valid rows or a StreamgaugeError, and nothing else."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.fuzz import failures
from tests.streams.fuzz_formats import FORMATS

SAFE = [name for name in FORMATS if name not in ("scores", "probabilities", "labels")]


@pytest.mark.parametrize("name", SAFE)
def test_few_mutations(name: str) -> None:
    action, seeds, _ = FORMATS[name]
    assert failures(action, seeds, 12, seed=7) == []


@pytest.mark.long
@pytest.mark.parametrize("name", FORMATS)
def test_many_mutations(name: str) -> None:
    """In a process of its own, so that a crash fails this test and no other."""
    count = FORMATS[name][2]
    command = [sys.executable, "-m", "tests.streams.fuzz_formats", name, str(count), "1"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=1800)
    assert (done.returncode, done.stdout.strip()) == (0, ""), done.stderr[-2000:]


def test_long_tier_tries_enough() -> None:
    assert sum(count for _, _, count in FORMATS.values()) >= 6000
