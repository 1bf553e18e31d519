"""Features of RandomTree as MOA draws them."""

from __future__ import annotations

from streamgauge._support.java_random import java_below, java_uniform
from streamgauge._support.jit import lean_kernel
from streamgauge._support.types import Floats, Longs


@lean_kernel
def draw_features(state: Longs, n_nominal: int, n_values: int, X: Floats) -> None:
    """Draw rows: first the codes of nominal features, then the numeric ones."""
    for i in range(len(X)):
        for j in range(X.shape[1]):
            X[i, j] = java_below(state, n_values) if j < n_nominal else java_uniform(state)
