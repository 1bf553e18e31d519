"""RandomRBF and RandomRBFDrift: River's distribution around the same centroids, how these move."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import streamgauge as sg
from streamgauge.streams.generators.random_rbf_drift import bounced
from tests.streams.generators.alike import (
    assert_alike,
    assert_same_mean,
    assert_same_numbers,
    assert_share,
    of_river,
)
from tests.streams.tables import whole


def _rivers(kind: str, stream: Any, **parameters: Any) -> Iterator[Any]:
    """River's stream around our centroids."""
    from river.datasets import synth
    from river.datasets.synth.random_rbf import Centroid

    centres = stream.centroids.centres.tolist()
    centroids = [Centroid() for _ in centres]
    for j, centroid in enumerate(centroids):
        centroid.centre = centres[j]
        centroid.class_label = stream.centroids.labels[j]
        centroid.std_dev = stream.centroids.deviations[j]
    rivers = getattr(synth, kind)(seed_sample=5, n_features=len(centres[0]), **parameters)

    def install() -> None:
        rivers.centroids = centroids
        rivers.centroid_weights = stream.centroids.weights.tolist()
        if kind == "RandomRBFDrift":
            rivers.centroid_speed = stream.steps.tolist()

    rivers._generate_centroids = install
    return iter(rivers)


def test_rivers_distribution() -> None:
    stream = sg.RandomRBF(50_000, seed=5, n_features=4, n_classes=3, n_centroids=12)
    block = whole(stream)
    assert_alike((block.X, block.y), of_river(_rivers("RandomRBF", stream), 15_000))


def test_every_centroid_in_its_turn() -> None:
    stream = sg.RandomRBF(50_000, seed=5, n_features=2, n_classes=30, n_centroids=10)
    centroids = stream.centroids._replace(labels=np.arange(10, dtype=np.int32))
    stream.centroids = centroids
    block = whole(stream)
    for j in range(10):
        assert_share(block.y == j, centroids.weights[j] / centroids.weights.sum())
        away = block.X[block.y == j] - centroids.centres[j]
        distance = np.hypot(*away.T) / centroids.deviations[j]
        normal = np.abs(np.random.default_rng(j).standard_normal(10_000))
        assert_same_numbers(distance, normal)
    away = block.X - centroids.centres[block.y]
    diagonal = away[:, 0] * away[:, 1] / (away**2).sum(axis=1)
    assert_same_mean(diagonal, [0.0])  # neither is preferred


def test_centroids_are_drawn_from_the_model_seed() -> None:
    one, same, other = (
        sg.RandomRBF(9, seed, model_seed, n_centroids=3000, n_classes=4).centroids
        for seed, model_seed in ((1, 1), (2, 1), (1, 2))
    )
    even = np.linspace(0, 1, 3000)
    for field in one._fields:
        assert np.array_equal(getattr(one, field), getattr(same, field))
        assert not np.array_equal(getattr(one, field), getattr(other, field))
    for numbers in (one.deviations, one.weights, *one.centres.T):
        assert_same_numbers(numbers, even)
    for label in range(4):
        assert_share(one.labels == label, 1 / 4)


@pytest.mark.parametrize("step", [0.0, 1e-5, 0.0137, 0.3, 0.5, 0.99, 1.0, 1.7])
@pytest.mark.parametrize("begin", [0.0, 0.25, 0.99991234])
def test_centres_bounce(begin: float, step: float) -> None:
    moves = np.arange(1, 20_001)
    ours = bounced(np.array(begin), np.array(step), moves)
    at, way, expected = begin, step, []
    for _ in moves:
        at += way
        if not 0 <= at <= 1:
            at, way = min(max(at, 0.0), 1.0), -way
        expected.append(at)
    assert np.abs(ours - expected).max() < 1e-9
    assert 0 <= ours.min() <= ours.max() <= 1


def test_without_speed_nothing_moves() -> None:
    still, drifting = sg.RandomRBF(9000, seed=5), sg.RandomRBFDrift(9000, seed=5)
    assert np.array_equal(whole(still).X, whole(drifting).X)
    assert np.array_equal(whole(still).y, whole(drifting).y)


def test_some_centroids_move() -> None:
    stream = sg.RandomRBFDrift(
        60_000, seed=5, n_features=2, n_centroids=4, change_speed=0.0001, n_drift_centroids=2
    )
    stream.centroids = stream.centroids._replace(labels=np.arange(4, dtype=np.int32))
    lengths = np.hypot(*stream.steps.T)
    assert np.allclose(lengths, [0.0001, 0.0001, 0, 0])
    block = whole(stream)
    for j in range(4):
        early, late = (
            block.X[part][block.y[part] == j].mean(axis=0)
            for part in (slice(0, 3000), slice(-3000, None))
        )
        expected = [
            np.mean([bounced(stream.centroids.centres[j], stream.steps[j], np.array([[m]]))
                     for m in range(first, first + 3000, 100)], axis=0)[0]
            for first in (1, 57_001)
        ]  # fmt: skip
        error = 4.5 * stream.centroids.deviations[j] / np.sqrt((block.y[:3000] == j).sum())
        assert np.abs(early - expected[0]).max() < error
        assert np.abs(late - expected[1]).max() < error
        moved = np.abs(expected[1] - expected[0]).max()
        assert (moved > 0.1) if j < 2 else (moved == 0)


@pytest.mark.parametrize("speed", [0.0001, 0.2])
def test_rivers_drift(speed: float) -> None:
    stream = sg.RandomRBFDrift(
        15_000,
        seed=5,
        n_features=3,
        n_classes=2,
        n_centroids=6,
        change_speed=speed,
        n_drift_centroids=3,
    )
    rivers = _rivers("RandomRBFDrift", stream, n_centroids=6, change_speed=1.0, n_drift_centroids=3)
    block = whole(stream)
    X, y = of_river(rivers, 15_000)
    for part in (slice(0, 5000), slice(5000, 10_000), slice(10_000, None)):
        assert_alike((block.X[part], block.y[part]), (X[part], y[part]))
