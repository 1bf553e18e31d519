"""STAGGER concepts (Schlimmer and Granger 1986): rules about size, color and shape."""

from __future__ import annotations

import numpy as np

from streamgauge._support.types import Schema
from streamgauge.streams.generators._balance import take_turns
from streamgauge.streams.generators._base import Memoryless, Random, Rows
from streamgauge.streams.generators._checks import check_choice

_SCHEMA = Schema(
    ("size", "color", "shape"),
    (("small", "medium", "large"), ("red", "blue", "green"), ("circle", "square", "triangle")),
    (0, 1),
)


class STAGGER(Memoryless):
    """Three nominal features, all values equally likely. Label 1 by `function`: 0 small and red,
    1 green or a circle, 2 medium or large. `balance`: the classes take turns.

    >>> STAGGER(1000, seed=1, function=2).describe()
    'STAGGER(1000, seed=1, function=2) · 1,000 rows · 3 features · 2 classes'
    """

    def __init__(self, n: int, seed: int = 0, function: int = 0, balance: bool = False) -> None:
        check_choice("STAGGER", "function", function, range(3))
        self._function, self._balance = function, balance
        super().__init__(n, seed, _SCHEMA, function=function, balance=balance)

    def make(self, random: Random, n: int) -> Rows:
        return take_turns(self._draw, random, n) if self._balance else self._draw(random, n)

    def _draw(self, random: Random, n: int) -> Rows:
        X = random.integers(0, 3, (n, 3), dtype=np.uint8)
        size, color, shape = X.T
        match self._function:
            case 0:
                y = (size == 0) & (color == 0)
            case 1:
                y = (color == 2) | (shape == 0)
            case _:
                y = size > 0
        return X.astype(np.float64), y.astype(np.int32)
