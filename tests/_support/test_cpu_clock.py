"""CPU seconds of learners: threads that help count, compiling does not."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import numba
import pytest
from numba.core import event as numba_events

import streamgauge as sg
from streamgauge._support.cpu_clock import cpu_seconds, helpers


class ThreadClock(threading.local):
    """Takes the place of time.thread_time: each thread has its own seconds."""

    now = 0.0

    def __call__(self) -> float:
        return self.now

    def work(self, seconds: float) -> None:
        self.now += seconds


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> ThreadClock:
    clock = ThreadClock()
    monkeypatch.setattr(time, "thread_time", clock)
    return clock


def test_seconds_of_helpers_count(clock: ThreadClock) -> None:
    began = cpu_seconds()
    clock.work(1)
    with helpers(2) as each:
        list(each(clock.work, [2, 4]))
    assert cpu_seconds() - began == pytest.approx(7)


def test_seconds_of_a_helper_that_fails_count(clock: ThreadClock) -> None:
    def fail(seconds: float) -> None:
        clock.work(seconds)
        raise RuntimeError("in a thread")

    began = cpu_seconds()
    with pytest.raises(RuntimeError, match="in a thread"), helpers(2) as each:
        list(each(fail, [2]))
    assert cpu_seconds() - began == pytest.approx(2)


def test_compiling_does_not_count(clock: ThreadClock) -> None:
    class Slow(numba_events.Listener):  # type: ignore[misc]  # numba has no types
        """Compiling takes five seconds."""

        def on_start(self, event: Any) -> None:
            clock.work(5)

        def on_end(self, event: Any) -> None: ...

    def twice(number: int) -> int:
        return 2 * number

    began, in_all = cpu_seconds(), clock()
    with numba_events.install_listener("numba:compile", Slow()):
        assert numba.njit(twice)(3) == 6
    clock.work(1)
    assert (cpu_seconds() - began, clock() - in_all) == pytest.approx((1, 6))


def test_threads_of_a_learner_count() -> None:
    """Every look at the clock of a helper thread finds another second gone; others stand still."""
    main = threading.current_thread()
    ticks = itertools.count()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            time, "thread_time", lambda: 0 if threading.current_thread() is main else next(ticks)
        )
        alone, shared = (
            sg.evaluate(sg.SEA(400, seed=1), sg.AdaptiveRandomForest(3, n_jobs=n)).cost.seconds
            for n in (1, 2)
        )
    assert alone == 0
    assert shared > 0


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
