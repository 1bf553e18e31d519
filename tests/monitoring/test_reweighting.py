"""Reweighting: labels that have come stand for those of their stratum that are still to come."""

from __future__ import annotations

import math
from typing import TypeVar

import numpy as np
import pytest

from streamgauge._support.types import Floats, Longs
from streamgauge.monitoring._reweighting import Reweighting

Counts = TypeVar("Counts", Longs, Floats)
WAITS = 4


def estimate(
    labels: Longs, hits: Floats, young: int, lived: list[int], regression: bool = False
) -> tuple[float, float, float]:
    """Of the last `young` cohorts, which have lived through so many waits each."""
    count = len(labels)
    mature = np.arange(count) < count - young
    whole = Reweighting(labels, hits, mature, mature, regression)
    found = whole.estimate(np.flatnonzero(~mature), np.array(lived))
    return found.score, found.low, found.high


def cohorts(rng: np.random.Generator, count: int) -> tuple[Longs, Floats]:
    """Class 1 takes longer than class 0; its predictions are worse, and its errors come late."""
    labels, hits = np.zeros((count, 2, WAITS), np.int64), np.zeros((count, 2, WAITS))
    for c in range(count):
        for y, rows, right in ((0, 200, 0.9), (1, 100, 0.6)):
            correct = rng.random(rows) < right
            late = np.where(correct, 0.3, 0.7) if y else np.full(rows, 0.2)
            wait = rng.binomial(WAITS - 1, late)
            labels[c, y] = np.bincount(wait, minlength=WAITS)
            hits[c, y] = np.bincount(wait, correct, minlength=WAITS)
    return labels, hits


def seen(counts: Counts, young: int, lived: list[int]) -> Counts:
    """The labels that have come: of young cohorts those within the waits they lived."""
    found = counts.copy()
    for place, last in enumerate(lived, len(counts) - young):
        found[place, :, last + 1 :] = 0
    return found


def test_a_weight_is_one_over_the_share_of_the_stratum_that_has_come() -> None:
    """40 of 100 correct and 30 of 60 wrong labels come at once; 8 and 3 of a young cohort did."""
    labels = np.zeros((2, 1, 2), np.int64)
    hits = np.zeros((2, 1, 2))
    labels[0], hits[0] = [[70, 90]], [[40, 60]]
    labels[1], hits[1] = [[11, 0]], [[8, 0]]
    score, low, high = estimate(labels, hits, 1, [0])
    right, wrong = 8 / (40 / 100), 3 / (30 / 60)
    assert score == pytest.approx(right / (right + wrong))
    assert math.isnan(low)
    assert math.isnan(high)


def test_intervals_hold_the_final_score() -> None:
    off, held = [], []
    for seed in range(60):
        labels, hits = cohorts(np.random.default_rng(seed), 40)
        lived = [2, 1, 0]
        final = hits[-3:].sum() / labels[-3:].sum()
        known, right = seen(labels, 3, lived), seen(hits, 3, lived)
        score, low, high = estimate(known, right, 3, lived)
        off.append([right[-3:].sum() / known[-3:].sum() - final, score - final])
        held.append(low <= final <= high)
    raw, reweighted = np.abs(np.mean(off, axis=0))
    assert raw > 0.03
    assert reweighted < 0.01
    assert np.mean(held) >= 0.95


def test_rare_stratum_takes_the_share_of_all_classes_or_of_all_labels() -> None:
    """Of class 1 only 10 labels have matured, of wrong predictions none."""
    labels = np.array([[[100, 100], [10, 0]], [[10, 0], [10, 0]]])
    hits = np.array([[[100, 100], [10, 0]], [[10, 0], [4, 0]]], np.float64)
    score, _, _ = estimate(labels, hits, 1, [0])
    correct = 10 / (100 / 200) + 4 / (110 / 210)
    assert score == pytest.approx(correct / (correct + 6 / (110 / 210)))


def test_cohorts_that_are_too_young_do_not_count() -> None:
    labels, hits = cohorts(np.random.default_rng(1), 30)
    young = estimate(seen(labels, 1, [0]), seen(hits, 1, [0]), 1, [-1])
    assert all(math.isnan(each) for each in young)
    both = estimate(seen(labels, 2, [2, -1]), seen(hits, 2, [2, -1]), 2, [2, -1])
    alone = estimate(seen(labels, 2, [2, -1])[:-1], seen(hits, 2, [2, -1])[:-1], 1, [2])
    assert both[0] == pytest.approx(alone[0])


def test_errors_of_regression_have_one_stratum() -> None:
    rng = np.random.default_rng(4)
    labels = rng.integers(20, 40, (30, 1, WAITS))
    errors = labels * np.array([1.0, 2.0, 3.0, 4.0]) * rng.uniform(0.9, 1.1, (30, 1, 1))
    lived = [1]
    score, low, high = estimate(seen(labels, 1, lived), seen(errors, 1, lived), 1, lived, True)
    assert score == pytest.approx(errors[-1, :, :2].sum() / labels[-1, :, :2].sum())
    assert 0 <= low <= score <= high
    final = errors[-1].sum() / labels[-1].sum()
    assert low <= final <= high


def test_without_mature_labels_there_is_no_estimate() -> None:
    labels, hits = cohorts(np.random.default_rng(1), 3)
    assert all(math.isnan(each) for each in estimate(labels, hits, 3, [3, 3, 3]))
