"""Events merged into calls of predict and learn."""

from __future__ import annotations

import pytest

import streamgauge as sg
from streamgauge._support.types import LEARN, Floats, Schema
from streamgauge.learners import base
from streamgauge.learners.run_events import calls
from tests.playing import agendas


def test_calls_are_merged_up_to_the_next_change() -> None:
    class Counts:
        period = 10
        pending = 4

        def start(self, schema: Schema, seed: int) -> None: ...
        def predict(self, X: Floats) -> Floats:
            return X[:, 0]

        def learn(self, X: Floats, y: Floats, w: Floats) -> None: ...

    _, agenda = next(agendas(sg.SEA(36, seed=1), sg.Immediate(), 100))
    merged = list(calls(Counts(), agenda))
    assert [(len(predicted), len(learned)) for predicted, learned in merged] == [
        (6, 6), (10, 10), (10, 10), (10, 10), (0, 0),
    ]  # fmt: skip
    assert all((agenda.ops[learned] == LEARN).all() for _, learned in merged)


def test_checked_rows_are_not_checked_again_but_overridden_methods_are_called(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Counting(sg.ESN):
        calls = 0

        def predict(self, X: Floats) -> Floats:
            self.calls += 1
            return super().predict(X)

    learner = Counting(hidden_size=3, window_size=2, batch_size=8)
    run = sg.evaluate(sg.SEA(100, seed=1), learner)
    assert run.learner.calls > 10

    def refuse(*given: object) -> None:
        raise AssertionError

    monkeypatch.setattr(base, "_checked_rows", refuse)
    sg.evaluate(sg.SEA(100, seed=1), sg.ESN(hidden_size=3, window_size=2, batch_size=8))
