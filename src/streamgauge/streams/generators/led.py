"""LED: the digit on a faulty seven-segment display (Breiman et al. 1984)."""

from __future__ import annotations

from functools import partial
from typing import Literal

import numpy as np

from streamgauge._support.errors import UsageError
from streamgauge._support.java_random import JavaRandom
from streamgauge._support.types import Schema
from streamgauge.streams.generators._base import Fill, Memoryless, Random, Rows, numbered
from streamgauge.streams.generators._checks import (
    check_count,
    check_flag,
    check_fraction,
    whole_percentage,
)
from streamgauge.streams.generators._moa import draw_digits

# top, upper left, upper right, middle, lower left, lower right, bottom
_LIT = ("1110111", "0010010", "1011101", "1011011", "0111010",
        "1101011", "1101111", "1010010", "1111111", "1111011")  # fmt: skip
_DIGITS = np.array([[segment == "1" for segment in digit] for digit in _LIT])


class LED(Memoryless):
    """LED digits: the seven segments of a digit, each inverted with some probability.

    Parameters
    ----------
    n
        Number of rows.
    seed
        Random seed; by default the run's.
    irrelevant_features
        Add 17 features that are on or off at random.
    noise_percentage
        Probability that a segment is inverted, 0 to 1.
    n_drift_features
        Number of segments that swap places with irrelevant features, each counted from the first.
    compat
        "moa" for the rows of MOA's LEDGenerator and LEDGeneratorDrift; noise is a whole percentage.

    References
    ----------
    breiman1984 (docs/bibliography.md)

    Examples
    --------
    >>> import streamgauge as sg
    >>> block = next(sg.LED(1000, seed=1, noise_percentage=0.0).blocks(2))
    >>> block.X.round(1).tolist()
    [[1.0, 0.0, 1.0, 1.0, 0.0, 1.0, 1.0], [0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0]]
    >>> block.y.tolist()
    [3, 1]
    """

    def __init__(
        self,
        n: int,
        seed: int | None = None,
        irrelevant_features: bool = False,
        noise_percentage: float = 0.1,
        n_drift_features: int = 0,
        compat: Literal["moa"] | None = None,
    ) -> None:
        check_flag("LED", "irrelevant_features", irrelevant_features)
        check_fraction("LED", "noise_percentage", noise_percentage)
        check_count("LED", "n_drift_features", n_drift_features, 0, 7)
        if n_drift_features and not irrelevant_features:
            raise UsageError(
                f"LED(n_drift_features={n_drift_features}): expected irrelevant_features=True, "
                "since segments swap places with irrelevant features"
            )
        self.irrelevant_features = irrelevant_features
        self.noise_percentage, self.n_drift_features = noise_percentage, n_drift_features
        self.compat: Literal["moa"] | None = compat
        self._irrelevant = 17 if irrelevant_features else 0
        features = 7 + self._irrelevant
        values = (("0", "1"),) * features
        super().__init__(n, seed, Schema(numbered("x", features), values, tuple(range(10))))
        self._places = np.arange(features)  # [column]: the feature it shows
        self._places[:n_drift_features] += 7
        self._places[7 : 7 + n_drift_features] -= 7
        if compat is not None:
            self._noise = whole_percentage("LED", "noise_percentage", noise_percentage)

    def make(self, random: Random, n: int) -> Rows:
        y = random.integers(0, 10, n, dtype=np.int32)
        lit = _DIGITS[y] ^ (random.random((n, 7)) < self.noise_percentage)
        if self._irrelevant:
            others = random.integers(0, 2, (n, self._irrelevant), dtype=np.bool_)
            lit = np.concatenate([lit, others], axis=1).take(self._places, axis=1)
        return lit.astype(np.float64), y

    def start_moa(self) -> Fill:
        random, segments = JavaRandom(self.drawn_seed), _DIGITS.astype(np.float64)
        return partial(draw_digits, random.state, segments, self._noise, self._places)
