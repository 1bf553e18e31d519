"""Sums of scored rows, updated batch by batch under each forgetting (semantics §2).

A scored row names a few *cells* to increment and a few *values* to add (see sums.py). Rows are
folded in scoring order; how they are cut into batches does not change the result. The last cell is
a dummy, for rows that no other cell counts. Cells are indices of type uint64 in the kernels: numba
then need not ask whether they count from the end.
"""

from __future__ import annotations

from typing import Final, NamedTuple, Protocol

import numpy as np

from streamgauge._support.growing import grown
from streamgauge._support.jit import inlined, lean_kernel
from streamgauge._support.types import Codes, Floats, Longs

_RESCALE_ABOVE = 1e150
_MOST_GROWTH = 1e300  # of the weight from row to row; what fades faster is gone after one row
_FIRST_TIME: Final = int(np.iinfo(np.int64).min)


class Shape(NamedTuple):
    """The sizes of the sums."""

    counts: int  # all cells
    cells: int  # cells that a row increments
    values: int  # values that a row adds
    classes: int


class Fold(Protocol):
    """Sums under one forgetting, carried from batch to batch."""

    def add(self, cells: Codes, values: Floats, cuts: Longs, times: Longs) -> Floats:
        """Fold rows whose labels were revealed at `times`.

        Returns the sums (counts, then values) after each of the rows `cuts`, counted from 1.
        """
        ...


@inlined
def put_row(values: Floats | Longs, table: Floats, row: int) -> None:
    """Copy values to the start of a table's row.

    A loop, because assigning a slice makes numba compile an error message too, for seconds.
    """
    for column in range(len(values)):
        table[row, column] = values[column]


class WindowFold:
    """Sums over the last w rows.

    Counts of old rows are subtracted, which is exact. Subtracting values would accumulate rounding
    errors. Their sum is therefore that of the rows since the ring buffer last wrapped around, plus
    a suffix sum, computed when it wrapped, of the rows before.
    """

    state_fields = ("_counts", "_cells", "_values", "_suffix", "_recent", "_at")

    def __init__(self, w: int, shape: Shape) -> None:
        counts, cells, values, _ = shape
        self._width = w
        self._counts = np.zeros(counts, np.int64)
        self._cells = np.empty((0, cells), np.int32)
        self._values = np.empty((0, values))
        self._suffix = np.zeros((1, values))
        self._recent = np.zeros(values)
        self._at = np.zeros(1, np.int64)

    def add(self, cells: Codes, values: Floats, cuts: Longs, times: Longs) -> Floats:
        self._make_room(len(cells))
        out = np.empty((len(cuts), len(self._counts) + values.shape[1]))
        _fold_window(
            cells, values, cuts, self._width, self._counts, self._cells, self._values,
            self._suffix, self._recent, self._at, out,
        )  # fmt: skip
        return out

    def _make_room(self, more: int) -> None:
        """Room for more rows; once the window was full, there is room for all."""
        needed, most = int(self._at[0]) + more, self._width
        dummy = len(self._counts) - 1
        self._cells = grown(self._cells, needed, most, dummy)
        self._values = grown(self._values, needed, most)
        self._suffix = grown(self._suffix, needed + 1, most + 1)


@lean_kernel
def _fold_window(
    cells: Codes,
    values: Floats,
    cuts: Longs,
    width: int,
    counts: Longs,
    old_cells: Codes,
    old_values: Floats,
    suffix: Floats,
    recent: Floats,
    at: Longs,
    out: Floats,
) -> None:
    kinds, columns = cells.shape[1], values.shape[1]
    place = at[0]
    row = 0
    for cut in range(len(cuts) + 1):
        stop = cuts[cut] if cut < len(cuts) else len(cells)
        for i in range(row, stop):
            for j in range(kinds):
                new = cells[i, j]
                counts[np.uint64(old_cells[np.uint64(place), j])] -= 1
                counts[np.uint64(new)] += 1
                old_cells[np.uint64(place), j] = new
            for j in range(columns):
                old_values[place, j] = values[i, j]
                recent[j] += values[i, j]
            place += 1
            if place == width:
                place = 0
                for j in range(columns):
                    recent[j] = 0.0
                    for back in range(width - 1, -1, -1):
                        suffix[back, j] = suffix[back + 1, j] + old_values[back, j]
        row = stop
        if cut < len(cuts):
            put_row(counts, out, cut)
            for j in range(columns):
                out[cut, len(counts) + j] = recent[j] + suffix[place, j]
    at[0] = place


class TimeFold:
    """Sums over a span of time.

    As in `WindowFold`, counts of old rows are subtracted and sums of values use suffix sums.
    """

    state_fields = ("_counts", "_recent", "_cells", "_values", "_suffix", "_times", "_ends")

    def __init__(self, length: int, shape: Shape) -> None:
        counts, cells, values, _ = shape
        self._length = length
        self._counts = np.zeros(counts)
        self._recent = np.zeros(values)
        self._cells = np.empty((0, cells), np.int32)
        self._values = np.empty((0, values))
        self._suffix = np.zeros((1, values))
        self._times = np.empty(0, np.int64)
        # [first row in the window, first row after the suffix sums, one past the last row]
        self._ends = np.zeros(3, np.int64)

    def add(self, cells: Codes, values: Floats, cuts: Longs, times: Longs) -> Floats:
        self._make_room(len(cells))
        out = np.empty((len(cuts), len(self._counts) + values.shape[1]))
        _fold_time(
            cells, values, cuts, times, self._length, self._counts, self._cells, self._values,
            self._times, self._suffix, self._recent, self._ends, out,
        )  # fmt: skip
        return out

    def _make_room(self, more: int) -> None:
        """Move the window's rows to the front and make room for more after them."""
        first, turn, end = self._ends.tolist()
        held = slice(first, end)
        for name in ("_cells", "_values", "_times", "_suffix"):
            column = getattr(self, name)
            kept = column[first : end + 1] if name == "_suffix" else column[held]
            room = np.zeros((len(kept) + more, *column.shape[1:]), column.dtype)
            room[: len(kept)] = kept
            setattr(self, name, room)
        self._ends[:] = 0, max(0, turn - first), end - first


