"""CPU seconds of learners: threads that help count, compiling does not."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import numba
import pytest

import streamgauge as sg
from streamgauge._support.cpu_clock import cpu_seconds, helpers


def _work(seconds: float) -> None:
    began = time.thread_time()
    while time.thread_time() - began < seconds:
        pass


def test_seconds_of_helpers_count() -> None:
    began = cpu_seconds()
    with helpers(2) as each:
        list(each(_work, [0.02, 0.03]))
    assert 0.05 <= cpu_seconds() - began < 0.2


def test_seconds_of_a_helper_that_fails_count() -> None:
    def fail(seconds: float) -> None:
        _work(seconds)
        raise RuntimeError("in a thread")

    began = cpu_seconds()
    with pytest.raises(RuntimeError, match="in a thread"), helpers(2) as each:
        list(each(fail, [0.02]))
    assert cpu_seconds() - began >= 0.02


def test_compiling_does_not_count() -> None:
    def twice(number: int) -> int:
        return 2 * number

    began, in_all = cpu_seconds(), time.thread_time()
    assert numba.njit(twice)(3) == 6
    spent, in_all = cpu_seconds() - began, time.thread_time() - in_all
    assert spent < in_all / 2


def test_threads_do_not_make_a_learner_look_faster() -> None:
    stream = sg.SEA(4000, seed=1)
    seconds = [
        min(sg.evaluate(stream, sg.AdaptiveRandomForest(n_jobs=n)).cost.seconds for _ in range(2))
        for n in (1, 2)
    ]
    assert seconds[1] > seconds[0] / 2


_FIRST_USE = """
import sys
import streamgauge as sg

classes = sg.SEA(400, seed=1)
X = next(classes.blocks(400)).X
numbers = sg.from_arrays(X, X[:, 0] + 0.5, task="regression")
for learner in sys.argv[1:]:
    run = sg.evaluate(numbers if "Regressor" in learner else classes, learner)
    print(run.time.compile, run.cost.seconds)
"""
_ENSEMBLES = [
    "AdaptiveRandomForestRegressor(3)", "StreamingRandomPatches(3)",
    "OnlineAccuracyUpdatedEnsemble(3, window_size=50)", "StreamingGradientBoostedTrees(3)",
    "DynamicWeightedMajority", "LeveragingBagging(3)",
]  # fmt: skip


@pytest.mark.long
def test_first_use_compiles_before_the_first_row(tmp_path: Path) -> None:
    """The process that compiles a learner reports the learner's own seconds."""
    environment = {**os.environ, "STREAMGAUGE_CACHE": str(tmp_path), "STREAMGAUGE_QUIET": "1"}
    command = [sys.executable, "-c", _FIRST_USE, *_ENSEMBLES]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    for line, name in zip(done.stdout.splitlines(), _ENSEMBLES, strict=True):
        compiling, seconds = map(float, line.split())
        assert compiling > 10 * seconds, name
