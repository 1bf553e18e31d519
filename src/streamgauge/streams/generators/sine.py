"""Sine1 and Sine2: above or below a sine curve (Gama et al. 2004)."""

from __future__ import annotations

from abc import abstractmethod

import numpy as np

from streamgauge._support.types import Floats, Schema
from streamgauge.streams.generators._base import Memoryless, Random, Rows


class _Below(Memoryless):
    def __init__(self, n: int, seed: int = 0, reverse: bool = False) -> None:
        self.reverse = reverse
        super().__init__(n, seed, Schema(("x1", "x2"), ((), ()), (0, 1)))

    @abstractmethod
    def _curve(self, x: Floats) -> Floats:
        """The height of the curve at x."""

    def make(self, random: Random, n: int) -> Rows:
        X = random.random((n, 2))
        below = X[:, 0] < self._curve(X[:, 1])
        return X, (below != self.reverse).astype(np.int32)


class Sine1(_Below):
    """Sine1: is the first feature below the sine of the second?

    There are two features, uniform on [0, 1). The label is 1 below the curve, 0 elsewhere.

    Parameters
    ----------
    n
        Number of rows.
    seed
        Random seed.
    reverse
        Swap the labels.

    Examples
    --------
    >>> Sine1(1000, seed=1).describe()
    'Sine1(1000, seed=1) · 1,000 rows · 2 features · 2 classes'
    """

    def _curve(self, x: Floats) -> Floats:
        return np.sin(x)


class Sine2(_Below):
    """Sine2: is the first feature below 0.5 + 0.3 sin(3πx), where x is the second?

    There are two features, uniform on [0, 1). The label is 1 below the curve, 0 elsewhere.

    Parameters
    ----------
    n
        Number of rows.
    seed
        Random seed.
    reverse
        Swap the labels.

    Examples
    --------
    >>> Sine2(1000, seed=1, reverse=True).describe()
    'Sine2(1000, seed=1, reverse=True) · 1,000 rows · 2 features · 2 classes'
    """

    def _curve(self, x: Floats) -> Floats:
        # sin πx = 1 − 2 sin² π(x − ½)/2 and sin 3a = 3 sin a − 4 sin³ a: one sine of a small angle
        # costs half as much as that of 3πx.
        sine: Floats = np.sin(np.pi / 2 * (x - 0.5))
        sine = 1 - 2 * sine * sine
        return 0.5 + 0.3 * sine * (3 - 4 * sine * sine)
