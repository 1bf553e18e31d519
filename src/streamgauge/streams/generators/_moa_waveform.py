"""Waveform as MOA draws it."""

from __future__ import annotations

import numpy as np

from streamgauge._support.java_random import JavaRandom, java_below, java_normal, java_uniform
from streamgauge._support.jit import lean_kernel
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


@lean_kernel
def draw_waves(
    state: Longs, spare: Floats, waves: Floats, pairs: Longs, places: Longs, X: Floats, y: Codes
) -> None:
    """Draw rows; feature j is written to places[j], and a place without a feature is missing."""
    n_waves = waves.shape[1]
    for i in range(len(X)):
        for j in range(X.shape[1]):
            X[i, j] = np.nan
        label = java_below(state, len(pairs))
        first, second = pairs[label]
        mixture = java_uniform(state)
        for j in range(n_waves):
            mixed = mixture * waves[first, j] + (1 - mixture) * waves[second, j]
            X[i, places[j]] = mixed + java_normal(state, spare)
        for j in range(n_waves, len(places)):
            X[i, places[j]] = java_normal(state, spare)
        y[i] = label
