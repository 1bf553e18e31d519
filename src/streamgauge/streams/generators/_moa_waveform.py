"""Waveform as MOA draws it."""

from __future__ import annotations

import numpy as np

from streamgauge._support.java_random import JavaRandom, java_below, java_normals, java_uniform
from streamgauge._support.jit import kernel
from streamgauge._support.types import Codes, Floats, Longs


def drifted_places(
    random: JavaRandom, n_features: int, n_drift_features: int, swaps: bool
) -> Longs:
    """Where each feature is written after drift: runs of features from two random places on change.

    Today's MOA swaps what is there. MOA of 2011 wrote numbers of places instead (not `swaps`):
    where the runs overlap, some places then get two features and others none.
    """
    places = np.arange(n_features)
    start, other_start = random.integers(n_features), random.integers(n_features)
    for i in range(n_drift_features):
        a, b = (i + start) % n_features, (i + other_start) % n_features
        places[a], places[b] = (places[b], places[a]) if swaps else (b, a)
    return places


@kernel
def draw_waves(
    state: Longs, spare: Floats, waves: Floats, pairs: Longs, places: Longs, X: Floats, y: Codes
) -> None:
    """Draw rows; feature j is written to places[j], and a place without a feature is missing."""
    n_waves, n_features = waves.shape[1], len(places)
    normals, factors = np.empty(n_features + 1), np.empty(n_features)
    for i in range(len(X)):
        label = java_below(state, len(pairs))
        first, second = pairs[label]
        mixture = java_uniform(state)
        java_normals(state, spare, n_features, normals, factors)
        for j in range(n_waves):
            mixed = mixture * waves[first, j] + (1 - mixture) * waves[second, j]
            normals[j] = mixed + normals[j]
        for j in range(n_features):
            X[i, j] = np.nan
        for j in range(n_features):
            X[i, places[j]] = normals[j]
        y[i] = label
