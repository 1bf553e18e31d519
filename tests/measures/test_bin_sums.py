"""Confusion matrices of many points: the same counts, however many cells there are."""

from __future__ import annotations

import numpy as np
import pytest

import streamgauge as sg
from streamgauge.measures import bin_sums
from streamgauge.measures.bin_sums import ConfusionCounts


def test_cells_met_are_counted_as_in_whole_matrices(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(1)
    k, points = 5, 4
    whole = ConfusionCounts(points, k)
    monkeypatch.setattr(bin_sums, "_MOST_DENSE", 0)
    monkeypatch.setattr(bin_sums, "_MOST_HELD", 50)
    met = ConfusionCounts(points, k)
    np.testing.assert_array_equal(met.read(0, points), whole.read(0, points))  # no rows
    for rows in (0, 1, 30, 7):
        y = rng.integers(0, k, rows).astype(np.int32)
        outcomes = rng.integers(-1, k, (rows, points)).astype(np.int16)
        whole.add(y, outcomes)
        met.add(y, outcomes)
        np.testing.assert_array_equal(met.read(0, points), whole.read(0, points))
        np.testing.assert_array_equal(met.read(1, 3), whole.read(1, 3))


def test_bins_of_many_classes_have_the_same_metrics(monkeypatch: pytest.MonkeyPatch) -> None:
    def table() -> dict[str, list[float]]:
        run = sg.evaluate(
            sg.LED(600, seed=1), sg.NaiveBayes(), labels=sg.Delay(50),
            reevaluate=sg.Reevaluate(every=10, bins=5), cost=1 - np.eye(10),
        )  # fmt: skip
        return {name: each.round(12).tolist() for name, each in run.bins.values.items()}

    usual = table()
    monkeypatch.setattr(bin_sums, "_MOST_DENSE", 0)
    monkeypatch.setattr(bin_sums, "_NUMBERS_AT_ONCE", 300)
    assert str(table()) == str(usual)  # as text: NaN equals NaN
