"""LED digits (Breiman et al. 1984): which digit do seven unreliable segments show?"""

from __future__ import annotations

import numpy as np

from streamgauge._support.errors import UsageError
from streamgauge._support.types import Schema
from streamgauge.streams.generators._base import Memoryless, Random, Rows, numbered
from streamgauge.streams.generators._checks import check_choice, check_count, check_share

# top, upper left, upper right, middle, lower left, lower right, bottom
_LIT = ("1110111", "0010010", "1011101", "1011011", "0111010",
        "1101011", "1101111", "1010010", "1111111", "1111011")  # fmt: skip
_DIGITS = np.array([[segment == "1" for segment in digit] for digit in _LIT])


class LED(Memoryless):
    """A digit's seven segments, each inverted with probability `noise`; with 24 `attributes` also
    17 that are on or off at random. `swapped`: as many of the segments, beginning with the first,
    change places with irrelevant attributes, beginning with the first.

    >>> LED(1000, seed=1, attributes=24).describe()
    'LED(1000, seed=1, attributes=24) · 1,000 rows · 24 features · 10 classes'
    """

    def __init__(
        self, n: int, seed: int = 0, attributes: int = 7, noise: float = 0.1, swapped: int = 0
    ) -> None:
        check_choice("LED", "attributes", attributes, (7, 24))
        check_share("LED", "noise", noise)
        check_count("LED", "swapped", swapped, 0, 7)
        if swapped and attributes == 7:
            raise UsageError(f"LED(swapped={swapped}): only 24 attributes have irrelevant ones")
        values = (("0", "1"),) * attributes
        schema = Schema(numbered("x", attributes), values, tuple(range(10)))
        super().__init__(n, seed, schema, attributes=attributes, noise=noise, swapped=swapped)
        self._irrelevant, self._noise = attributes - 7, noise
        self._places = np.arange(attributes)  # what stands in each
        self._places[:swapped] += 7
        self._places[7 : 7 + swapped] -= 7

    def make(self, random: Random, n: int) -> Rows:
        y = random.integers(0, 10, n, dtype=np.int32)
        lit = _DIGITS[y] ^ (random.random((n, 7)) < self._noise)
        if self._irrelevant:
            others = random.integers(0, 2, (n, self._irrelevant), dtype=np.bool_)
            lit = np.concatenate([lit, others], axis=1).take(self._places, axis=1)
        return lit.astype(np.float64), y
