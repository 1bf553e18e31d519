"""SEA concepts (Street and Kim 2001): does the sum of two of three numbers pass a threshold?"""

from __future__ import annotations

import numpy as np

from streamgauge._support.errors import UsageError
from streamgauge._support.types import Schema
from streamgauge.streams.generators._base import Memoryless, Random, Rows
from streamgauge.streams.generators._checks import check_choice

_THRESHOLDS = (8.0, 9.0, 7.0, 9.5)


class SEA(Memoryless):
    """Features uniform on [0, 10), the third irrelevant; label 1 if the first two sum to more than
    the threshold of `function` 0..3; each label is flipped with probability `noise`.

    >>> SEA(1000, seed=1).describe()
    'SEA(1000, seed=1) · 1,000 rows · 3 features · 2 classes'
    """

    def __init__(self, n: int, seed: int = 0, function: int = 0, noise: float = 0.0) -> None:
        check_choice("SEA", "function", function, range(4))
        if not 0 <= noise < 1:
            raise UsageError(f"SEA(noise={noise}): a probability, 0 <= noise < 1")
        self._threshold, self._noise = _THRESHOLDS[function], noise
        schema = Schema(("x1", "x2", "x3"), ((), (), ()), (0, 1))
        super().__init__(n, seed, schema, function=function, noise=noise)

    def make(self, random: Random, n: int) -> Rows:
        X = random.random((n, 3))
        X *= 10
        y = X[:, 0] + X[:, 1] > self._threshold
        if self._noise:
            y ^= random.random(n) < self._noise
        return X, y.astype(np.int32)
