"""Participants of a comparison that are refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import streamgauge as sg

STREAM = sg.SEA(3000, seed=1, noise=0.1)


def test_incompatible_runs_are_refused(tmp_path: Path) -> None:
    first = sg.evaluate(STREAM, sg.NaiveBayes())
    shorter = sg.evaluate(STREAM.take(2000), sg.Majority())
    with pytest.raises(
        sg.InputError, match=r"their streams differ: .*evaluate both over one stream"
    ):
        sg.compare(first, shorter)
    late = sg.evaluate(STREAM, sg.Majority(), labels=sg.Delay(5))
    with pytest.raises(sg.InputError, match=r"label policies differ: Immediate\(\) and Delay\(5\)"):
        sg.compare(first, late)
    warm = sg.evaluate(STREAM, sg.Majority(), warmup=10)
    with pytest.raises(sg.InputError, match="scored on 3,000 rows and Majority on 2,990"):
        sg.compare(first, warm)
    y = np.array([0, 1] * 50)
    one, two = sg.score(y, y, name="s"), sg.score(1 - y, y, name="s")
    with pytest.raises(
        sg.InputError, match=r"different streams: their labels differ, first at position 0"
    ):
        sg.compare(one, two)
    silent = sg.evaluate(STREAM, sg.Majority(), predictions=False)
    with pytest.raises(sg.UsageError, match="did not keep its predictions"):
        sg.compare(first, silent)
    place = silent.save(tmp_path)
    with pytest.raises(sg.UsageError, match="did not keep its predictions"):
        sg.compare(first, place)
    with pytest.raises(sg.InputError, match="not a saved run"):
        sg.compare(first, tmp_path / "nowhere")
    (tmp_path / "run.json").write_text('{"format": "other"}')
    with pytest.raises(sg.InputError, match="got 'other'"):
        sg.compare(first, tmp_path)
    (tmp_path / "run.json").write_text("{")
    with pytest.raises(sg.InputError, match="invalid JSON"):
        sg.compare(first, tmp_path)
    with pytest.raises(sg.UsageError, match="cannot compare int; expected runs"):
        sg.compare(first, 3)


def test_failed_run_is_refused() -> None:
    class Breaks(sg.NaiveBayes):
        def learn(self, X: Any, y: Any, w: Any) -> None:
            raise RuntimeError("broken")

        def play(self, *_: Any) -> None:
            raise RuntimeError("broken")

    with pytest.raises(sg.LearnerError) as caught:
        sg.evaluate(STREAM, [sg.Majority(), Breaks()])
    with pytest.raises(sg.InputError, match=r"failed at row 0 .*evaluate it again"):
        sg.compare(caught.value.runs[0], caught.value.runs[1])


@pytest.mark.parametrize(
    ("a", "b", "options", "complaint"),
    [
        ([1, 0], [1], {"y": [1, 0]}, "y has 2 rows and B 1; expected the same rows"),
        ([], [], {"y": []}, "no rows to compare"),
        ([[1], [0]], [[1], [0]], {"y": [1, 0]}, "expected one value per row"),
        ([1, 0], [1, 0], {"y": [None, None]}, "every label is missing"),
        (["x", "z"], [1, 0], {"y": [1, 0]}, "text in one column and numbers in another"),
        ([1.5, "x"], [1.0, 2.0], {"y": [0.5, 0.25]}, "is text, other columns are numbers"),
        ([1.0, np.nan], [1.0, 2.0], {"loss": "given"}, "row 1: A is nan; expected a finite loss"),
        (["x"], ["y"], {"loss": "given"}, "A: expected a column of losses"),
        ([np.nan] * 2, [0.5, 1.0], {"y": [0.5, 0.7]}, "no row that both predicted"),
    ],
)
def test_incompatible_columns_are_refused(a: Any, b: Any, options: Any, complaint: str) -> None:
    with pytest.raises(sg.InputError, match=complaint):
        sg.compare(a, b, **options)
