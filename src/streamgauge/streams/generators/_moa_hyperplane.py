"""Hyperplane as MOA draws it."""

from __future__ import annotations

from streamgauge._support.java_random import java_below, java_uniform
from streamgauge._support.jit import lean_kernel
from streamgauge._support.types import Codes, Floats, Longs


@lean_kernel
def draw_sides(
    state: Longs, weights: Floats, steps: Floats, noise: int, turns: int, X: Floats, y: Codes
) -> None:
    """Draw rows; after each, the first weights move by `steps`, which may reverse.

    `noise` and `turns` are percentages. Changes `weights` and `steps`.
    """
    for i in range(len(X)):
        total, weighted = 0.0, 0.0
        for j in range(len(weights)):
            X[i, j] = java_uniform(state)
            weighted += weights[j] * X[i, j]
            total += weights[j]
        y[i] = (weighted >= total * 0.5) != (java_below(state, 100) < noise)
        for j in range(len(steps)):
            weights[j] += steps[j]
            if java_below(state, 100) < turns:
                steps[j] = -steps[j]
