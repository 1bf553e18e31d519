"""LED: its digits, the lowest possible error, what is swapped, River's distribution.

River adds 0.01 to each draw that it compares with a probability: its 0.11 is our 0.1.
"""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

import streamgauge as sg
from streamgauge._support.types import Floats
from tests.streams.generators.alike import assert_alike, assert_share, of_river
from tests.streams.tables import whole

#   0   1   2   3   4   5   6   7   8   9
SHOWN = """
    _       _   _       _   _   _   _   _
   | |   |  _|  _| |_| |_  |_    | |_| |_|
   |_|   | |_   _|   |  _| |_|   | |_|  _|
"""


def _digits() -> Floats:
    """Segments as the picture shows them, by row from left to right."""
    top, middle, bottom = (line[3:].ljust(40) for line in SHOWN.splitlines()[1:])
    lit = []
    for digit in range(10):
        a, b, c = (line[4 * digit : 4 * digit + 3] for line in (top, middle, bottom))
        lit.append([a[1], b[0], b[2], b[1], c[0], c[2], c[1]])
    return np.array([[segment != " " for segment in digit] for digit in lit], np.float64)


def test_the_digits() -> None:
    block = whole(sg.LED(5000, seed=8, noise_percentage=0))
    assert np.array_equal(block.X, _digits()[block.y])
    inverted = whole(sg.LED(5000, seed=8, noise_percentage=1))
    assert np.array_equal(inverted.X, 1 - _digits()[inverted.y])
    for digit in range(10):
        assert_share(block.y == digit, 1 / 10)


def test_the_best_possible_error_is_26_percent() -> None:
    noise, n = 0.1, 200_000
    patterns = np.array(list(product([0.0, 1.0], repeat=7)))
    wrong = (patterns[:, None] != _digits()).sum(axis=2)
    likelihood = noise**wrong * (1 - noise) ** (7 - wrong)
    error = 1 - likelihood.max(axis=1).sum() / 10
    assert error == pytest.approx(0.26, abs=0.0005)
    block = whole(sg.LED(n, seed=8, noise_percentage=noise, irrelevant_features=True))
    shown = (block.X[:, :7] @ 2.0 ** np.arange(6, -1, -1)).astype(int)
    assert_share(likelihood.argmax(axis=1)[shown] != block.y, error)
    for j in range(7, 24):
        assert_share(block.X[:, j], 1 / 2)


@pytest.mark.parametrize("swapped", [1, 3, 7])
def test_drift_features_swap_places(swapped: int) -> None:
    before, after = (
        whole(sg.LED(9000, 8, irrelevant_features=True, n_drift_features=s)) for s in (0, swapped)
    )
    assert np.array_equal(before.y, after.y)
    for j in range(24):
        other = j + 7 if j < swapped else j - 7 if 7 <= j < 7 + swapped else j
        assert np.array_equal(before.X[:, j], after.X[:, other])
        assert other == j or not np.array_equal(before.X[:, j], after.X[:, j])


@pytest.mark.parametrize("irrelevant", [False, True])
def test_rivers_distribution(irrelevant: bool) -> None:
    from river.datasets import synth

    block = whole(sg.LED(50_000, seed=5, irrelevant_features=irrelevant))
    rivers = synth.LED(seed=5, noise_percentage=0.11, irrelevant_features=irrelevant)
    assert_alike((block.X, block.y), of_river(rivers, 15_000))
