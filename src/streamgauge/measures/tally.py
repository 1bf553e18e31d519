"""Counts one learner's scored rows under every forgetting at once, and takes the curve's points."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

import numpy as np

from streamgauge._support.errors import UsageError
from streamgauge._support.types import Codes, Flags, Floats, Longs
from streamgauge.measures.curves import Curve, Sampler
from streamgauge.measures.folding import Shape
from streamgauge.measures.forgetting import Fading, Forgetting
from streamgauge.measures.metrics import AnySums, Metric
from streamgauge.measures.sums import (
    LabelSums,
    Layout,
    NumberSums,
    SmoothedSums,
    encode_answers,
    encode_numbers,
    encode_scores,
)

PENDING_NUMBERS = 1 << 22  # sums are turned into metrics before more than these wait


class Tally:
    """One learner's sums; `finish` gives the curve. What a row adds is up to its two kinds."""

    def __init__(
        self,
        forget: Sequence[Forgetting],
        every: int,
        metrics: tuple[Metric, ...],
        shape: Shape,
        pending: int,
    ) -> None:
        if not forget:
            raise UsageError("forget=[]: name at least one, e.g. [Cumulative(), Window(1000)]")
        self._forget = tuple(forget)
        self._metrics = metrics
        self._folds = [forgetting.fold(shape) for forgetting in forget]
        self._sampler = Sampler(every)
        self._rows: list[Longs] = []
        self._sums: list[list[Floats]] = [[] for _ in forget]
        self._pending: list[Longs] = []
        self._waiting, self._most_waiting = 0, pending
        self._values: list[list[Floats]] = [[] for _ in forget]

    @property
    def seen(self) -> int:
        """How many rows were scored."""
        return self._sampler.seen

    def finish(self) -> Curve:
        """Take the last point; the whole curve."""
        if self._sampler.last_is_due and self.seen:
            cells, values = self._nothing()
            self._take(cells, values, np.zeros(1, np.int64), np.empty(0, np.int64), self.seen)
        self._reduce()
        width = len(self._metrics)
        return Curve(
            np.concatenate([np.empty(0, np.int64), *self._rows]),
            tuple(metric.name for metric in self._metrics),
            tuple(metric.undefined for metric in self._metrics),
            tuple(map(repr, self._forget)),
            tuple(np.concatenate([np.empty((0, width)), *v]) for v in self._values),
        )

    def _fold(self, cells: Codes, values: Floats, times: Longs | None) -> None:
        before = self.seen
        if times is None:  # a row is the unit
            times = np.arange(before, before + len(cells))
        self._take(cells, values, self._sampler.cuts(len(cells)), times, before)

    def _take(self, cells: Codes, values: Floats, cuts: Longs, times: Longs, before: int) -> None:
        for fold, kept in zip(self._folds, self._sums, strict=True):
            points = fold.add(cells, values, cuts, times)
            kept.append(points)
            self._waiting += points.size
        self._pending.append(cuts + before)
        if self._waiting > self._most_waiting:
            self._reduce()

    def _reduce(self) -> None:
        """Turn the sums taken so far into metric values and let the sums go."""
        if not self._pending:
            return
        rows = np.concatenate(self._pending)
        self._rows.append(rows)
        tables = [np.concatenate(kept) for kept in self._sums]
        for values, points in zip(self._values, self._measure(tables, rows), strict=True):
            values.append(points)
        self._sums = [[] for _ in self._forget]
        self._pending.clear()
        self._waiting = 0

    @abstractmethod
    def _nothing(self) -> tuple[Codes, Floats]:
        """No rows."""

    @abstractmethod
    def _measure(self, tables: list[Floats], rows: Longs) -> list[Floats]:
        """Of each forgetting's sums: points × metrics."""

    def _values_of(self, sums: AnySums) -> Floats:
        return np.stack([metric.of(sums) for metric in self._metrics], axis=1)


