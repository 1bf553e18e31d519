"""RandomRBF and RandomRBFDrift as MOA draws them."""

from __future__ import annotations

import numpy as np

from streamgauge._support.java_random import java_normals, java_uniform
from streamgauge._support.jit import kernel, lean_inner
from streamgauge._support.types import Codes, Floats, Longs


@kernel
def scatter(
    state: Longs,
    spare: Floats,
    cells: Floats,
    labels: Codes,
    deviations: Floats,
    bounds: Floats,
    steps: Floats,
    X: Floats,
    y: Codes,
) -> None:
    """Draw rows around centroids, the first of which move by `steps` before each row.

    `cells` are the centres and `bounds` the cumulative weights. Changes `cells` and `steps`.
    """
    n_features = X.shape[1]
    normals, factors = np.empty(2), np.empty(1)
    for i in range(len(X)):
        _move(cells, steps)
        drawn = java_uniform(state) * bounds[-1]
        centroid = 0
        while bounds[centroid] <= drawn and centroid < len(bounds) - 1:
            centroid += 1
        square = 0.0
        for j in range(n_features):
            away = java_uniform(state) * 2 - 1
            X[i, j] = away
            square += away * away
        java_normals(state, spare, 1, normals, factors)
        scale = normals[0] * deviations[centroid] / np.sqrt(square)
        for j in range(n_features):
            X[i, j] = cells[centroid * n_features + j] + X[i, j] * scale
        y[i] = labels[centroid]


@lean_inner
def _move(cells: Floats, steps: Floats) -> None:
    """Move cells by their steps; at 0 and 1 they stop and turn."""
    for k in range(len(steps)):
        step = steps[k]
        at = cells[k] + step
        above = at if at > 0.0 else 0.0
        inside = above if above < 1.0 else 1.0
        cells[k] = inside  # in this order it is compiled to vector instructions
        steps[k] = step if inside == at else -step
