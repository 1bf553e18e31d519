"""The plan of gama2013: cells, detectors, and sizes."""

from __future__ import annotations

import pytest

from streamgauge.papers.gama2013.plan import (
    DETECTORS,
    SIZES,
    STREAMS,
    batch,
    drifting,
    growth,
    holdout,
    lost_features,
    sea,
    stationary,
)

FULL = SIZES["full"]


def test_every_estimate_and_ratio_has_a_detector() -> None:
    assert len(DETECTORS) == len(set(DETECTORS)) == 17
    assert "PageHinkley(on=Window(1000))" in DETECTORS


def test_drift_of_led_comes_later_and_rows_follow_it() -> None:
    assert [FULL.drift(stream) for stream in STREAMS] == [128_000, 32_000, 32_000, 32_000]
    assert [FULL.rows(stream) for stream in STREAMS] == [256_000, 96_000, 96_000, 96_000]


def test_ten_runs_of_each_stream_and_leaf_are_cells() -> None:
    assert len(drifting(FULL).cells) == 4 * 2 * 10
    assert len(stationary(FULL).cells) == len(holdout(FULL).cells) == 4 * 10
    assert len(sea(FULL).cells) == 2
    assert len(growth(FULL).cells) == 1


def test_batch_tree_has_the_rows_that_fit_in_memory() -> None:
    pytest.importorskip("sklearn")
    once, again = (cell.learner for cell in batch(FULL).cells)
    assert (once, again) == ("batch tree, trained once", "batch tree, retrained")
    assert FULL.memory == 100_000


def test_drift_of_waveform_loses_features_by_seed() -> None:
    assert [lost_features(run) for run in (1, 2, 3)] == [7, 4, 0]


def test_quick_profile_has_cells_of_the_full_one() -> None:
    full = {cell.id for cell in drifting(FULL).cells}
    quick = {cell.id for cell in drifting(SIZES["quick"]).cells}
    assert quick < full
