"""Waveforms (Breiman et al. 1984): of which two of three waves is a noisy row a mixture?"""

from __future__ import annotations

import numpy as np

from streamgauge._support.errors import UsageError
from streamgauge._support.types import Schema
from streamgauge.streams.generators._base import Memoryless, Random, Rows, numbered
from streamgauge.streams.generators._checks import check_choice, check_count

_PLACES = np.arange(21)
_WAVES = np.maximum(6 - np.abs(_PLACES - np.array([[6], [14], [10]])), 0)  # triangles: their tops
_PAIRS = ((0, 1), (0, 2), (1, 2))  # of each class: the waves it mixes


class Waveform(Memoryless):
    """u times one wave plus 1 − u times another, u uniform on [0, 1), plus standard normal noise in
    each of 21 attributes; which waves they are makes the class. With 40 `attributes` also 19 of
    noise alone. `swapped`: as many attributes change places with those, beginning with the second
    (all waves are 0 in the first and last).

    >>> Waveform(1000, seed=1).describe()
    'Waveform(1000, seed=1) · 1,000 rows · 21 features · 3 classes'
    """

    def __init__(self, n: int, seed: int = 0, attributes: int = 21, swapped: int = 0) -> None:
        check_choice("Waveform", "attributes", attributes, (21, 40))
        check_count("Waveform", "swapped", swapped, 0, 19)
        if swapped and attributes == 21:
            raise UsageError(
                f"Waveform(swapped={swapped}): only 40 attributes have irrelevant ones"
            )
        schema = Schema(numbered("x", attributes), ((),) * attributes, (0, 1, 2))
        super().__init__(n, seed, schema, attributes=attributes, swapped=swapped)
        waves = np.zeros((3, attributes))
        waves[:, :21] = _WAVES
        moved = slice(1, 1 + swapped)
        waves[:, 21 : 21 + swapped] = waves[:, moved]
        waves[:, moved] = 0
        self._second = np.array([waves[b] for _, b in _PAIRS])
        self._difference = np.array([waves[a] - waves[b] for a, b in _PAIRS])

    def make(self, random: Random, n: int) -> Rows:
        y = random.integers(0, 3, n, dtype=np.int32)
        mixture = random.random((n, 1))
        X = random.standard_normal((n, len(self.schema.features)))
        X += self._second[y]
        X += mixture * self._difference[y]
        return X, y
