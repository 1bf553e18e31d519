"""Sums of targets in bins of feature values: the candidate splits of regression leaves and rules.

The first distinct values become upper bounds of bins; once the maximum number of bins is reached,
further values fall into existing bins. Only a value beyond either end still opens a bin, for which
the two lightest neighbouring bins are merged, so the bins keep covering a feature that rises with
time. Below the maximum this is equivalent to an extended binary search tree (E-BST). The sums of
every bin are always exact.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from streamgauge._support.jit import inlined, inner
from streamgauge._support.types import Codes, Floats, Longs
from streamgauge.learners._rows import clear_row, copy_row

# Columns of a table of bins.
BIN_UPPER: Final = 0  # inclusive; the bin holds values above the previous bin's
BIN_WEIGHT: Final = 1
BIN_SUM: Final = 2  # weight times target
BIN_SQUARES: Final = 3  # weight times squared target; not every table has this column


class TargetBins(NamedTuple):
    """A run of bins per leaf and feature. Rows wait in a buffer and are binned together."""

    table: Floats  # [slot, column]: all runs, one after another
    start: Longs  # [leaf, feature of the leaf]: first slot of its run
    capacity: Codes  # [leaf, feature of the leaf]: slots of its run
    n_bins: Codes  # [leaf, feature of the leaf]: slots in use
    buffer: Floats  # [leaf, row, column]: values of the leaf's features, weight, target
    buffered: Codes  # [leaf]: rows in the buffer


@inlined
def _copy_bin(table: Floats, row: int, to: Floats, to_row: int) -> None:
    """Copy a bin. Unlike `copy_row` this is not a loop, which would be slow for so few columns."""
    to[to_row, BIN_UPPER] = table[row, BIN_UPPER]
    to[to_row, BIN_WEIGHT] = table[row, BIN_WEIGHT]
    to[to_row, BIN_SUM] = table[row, BIN_SUM]
    if table.shape[1] > BIN_SQUARES:
        to[to_row, BIN_SQUARES] = table[row, BIN_SQUARES]


@inlined
def _find_bin(table: Floats, start: int, n: int, value: float) -> int:
    """Return the first of n bins whose bound is not below the value; `start` + n if none is."""
    place, left = start, n
    while left > 1:
        half = left // 2
        if table[place + half - 1, BIN_UPPER] < value:
            place += half
        left -= half
    return place + int(left == 1 and table[place, BIN_UPPER] < value)


@inner
def add_values(
    table: Floats, start: int, n: int, max_bins: int, rows: Floats, column: int, new_bins: Floats
) -> int:
    """Add one column of rows, which end in weight and target, to n bins; return how many there are.

    The run must have room for one more bin per row, up to `max_bins`. `new_bins` is scratch space
    for one bin per row: bins that are not in the run yet.
    """
    last, squares = rows.shape[1] - 1, table.shape[1] > BIN_SQUARES
    place, n_new = start, 0
    for r in range(len(rows)):
        value, weight, target = rows[r, column], rows[r, last - 1], rows[r, last]
        if np.isnan(value):
            continue
        if n == 0 or table[place, BIN_UPPER] != value:  # often equal to the previous row's value
            place = _find_bin(table, start, n, value)
            if n + n_new == max_bins and n_new > 0 and _is_new(table, start, n, place, value):
                n = _merge_new(table, start, n, new_bins[:n_new])
                n_new, place = 0, _find_bin(table, start, n, value)
            if _is_new(table, start, n, place, value):
                if n < max_bins:
                    n_new = _add_new(new_bins, n_new, value, weight, target)
                    place = start
                    continue
                if place == start or place == start + n:
                    place = _open_end_bin(table, start, n, place == start)
                    table[place, BIN_UPPER] = value
        table[place, BIN_WEIGHT] += weight
        table[place, BIN_SUM] += weight * target
        if squares:
            table[place, BIN_SQUARES] += weight * target * target
    return _merge_new(table, start, n, new_bins[:n_new]) if n_new else n


@inlined
def _is_new(table: Floats, start: int, n: int, place: int, value: float) -> bool:
    return place == start + n or table[place, BIN_UPPER] != value


@inner
def _open_end_bin(table: Floats, start: int, n: int, in_front: bool) -> int:
    """Merge the two lightest neighbours to free a bin at one end; return its slot."""
    merged = start
    for r in range(start, start + n - 1):
        weight = table[r, BIN_WEIGHT] + table[r + 1, BIN_WEIGHT]
        if weight < table[merged, BIN_WEIGHT] + table[merged + 1, BIN_WEIGHT]:
            merged = r
    for column in range(BIN_WEIGHT, table.shape[1]):
        table[merged + 1, column] += table[merged, column]
    for column in range(table.shape[1]):
        if in_front:
            for r in range(merged, start, -1):
                table[r, column] = table[r - 1, column]
        else:
            for r in range(merged, start + n - 1):
                table[r, column] = table[r + 1, column]
    place = start if in_front else start + n - 1
    clear_row(table, place)
    return place


@inlined
def _add_new(new_bins: Floats, n: int, value: float, weight: float, target: float) -> int:
    """Add a value to the n new bins, in order; return how many there are."""
    place = n
    while place > 0 and new_bins[place - 1, BIN_UPPER] > value:
        place -= 1
    if place > 0 and new_bins[place - 1, BIN_UPPER] == value:
        place -= 1
    else:
        for r in range(n, place, -1):
            _copy_bin(new_bins, r - 1, new_bins, r)
        clear_row(new_bins, place)
        new_bins[place, BIN_UPPER] = value
        n += 1
    new_bins[place, BIN_WEIGHT] += weight
    new_bins[place, BIN_SUM] += weight * target
    if new_bins.shape[1] > BIN_SQUARES:
        new_bins[place, BIN_SQUARES] += weight * target * target
    return n


@inner
def _merge_new(table: Floats, start: int, n: int, new_bins: Floats) -> int:
    """Merge new bins into a run of n, in order; return how many there are."""
    a, b = start + n - 1, len(new_bins) - 1
    for place in range(start + n + b, start - 1, -1):  # from the back, where slots are free
        if b < 0:
            break
        if a >= start and table[a, BIN_UPPER] > new_bins[b, BIN_UPPER]:
            _copy_bin(table, a, table, place)
            a -= 1
        else:
            _copy_bin(new_bins, b, table, place)
            b -= 1
    return n + len(new_bins)


@inner
def add_nominal_values(table: Floats, start: int, rows: Floats, column: int) -> None:
    """Add one column of rows to the bins of a nominal feature: one bin per value."""
    last, squares = rows.shape[1] - 1, table.shape[1] > BIN_SQUARES
    for r in range(len(rows)):
        if np.isnan(rows[r, column]):
            continue
        place, weight, target = start + int(rows[r, column]), rows[r, last - 1], rows[r, last]
        table[place, BIN_WEIGHT] += weight
        table[place, BIN_SUM] += weight * target
        if squares:
            table[place, BIN_SQUARES] += weight * target * target


@inner
def reserve_bins(
    bins: TargetBins, used: Longs, max_bins: int, features: Codes, cardinality: Longs, leaf: int
) -> bool:
    """Make room in a leaf's runs for its buffer and one more row; False if the table is full.

    `used[0]` counts the slots in use. A run that grows moves to the end. Nothing is lost on
    failure, so the call can be repeated on a larger table.
    """
    table, start, capacity, n_bins, _, buffered = bins
    for i in range(n_bins.shape[1]):
        values = cardinality[features[leaf, i]]
        needed = values if values else min(max_bins, n_bins[leaf, i] + buffered[leaf] + 1)
        if capacity[leaf, i] < needed:
            slots = values if values else min(max_bins, max(2 * capacity[leaf, i], needed))
            if used[0] + slots > len(table):
                return False
            old, new = start[leaf, i], used[0]
            for r in range(n_bins[leaf, i]):
                copy_row(table, old + r, table, new + r)
            start[leaf, i] = new
            capacity[leaf, i] = slots
            used[0] += slots
    return True


@inner
def flush_buffer(
    bins: TargetBins, max_bins: int, features: Codes, cardinality: Longs, leaf: int
) -> None:
    """Move a leaf's buffered rows into its bins, which must have room."""
    table, start, _, n_bins, buffer, buffered = bins
    rows = buffer[leaf, : buffered[leaf]]
    new_bins = np.empty((len(rows), table.shape[1]))
    for i in range(n_bins.shape[1]):
        first, values = start[leaf, i], cardinality[features[leaf, i]]
        if values:
            if n_bins[leaf, i] == 0:
                for r in range(first, first + values):
                    clear_row(table, r)
                n_bins[leaf, i] = values
            add_nominal_values(table, first, rows, i)
        else:
            n = n_bins[leaf, i]
            n_bins[leaf, i] = add_values(table, first, n, max_bins, rows, i, new_bins)
    buffered[leaf] = 0


