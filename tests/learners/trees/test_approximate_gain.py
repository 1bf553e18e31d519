"""Approximate merits differ from exact ones by no more than the trees allow for."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from streamgauge.learners.trees._approximate_gain import LEAD_ERROR, approximate_log2
from streamgauge.learners.trees._nodes import LANES, M2, MAX, MEAN, MIN, WEIGHT
from streamgauge.learners.trees._params import INFO_GAIN
from streamgauge.learners.trees._splits import _best_threshold
from tests.compiled import compiled

Stats = npt.NDArray[np.float64]


@compiled
def _logarithms(x: Stats) -> Stats:
    return np.array([approximate_log2(each) for each in x])


@compiled
def _merits(stats: Stats, before: float, floor: float) -> tuple[Any, Any, Any]:
    k = stats.shape[1]
    sd, branches, lanes = np.empty(k), np.empty((2, k)), np.empty((2, LANES))
    approximate = _best_threshold(
        stats, 0, 0, before, INFO_GAIN, sd, branches, lanes, True, -np.inf
    )
    exact = _best_threshold(stats, 0, 0, before, INFO_GAIN, sd, branches, lanes, False, -np.inf)
    chosen = _best_threshold(stats, 0, 0, before, INFO_GAIN, sd, branches, lanes, False, floor)
    return approximate, exact, chosen


def _stats(values: Stats, y: npt.NDArray[np.int64], k: int) -> Stats:
    """The statistics of one leaf that observes one feature."""
    stats = np.zeros((1, k, 1, 6))
    for c in range(k):
        own = values[y == c]
        if len(own):
            stats[0, c, 0, [WEIGHT, MEAN]] = len(own), own.mean()
            stats[0, c, 0, M2] = ((own - own.mean()) ** 2).sum()
            stats[0, c, 0, [MIN, MAX]] = own.min(), own.max()
    return stats


def test_approximate_logarithms_are_as_near_as_stated() -> None:
    x = np.concatenate([np.exp(np.linspace(-300, 300, 5000)), np.linspace(0.5, 4, 5001)])
    assert np.abs(_logarithms(x) - np.log2(x)).max() < 3e-6
    assert 0.0 * _logarithms(np.zeros(1))[0] == 0


@pytest.mark.parametrize("k", [2, 3, 20])
def test_approximate_merits_decide_as_exact_ones(k: int) -> None:
    rng = np.random.default_rng(k)
    finite = 0
    for _ in range(400):
        n = int(rng.integers(2, 400))
        y = rng.integers(0, k, n)
        scale = 10.0 ** rng.integers(-6, 7)
        values = scale * (rng.normal(size=n) + rng.normal(size=k)[y] * rng.choice([0, 1, 5]))
        values = np.round(values / scale, 1) * scale if rng.random() < 0.3 else values
        stats = _stats(values, y, k)
        approximate, exact, chosen = _merits(stats, 1.0, 0.3)
        assert approximate[0] == exact[0]
        if approximate[2] == math.inf or exact[2] == -math.inf:
            assert approximate[2] == math.inf or approximate[2] == exact[2]
            continue
        finite += 1
        assert abs(approximate[2] - exact[2]) < LEAD_ERROR / 2
        if exact[2] > 0.3 + LEAD_ERROR:
            assert chosen == exact
    assert finite > 200


def test_a_deviation_too_small_for_approximate_probabilities_is_left_to_the_exact_ones() -> None:
    values = np.array([0.0, 1e-12, 2e-12, 5e-12, 9e-12, 3e-12])
    approximate, exact, _ = _merits(_stats(values, np.array([0, 1, 0, 1, 1, 0]), 2), 1.0, -math.inf)
    assert approximate[2] == math.inf
    assert exact[2] < math.inf
