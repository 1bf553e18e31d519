"""Waits by class equal quantiles of the rows of each class."""

from __future__ import annotations

import numpy as np

from streamgauge.measures.waits_by_class import SPREAD, waits_by_class


def test_quantiles_and_medians_are_those_of_the_rows_of_each_class() -> None:
    rng = np.random.default_rng(1)
    ids = np.flatnonzero(rng.random(1000) < 0.8)
    y = rng.choice([0, 2], len(ids)).astype(np.int32)
    waits = rng.integers(0, 50, len(ids))
    found = waits_by_class(ids, waits, y, 3, 1000)
    assert found.codes.tolist() == [0, 1, 2]
    for code in (0, 2):
        np.testing.assert_array_equal(found.quantiles[code], np.quantile(waits[y == code], SPREAD))
    assert np.isnan(found.quantiles[1]).all()
    assert found.ends.tolist() == list(range(50, 1001, 50))
    part = (ids >= 50) & (ids < 100)
    assert found.medians[1, 2] == np.median(waits[part & (y == 2)])
    assert np.isnan(found.medians[:, 1]).all()


def test_frames_have_the_most_frequent_classes_in_their_order() -> None:
    y = np.repeat(np.arange(8), np.arange(8)).astype(np.int32)  # class 0 never occurs
    found = waits_by_class(np.arange(28), np.full(28, 120), y, 8, 28)
    spread, along, note = found.frames([f"c{i}" for i in range(8)], unit=60)
    assert spread["series"].to_pylist() == ["c2", "c3", "c4", "c5", "c6", "c7"]
    assert spread["median"].to_pylist() == [2.0] * 6
    assert note == ("The 6 most frequent of 8 classes.",)
    own = [m for m, s in zip(*(along[c].to_pylist() for c in ("median", "series")), strict=True)
           if s == "c7"]  # fmt: skip
    assert own[0] is None
    assert own[-1] == 2.0
    spread, _, note = waits_by_class(np.empty(0, int), np.empty(0, int), y[:0], 1, 5).frames(["a"])
    assert (spread["median"].to_pylist(), note) == ([None], ())
