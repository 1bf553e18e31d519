"""A hyperplane that turns (Hulten, Spencer and Domingos 2001): on which side of it is a row?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from streamgauge._support.types import Longs, Schema
from streamgauge.streams.generators._base import Generator, Random, Rows, numbered, random_source
from streamgauge.streams.generators._checks import check_count, check_share


class Hyperplane(Generator):
    """Features uniform on [0, 1); label 1 if their weighted sum reaches half the sum of the
    weights; each label is flipped with probability `noise`. After each row the weights of the
    first `drifting` features move by `magnitude`, at first upwards; each then turns round with
    probability `sigma`.

    `weights` are those of the first row, uniform on [0, 1) and drawn from `seed`.

    >>> Hyperplane(1000, seed=1, magnitude=0.01).describe()
    'Hyperplane(1000, seed=1, magnitude=0.01) · 1,000 rows · 10 features · 2 classes'
    """

    def __init__(
        self,
        n: int,
        seed: int = 0,
        features: int = 10,
        drifting: int = 2,
        magnitude: float = 0.0,
        noise: float = 0.05,
        sigma: float = 0.1,
    ) -> None:
        check_count("Hyperplane", "features", features, 1)
        check_count("Hyperplane", "drifting", drifting, 0, features)
        check_share("Hyperplane", "magnitude", magnitude, "a number")
        check_share("Hyperplane", "noise", noise)
        check_share("Hyperplane", "sigma", sigma)
        super().__init__(
            n,
            seed,
            Schema(numbered("x", features), ((),) * features, (0, 1)),
            features=features,
            drifting=drifting,
            magnitude=magnitude,
            noise=noise,
            sigma=sigma,
        )
        self.weights = random_source(seed).random(features)
        self._drifting = drifting if magnitude else 0
        self._magnitude, self._noise, self._sigma = magnitude, noise, sigma

    def run(self, sources: Iterator[Random], n: int) -> Iterator[Rows]:
        walks = [Walk() for _ in range(self._drifting)]
        for random in sources:
            X = random.random((n, len(self.weights)))
            flipped = random.random(n) < self._noise
            # Not `@`, whose sums depend on how many threads share the work.
            side = np.einsum("ij,j->i", X - 0.5, self.weights)
            for j, walk in enumerate(walks):
                positions = walk.go(random.random(n) < self._sigma)
                side += (X[:, j] - 0.5) * positions * self._magnitude
            yield X, ((side >= 0) ^ flipped).astype(np.int32)


@dataclass
class Walk:
    """A walk on the whole numbers, one step after each row."""

    position: int = 0
    direction: int = 1

    def go(self, turns: npt.NDArray[np.bool_]) -> Longs:
        """Where it is at each row; `turns`: after which steps it turns round."""
        back = np.logical_xor.accumulate(turns)
        ways = self.direction * (1 - 2 * back.astype(np.int64))
        steps: Longs = np.concatenate([[self.direction], ways[:-1]])
        after = self.position + np.cumsum(steps)
        self.position, self.direction = int(after[-1]), int(ways[-1])
        return after - steps
