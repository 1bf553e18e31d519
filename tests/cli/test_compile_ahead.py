"""The second process that compiles kernels: what it compiles, and when it starts."""

from __future__ import annotations

import atexit
from functools import partial
from pathlib import Path

import pytest

from streamgauge._support.compile_message import CompileMessage
from streamgauge.cli import _compile_ahead
from tests._support.test_jit import run_python

COMPILED = """
from numba.core import event
import streamgauge as sg

compiled = set()

class Listener(event.Listener):
    def on_start(self, event):
        compiled.add(event.data["dispatcher"].py_func.__module__)

    def on_end(self, event):
        pass

event.register("numba:compile", Listener())
sg.evaluate(sg.SEA(300, seed=1), "NaiveBayes")
print(*sorted(module for module in compiled if module.startswith("streamgauge.")))
"""


@pytest.mark.long
def test_it_compiles_all_but_stream_and_learner(tmp_path: Path) -> None:
    env = {"STREAMGAUGE_CACHE": str(tmp_path), "STREAMGAUGE_QUIET": "1"}
    run_python("from streamgauge.cli._compile_ahead import main; main()", **env)
    compiled = run_python(COMPILED, **env).stdout.split()
    assert {"streamgauge.learners.naive_bayes"} <= set(compiled)
    ahead = ("measures", "prequential", "learners.references", "runs")
    assert not [
        each for each in compiled if each.startswith(tuple(f"streamgauge.{a}" for a in ahead))
    ]


@pytest.mark.parametrize("cores", [1, 2])
def test_it_starts_at_the_first_compilation_if_there_is_a_core(
    monkeypatch: pytest.MonkeyPatch, cores: int
) -> None:
    message, started = CompileMessage(), []
    monkeypatch.setattr("streamgauge._support.compile_message.compile_message", message)
    monkeypatch.setattr(_compile_ahead, "available_cores", lambda: cores)
    monkeypatch.setattr(_compile_ahead, "_start", lambda: started.append(1))
    message.show = lambda _: None
    _compile_ahead.compile_ahead()
    assert started == []
    for _ in range(2):
        message.announce()
    assert started == [1] * (cores - 1)


def test_it_does_not_outlive_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    at_exit: list[partial[None]] = []
    monkeypatch.setattr(atexit, "register", lambda end, it: at_exit.append(partial(end, it)))
    _compile_ahead._start()
    (end,) = at_exit
    (process,) = end.args
    end()
    assert process.poll() is not None
