"""STAGGER: rules on size, color and shape (Schlimmer and Granger 1986)."""

from __future__ import annotations

from functools import partial
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from streamgauge._support.java_random import JavaRandom
from streamgauge._support.types import Codes, Schema
from streamgauge.streams.generators._balance import alternate_classes
from streamgauge.streams.generators._base import Fill, Memoryless, Random, Rows
from streamgauge.streams.generators._checks import check_choice
from streamgauge.streams.generators._moa import draw_objects

_SCHEMA = Schema(
    ("size", "color", "shape"),
    (("small", "medium", "large"), ("red", "blue", "green"), ("circle", "square", "triangle")),
    (0, 1),
)


class STAGGER(Memoryless):
    """STAGGER concepts: rules on three nominal features with equally likely values.

    Parameters
    ----------
    n
        Number of rows.
    seed
        Random seed; by default the run's.
    classification_function
        When the label is 1: 0 small and red, 1 green or circle, 2 medium or large.
    balance_classes
        Alternate the classes.
    compat
        "moa" for the rows of MOA's STAGGERGenerator.

    References
    ----------
    schlimmer1986 (docs/bibliography.md)

    Examples
    --------
    >>> import streamgauge as sg
    >>> stream = sg.STAGGER(1000, seed=1, classification_function=2)
    >>> block = next(stream.blocks(2))
    >>> [[v[int(code)] for v, code in zip(stream.schema.values, row)] for row in block.X]
    [['medium', 'red', 'circle'], ['medium', 'red', 'triangle']]
    >>> block.y.tolist()  # 1: medium or large
    [1, 1]
    """

    def __init__(
        self,
        n: int,
        seed: int | None = None,
        classification_function: int = 0,
        balance_classes: bool = False,
        compat: Literal["moa"] | None = None,
    ) -> None:
        check_choice("STAGGER", "classification_function", classification_function, range(3))
        self.classification_function = classification_function
        self.balance_classes = balance_classes
        self.compat: Literal["moa"] | None = compat
        super().__init__(n, seed, _SCHEMA)

    def make(self, random: Random, n: int) -> Rows:
        if self.balance_classes:
            return alternate_classes(self._draw, random, n)
        return self._draw(random, n)

    def _draw(self, random: Random, n: int) -> Rows:
        X = random.integers(0, 3, (n, 3), dtype=np.uint8)
        return X.astype(np.float64), self._label(*X.T)

    def start_moa(self) -> Fill:
        labels = self._label(*np.indices((3, 3, 3)))  # of every object
        state = JavaRandom(self.drawn_seed).state
        return partial(draw_objects, state, labels, self.balance_classes)

    def _label(
        self, size: npt.NDArray[Any], color: npt.NDArray[Any], shape: npt.NDArray[Any]
    ) -> Codes:
        match self.classification_function:
            case 0:
                y = (size == 0) & (color == 0)
            case 1:
                y = (color == 2) | (shape == 0)
            case _:
                y = size > 0
        return np.asarray(y, np.int32)
