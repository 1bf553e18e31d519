"""Clouds around random centroids (as in MOA): which class has the cloud a row is from?"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from streamgauge._support.types import Codes, Floats, Longs, Schema
from streamgauge.streams.generators._base import Memoryless, Random, Rows, numbered, random_source
from streamgauge.streams.generators._checks import check_count


class Centroids(NamedTuple):
    """Centres and deviations, labels and how often rows come from each."""

    centres: Floats  # (centroids, features)
    labels: Codes
    deviations: Floats
    weights: Floats

    @classmethod
    def drawn(cls, random: Random, features: int, classes: int, centroids: int) -> Centroids:
        """Everything uniform: numbers on [0, 1), labels over the classes."""
        return cls(
            random.random((centroids, features)),
            random.integers(0, classes, centroids, dtype=np.int32),
            random.random(centroids),
            random.random(centroids),
        )

    def scatter(self, random: Random, n: int) -> tuple[Longs, Floats]:
        """n rows: which centroid each comes from, and how far it lies from its centre."""
        bounds = np.cumsum(self.weights)
        which = np.searchsorted(bounds, random.random(n) * bounds[-1], side="right")
        away = random.random((n, self.centres.shape[1]))
        away *= 2
        away -= 1
        length = np.sqrt(np.einsum("ij,ij->i", away, away))
        away *= (random.standard_normal(n) * self.deviations[which] / length)[:, None]
        return which, away


def check_centroids(
    where: str, model_seed: int, features: int, classes: int, centroids: int
) -> Schema:
    """The schema, if the numbers can be right."""
    check_count(where, "features", features, 1)
    check_count(where, "classes", classes, 2)
    check_count(where, "centroids", centroids, 1)
    check_count(where, "model_seed", model_seed, 0)
    return Schema(numbered("x", features), ((),) * features, tuple(range(classes)))


class RandomRBF(Memoryless):
    """A row comes from one of the `centroids`: it lies in a random direction from the centre, at a
    normally distributed distance, and has the centroid's class. The centroids are drawn from
    `model_seed`, the rows from `seed`.

    >>> RandomRBF(1000, seed=1, classes=5).describe()
    'RandomRBF(1000, seed=1, classes=5) · 1,000 rows · 10 features · 5 classes'
    """

    def __init__(
        self,
        n: int,
        seed: int = 0,
        model_seed: int = 1,
        features: int = 10,
        classes: int = 2,
        centroids: int = 50,
    ) -> None:
        schema = check_centroids("RandomRBF", model_seed, features, classes, centroids)
        super().__init__(
            n,
            seed,
            schema,
            model_seed=model_seed,
            features=features,
            classes=classes,
            centroids=centroids,
        )
        self.centroids = Centroids.drawn(random_source(model_seed), features, classes, centroids)

    def make(self, random: Random, n: int) -> Rows:
        which, X = self.centroids.scatter(random, n)
        X += self.centroids.centres[which]
        return X, self.centroids.labels[which]
