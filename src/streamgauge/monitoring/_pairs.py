"""Two models on the rows that one label scored for both: A against B."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from streamgauge._support.inside import Inside
from streamgauge._support.types import Longs
from streamgauge.measures.batch_means import (
    CONFIDENCE,
    TOO_FEW_ROWS,
    BatchMeansTest,
    batch_means_test,
)
from streamgauge.measures.spool import LossSpool, OutcomeSpool
from streamgauge.monitoring._maturity import Maturity
from streamgauge.monitoring._monitored_model import ScoredBatch

_FEWEST_BLOCKS = 20


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

    def status(self, a: Maturity | None = None, b: Maturity | None = None) -> dict[str, Any]:
        """The pair as plain values.

        Without rows that both predicted, by blocks of time: the cohorts of both models.
        """
        if a is not None and b is not None and not self.rows:
            return self._split(a, b)
        test = self.test()
        low, high = test.lasting(self.rows)
        scores = (self.totals / self.rows).tolist() if self.rows else [float("nan")] * 2
        return {
            "a": self.a,
            "b": self.b,
            "by": "rows",
            "rows": self.rows,
            "a_rows": self.rows,
            "b_rows": self.rows,
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

    def _split(self, a: Maturity, b: Maturity) -> dict[str, Any]:
        """A against B where each has rows of its own: what changes with time hits both."""
        found = two_samples(a, b)
        sign = -1.0 if self._regression else 1.0
        effect = sign * (found.a_mean - found.b_mean)
        low = high = math.nan
        word = "too few rows to say"
        if found.test is not None:
            effect = sign * found.effect
            reach = found.test.interval(CONFIDENCE)[1] - found.test.mean
            low, high = effect - reach, effect + reach
            word = "better" if low > 0 else "worse" if high < 0 else found.test.undecided
        return {
            "a": self.a,
            "b": self.b,
            "by": "time blocks",
            "blocks": found.blocks,
            "rows": 0,
            "a_rows": found.a_rows,
            "b_rows": found.b_rows,
            "metric": "mae" if self._regression else "accuracy",
            "a_score": found.a_mean,
            "b_score": found.b_mean,
            "word": word,
            "effect": effect,
            "low": low,
            "high": high,
        }


class TwoSamples(NamedTuple):
    """Two models on rows of their own, compared within blocks of time that both have."""

    blocks: int
    a_rows: int
    b_rows: int
    a_mean: float  # over these blocks, hits or absolute errors
    b_mean: float
    effect: float  # A minus B, within blocks, weighted by rows
    test: BatchMeansTest | None  # of the effect; None: too few blocks


def two_samples(a: Maturity, b: Maturity) -> TwoSamples:
    """Compare labelled rows by cohort: the mean difference, and its spread from block to block."""
    _, in_a, in_b = np.intersect1d(a.starts, b.starts, return_indices=True)
    sides = [(a, in_a), (b, in_b)]
    counts = [each.labels.sum(axis=(1, 2))[places].astype(float) for each, places in sides]
    sums = [each.hits.sum(axis=(1, 2))[places] for each, places in sides]
    both = (counts[0] > 0) & (counts[1] > 0)
    both &= ~(((in_a == 0) & bool(a.merged)) | ((in_b == 0) & bool(b.merged)))  # longer blocks
    (n, m), (x, y) = ([each[both] for each in pair] for pair in (counts, sums))
    blocks, a_rows, b_rows = len(n), int(n.sum()), int(m.sum())
    a_mean = float(x.sum() / a_rows) if a_rows else math.nan
    b_mean = float(y.sum() / b_rows) if b_rows else math.nan
    if blocks < _FEWEST_BLOCKS or min(a_rows, b_rows) < TOO_FEW_ROWS:
        return TwoSamples(blocks, a_rows, b_rows, a_mean, b_mean, math.nan, None)
    weights = n * m / (n + m)
    differences = x / n - y / m
    effect = float(weights @ differences / weights.sum())
    # The ratio of two sums varies as its residuals do (the delta method).
    residuals = weights * (differences - effect) / weights.mean()
    repeats = -(-TOO_FEW_ROWS // blocks)  # a block counts as that many rows
    test = batch_means_test(np.repeat(residuals, repeats))
    return TwoSamples(blocks, a_rows, b_rows, a_mean, b_mean, effect, test)


def _common(a: Longs, b: Longs) -> tuple[Longs, Longs]:
    """The places of rows with the same label in both, in the order of the first."""
    usable_a, usable_b = np.flatnonzero(a >= 0), np.flatnonzero(b >= 0)
    _, in_a, in_b = np.intersect1d(a[usable_a], b[usable_b], return_indices=True)
    order = np.argsort(in_a)
    return usable_a[in_a[order]], usable_b[in_b[order]]
