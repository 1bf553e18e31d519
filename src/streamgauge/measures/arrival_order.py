"""Scores of the first and last rows, in the order of their labels and of their arrival (§4).

Where labels of one class take longer, the labels that come first are not a fair sample of the rows
that arrived first, and the last ones not of the last rows. Over all rows both orders agree.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from streamgauge._support.types import Floats, Longs
from streamgauge.rendering.plain_values import Number


@dataclass(frozen=True)
class OrderScores:
    """Accuracy, or in regression the mean absolute error, over equally many rows."""

    first_revealed: Number
    first_arrived: Number
    last_revealed: Number
    last_arrived: Number


class _OrderedRows(NamedTuple):
    """Row numbers, and a value per participant and row: right (1) or wrong (0), or the error."""

    ids: Longs
    values: Floats

    def take(self, kept: Longs | slice) -> _OrderedRows:
        return _OrderedRows(self.ids[kept], self.values[:, kept])

    def with_more(self, other: _OrderedRows) -> _OrderedRows:
        ids = np.concatenate([self.ids, other.ids])
        return _OrderedRows(ids, np.concatenate([self.values, other.values], axis=1))


class ArrivalOrder:
    """Keeps the first and the last `rows` scored rows in both orders; no others."""

    state_fields = ("seen", "differs", "_first", "_first_arrived", "_last", "_last_arrived")

    def __init__(self, rows: int, participants: int) -> None:
        self.rows = rows
        self.seen = 0
        self.differs = False  # whether a label came after that of a later row
        none = _OrderedRows(np.empty(0, np.int64), np.empty((participants, 0)))
        self._first = self._last = none  # by reveal
        self._first_arrived = self._last_arrived = none  # kept once the orders differ

    def add(self, ids: Longs, values: Floats) -> None:
        """Add scored rows in reveal order; `values` are participants × rows, NaN is left out."""
        if not len(ids):
            return
        new, rows = _OrderedRows(ids, values), self.rows
        if not self.differs:
            self._first_arrived, self._last_arrived = self._first, self._last
            self.differs = bool((np.diff(ids, prepend=self._last.ids[-1:]) < 0).any())
        if self.differs:
            self._first_arrived = _earliest(self._first_arrived, new, rows, 1)
            self._last_arrived = _earliest(self._last_arrived, new, rows, -1)
        if self.seen < rows:
            self._first = self._first.with_more(new.take(slice(rows - self.seen)))
        self._last = self._last.with_more(new.take(slice(-rows, None))).take(slice(-rows, None))
        self.seen += len(ids)

    def scores(self) -> list[OrderScores]:
        """The scores of each participant."""
        arrived = (self._first_arrived, self._last_arrived)
        first, last = arrived if self.differs else (self._first, self._last)
        means = [_means(each.values) for each in (self._first, first, self._last, last)]
        return [OrderScores(*each) for each in zip(*means, strict=True)]


def _earliest(kept: _OrderedRows, new: _OrderedRows, rows: int, sign: int) -> _OrderedRows:
    """The first `rows` rows to arrive, of those kept and new ones; the last ones if sign is -1."""
    if len(kept.ids) == rows:  # most new rows are neither
        new = new.take(np.flatnonzero(sign * new.ids < (sign * kept.ids).max()))
    if not len(new.ids):
        return kept
    if len(new.ids) > rows:  # sorting a few is faster; row numbers differ
        new = new.take(np.argpartition(sign * new.ids, rows - 1)[:rows])
    both = kept.with_more(new)
    order = np.argsort(both.ids, kind="stable")
    return both.take(order[:rows] if sign > 0 else order[-rows:])


def _means(values: Floats) -> list[float]:
    """The mean value of each participant, NaN without any."""
    found = ~np.isnan(values)
    known = np.ascontiguousarray(np.where(found, values, 0))  # numpy adds up in order of memory
    with np.errstate(invalid="ignore"):
        means: list[float] = (known.sum(axis=1) / found.sum(axis=1)).tolist()
    return means