@inlined
def squares_saved(weight: float, total: float, left_weight: float, left_total: float) -> float:
    """Return how much a split reduces the targets' sum of squared deviations."""
    gap = left_total - left_weight * (total / weight)
    return weight * gap * gap / (left_weight * (weight - left_weight))


class Cut(NamedTuple):
    """The best split on a feature; totals are weight times target."""

    gain: float  # reduction of the sum of squared deviations; 0 if no split is possible
    threshold: float  # or the nominal value
    weight: float
    total: float
    left_weight: float
    left_total: float


@inlined
def _totals(table: Floats, start: int, n: int) -> tuple[float, float]:
    """Return the weight of n bins, and weight times target."""
    weight, total = 0.0, 0.0
    for r in range(start, start + n):
        weight += table[r, BIN_WEIGHT]
        total += table[r, BIN_SUM]
    return weight, total


@inner
def best_threshold(table: Floats, start: int, n: int, min_weight: float) -> Cut:
    """Return the best threshold of a numeric feature with `min_weight` on both sides."""
    weight, total = _totals(table, start, n)
    gain, threshold, best_weight, best_total = 0.0, np.nan, 0.0, 0.0
    left_weight, left_total = 0.0, 0.0
    for r in range(start, start + n - 1):
        left_weight += table[r, BIN_WEIGHT]
        left_total += table[r, BIN_SUM]
        if left_weight >= min_weight and weight - left_weight >= min_weight:
            saved = squares_saved(weight, total, left_weight, left_total)
            if saved > gain:
                gain, threshold = saved, table[r, BIN_UPPER]
                best_weight, best_total = left_weight, left_total
    return Cut(gain, threshold, weight, total, best_weight, best_total)


@inner
def best_value(table: Floats, start: int, n: int, min_weight: float) -> Cut:
    """Return the best of n nominal values to separate from all others; bin i is value i's."""
    weight, total = _totals(table, start, n)
    gain, value, best_weight, best_total = 0.0, np.nan, 0.0, 0.0
    for r in range(start, start + n):
        left_weight = table[r, BIN_WEIGHT]
        if left_weight >= min_weight and weight - left_weight >= min_weight:
            saved = squares_saved(weight, total, left_weight, table[r, BIN_SUM])
            if saved > gain:
                gain, value = saved, float(r - start)
                best_weight, best_total = left_weight, table[r, BIN_SUM]
    return Cut(gain, value, weight, total, best_weight, best_total)
