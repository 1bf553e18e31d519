"""Sine1 and Sine2: above or below a sine curve (Gama et al. 2004)."""

from __future__ import annotations

from abc import abstractmethod

import numpy as np

from streamgauge._support.types import Floats, Schema
from streamgauge.streams.generators._base import Memoryless, Random, Rows


class _Below(Memoryless):
    def __init__(self, n: int, seed: int | None = None, reverse: bool = False) -> None:
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
        Random seed; by default the run's.
    reverse
        Swap the labels.

    References
    ----------
    gama2004 (docs/bibliography.md)

    Examples
    --------
    >>> import streamgauge as sg
    >>> block = next(sg.Sine1(1000, seed=1).blocks(2))
    >>> block.X.round(2).tolist()
    [[0.2, 0.92], [0.68, 0.46]]
    >>> block.y.tolist()
    [1, 0]
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
        Random seed; by default the run's.
    reverse
        Swap the labels.

    References
    ----------
    gama2004 (docs/bibliography.md)

    Examples
    --------
    >>> import streamgauge as sg
    >>> block = next(sg.Sine2(1000, seed=1, reverse=True).blocks(2))
    >>> block.X.round(2).tolist()
    [[0.2, 0.92], [0.68, 0.46]]
    >>> block.y.tolist()
    [0, 1]
    """

    def _curve(self, x: Floats) -> Floats:
        # sin πx = 1 − 2 sin² π(x − ½)/2 and sin 3a = 3 sin a − 4 sin³ a: one sine of a small angle
        # costs half as much as that of 3πx.
        sine: Floats = np.sin(np.pi / 2 * (x - 0.5))
        sine = 1 - 2 * sine * sine
        return 0.5 + 0.3 * sine * (3 - 4 * sine * sine)
