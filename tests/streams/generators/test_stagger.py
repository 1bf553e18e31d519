"""STAGGER: its rules, its priors, River's distribution."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import streamgauge as sg
from tests.streams.generators.alike import assert_alike, assert_share, of_river
from tests.streams.tables import whole

RULES: list[Any] = [
    lambda size, color, shape: size == "small" and color == "red",
    lambda size, color, shape: color == "green" or shape == "circle",
    lambda size, color, shape: size in ("medium", "large"),
]
PRIORS = (1 / 9, 5 / 9, 2 / 3)  # of 27 equally likely rows: 3, 15, 18


@pytest.mark.parametrize("function", range(3))
def test_rules_and_priors(function: int) -> None:
    stream = sg.STAGGER(50_000, seed=8, classification_function=function)
    assert stream.schema.features == ("size", "color", "shape")
    assert stream.schema.cardinality == (3, 3, 3)
    block = whole(stream)
    named = stream.schema.values
    for x, y in zip(block.X[:2000].astype(int).tolist(), block.y.tolist(), strict=False):
        assert y == RULES[function](*(named[j][code] for j, code in enumerate(x)))
    assert_share(block.y, PRIORS[function])
    for j in range(3):
        for code in range(3):
            assert_share(block.X[:, j] == code, 1 / 3)


@pytest.mark.parametrize("function", range(3))
@pytest.mark.parametrize("balance", [False, True])
def test_rivers_distribution(function: int, balance: bool) -> None:
    from river.datasets import synth

    block = whole(
        sg.STAGGER(50_000, seed=5, classification_function=function, balance_classes=balance)
    )
    rivers = of_river(synth.STAGGER(function, seed=5, balance_classes=balance), 10_000)
    assert_alike((block.X, block.y), rivers)
    if balance:
        assert np.array_equal(block.y[:10_000], rivers[1])  # in turns, from 1 on
        assert (block.y[:-1] != block.y[1:]).all()
