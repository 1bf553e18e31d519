"""The reference Seasonal on a stream whose labels all come at once: its hits and its lag."""

from __future__ import annotations

import numpy as np

from streamgauge._support.types import LEARN, PREDICT, Codes, Schema
from streamgauge.learners.base import Events
from streamgauge.learners.references.seasonal import Seasonal


class SeasonalHits:
    """Plays Seasonal; counts the rows that it predicts correctly."""

    def __init__(self, schema: Schema) -> None:
        self._learner, self._k = Seasonal(), len(schema.classes)
        self._learner.start(schema, 0)
        self.hits = 0

    @property
    def lag(self) -> int | None:
        """The lag that more than half of the predictions took, if there is one."""
        return self._learner.lag

    def add(self, y: Codes) -> None:
        """Predict each of the next rows, then learn its label if it has one."""
        n, known = len(y), y >= 0
        ops = np.tile(np.array([PREDICT, LEARN], np.uint8), n)
        rows = np.repeat(np.arange(n), 2)
        weight = np.where(ops == LEARN, known[rows], 1.0)
        label = np.empty(2 * n, np.int32)
        # Copied: kernels are compiled for writeable arrays only.
        events = Events(
            np.empty((n, 0)), np.array(y), ops, rows, rows, weight, label, np.empty((0, self._k))
        )
        self._learner.play(events)
        self.hits += int((label[::2] == y)[known].sum())
