"""Hyperplane: its rule at every row, how its weights walk, River's distribution.

River adds 0.01 to each draw that it compares with a probability: its 0.06 is our 0.05.
"""

from __future__ import annotations

from itertools import islice
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import streamgauge as sg
from streamgauge.streams.generators.hyperplane import Walk
from tests.streams.generators.alike import assert_alike, assert_same_numbers, assert_share, of_river
from tests.streams.tables import whole


@pytest.mark.parametrize("sigma", [0.0, 1.0])
@pytest.mark.parametrize("magnitude", [0.0, 0.001, 1.0])
def test_the_rule_at_every_row(sigma: float, magnitude: float) -> None:
    """Without turns the weights rise for ever; with one after each step they go to and fro."""
    stream = sg.Hyperplane(
        20_000,
        seed=8,
        n_features=5,
        n_drift_features=2,
        mag_change=magnitude,
        noise_percentage=0,
        sigma=sigma,
    )
    assert stream.weights.shape == (5,)
    block = whole(stream)
    for i, (x, y) in enumerate(zip(block.X.tolist(), block.y.tolist(), strict=True)):
        moved = magnitude * (i if sigma == 0 else i % 2)
        weights = [w + moved if j < 2 else w for j, w in enumerate(stream.weights.tolist())]
        total = sum(w * value for w, value in zip(weights, x, strict=True))
        assert y == (total >= sum(weights) / 2)


@given(
    turns=st.lists(st.lists(st.booleans(), min_size=1, max_size=20), min_size=1, max_size=5),
)
def test_a_walk_goes_on_where_it_was(turns: list[list[bool]]) -> None:
    walk, position, direction = Walk(), 0, 1
    for chunk in turns:
        for at, turn in zip(walk.go(np.array(chunk)).tolist(), chunk, strict=True):
            assert at == position
            position += direction
            direction = -direction if turn else direction
    assert (walk.position, walk.direction) == (position, direction)


def test_the_noise() -> None:
    clean, noisy = (whole(sg.Hyperplane(50_000, seed=8, noise_percentage=p)) for p in (0.0, 0.2))
    assert np.array_equal(clean.X, noisy.X)
    assert_share(clean.y != noisy.y, 0.2)


def test_the_weights_are_uniform() -> None:
    weights = np.concatenate([sg.Hyperplane(1, seed).weights for seed in range(200)])
    assert_same_numbers(weights, np.linspace(0, 1, 2000))


def test_rivers_distribution() -> None:
    from river.datasets import synth

    stream = sg.Hyperplane(50_000, seed=5, n_features=4, noise_percentage=0.1)
    rivers = synth.Hyperplane(seed=5, n_features=4, noise_percentage=0.11)
    pairs = iter(rivers)
    next(pairs)  # it draws weights with the first row
    rivers._weights = stream.weights.tolist()
    block = whole(stream)
    assert_alike((block.X, block.y), of_river(pairs, 15_000))


def test_rivers_walks() -> None:
    """How far 400 weights get in 150 rows."""
    from river.datasets import synth

    rows, count = 150, 400
    rivers: Any = synth.Hyperplane(
        seed=5, n_features=count, n_drift_features=count, mag_change=1.0, sigma=0.21
    )
    pairs = iter(rivers)
    next(pairs)
    begin = np.array(rivers._weights)
    assert len(list(islice(pairs, rows))) == rows
    theirs = np.array(rivers._weights) - begin
    random = np.random.default_rng(5)
    walks = [Walk() for _ in range(count)]
    ours = np.array([walk.go(random.random(rows + 2) < 0.2)[[1, -1]] for walk in walks])
    assert_same_numbers((ours[:, 1] - ours[:, 0]).astype(float), theirs)
