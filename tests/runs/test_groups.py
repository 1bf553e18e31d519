"""Several runs, printed as one table."""

from __future__ import annotations

import streamgauge as sg
from streamgauge.runs.text import show_runs


def test_runs_of_several_learners_print_as_one_table() -> None:
    stream = sg.SEA(500, seed=1)
    runs = sg.evaluate(stream, ("NaiveBayes", "Majority"))
    assert isinstance(runs, list)
    assert str(runs) == repr(runs) == show_runs(list(runs))
    assert str(runs).count("500 rows · 3 features") == 1
    named = sg.evaluate(stream, {"bayes": "NaiveBayes", "guess": "Majority"})
    assert isinstance(named, dict)
    assert "bayes is better than" in str(named)
    assert repr(named).count("500 rows · 3 features") == 1
