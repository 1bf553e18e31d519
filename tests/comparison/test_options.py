"""The options of `compare` that are refused."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

import streamgauge as sg


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"forget": []}, "expected a list"),
        ({"forget": sg.Window(5)}, "expected a list"),
        ({"forget": [5]}, "forget: 5 is not a forgetting"),
        ({"forget": [sg.Fading(0.9, estimator="zliobaite2015")]}, "needs sums"),
        ({"loss": "absolute"}, "expected 'zero_one' for classification"),
        ({"loss": [[0, 1]]}, "expected 2 × 2 finite numbers"),
        ({"loss": object()}, "expected a name, a cost matrix or a function"),
        ({"loss": lambda y, given: 1.0}, "expected one number per row"),
        ({"loss": "given"}, "need no labels"),
        ({"bound": 0.0}, "bound=0.0"),
        ({"confidence": 1.0}, "confidence=1.0"),
        ({"smooth": -1.0}, "smooth=-1.0"),
        ({"compat": "moa"}, "expected None or 'gama2013'"),
        ({"wait": 0}, "wait=0"),
        ({"every": 0.5}, "every: .*0.5"),
        ({"stretch": 5}, "stretch=5: expected segments of 256 rows or more"),
        ({"equal_within": 0.0}, "equal_within=0.0: expected a difference of mean losses above 0"),
        ({"equal_within": float("nan")}, "equal_within=nan"),
        ({"equal_within": "1 %"}, "equal_within='1 %'"),
        ({"names": ["one"]}, "expected 2 names"),
    ],
)
def test_invalid_options_are_refused(options: Any, complaint: str) -> None:
    y = [0, 1] * 100
    with pytest.raises(sg.UsageError, match=complaint):
        sg.compare(y, y, y=y, **options)
    with pytest.raises(sg.UsageError, match="at least two"):
        sg.compare(y)  # type: ignore[call-overload]
    frame = pd.DataFrame({"tree": y, "bayes": y})
    assert sg.compare(frame["tree"], frame["bayes"], y=y).names == ("tree", "bayes")
