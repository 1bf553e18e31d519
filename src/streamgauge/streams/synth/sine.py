"""Sine1 (Gama et al. 2004): above or below a sine curve."""

from __future__ import annotations

import numpy as np

from streamgauge.streams.synth.base import Generator
from streamgauge.types import Codes, Floats, Schema


class Sine1(Generator):
    """Two features uniform on [0, 1); label 1 where the first lies below the sine of the second,
    0 elsewhere; `reverse` swaps the labels.

    >>> Sine1(1000, seed=1).describe()
    'Sine1(1000, seed=1) · 1,000 rows · 2 features · 2 classes'
    """

    def __init__(self, n: int, seed: int = 0, reverse: bool = False) -> None:
        self._reverse = reverse
        schema = Schema(("x1", "x2"), ((), ()), (0, 1))
        super().__init__(n, seed, schema, ", reverse=True" if reverse else "")

    def make(self, random: np.random.Generator, n: int) -> tuple[Floats, Codes]:
        X = random.random((n, 2))
        below = X[:, 0] < np.sin(X[:, 1])
        return X, (below != self._reverse).astype(np.int32)
