"""Charts without checks are the same charts."""

from __future__ import annotations

import streamgauge as sg
from streamgauge.figures.unchecked import unchecked


def test_charts_are_the_same() -> None:
    run = sg.evaluate(sg.SEA(300, seed=1), sg.NaiveBayes())
    checked = run.plot().to_dict()
    with unchecked():
        assert run.plot().to_dict() == checked
