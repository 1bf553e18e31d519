"""Hyperplane: the sides of a rotating hyperplane (Hulten, Spencer and Domingos 2001)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Literal

import numpy as np
import numpy.typing as npt

from streamgauge._support.java_random import JavaRandom
from streamgauge._support.types import Floats, Longs, Schema
from streamgauge.streams.generators._base import (
    Fill,
    Generator,
    Random,
    Rows,
    numbered,
    random_source,
)
from streamgauge.streams.generators._checks import (
    MOST_COLUMNS,
    check_at_most,
    check_count,
    check_fraction,
    whole_percentage,
)
from streamgauge.streams.generators._moa import draw_sides


class Hyperplane(Generator):
    """Rotating hyperplane: gradual drift in the weights of a linear boundary.

    Features are uniform on [0, 1). The label is 1 if their weighted sum reaches half the sum of the
    weights. The attribute `weights` holds the weights of the first row, uniform on [0, 1) and drawn
    from `seed`.

    Parameters
    ----------
    n
        Number of rows.
    seed
        Random seed; by default the run's.
    n_features
        Number of features.
    n_drift_features
        Number of features whose weights change after each row, counted from the first.
    mag_change
        Size of the change; weights increase at first.
    noise_percentage
        Probability that a label is flipped, 0 to 1.
    sigma
        Probability that a weight reverses its direction after a row.
    compat
        "moa" for the rows of MOA's HyperplaneGenerator; `noise_percentage` and `sigma` are whole
        percentages.

    References
    ----------
    hulten2001 (docs/bibliography.md)

    Examples
    --------
    >>> import streamgauge as sg
    >>> for speed in (0.0, 0.1):
    ...     stream = sg.Hyperplane(2000, seed=1, mag_change=speed)
    ...     run = sg.evaluate(stream, sg.NaiveBayes())
    ...     print(f"mag_change={speed}: accuracy {run.summary['accuracy']:.3f}")
    mag_change=0.0: accuracy 0.885
    mag_change=0.1: accuracy 0.655
    """

    def __init__(
        self,
        n: int,
        seed: int | None = None,
        n_features: int = 10,
        n_drift_features: int = 2,
        mag_change: float = 0.0,
        noise_percentage: float = 0.05,
        sigma: float = 0.1,
        compat: Literal["moa"] | None = None,
    ) -> None:
        check_count("Hyperplane", "n_features", n_features, 1)
        check_at_most("Hyperplane", "n_features", n_features, MOST_COLUMNS)
        check_count("Hyperplane", "n_drift_features", n_drift_features, 0, n_features)
        check_fraction("Hyperplane", "mag_change", mag_change, "a number")
        check_fraction("Hyperplane", "noise_percentage", noise_percentage)
        check_fraction("Hyperplane", "sigma", sigma)
        self.n_features, self.n_drift_features = n_features, n_drift_features
        self.mag_change, self.noise_percentage, self.sigma = mag_change, noise_percentage, sigma
        self.compat: Literal["moa"] | None = compat
        schema = Schema(numbered("x", n_features), ((),) * n_features, (0, 1))
        super().__init__(n, seed, schema)
        if compat is None:
            self.weights = random_source(self.drawn_seed).random(n_features)
        else:
            self.weights = self._moas_weights(JavaRandom(self.drawn_seed))
            self._noise = whole_percentage("Hyperplane", "noise_percentage", noise_percentage)
            self._turns = whole_percentage("Hyperplane", "sigma", sigma)

    def run(self, sources: Iterator[Random], n: int) -> Iterator[Rows]:
        walks = [Walk() for _ in range(self.n_drift_features if self.mag_change else 0)]
        for random in sources:
            X = random.random((n, len(self.weights)))
            flipped = random.random(n) < self.noise_percentage
            # Not `@`: its sums depend on the number of threads.
            side = np.einsum("ij,j->i", X - 0.5, self.weights)
            for j, walk in enumerate(walks):
                positions = walk.go(random.random(n) < self.sigma)
                side += (X[:, j] - 0.5) * positions * self.mag_change
            yield X, ((side >= 0) ^ flipped).astype(np.int32)

    def start_moa(self) -> Fill:
        random, steps = (
            JavaRandom(self.drawn_seed),
            np.full(self.n_drift_features, float(self.mag_change)),
        )
        weights = self._moas_weights(random)  # rows are drawn from the same source
        return partial(draw_sides, random.state, weights, steps, self._noise, self._turns)

    def _moas_weights(self, random: JavaRandom) -> Floats:
        return np.array([random.random() for _ in range(self.n_features)])


@dataclass
class Walk:
    """A random walk on the integers, one step after each row."""

    position: int = 0
    direction: int = 1

    def go(self, turns: npt.NDArray[np.bool_]) -> Longs:
        """Return the position at each row; `turns[i]` says whether it reverses after step i."""
        back = np.logical_xor.accumulate(turns)
        ways = self.direction * (1 - 2 * back.astype(np.int64))
        steps: Longs = np.concatenate([[self.direction], ways[:-1]])
        after = self.position + np.cumsum(steps)
        self.position, self.direction = int(after[-1]), int(ways[-1])
        return after - steps
