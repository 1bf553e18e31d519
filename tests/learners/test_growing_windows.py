"""Windows of learners grow with the labels seen, and predict as if they had been whole at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import streamgauge as sg
from streamgauge._support import growing

_LEARNERS: dict[str, Callable[[int], Any]] = {
    "KNN": lambda w: sg.KNN(3, w),
    "SAMkNN": lambda w: sg.SAMkNN(3, w),
    "Majority": lambda w: sg.Majority(forget=sg.Window(w)),
    "TemporalCorrection": lambda w: sg.TemporalCorrection(sg.NaiveBayes(), forget=sg.Window(w)),
}
_LABELS = ("Immediate()", "Delay(30)")


@pytest.mark.parametrize("name", _LEARNERS)
@pytest.mark.parametrize("labels", _LABELS)
def test_growing_window_changes_no_prediction(
    name: str, labels: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    stream = sg.SEA(900, seed=1, noise=0.2)

    def predictions(w: int, block_rows: int) -> list[object]:
        run = sg.evaluate(stream, _LEARNERS[name](w), labels=labels, block_rows=block_rows)
        found: list[object] = run.predictions["prediction"].to_pylist()
        return found

    for w in (70, 10**9):
        at_once = predictions(w, 900)
        monkeypatch.setattr(growing, "FIRST_ROOM", 1)
        assert predictions(w, 7) == at_once
        monkeypatch.undo()


def test_window_larger_than_the_stream_is_no_larger_than_the_rows() -> None:
    stream = sg.SEA(500, seed=1)
    for make in _LEARNERS.values():
        run = sg.evaluate(stream, make(10**9))
        assert run.learner.nbytes < 1_000_000
