"""`compare`: what it refuses."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import streamgauge as sg

STREAM = sg.SEA(3000, seed=1, noise=0.1)


def test_runs_that_are_no_pair(tmp_path: Path) -> None:
    first = sg.evaluate(STREAM, sg.NaiveBayes())
    shorter = sg.evaluate(STREAM.take(2000), sg.Majority())
    with pytest.raises(
        sg.InputError, match=r"their streams differ: .*evaluate both over one stream"
    ):
        sg.compare(first, shorter)
    late = sg.evaluate(STREAM, sg.Majority(), labels=sg.Delay(5))
    with pytest.raises(
        sg.InputError, match=r"label policies differ: 'Immediate\(\)' and 'Delay\(5\)'"
    ):
        sg.compare(first, late)
    warm = sg.evaluate(STREAM, sg.Majority(), warmup=10)
    with pytest.raises(sg.InputError, match="scored on 3,000 rows and Majority on 2,990"):
        sg.compare(first, warm)
    y = np.array([0, 1] * 50)
    one, two = sg.score(y, y, name="s"), sg.score(1 - y, y, name="s")
    with pytest.raises(
        sg.InputError, match=r"different streams: their labels differ, first in place 0"
    ):
        sg.compare(one, two)
    silent = sg.evaluate(STREAM, sg.Majority(), keep="none")
    with pytest.raises(sg.UsageError, match="did not keep its predictions"):
        sg.compare(first, silent)
    place = silent.save(tmp_path)
    with pytest.raises(sg.InputError, match="saved without its predictions"):
        sg.compare(first, place)
    with pytest.raises(sg.InputError, match="no saved run here"):
        sg.compare(first, tmp_path / "nowhere")
    (tmp_path / "run.json").write_text('{"format": "other"}')
    with pytest.raises(sg.InputError, match="its format is 'other'"):
        sg.compare(first, tmp_path)
    (tmp_path / "run.json").write_text("{")
    with pytest.raises(sg.InputError, match="no JSON"):
        sg.compare(first, tmp_path)
    with pytest.raises(sg.UsageError, match="int is nothing to compare"):
        sg.compare(first, 3)


def test_a_failed_run_is_refused() -> None:
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
        ([1, 0], [1, 0], {"y": [None, None]}, "no label is known"),
        (["x", "z"], [1, 0], {"y": [1, 0]}, "text in one column and numbers in another"),
        ([1.5, "x"], [1.0, 2.0], {"y": [0.5, 0.25]}, "text among numbers"),
        ([1.0, np.nan], [1.0, 2.0], {"loss": "given"}, "row 1: A is nan; expected a finite loss"),
        (["x"], ["y"], {"loss": "given"}, "A: expected a column of losses"),
        ([np.nan] * 2, [0.5, 1.0], {"y": [0.5, 0.7]}, "never both answered"),
    ],
)
def test_columns_that_are_no_pair(a: Any, b: Any, options: Any, complaint: str) -> None:
    with pytest.raises(sg.InputError, match=complaint):
        sg.compare(a, b, **options)


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"forget": []}, "expected a list"),
        ({"forget": sg.Window(5)}, "expected a list"),
        ({"forget": [5]}, "forget: 5 is none"),
        ({"forget": [sg.Fading(0.9, estimator="zliobaite2015")]}, "needs sums"),
        ({"loss": "absolute"}, "classes have 'zero_one'"),
        ({"loss": [[0, 1]]}, "expected 2 × 2 finite numbers"),
        ({"loss": object()}, "expected a name, a matrix or a function"),
        ({"loss": lambda y, given: 1.0}, "expected a number per row"),
        ({"loss": "given"}, "need no y"),
        ({"bound": 0.0}, "bound=0.0"),
        ({"confidence": 1.0}, "confidence=1.0"),
        ({"smooth": -1.0}, "smooth=-1.0"),
        ({"compat": "moa"}, "it is None or 'gama2013'"),
        ({"wait": 0}, "wait=0"),
        ({"every": 0.5}, "every: expected an integer, got 0.5"),
        ({"stretch": 5}, "stretch=5: expected pieces of 120 rows or more"),
        ({"names": ["one"]}, "expected 2 names"),
    ],
)
def test_options_that_cannot_be_right(options: Any, complaint: str) -> None:
    y = [0, 1] * 100
    with pytest.raises(sg.UsageError, match=complaint):
        sg.compare(y, y, y=y, **options)
    with pytest.raises(sg.UsageError, match="at least two"):
        sg.compare(y)  # type: ignore[call-overload]
    frame = pd.DataFrame({"tree": y, "bayes": y})
    assert sg.compare(frame["tree"], frame["bayes"], y=y).names == ("tree", "bayes")
