"""Agrawal as MOA draws it."""

from __future__ import annotations

import numpy as np

from streamgauge._support.java_random import java_below, java_uniform
from streamgauge._support.jit import inlined, lean_inner, lean_kernel
from streamgauge._support.types import Codes, Floats, Longs
from streamgauge.streams.generators._agrawal_rules import in_group_a


@lean_kernel
def draw_applicants(
    state: Longs, function: int, perturbation: float, balanced: bool, X: Floats, y: Codes
) -> None:
    """Draw rows. Balanced: labels 1, 0, 1, 0 …; other rows are dropped."""
    for i in range(len(X)):
        while True:
            _draw(state, X, i)
            label = 0 if in_group_a(function, X, i) else 1
            if not balanced or label == 1 - i % 2:
                break
        if perturbation > 0:
            _perturb(state, perturbation, X, i)
        y[i] = label


@lean_inner
def _draw(state: Longs, X: Floats, i: int) -> None:
    X[i, 0] = 20_000 + 130_000 * java_uniform(state)
    X[i, 1] = 0.0 if X[i, 0] >= 75_000 else 10_000 + 65_000 * java_uniform(state)
    X[i, 2] = 20 + java_below(state, 61)
    X[i, 3] = java_below(state, 5)
    X[i, 4] = java_below(state, 20)
    X[i, 5] = java_below(state, 9)
    X[i, 6] = (9 - X[i, 5]) * 100_000 * (0.5 + java_uniform(state))
    X[i, 7] = 1 + java_below(state, 30)
    X[i, 8] = 500_000 * java_uniform(state)


@lean_inner
def _perturb(state: Longs, fraction: float, X: Floats, i: int) -> None:
    X[i, 0] = _moved(state, fraction, X[i, 0], 20_000, 150_000, 130_000)
    if X[i, 1] > 0:
        X[i, 1] = _moved(state, fraction, X[i, 1], 10_000, 75_000, 65_000)
    X[i, 2] = np.floor(_moved(state, fraction, X[i, 2], 20, 80, 60) + 0.5)
    # MOA's limit makes most houses worth exactly 135,000.
    X[i, 6] = _moved(state, fraction, X[i, 6], 0, 135_000, (9 - X[i, 5]) * 100_000)
    X[i, 7] = np.floor(_moved(state, fraction, X[i, 7], 1, 30, 29) + 0.5)
    X[i, 8] = _moved(state, fraction, X[i, 8], 0, 500_000, 500_000)


@inlined
def _moved(
    state: Longs, fraction: float, value: float, least: float, most: float, width: float
) -> float:
    value += width * (2 * (java_uniform(state) - 0.5)) * fraction
    return min(max(value, least), most)
