"""RandomRBFDrift: rows scattered around random centroids that move (as in MOA)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import numpy as np

from streamgauge._support.java_random import JavaRandom
from streamgauge._support.types import Floats, Longs
from streamgauge.streams.generators._base import Fill, Generator, Random, Rows, random_source
from streamgauge.streams.generators._checks import check_count, check_size
from streamgauge.streams.generators.random_rbf import Centroids, check_centroids


class RandomRBFDrift(Generator):
    """Random RBF with drift: rows scattered around random centroids that move.

    Before each row the drifting centroids move, each in its own direction, and bounce off 0 and 1.

    Parameters
    ----------
    n
        Number of rows.
    seed
        Random seed of the rows; by default the run's.
    seed_model
        Random seed of the centroids and their directions.
    n_features, n_classes, n_centroids
        Size of the model.
    change_speed
        Distance a centroid moves per row.
    n_drift_centroids
        Number of centroids that move, counted from the first; None for all.
    compat
        "moa" for the rows of MOA's RandomRBFGeneratorDrift.

    References
    ----------
    bifet2010b (docs/bibliography.md)

    Examples
    --------
    >>> import streamgauge as sg
    >>> for speed in (0.0, 0.01):
    ...     stream = sg.RandomRBFDrift(2000, seed=1, change_speed=speed)
    ...     run = sg.evaluate(stream, sg.NaiveBayes())
    ...     print(f"change_speed={speed}: accuracy {run.summary['accuracy']:.3f}")
    change_speed=0.0: accuracy 0.820
    change_speed=0.01: accuracy 0.645
    """

    def __init__(
        self,
        n: int,
        seed: int | None = None,
        seed_model: int = 1,
        n_features: int = 10,
        n_classes: int = 2,
        n_centroids: int = 50,
        change_speed: float = 0.0,
        n_drift_centroids: int | None = None,
        compat: Literal["moa"] | None = None,
    ) -> None:
        sizes = n_features, n_classes, n_centroids
        schema = check_centroids("RandomRBFDrift", *sizes)
        check_size("RandomRBFDrift", "change_speed", change_speed)
        if n_drift_centroids is not None:
            check_count("RandomRBFDrift", "n_drift_centroids", n_drift_centroids, 0, n_centroids)
        self.seed_model = seed_model
        self.compat: Literal["moa"] | None = compat
        self.n_features, self.n_classes, self.n_centroids = sizes
        self.change_speed, self.n_drift_centroids = change_speed, n_drift_centroids
        super().__init__(n, seed, schema)
        self._n_moving = n_centroids if n_drift_centroids is None else n_drift_centroids
        if compat is None:
            random = random_source(seed_model)
            self.centroids = Centroids.drawn(random, *sizes)
            ways = random.random((n_centroids, n_features))
            self.steps = change_speed * ways / np.linalg.norm(ways, axis=1, keepdims=True)
        else:
            self.centroids = Centroids.of_moa(seed_model, *sizes)
            self.steps = change_speed * _moas_directions(seed_model, n_centroids, n_features)
        self.steps[self._n_moving :] = 0

    def run(self, sources: Iterator[Random], n: int) -> Iterator[Rows]:
        for chunk, random in enumerate(sources):
            which, X = self.centroids.scatter(random, n)
            moves = np.arange(chunk * n + 1, chunk * n + n + 1)[:, None]
            X += bounced(self.centroids.centres[which], self.steps[which], moves)
            yield X, self.centroids.labels[which]

    def start_moa(self) -> Fill:
        return self.centroids.start_moa(self.drawn_seed, self.steps[: self._n_moving])


def _moas_directions(seed: int, n_centroids: int, n_features: int) -> Floats:
    """Unit vectors; MOA draws them from the seed that it has drawn the centroids from."""
    random = JavaRandom(seed)
    ways = np.array([[random.random() for _ in range(n_features)] for _ in range(n_centroids)])
    lengths = np.sqrt(np.cumsum(ways**2, axis=1)[:, -1:])  # `norm` adds in another order
    return np.asarray(ways / lengths)


def bounced(begin: Floats, step: Floats, moves: Longs) -> Floats:
    """Positions of points on [0, 1] after a number of steps, upwards at first.

    A step that would leave the interval ends on its border; the next one reverses.
    """
    step = np.maximum(step, 1e-300)  # a point at rest never reaches the border
    first = np.floor((1 - begin) / step) + 1  # steps until it first reaches 1
    across = np.floor(1 / step) + 1  # steps from border to border
    since = moves - first
    since -= np.floor(since / (2 * across)) * (2 * across)
    down, up = np.maximum(1 - since * step, 0), np.minimum((since - across) * step, 1)
    return np.where(moves < first, begin + moves * step, np.where(since <= across, down, up))
