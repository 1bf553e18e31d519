"""The mean of metrics over batches of rows, along the stream (ziffer2024)."""

from __future__ import annotations

import numpy as np

from streamgauge._support.types import Floats, Longs
from streamgauge.measures.sums import divide


class BatchAverage:
    """Running means over the batches in which a metric is defined."""

    state_fields = ("_done", "_totals", "_counts")

    def __init__(self, batch: int, metrics: int) -> None:
        self._batch = batch
        self._done = 0  # batches
        self._totals, self._counts = np.zeros((2, 1, metrics))

    def at(self, rows: Longs, values: Floats) -> Floats:
        """The means after each of `rows`; `values`: of the batches that are new, x metrics."""
        known = ~np.isnan(values)
        totals = np.cumsum(np.concatenate([self._totals, np.where(known, values, 0.0)]), axis=0)
        counts = np.cumsum(np.concatenate([self._counts, known]), axis=0)
        full = rows // self._batch - self._done
        self._done += len(values)
        self._totals, self._counts = totals[-1:], counts[-1:]
        return divide(totals[full], counts[full])
