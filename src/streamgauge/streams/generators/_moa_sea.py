"""SEA as MOA draws it."""

from __future__ import annotations

from streamgauge._support.java_random import java_below, java_uniform
from streamgauge._support.jit import lean_kernel
from streamgauge._support.types import Codes, Floats, Longs


@lean_kernel
def draw_sums(state: Longs, threshold: float, noise: int, X: Floats, y: Codes) -> None:
    """Draw rows; `noise` is a percentage, for which a number is drawn even if it is 0."""
    for i in range(len(X)):
        for j in range(3):
            X[i, j] = 10 * java_uniform(state)
        above = X[i, 0] + X[i, 1] > threshold
        y[i] = above != (java_below(state, 100) < noise)
