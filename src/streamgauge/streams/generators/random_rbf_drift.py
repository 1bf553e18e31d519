"""Clouds around random centroids that move (as in MOA)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from streamgauge._support.types import Floats, Longs
from streamgauge.streams.generators._base import Generator, Random, Rows, random_source
from streamgauge.streams.generators._checks import check_count, check_size
from streamgauge.streams.generators.random_rbf import Centroids, check_centroids


class RandomRBFDrift(Generator):
    """RandomRBF, but before each row the first `drifting` centroids (None: all) move by `speed`,
    each in a direction of its own, and turn back where they meet 0 or 1.

    >>> RandomRBFDrift(1000, seed=1, speed=0.001).describe()
    'RandomRBFDrift(1000, seed=1, speed=0.001) · 1,000 rows · 10 features · 2 classes'
    """

    def __init__(
        self,
        n: int,
        seed: int = 0,
        model_seed: int = 1,
        features: int = 10,
        classes: int = 2,
        centroids: int = 50,
        speed: float = 0.0,
        drifting: int | None = None,
    ) -> None:
        schema = check_centroids("RandomRBFDrift", model_seed, features, classes, centroids)
        check_size("RandomRBFDrift", "speed", speed)
        if drifting is not None:
            check_count("RandomRBFDrift", "drifting", drifting, 0, centroids)
        super().__init__(
            n,
            seed,
            schema,
            model_seed=model_seed,
            features=features,
            classes=classes,
            centroids=centroids,
            speed=speed,
            drifting=drifting,
        )
        random = random_source(model_seed)
        self.centroids = Centroids.drawn(random, features, classes, centroids)
        directions = random.random((centroids, features))
        self.steps = speed * directions / np.linalg.norm(directions, axis=1, keepdims=True)
        self.steps[centroids if drifting is None else drifting :] = 0

    def run(self, sources: Iterator[Random], n: int) -> Iterator[Rows]:
        for chunk, random in enumerate(sources):
            which, X = self.centroids.scatter(random, n)
            moves = np.arange(chunk * n + 1, chunk * n + n + 1)[:, None]
            X += bounced(self.centroids.centres[which], self.steps[which], moves)
            yield X, self.centroids.labels[which]


def bounced(begin: Floats, step: Floats, moves: Longs) -> Floats:
    """Where a point on [0, 1] is after so many steps, first upwards.

    A step that would leave the interval ends on its border; the next one goes the other way.
    """
    step = np.maximum(step, 1e-300)  # standing still: never there
    first = np.floor((1 - begin) / step) + 1  # steps until it is at 1, for the first time
    across = np.floor(1 / step) + 1  # steps from border to border
    since = moves - first
    since -= np.floor(since / (2 * across)) * (2 * across)
    down, up = np.maximum(1 - since * step, 0), np.minimum((since - across) * step, 1)
    return np.where(moves < first, begin + moves * step, np.where(since <= across, down, up))
