"""Waveform: the lowest possible error, what is swapped, River's distribution."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import streamgauge as sg
from streamgauge._support.types import Floats, Targets
from tests.streams.generators.alike import (
    assert_alike,
    assert_same_mean,
    assert_same_numbers,
    assert_share,
    of_river,
)
from tests.streams.tables import whole


def _wave(top: int) -> Floats:
    """A triangle of height 6."""
    return np.array([max(6 - abs(place - top), 0) for place in range(21)], float)


PAIRS = ((_wave(6), _wave(14)), (_wave(6), _wave(10)), (_wave(14), _wave(10)))


def _below(z: Floats) -> Floats:
    """The normal distribution function."""
    return np.array([0.5 * math.erfc(-value / math.sqrt(2)) for value in z])


def _likelihood(X: Floats, first: Floats, second: Floats) -> Floats:
    """Of a class, but for a factor all classes share: its mixtures integrated out.

    With d = first − second a row lies, on the line of all mixtures, at t = (x − second)·d/|d|, and
    the class reaches from 0 to |d|.
    """
    d = first - second
    length = float(np.linalg.norm(d))
    at: Floats = (X - second) @ d / length
    # The distance from the line, not from the origin.
    off = ((X - second) ** 2).sum(axis=1) - at**2
    away: Floats = np.exp(-off / 2)
    return away * (_below(length - at) - _below(-at)) / length


def _wrong(X: Floats, y: Targets) -> Any:
    """Of each row: does the best possible classifier fail?"""
    return np.argmax([_likelihood(X, *pair) for pair in PAIRS], axis=0) != y


def test_the_best_possible_error() -> None:
    """13.3 %; Breiman et al. estimated 14 %."""
    block = whole(sg.Waveform(100_000, seed=8))
    wrong = _wrong(block.X, block.y)
    assert wrong.mean() == pytest.approx(0.14, abs=0.01)
    random = np.random.default_rng(8)  # and rows made word for word
    y = random.integers(0, 3, 50_000)
    X = random.standard_normal((50_000, 21))
    for i, u in enumerate(random.random(50_000)):
        first, second = PAIRS[y[i]]
        X[i] += u * first + (1 - u) * second
    assert_same_mean(wrong, _wrong(X, y))


def test_noise_around_the_waves() -> None:
    block = whole(sg.Waveform(50_000, seed=8, has_noise=True))
    normal = np.random.default_rng(8).standard_normal(20_000)
    for j in (0, 20, *range(21, 40)):  # no wave there
        assert_same_numbers(block.X[:, j], normal)
    for label, (first, second) in enumerate(PAIRS):
        assert_share(block.y == label, 1 / 3)
        rows = block.X[block.y == label, :21]
        spread = np.sqrt((1 + (first - second) ** 2 / 12) / len(rows))  # of the mean, u uniform
        assert (np.abs(rows.mean(axis=0) - (first + second) / 2) < 4.5 * spread).all()


@pytest.mark.parametrize("swapped", [1, 10, 19])
def test_drift_features_swap_places(swapped: int) -> None:
    before, after = (
        whole(sg.Waveform(9000, 8, has_noise=True, n_drift_features=s)) for s in (0, swapped)
    )
    assert np.array_equal(before.y, after.y)
    left, arrived = slice(1, 1 + swapped), slice(21, 21 + swapped)
    gone = before.X[:, left] - after.X[:, left]
    assert np.allclose(gone, after.X[:, arrived] - before.X[:, arrived])
    assert (np.abs(gone).max(axis=0) > 0.9).all()
    others = [j for j in range(40) if not (1 <= j <= swapped or 21 <= j < 21 + swapped)]
    assert np.array_equal(before.X[:, others], after.X[:, others])
    normal = np.random.default_rng(8).standard_normal(9000)
    for j in range(1, 1 + swapped):
        assert_same_numbers(after.X[:, j], normal)


@pytest.mark.parametrize("noise", [False, True])
def test_rivers_distribution(noise: bool) -> None:
    from river.datasets import synth

    block = whole(sg.Waveform(50_000, seed=5, has_noise=noise))
    rivers = synth.Waveform(seed=5, has_noise=noise)
    assert_alike((block.X, block.y), of_river(rivers, 10_000))
