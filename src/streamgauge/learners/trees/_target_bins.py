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

# Rows of a table of bins. A run's values of each lie side by side, so that a few instructions
# compare or move several of them.
BIN_UPPER: Final = 0  # inclusive; the bin holds values above the previous bin's
BIN_WEIGHT: Final = 1
BIN_SUM: Final = 2  # weight times target
BIN_SQUARES: Final = 3  # weight times squared target; not every table has this row


class TargetBins(NamedTuple):
    """A run of bins per leaf and feature. Rows wait in a buffer and are binned together."""

    table: Floats  # [quantity, slot]: all runs, one after another
    start: Longs  # [leaf, feature of the leaf]: first slot of its run
    capacity: Codes  # [leaf, feature of the leaf]: slots of its run
    n_bins: Codes  # [leaf, feature of the leaf]: slots in use
    buffer: Floats  # [leaf, row, column]: values of the leaf's features, weight, target
    buffered: Codes  # [leaf]: rows in the buffer


@inlined
def _slot(start: int, r: int) -> np.uint64:
    """Return the slot of a run's bin. An index without a sign needs no check for a negative one."""
    return np.uint64(start) + np.uint64(r)


@inlined
def copy_bins(table: Floats, start: int, n: int, to: Floats, to_start: int) -> None:
    """Copy a run of n bins to another place, which it must not overlap."""
    for quantity in range(table.shape[0]):
        for r in range(n):
            to[quantity, _slot(to_start, r)] = table[quantity, _slot(start, r)]


@inlined
def clear_bins(table: Floats, start: int, n: int) -> None:
    """Set n bins to 0."""
    for quantity in range(table.shape[0]):
        for r in range(n):
            table[quantity, _slot(start, r)] = 0.0


@inlined
def _move_up(table: Floats, start: int, first: int, stop: int) -> None:
    """Move the bins of a run from `first` on, which end before `stop`, one slot up."""
    for quantity in range(table.shape[0]):
        for r in range(stop, first, -1):
            table[quantity, _slot(start, r)] = table[quantity, _slot(start, r - 1)]


@inlined
def _move_down(table: Floats, start: int, first: int, stop: int) -> None:
    """Move the bins of a run from `first` on, which end before `stop`, one slot down."""
    for quantity in range(table.shape[0]):
        for r in range(first, stop):
            table[quantity, _slot(start, r - 1)] = table[quantity, _slot(start, r)]


@inlined
def _find_bin(table: Floats, start: int, n: int, value: float) -> int:
    """Return the first of n bins whose bound is not below the value; n if none is.

    Counting the bounds below it is several times as fast as a binary search, every other step of
    which the processor guesses wrongly.
    """
    below = 0
    for r in range(n):
        below += int(table[BIN_UPPER, _slot(start, r)] < value)
    return below


@inner
def add_values(table: Floats, start: int, n: int, max_bins: int, rows: Floats, column: int) -> int:
    """Add one column of rows, which end in weight and target, to n bins; return how many there are.

    The run must have room for one more bin per row, up to `max_bins`.
    """
    for r in range(len(rows)):
        value = rows[r, column]
        if np.isnan(value):
            continue
        place = _find_bin(table, start, n, value)
        if place == n or table[BIN_UPPER, _slot(start, place)] != value:
            if n < max_bins:
                _move_up(table, start, place, n)
                _open_bin(table, start + place, value)
                n += 1
            elif place in (0, n):
                place = _free_end_bin(table, start, n, place == 0)
                _open_bin(table, start + place, value)
        _add_row(table, start + place, rows, r)
    return n


@inlined
def _open_bin(table: Floats, slot: int, value: float) -> None:
    clear_bins(table, slot, 1)
    table[BIN_UPPER, slot] = value


@inlined
def _add_row(table: Floats, slot: int, rows: Floats, r: int) -> None:
    """Add a row, which ends in weight and target, to a bin."""
    last = rows.shape[1] - 1
    weight, target = rows[r, last - 1], rows[r, last]
    table[BIN_WEIGHT, slot] += weight
    table[BIN_SUM, slot] += weight * target
    if table.shape[0] > BIN_SQUARES:
        table[BIN_SQUARES, slot] += weight * target * target


@inner
def _free_end_bin(table: Floats, start: int, n: int, in_front: bool) -> int:
    """Merge the two lightest neighbours to free a bin at one end of a run; return its place."""
    merged, lightest = 0, np.inf
    for r in range(n - 1):
        weight = table[BIN_WEIGHT, _slot(start, r)] + table[BIN_WEIGHT, _slot(start, r + 1)]
        if weight < lightest:
            merged, lightest = r, weight
    for quantity in range(BIN_WEIGHT, table.shape[0]):
        table[quantity, start + merged + 1] += table[quantity, start + merged]
    if in_front:
        _move_up(table, start, 0, merged)
        return 0
    _move_down(table, start, merged + 1, n)
    return n - 1


@inner
def add_nominal_values(table: Floats, start: int, rows: Floats, column: int) -> None:
    """Add one column of rows to the bins of a nominal feature: one bin per value."""
    for r in range(len(rows)):
        if not np.isnan(rows[r, column]):
            _add_row(table, start + int(rows[r, column]), rows, r)


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
            if used[0] + slots > table.shape[1]:
                return False
            old, new = start[leaf, i], used[0]
            copy_bins(table, old, n_bins[leaf, i], table, new)
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
    for i in range(n_bins.shape[1]):
        first, values = start[leaf, i], cardinality[features[leaf, i]]
        if values:
            if n_bins[leaf, i] == 0:
                clear_bins(table, first, values)
                n_bins[leaf, i] = values
            add_nominal_values(table, first, rows, i)
        else:
            n_bins[leaf, i] = add_values(table, first, n_bins[leaf, i], max_bins, rows, i)
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
    for r in range(n):
        weight += table[BIN_WEIGHT, _slot(start, r)]
        total += table[BIN_SUM, _slot(start, r)]
    return weight, total


@inner
def best_threshold(table: Floats, start: int, n: int, min_weight: float) -> Cut:
    """Return the best threshold of a numeric feature with `min_weight` on both sides."""
    weight, total = _totals(table, start, n)
    gain, threshold, best_weight, best_total = 0.0, np.nan, 0.0, 0.0
    left_weight, left_total = 0.0, 0.0
    for r in range(n - 1):
        left_weight += table[BIN_WEIGHT, _slot(start, r)]
        left_total += table[BIN_SUM, _slot(start, r)]
        if left_weight >= min_weight and weight - left_weight >= min_weight:
            saved = squares_saved(weight, total, left_weight, left_total)
            if saved > gain:
                gain, threshold = saved, table[BIN_UPPER, _slot(start, r)]
                best_weight, best_total = left_weight, left_total
    return Cut(gain, threshold, weight, total, best_weight, best_total)


@inner
def best_value(table: Floats, start: int, n: int, min_weight: float) -> Cut:
    """Return the best of n nominal values to separate from all others; bin i is value i's."""
    weight, total = _totals(table, start, n)
    gain, value, best_weight, best_total = 0.0, np.nan, 0.0, 0.0
    for r in range(n):
        left_weight, left_total = table[BIN_WEIGHT, start + r], table[BIN_SUM, start + r]
        if left_weight >= min_weight and weight - left_weight >= min_weight:
            saved = squares_saved(weight, total, left_weight, left_total)
            if saved > gain:
                gain, value = saved, float(r)
                best_weight, best_total = left_weight, left_total
    return Cut(gain, value, weight, total, best_weight, best_total)
