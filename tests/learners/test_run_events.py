"""Events merged into calls of predict and learn."""

from __future__ import annotations

import streamgauge as sg
from streamgauge._support.types import LEARN, Floats, Schema
from streamgauge.learners.run_events import calls
from streamgauge.testing._playing import agendas


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
