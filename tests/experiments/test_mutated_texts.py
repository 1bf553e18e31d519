"""Mutated experiment files, cards and texts: they work or are a StreamgaugeError, nothing else."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.experiments.fuzz_texts import TARGETS
from tests.fuzz import failures


@pytest.mark.parametrize("name", TARGETS)
def test_few_mutations(name: str) -> None:
    action, seeds, _ = TARGETS[name]
    assert failures(action, seeds, 8, seed=3) == []


@pytest.mark.long
@pytest.mark.parametrize("name", TARGETS)
def test_many_mutations(name: str) -> None:
    """In a process of its own, so that a crash fails this test and no other."""
    command = [sys.executable, "-m", "tests.experiments.fuzz_texts", name]
    command += [str(TARGETS[name][2]), "1"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=1800)
    assert (done.returncode, done.stdout.strip()) == (0, ""), done.stderr[-2000:]


def test_long_tier_tries_enough() -> None:
    assert sum(count for _, _, count in TARGETS.values()) >= 2000