@lean_kernel
def _fold_time(
    cells: Codes,
    values: Floats,
    cuts: Longs,
    times: Longs,
    length: int,
    counts: Floats,
    old_cells: Codes,
    old_values: Floats,
    old_times: Longs,
    suffix: Floats,
    recent: Floats,
    ends: Longs,
    out: Floats,
) -> None:
    kinds, columns = cells.shape[1], values.shape[1]
    first, turn, end = ends[0], ends[1], ends[2]
    row = 0
    for cut in range(len(cuts) + 1):
        stop = cuts[cut] if cut < len(cuts) else len(cells)
        for i in range(row, stop):
            for j in range(kinds):
                counts[cells[i, j]] += 1.0
                old_cells[end, j] = cells[i, j]
            for j in range(columns):
                old_values[end, j] = values[i, j]
                recent[j] += values[i, j]
            old_times[end] = times[i]
            end += 1
            oldest = max(times[i], _FIRST_TIME + length) - length  # no difference overflows
            while first < end - 1 and old_times[first] <= oldest:
                for j in range(kinds):
                    counts[old_cells[first, j]] -= 1.0
                first += 1
                if first > turn:  # the oldest row has no suffix sum: compute new ones
                    turn = end
                    for j in range(columns):
                        recent[j] = 0.0
                        suffix[end, j] = 0.0
                        for back in range(end - 1, first - 1, -1):
                            suffix[back, j] = suffix[back + 1, j] + old_values[back, j]
        row = stop
        if cut < len(cuts):
            put_row(counts, out, cut)
            for j in range(columns):
                before = suffix[first, j] if first < turn else 0.0
                out[cut, len(counts) + j] = recent[j] + before
    ends[0] = first
    ends[1] = turn
    ends[2] = end


class FadingFold:
    """Fading sums: each new row gets a larger weight; all are rescaled before they overflow."""

    state_fields = ("_sums", "_weight")

    def __init__(self, a: float, shape: Shape) -> None:
        self._grow = min(1 / a, _MOST_GROWTH)
        self._sums = np.zeros(shape.counts + shape.values)
        self._weight = np.ones(1)

    def add(self, cells: Codes, values: Floats, cuts: Longs, times: Longs) -> Floats:
        out = np.empty((len(cuts), len(self._sums)))
        _fold_fading(cells, values, cuts, self._grow, self._sums, self._weight, out)
        return out


@lean_kernel
def _fold_fading(
    cells: Codes,
    values: Floats,
    cuts: Longs,
    grow: float,
    sums: Floats,
    newest: Floats,
    out: Floats,
) -> None:
    counts = len(sums) - values.shape[1]
    weight = newest[0]
    row = 0
    for cut in range(len(cuts) + 1):
        stop = cuts[cut] if cut < len(cuts) else len(cells)
        for i in range(row, stop):
            weight *= grow
            if weight > _RESCALE_ABOVE:
                for j in range(len(sums)):
                    sums[j] /= weight
                weight = 1.0
            for j in range(cells.shape[1]):
                sums[cells[i, j]] += weight
            for j in range(values.shape[1]):
                sums[counts + j] += values[i, j] * weight
        row = stop
        if cut < len(cuts):
            for j in range(len(sums)):
                out[cut, j] = sums[j] / weight
    newest[0] = weight


class ZliobaiteFold:
    """Algorithm 1 of zliobaite2015: p, P(i), P_h(i) smoothed once per row, P(i|i) for i = y."""

    state_fields = ("_state", "_previous")

    def __init__(self, alpha: float, shape: Shape) -> None:
        self._alpha = alpha
        self._classes = k = shape.classes
        self._state = np.concatenate([[0.0], np.full(3 * k, 1 / k)])
        self._previous = np.zeros(1, np.int64)  # the first class, as printed

    def add(self, cells: Codes, values: Floats, cuts: Longs, times: Longs) -> Floats:
        out = np.empty((len(cuts), len(self._state)))
        _fold_zliobaite(cells, cuts, self._alpha, self._classes, self._state, self._previous, out)
        return out


@lean_kernel
def _fold_zliobaite(
    cells: Codes,
    cuts: Longs,
    alpha: float,
    k: int,
    state: Floats,
    previous: Longs,
    out: Floats,
) -> None:
    keep = 1 - alpha
    row = 0
    for cut in range(len(cuts) + 1):
        stop = cuts[cut] if cut < len(cuts) else len(cells)
        for i in range(row, stop):
            y, predicted = cells[i, 0] // (k + 1), cells[i, 0] % (k + 1)  # k = abstained
            state[0] = state[0] * keep + (alpha if y == predicted else 0.0)
            for c in range(k):
                state[1 + c] = state[1 + c] * keep + (alpha if c == y else 0.0)
                state[1 + k + c] = state[1 + k + c] * keep + (alpha if c == predicted else 0.0)
            own = 1 + 2 * k + y
            state[own] = state[own] * keep + (alpha if y == previous[0] else 0.0)
            previous[0] = y
        row = stop
        if cut < len(cuts):
            put_row(state, out, cut)
