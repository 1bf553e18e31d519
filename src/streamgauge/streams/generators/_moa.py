"""The rows of generators as MOA draws them, to the last digit: a kernel per generator."""

from __future__ import annotations

import numpy as np

from streamgauge._support.java_random import JavaRandom, java_below, java_normals, java_uniform
from streamgauge._support.jit import inlined, kernel, lean_inner, lean_kernel
from streamgauge._support.types import Codes, Floats, Longs
from streamgauge.streams.generators._agrawal_rules import in_group_a


@lean_kernel
def draw_applicants(
    state: Longs, function: int, perturbation: float, balanced: bool, X: Floats, y: Codes
) -> None:
    """Draw rows. Balanced: labels 1, 0, 1, 0 …; other rows are dropped."""
    for i in range(len(X)):
        while True:
            _draw_applicant(state, X, i)
            label = 0 if in_group_a(function, X, i) else 1
            if not balanced or label == 1 - i % 2:
                break
        if perturbation > 0:
            _perturb(state, perturbation, X, i)
        y[i] = label


@lean_inner
def _draw_applicant(state: Longs, X: Floats, i: int) -> None:
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
    X[i, 0] = _perturbed(state, fraction, X[i, 0], 20_000, 150_000, 130_000)
    if X[i, 1] > 0:
        X[i, 1] = _perturbed(state, fraction, X[i, 1], 10_000, 75_000, 65_000)
    X[i, 2] = np.floor(_perturbed(state, fraction, X[i, 2], 20, 80, 60) + 0.5)
    # MOA's limit makes most houses worth exactly 135,000.
    X[i, 6] = _perturbed(state, fraction, X[i, 6], 0, 135_000, (9 - X[i, 5]) * 100_000)
    X[i, 7] = np.floor(_perturbed(state, fraction, X[i, 7], 1, 30, 29) + 0.5)
    X[i, 8] = _perturbed(state, fraction, X[i, 8], 0, 500_000, 500_000)


@inlined
def _perturbed(
    state: Longs, fraction: float, value: float, least: float, most: float, width: float
) -> float:
    value += width * (2 * (java_uniform(state) - 0.5)) * fraction
    return min(max(value, least), most)


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


@lean_kernel
def draw_digits(
    state: Longs, segments: Floats, noise: int, places: Longs, X: Floats, y: Codes
) -> None:
    """Draw rows; `noise` is a percentage, and feature j is written to places[j]."""
    n_segments = segments.shape[1]
    for i in range(len(X)):
        digit = java_below(state, len(segments))
        for j in range(n_segments):
            lit = segments[digit, j]
            X[i, places[j]] = 1 - lit if java_below(state, 100) < noise else lit
        for j in range(n_segments, len(places)):
            X[i, places[j]] = java_below(state, 2)
        y[i] = digit


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
        _move_centres(cells, steps)
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
def _move_centres(cells: Floats, steps: Floats) -> None:
    """Move cells by their steps; at 0 and 1 they stop and turn."""
    for k in range(len(steps)):
        step = steps[k]
        at = cells[k] + step
        above = at if at > 0.0 else 0.0
        inside = above if above < 1.0 else 1.0
        cells[k] = inside  # in this order it is compiled to vector instructions
        steps[k] = step if inside == at else -step


@lean_kernel
def draw_features(state: Longs, n_nominal: int, n_values: int, X: Floats) -> None:
    """Draw rows: first the codes of nominal features, then the numeric ones."""
    for i in range(len(X)):
        for j in range(X.shape[1]):
            X[i, j] = java_below(state, n_values) if j < n_nominal else java_uniform(state)


@lean_kernel
def draw_sums(state: Longs, threshold: float, noise: int, X: Floats, y: Codes) -> None:
    """Draw rows; `noise` is a percentage, for which a number is drawn even if it is 0."""
    for i in range(len(X)):
        for j in range(3):
            X[i, j] = 10 * java_uniform(state)
        above = X[i, 0] + X[i, 1] > threshold
        y[i] = above != (java_below(state, 100) < noise)


@lean_kernel
def draw_objects(state: Longs, labels: Codes, balanced: bool, X: Floats, y: Codes) -> None:
    """Draw rows; `labels` has the label of every object. Balanced: labels 1, 0, 1, 0 …"""
    for i in range(len(X)):
        while True:
            size, color, shape = java_below(state, 3), java_below(state, 3), java_below(state, 3)
            label = labels[size, color, shape]
            if not balanced or label == 1 - i % 2:
                break
        X[i, 0], X[i, 1], X[i, 2] = size, color, shape
        y[i] = label


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