class LabelTally(Tally):
    """Of a classifier."""

    def __init__(
        self,
        k: int,
        forget: Sequence[Forgetting],
        every: int,
        metrics: tuple[Metric, ...],
        cost: Floats | None = None,
        pending: int = PENDING_NUMBERS,
    ) -> None:
        probabilities = any(metric.needs == "probabilities" for metric in metrics)
        self._layout = layout = Layout(k, cost is not None, probabilities)
        # An abstention is the last column: it costs as much as the worst prediction.
        self._cost = None if cost is None else np.column_stack([cost, cost.max(axis=1)])
        self._missed_before = np.zeros(1, np.int64)
        super().__init__(
            forget, every, metrics, Shape(layout.counts, layout.cells, layout.values, k), pending
        )

    @property
    def probabilities(self) -> bool:
        """Does a metric ask for probabilities?"""
        return self._layout.probabilities

    def add(
        self,
        y: Codes,
        answers: Codes,
        probabilities: Floats | None,
        times: Longs | None = None,
    ) -> Flags:
        """Score rows by the answers of the learner and the three references; their outcomes as
        bits: the learner right, then each reference right."""
        layout = self._layout
        cells = np.empty((len(y), layout.cells), np.int32)
        values = np.empty((len(y), layout.values))
        outcome = np.empty(len(y), np.uint8)
        encode_answers(y, answers, layout.k, self._missed_before, cells, outcome)
        if self._cost is not None:
            values[:, 0] = self._cost[y, answers[0]]
        if probabilities is not None:
            encode_scores(y, probabilities, layout.first_score, cells, values)
        self._fold(cells, values, times)
        return outcome

    def _nothing(self) -> tuple[Codes, Floats]:
        return np.empty((0, self._layout.cells), np.int32), np.empty((0, self._layout.values))

    def _measure(self, tables: list[Floats], rows: Longs) -> list[Floats]:
        """Tables of one form are read as one: a metric then costs one call, not one each."""
        smoothed = [isinstance(f, Fading) and f.estimator == "zliobaite2015" for f in self._forget]
        together = [t for t, apart in zip(tables, smoothed, strict=True) if not apart]
        sizes = [
            self._size(f, rows, table)
            for f, table, apart in zip(self._forget, tables, smoothed, strict=True)
            if not apart
        ]
        parts: list[Floats] = []
        if together:
            sums = LabelSums(np.concatenate(together), self._layout, np.concatenate(sizes))
            parts = np.split(self._values_of(sums), len(together))
        shared = iter(parts)
        return [
            self._values_of(SmoothedSums(table, self._layout.k)) if apart else next(shared)
            for table, apart in zip(tables, smoothed, strict=True)
        ]

    def _size(self, forgetting: Forgetting, rows: Longs, table: Floats) -> Floats:
        size = forgetting.effective(rows)
        return table[:, : self._layout.confusion].sum(axis=1) if size is None else size


class NumberTally(Tally):
    """Of a regressor."""

    def __init__(
        self,
        forget: Sequence[Forgetting],
        every: int,
        metrics: tuple[Metric, ...],
        pending: int = PENDING_NUMBERS,
    ) -> None:
        for forgetting in forget:
            if isinstance(forgetting, Fading) and forgetting.estimator != "sums":
                raise UsageError(f"{forgetting} is an estimator for classifiers")
        self._shift: float | None = None
        shape = Shape(NumberSums.COUNTS, NumberSums.CELLS, NumberSums.VALUES, 0)
        super().__init__(forget, every, metrics, shape, pending)

    def add(self, y: Floats, predicted: Floats, times: Longs | None = None) -> None:
        """Score rows."""
        if self._shift is None and len(y):
            self._shift = float(y[0])  # R² subtracts squares: keep them small
        cells = np.empty((len(y), NumberSums.CELLS), np.int32)
        values = np.empty((len(y), NumberSums.VALUES))
        encode_numbers(y, predicted, self._shift or 0.0, cells, values)
        self._fold(cells, values, times)

    def _nothing(self) -> tuple[Codes, Floats]:
        return np.empty((0, NumberSums.CELLS), np.int32), np.empty((0, NumberSums.VALUES))

    def _measure(self, tables: list[Floats], rows: Longs) -> list[Floats]:
        return [self._values_of(NumberSums(table)) for table in tables]
