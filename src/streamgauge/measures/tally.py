"""Tallies: one learner's sums under every forgetting, and the points of its curve."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from streamgauge._support.types import NEVER, Clock, Codes, Floats, Longs, Mask, Targets
from streamgauge.measures._cumulative_fold import CumulativeFold, Replacements
from streamgauge.measures.curves import Curve, Sampler
from streamgauge.measures.folding import Shape
from streamgauge.measures.forgetting import Forgetting
from streamgauge.measures.metric import AnySums, Metric, MetricTable

MAX_PENDING = 1 << 20  # numbers kept before they are turned into metrics


class Corrections(NamedTuple):
    """Labels of scored rows that are replaced, in order."""

    after: Longs  # rows that are still to be scored before each
    old: Targets
    new: Targets
    predictions: Targets  # participants × corrections
    probabilities: Floats | None

    def some(self, which: Mask, after: Longs) -> Corrections:
        """Some of them, with another `after`."""
        proba = None if self.probabilities is None else self.probabilities[which]
        predictions = np.ascontiguousarray(self.predictions[:, which])
        return Corrections(after, self.old[which], self.new[which], predictions, proba)


def among_rows(times: Longs, ids: Longs, row_times: Longs, row_ids: Longs) -> tuple[Longs, Longs]:
    """The order of corrections, and how many of the scored rows come before each.

    Of labels at one time, those of earlier rows come first, and corrections as they were read.
    """
    before = int(np.searchsorted(row_times, times.min(initial=NEVER)))  # these need no sorting
    scored = len(row_ids) - before
    both_ids = np.concatenate([row_ids[before:], ids])
    is_correction = np.arange(len(both_ids)) >= scored
    both_times = np.concatenate([row_times[before:], times])
    order = np.lexsort((is_correction, both_ids, both_times))
    placed = is_correction[order]
    return order[placed] - scored, before + np.cumsum(~placed, dtype=np.int64)[placed]


class Tally:
    """One learner's sums under every forgetting; `finish` gives the curve.

    The subclasses for classification and regression define what a row adds to the sums.
    """

    state_fields: tuple[str, ...] = (
        "_folds",
        "_sampler",
        "_rows",
        "_times",
        "_now",
        "_corrected_at",
        "_sums",
        "_pending",
        "_size",
        "_kept_every",
        "_values",
    )

    def __init__(
        self,
        forget: Sequence[Forgetting],
        every: int,
        metrics: tuple[Metric, ...],
        shape: Shape,
        max_pending: int,
    ) -> None:
        self._forget = tuple(forget)
        self._metrics, self._table = metrics, MetricTable(metrics)
        self._folds = [forgetting.fold(shape) for forgetting in forget]
        self._sampler = Sampler(every)
        self._rows: list[Longs] = []
        self._times: list[Longs] = []  # when the last row of each point was revealed
        self._now = np.zeros(1, np.int64)
        self._corrected_at = -1  # number of scored rows when the last correction came
        self._sums: list[list[Floats]] = [[] for _ in forget]
        self._pending: list[Longs] = []
        self._kept_every = every  # rows between the points that `thin` has kept
        self._size, self._max_pending = 0, max_pending
        self._at_once = max(1, max_pending // (len(self._folds) * (shape.counts + shape.values)))
        self._values: list[list[Floats]] = [[] for _ in forget]

    @property
    def seen(self) -> int:
        """The number of rows scored."""
        return self._sampler.seen

    def try_metrics(self) -> None:
        """Compute every metric once, before any row, so that an error in one shows at once."""
        self._take(*self._no_rows(), np.zeros(1, np.int64), np.empty(0, np.int64), 0)
        self._reduce()

    def finish(self, clock: Clock | None = None, complete: bool = True) -> Curve:
        """The curve up to the last row; with a clock, it has times.

        If it is to be `complete`, the last row has a point in any case, with all corrections. More
        rows may be added afterwards.
        """
        points = (int(each[-1]) for each in reversed([*self._rows, *self._pending]) if len(each))
        last_point = next(points, 0)
        also = complete and self.seen > 0 and last_point <= max(self._corrected_at, self.seen - 1)
        last = self._reduce(also)
        width = len(self._metrics)
        rows, times = (
            np.concatenate([np.empty(0, np.int64), *each]) for each in (self._rows, self._times)
        )
        values = [np.concatenate([np.empty((0, width)), *each]) for each in self._values]
        if also:
            kept = len(rows) - (last_point == self.seen)  # that point knew fewer corrections
            rows = np.append(rows[:kept], self.seen)
            times = np.concatenate([times[:kept], self._now])
            values = [np.concatenate([v[:kept], one]) for v, one in zip(values, last, strict=True)]
        return Curve(
            rows,
            tuple(metric.name for metric in self._metrics),
            tuple(metric.undefined for metric in self._metrics),
            self._forget,
            tuple(values),
            None if clock is None else times,
            clock or "integers",
        )

    def thin(self, most: int) -> int:
        """Keep at most `most` points of the curve, equally far apart; return their distance.

        The curve is then that of a tally with this distance from the start.
        """
        self._reduce()
        self._rows = [np.concatenate([np.empty(0, np.int64), *self._rows])]
        self._times = [np.concatenate([np.empty(0, np.int64), *self._times])]
        self._values = [[np.concatenate(v)] if v else [] for v in self._values]
        while np.count_nonzero(self._rows[0] % self._kept_every == 0) > most:
            self._kept_every *= 2
        kept = self._rows[0] % self._kept_every == 0
        self._rows, self._times = [self._rows[0][kept]], [self._times[0][kept]]
        self._values = [[each[kept] for each in v] for v in self._values]
        return self._kept_every

    def correct(self, given: Corrections) -> None:
        """Replace labels of scored rows in the sums that only grow; before further rows are added.

        Others have an order: they keep what was known when the row was scored.
        """
        if not len(given.after):
            return
        self._corrected_at = self.seen + int(given.after[-1])
        (old_cells, old), (cells, new) = (
            self._encoded(y, given.predictions, given.probabilities) for y in (given.old, given.new)
        )
        for fold in self._folds:
            if isinstance(fold, CumulativeFold):
                fold.replace(Replacements(given.after, old_cells, cells, old, new))

    def _fold(self, cells: Codes, values: Floats, times: Longs | None) -> None:
        before = self.seen
        if times is None:  # row numbers are the time
            times = np.arange(before, before + len(cells))
        cuts = self._sampler.cuts(len(cells))
        self._take(cells, values, cuts, times, before)
        if len(cuts):
            self._times.append(times[cuts - 1])
        if len(times):
            self._now = times[-1:].copy()

    def _take(self, cells: Codes, values: Floats, cuts: Longs, times: Longs, before: int) -> None:
        """Fold rows, and keep the sums after each of `cuts`.

        Only as many points at a time as may be kept: one of 1,000 classes has a million sums.
        """
        row = 0
        for first in range(0, max(1, len(cuts)), self._at_once):
            due = cuts[first : first + self._at_once]
            stop = len(cells) if first + self._at_once >= len(cuts) else int(due[-1])
            part = slice(row, stop)
            for fold, kept in zip(self._folds, self._sums, strict=True):
                points = fold.add(cells[part], values[part], due - row, times[part])
                if len(points) or not kept:  # a tally may get millions of blocks without a point
                    kept.append(points)
                    self._size += points.size
            if len(due):
                self._pending.append(due + before)
            if self._size > self._max_pending:
                self._reduce()
            row = stop

    def _reduce(self, also_last: bool = False) -> list[Floats]:
        """Turn the sums taken so far into metric values and drop the sums.

        If `also_last`, return each forgetting's values after the last row, which need not be a
        point of the curve: all in one call, which takes as long for one point as for hundreds.
        """
        if not (also_last or self._pending or self._size):
            return []
        rows = np.concatenate([np.empty(0, np.int64), *self._pending])
        count, at = len(rows), rows
        sums = self._sums
        if also_last:
            cells, values = self._no_rows()
            now, untimed = np.zeros(1, np.int64), np.empty(0, np.int64)
            at = np.append(rows, self.seen)
            last = (fold.add(cells, values, now, untimed) for fold in self._folds)
            sums = [[*kept, one] for kept, one in zip(sums, last, strict=True)]
        tables = [kept[0] if len(kept) == 1 else np.concatenate(kept) for kept in sums]
        points = self._measure(tables, at)
        if count:
            self._rows.append(rows)
            for kept, new in zip(self._values, points, strict=True):
                kept.append(new[:count])
        self._sums = [[] for _ in self._forget]
        self._pending.clear()
        self._size = 0
        return [new[count:] for new in points]

    @abstractmethod
    def _no_rows(self) -> tuple[Codes, Floats]:
        """Cells and values without rows, of the right shapes."""

    @abstractmethod
    def _encoded(
        self, y: Targets, predictions: Targets, probabilities: Floats | None
    ) -> tuple[Codes, Floats]:
        """The cells and values of rows, apart from the order of the rows."""

    @abstractmethod
    def _measure(self, tables: list[Floats], rows: Longs) -> list[Floats]:
        """Metric values after `rows` for each forgetting: points × metrics."""

    def _values_of(self, sums: AnySums) -> Floats:
        return self._table.of(sums)
