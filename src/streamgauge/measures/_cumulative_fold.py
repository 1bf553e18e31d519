"""Sums that only grow, of all rows or of each batch, and replacements of what rows have added."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from streamgauge._support.jit import inlined, lean_kernel
from streamgauge._support.types import Codes, Floats, Longs
from streamgauge.measures.folding import Shape, put_row


class Replacements(NamedTuple):
    """What rows have added, and what they add instead, each from some row on."""

    after: Longs  # rows to be folded before each, in order
    old_cells: Codes
    cells: Codes
    old_values: Floats
    values: Floats


class CumulativeFold:
    """Sums that only grow; what replacements change is summed apart.

    So no digit depends on how many rows are folded before a replacement. Rounding errors of the
    values are kept, for a replacement may take back a number beside which all others were lost.
    """

    state_fields = ("_sums", "_lost", "_changes", "_lost_changes", "_replaced")

    def __init__(self, shape: Shape) -> None:
        self._sums = np.zeros(shape.counts + shape.values)
        self._lost = np.zeros(shape.values)
        self._changes = np.empty(0)  # of the sums; empty before the first replacement
        self._lost_changes = np.zeros(shape.values)
        self._coming: Replacements | None = None
        self._replaced = 0

    def add(self, cells: Codes, values: Floats, cuts: Longs, times: Longs) -> Floats:
        out = np.empty((len(cuts), len(self._sums)))
        lost = np.empty((len(cuts), len(self._lost)))
        _fold_cumulative(cells, values, cuts, self._sums, self._lost, out, lost)
        if len(self._changes):
            self._replace(len(cells), cuts, out, lost)
        return out

    def replace(self, coming: Replacements) -> None:
        """Replace what rows have added; before the rows that come between the replacements."""
        if not len(self._changes):
            self._changes = np.zeros(len(self._sums))
        self._coming = coming
        self._replace(0, np.empty(0, np.int64), np.empty((0, 0)), np.empty((0, 0)))

    def _replace(self, rows: int, cuts: Longs, out: Floats, lost: Floats) -> None:
        """Take what is to be replaced within `rows`, and change the sums after each of `cuts`."""
        coming = self._coming or _no_replacements(len(self._lost))
        done = _fold_replacements(
            coming, rows, cuts, self._replaced, self._changes, self._lost_changes, out, lost
        )
        self._replaced += done
        left = Replacements._make(column[done:] for column in coming)
        self._coming = left._replace(after=left.after - rows) if len(left.after) else None


def _no_replacements(values: int) -> Replacements:
    cells, none = np.empty((0, 0), np.int32), np.empty((0, values))
    return Replacements(np.empty(0, np.int64), cells, cells, none, none)


@inlined
def _add_value(sums: Floats, place: int, value: float, lost: Floats, column: int) -> None:
    """Add a value to a sum, and what its last digits lose to another (Knuth's two-sum)."""
    before = sums[place]
    after = before + value
    added = after - before
    lost[column] += (before - (after - added)) + (value - added)
    sums[place] = after


@lean_kernel
def _fold_cumulative(
    cells: Codes,
    values: Floats,
    cuts: Longs,
    sums: Floats,
    lost: Floats,
    out: Floats,
    out_lost: Floats,
) -> None:
    counts = len(sums) - values.shape[1]
    row = 0
    for cut in range(len(cuts) + 1):
        stop = cuts[cut] if cut < len(cuts) else len(cells)
        for i in range(row, stop):
            for j in range(cells.shape[1]):
                sums[np.uint64(cells[i, j])] += 1.0
            for j in range(values.shape[1]):
                _add_value(sums, counts + j, values[i, j], lost, j)
        row = stop
        if cut < len(cuts):
            put_row(sums, out, cut)
            put_row(lost, out_lost, cut)


@lean_kernel
def _fold_replacements(
    coming: Replacements,
    rows: int,
    cuts: Longs,
    replaced: int,
    changes: Floats,
    lost: Floats,
    out: Floats,
    out_lost: Floats,
) -> int:
    """Add the changes so far to the sums after each of `cuts`; return how many were taken.

    A point has what was replaced before its last row was folded; `replaced`: before these rows.
    """
    after, old_cells, cells, old_values, values = coming
    counts = len(changes) - len(lost)
    done = 0
    for cut in range(len(cuts) + 1):
        stop = cuts[cut] if cut < len(cuts) else rows + 1
        while done < len(after) and after[done] < stop:
            for j in range(cells.shape[1]):
                changes[np.uint64(old_cells[done, j])] -= 1.0
                changes[np.uint64(cells[done, j])] += 1.0
            for j in range(len(lost)):
                _add_value(changes, counts + j, -old_values[done, j], lost, j)
                _add_value(changes, counts + j, values[done, j], lost, j)
            done += 1
        if cut < len(cuts) and replaced + done > 0:
            for j in range(len(changes)):
                out[cut, j] += changes[j]
            for j in range(len(lost)):
                out[cut, counts + j] += out_lost[cut, j] + lost[j]
    return done
