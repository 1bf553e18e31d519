"""RandomRBF: rows scattered around random centroids (as in MOA)."""

from __future__ import annotations

from functools import partial
from typing import Literal, NamedTuple

import numpy as np

from streamgauge._support.java_random import JavaRandom
from streamgauge._support.types import Codes, Floats, Longs, Schema
from streamgauge.streams.generators._base import (
    Fill,
    Memoryless,
    Random,
    Rows,
    numbered,
    random_source,
)
from streamgauge.streams.generators._checks import (
    MOST_CENTROIDS,
    MOST_COLUMNS,
    check_at_most,
    check_count,
)
from streamgauge.streams.generators._moa import scatter


class Centroids(NamedTuple):
    """Centres and deviations, labels and weights (relative frequencies)."""

    centres: Floats  # (centroids, features)
    labels: Codes
    deviations: Floats
    weights: Floats

    @classmethod
    def drawn(cls, random: Random, features: int, classes: int, centroids: int) -> Centroids:
        """Draw centroids, all values uniform: labels over the classes, the rest on [0, 1)."""
        return cls(
            random.random((centroids, features)),
            random.integers(0, classes, centroids, dtype=np.int32),
            random.random(centroids),
            random.random(centroids),
        )

    @classmethod
    def of_moa(cls, seed: int, features: int, classes: int, centroids: int) -> Centroids:
        """Draw centroids as MOA does, one after another."""
        random = JavaRandom(seed)
        centres, others = np.empty((centroids, features)), np.empty((centroids, 3))
        for centre, other in zip(centres, others, strict=True):
            centre[:] = [random.random() for _ in range(features)]
            other[:] = random.integers(classes), random.random(), random.random()
        labels, deviations, weights = others.T
        return cls(centres, labels.astype(np.int32), deviations.copy(), weights.copy())

    def start_moa(self, seed: int, steps: Floats) -> Fill:
        """Start a pass over MOA's rows; the first centroids move by `steps` before each row."""
        random, bounds = JavaRandom(seed), np.cumsum(self.weights)
        cells, steps = self.centres.flatten(), steps.flatten()  # copies: each pass moves its own
        model = cells, self.labels, self.deviations, bounds, steps
        return partial(scatter, random.state, random.spare, *model)

    def scatter(self, random: Random, n: int) -> tuple[Longs, Floats]:
        """Draw n rows: the centroid of each, and its offset from the centre."""
        bounds = np.cumsum(self.weights)
        which = np.searchsorted(bounds, random.random(n) * bounds[-1], side="right")
        away = random.random((n, self.centres.shape[1]))
        away *= 2
        away -= 1
        length = np.sqrt(np.einsum("ij,ij->i", away, away))
        away *= (random.standard_normal(n) * self.deviations[which] / length)[:, None]
        return which, away


def check_centroids(where: str, n_features: int, n_classes: int, n_centroids: int) -> Schema:
    """Check the parameters of a model; return the schema of its rows."""
    check_count(where, "n_features", n_features, 1)
    check_count(where, "n_classes", n_classes, 2)
    check_count(where, "n_centroids", n_centroids, 1)
    check_at_most(where, "n_features", n_features, MOST_COLUMNS)
    check_at_most(where, "n_classes", n_classes, MOST_COLUMNS)
    check_at_most(where, "n_centroids", n_centroids, MOST_CENTROIDS)
    return Schema(numbered("x", n_features), ((),) * n_features, tuple(range(n_classes)))


class RandomRBF(Memoryless):
    """Random RBF: rows scattered around random centroids; the centroid sets the class.

    A row lies in a random direction from the centre of its centroid, at a normally distributed
    distance.

    Parameters
    ----------
    n
        Number of rows.
    seed
        Random seed of the rows; by default the run's.
    seed_model
        Random seed of the centroids.
    n_features, n_classes, n_centroids
        Size of the model.
    compat
        "moa" for the rows of MOA's RandomRBFGenerator.

    References
    ----------
    bifet2010b (docs/bibliography.md)

    Examples
    --------
    >>> import streamgauge as sg
    >>> block = next(sg.RandomRBF(1000, seed=1, n_features=3).blocks(2))
    >>> block.X.round(2).tolist()
    [[0.13, 0.29, 0.61], [0.52, 0.1, 0.91]]
    >>> block.y.tolist()
    [0, 1]
    """

    def __init__(
        self,
        n: int,
        seed: int | None = None,
        seed_model: int = 1,
        n_features: int = 10,
        n_classes: int = 2,
        n_centroids: int = 50,
        compat: Literal["moa"] | None = None,
    ) -> None:
        sizes = n_features, n_classes, n_centroids
        schema = check_centroids("RandomRBF", *sizes)
        self.seed_model = seed_model
        self.compat: Literal["moa"] | None = compat
        self.n_features, self.n_classes, self.n_centroids = sizes
        super().__init__(n, seed, schema)
        self.centroids = (
            Centroids.drawn(random_source(seed_model), *sizes)
            if compat is None
            else Centroids.of_moa(seed_model, *sizes)
        )

    def make(self, random: Random, n: int) -> Rows:
        which, X = self.centroids.scatter(random, n)
        X += self.centroids.centres[which]
        return X, self.centroids.labels[which]

    def start_moa(self) -> Fill:
        return self.centroids.start_moa(self.drawn_seed, np.empty((0, self.n_features)))
