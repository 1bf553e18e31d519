"""SEA: the sum of two features against a threshold (Street and Kim 2001)."""

from __future__ import annotations

from functools import partial
from typing import Literal

import numpy as np

from streamgauge._support.errors import UsageError
from streamgauge._support.java_random import JavaRandom
from streamgauge._support.types import Schema
from streamgauge.streams.generators._base import Fill, Memoryless, Random, Rows
from streamgauge.streams.generators._checks import check_choice, whole_percentage
from streamgauge.streams.generators._moa import draw_sums

_THRESHOLDS = (8.0, 9.0, 7.0, 9.5)


class SEA(Memoryless):
    """SEA concepts: does the sum of two features exceed a threshold?

    There are three features, uniform on [0, 10); the third is irrelevant. The label is 1 if the
    first two sum to more than the threshold.

    Parameters
    ----------
    n
        Number of rows.
    seed
        Random seed; by default the run's.
    variant
        The threshold: 0..3 for 8, 9, 7 and 9.5.
    noise
        Probability that a label is flipped.
    compat
        "moa" for the rows of MOA's SEAGenerator; noise is a whole percentage.

    References
    ----------
    street2001 (docs/bibliography.md)

    Examples
    --------
    >>> import streamgauge as sg
    >>> block = next(sg.SEA(1000, seed=1).blocks(2))
    >>> block.X.round(1).tolist()
    [[2.0, 9.2, 6.8], [4.6, 2.1, 6.5]]
    >>> block.y.tolist()
    [1, 0]
    """

    def __init__(
        self,
        n: int,
        seed: int | None = None,
        variant: int = 0,
        noise: float = 0.0,
        compat: Literal["moa"] | None = None,
    ) -> None:
        check_choice("SEA", "variant", variant, range(4))
        if not 0 <= noise < 1:
            raise UsageError(f"SEA(noise={noise}): expected a probability, 0 <= noise < 1")
        self.variant, self.noise = variant, noise
        self.compat: Literal["moa"] | None = compat
        super().__init__(n, seed, Schema(("x1", "x2", "x3"), ((), (), ()), (0, 1)))
        if compat is not None:
            self._noise = whole_percentage("SEA", "noise", noise)

    def make(self, random: Random, n: int) -> Rows:
        X = random.random((n, 3))
        X *= 10
        y = X[:, 0] + X[:, 1] > _THRESHOLDS[self.variant]
        if self.noise:
            y ^= random.random(n) < self.noise
        return X, y.astype(np.int32)

    def start_moa(self) -> Fill:
        state = JavaRandom(self.drawn_seed).state
        return partial(draw_sums, state, _THRESHOLDS[self.variant], self._noise)
