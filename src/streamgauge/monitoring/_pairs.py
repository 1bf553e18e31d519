"""Two models on the rows that one label scored for both: A against B."""

from __future__ import annotations

from typing import Any

import numpy as np

from streamgauge._support.inside import Inside
from streamgauge._support.types import Longs
from streamgauge.measures.batch_means import BatchMeansTest
from streamgauge.measures.spool import LossSpool, OutcomeSpool
from streamgauge.monitoring._monitored_model import ScoredBatch


class ModelPair:
    """Model A against model B, by the test of every verdict (semantics §4)."""

    state_fields = ("rows", "totals", "only", "_spool")

    def __init__(self, a: str, b: str, regression: bool, path: Inside) -> None:
        self.a, self.b = a, b
        self.rows = 0
        self.totals = np.zeros(2)  # correct rows, or summed errors, of A and of B
        self.only = np.zeros(2, np.int64)  # rows that only A, only B predicted correctly
        self._regression = regression
        self._spool: OutcomeSpool | LossSpool
        self._spool = LossSpool() if regression else OutcomeSpool(1, np.dtype(np.uint8))
        self._spool.keep_in(path)

    def add(self, a: ScoredBatch, b: ScoredBatch) -> None:
        """Add the rows of a batch that one label scored for both models, in A's order."""
        rows_a, rows_b = _common(a.labels, b.labels)
        errors_a, errors_b = a.errors[rows_a], b.errors[rows_b]
        known = ~(np.isnan(errors_a) | np.isnan(errors_b))
        errors_a, errors_b = errors_a[known], errors_b[known]
        self.rows += len(errors_a)
        if isinstance(self._spool, LossSpool):
            both = np.column_stack([errors_a, errors_b])
            self.totals = np.cumsum(np.vstack([self.totals, both]), axis=0)[-1]
            self._spool.add(errors_b - errors_a)
            return
        hits_a, hits_b = errors_a == 0, errors_b == 0
        self.totals += [hits_a.sum(), hits_b.sum()]
        self.only += [(hits_a & ~hits_b).sum(), (~hits_a & hits_b).sum()]
        self._spool.add((hits_a + 2 * hits_b).astype(np.uint8))

    def test(self) -> BatchMeansTest:
        """The test of A against B; t > 0 favours A."""
        return self._spool.test() if isinstance(self._spool, LossSpool) else self._spool.tests()[0]

    def status(self) -> dict[str, Any]:
        """The pair as plain values."""
        test = self.test()
        low, high = test.lasting(self.rows)
        scores = (self.totals / self.rows).tolist() if self.rows else [float("nan")] * 2
        return {
            "a": self.a,
            "b": self.b,
            "rows": self.rows,
            "metric": "mae" if self._regression else "accuracy",
            "a_score": scores[0],
            "b_score": scores[1],
            "only_a": int(self.only[0]),
            "only_b": int(self.only[1]),
            "word": test.lasting_word(self.rows),
            "effect": test.mean,
            "low": low,
            "high": high,
            "t": test.t,
        }


def _common(a: Longs, b: Longs) -> tuple[Longs, Longs]:
    """The places of rows with the same label in both, in the order of the first."""
    usable_a, usable_b = np.flatnonzero(a >= 0), np.flatnonzero(b >= 0)
    _, in_a, in_b = np.intersect1d(a[usable_a], b[usable_b], return_indices=True)
    order = np.argsort(in_a)
    return usable_a[in_a[order]], usable_b[in_b[order]]
