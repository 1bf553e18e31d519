"""Sentences below the tables of gama2013."""

from __future__ import annotations

import math

import pytest

from streamgauge.papers.gama2013.delays import Column
from streamgauge.papers.gama2013.tables import _lost_features
from tests.papers.gama2013.synthetic import delays_of


@pytest.mark.parametrize(
    ("missed", "said"),
    [((), "no run misses it"), ((3,), "run 3 misses it"), ((3, 4), "runs 3 and 4 miss it")],
)
def test_runs_that_miss_the_drift_are_named_not_counted(missed: tuple[int, ...], said: str) -> None:
    def delay(column: Column, detector: str) -> list[float]:
        return [math.nan if run in missed else 100.0 for run in (1, 2, 3, 4)]

    (note,) = _lost_features(delays_of(delay))
    assert f"naive Bayes leaves, {said}. All runs of the paper detect it." in note
