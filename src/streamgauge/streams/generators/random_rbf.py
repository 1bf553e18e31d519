"""RandomRBF: rows scattered around random centroids (as in MOA)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from streamgauge._support.types import Codes, Floats, Longs, Schema
from streamgauge.streams.generators._base import Memoryless, Random, Rows, numbered, random_source
from streamgauge.streams.generators._checks import (
    MOST_CENTROIDS,
    MOST_COLUMNS,
    check_at_most,
    check_count,
)


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


def check_centroids(
    where: str, seed_model: int, n_features: int, n_classes: int, n_centroids: int
) -> Schema:
    """Check the parameters of a model; return the schema of its rows."""
    check_count(where, "n_features", n_features, 1)
    check_count(where, "n_classes", n_classes, 2)
    check_count(where, "n_centroids", n_centroids, 1)
    check_at_most(where, "n_features", n_features, MOST_COLUMNS)
    check_at_most(where, "n_classes", n_classes, MOST_COLUMNS)
    check_at_most(where, "n_centroids", n_centroids, MOST_CENTROIDS)
    check_count(where, "seed_model", seed_model, 0)
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
        Random seed of the rows.
    seed_model
        Random seed of the centroids.
    n_features, n_classes, n_centroids
        Size of the model.

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
        seed: int = 0,
        seed_model: int = 1,
        n_features: int = 10,
        n_classes: int = 2,
        n_centroids: int = 50,
    ) -> None:
        sizes = n_features, n_classes, n_centroids
        schema = check_centroids("RandomRBF", seed_model, *sizes)
        self.seed_model = seed_model
        self.n_features, self.n_classes, self.n_centroids = sizes
        super().__init__(n, seed, schema)
        self.centroids = Centroids.drawn(random_source(seed_model), *sizes)

    def make(self, random: Random, n: int) -> Rows:
        which, X = self.centroids.scatter(random, n)
        X += self.centroids.centres[which]
        return X, self.centroids.labels[which]
