"""Sums of targets in bins of feature values: the candidate splits of regression leaves and rules.

The first distinct values become upper bounds of bins; once the maximum number of bins is reached,
further values fall into existing bins. Only a value beyond either end still opens a bin, for which
the two lightest neighbouring bins are merged, so the bins keep covering a feature that rises with
time. Below the maximum this is equivalent to an extended binary search tree (E-BST). The sums of
every bin are always exact.

A nominal feature of few values has a bin for each. One of many values has bins of those that a leaf
has seen, like a numeric feature whose maximum is their number.

A run of fewer bins than the maximum is sorted only when its cuts are compared.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from streamgauge._support.index import as_index
from streamgauge._support.jit import inlined, lean_inner
from streamgauge._support.types import Codes, Floats, Longs

# Rows of a table of bins. A run's values of each lie side by side, so that a few instructions
# compare or move several of them.
BIN_UPPER: Final = 0  # inclusive; the bin holds values above the previous bin's
BIN_WEIGHT: Final = 1
BIN_SUM: Final = 2  # weight times target
BIN_SQUARES: Final = 3  # weight times squared target; not every table has this row

_VALUES: Final = 3  # row of a scratch table
_STEP: Final = 16  # slots that a loop over a run handles in one step

_FEW: Final = 4  # bins that are looked at in a shorter step


def slots_for(n: int) -> int:
    """Return the slots that a run of n bins needs, whole steps of the loops over it."""
    return -(-n // _STEP) * _STEP


def new_scratch(n: int) -> Floats:
    """Return a table for a run of up to n bins or values that is being made or sorted."""
    return np.zeros((4, slots_for(n)))


class TargetBins(NamedTuple):
    """A run of bins per leaf and feature. Rows wait in a buffer and are binned together."""

    table: Floats  # [quantity, slot]: all runs, one after another
    start: Longs  # [leaf, feature of the leaf]: first slot of its run
    capacity: Codes  # [leaf, feature of the leaf]: slots of its run
    n_bins: Codes  # [leaf, feature of the leaf]: slots in use
    buffer: Floats  # [leaf, row, column]: values of the leaf's features, weight, target; it has
    # no more rows than a run may have bins
    buffered: Codes  # [leaf]: rows in the buffer
    scratch: Floats  # [quantity, slot]: a run that is being made; see `new_scratch`


@inlined
def _slot(start: int, r: int) -> np.uint64:
    """Return the slot of a run's bin. An index without a sign needs no check for a negative one."""
    return np.uint64(start) + np.uint64(r)


@inlined
def is_dense(values: int) -> bool:
    """Return whether bin i is nominal value i's, for a feature of this many values (0: numeric)."""
    return 0 < values <= _STEP


@inlined
def copy_bins(table: Floats, start: int, n: int, to: Floats, to_start: int) -> None:
    """Copy a run of n bins to another place, which it must not overlap."""
    for quantity in range(to.shape[0]):
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
def whole_steps(n: int) -> int:
    """Return `slots_for` n bins, in kernels."""
    return (n + _STEP - 1) & -_STEP


@inlined
def empty_bins(table: Floats, start: int, first: int, stop: int) -> None:
    """Make slots of a numeric feature's run, from `first` to before `stop`, ready for new bins."""
    for quantity in range(table.shape[0]):
        for r in range(first, stop):
            table[quantity, _slot(start, r)] = np.nan if quantity == BIN_UPPER else 0.0


@inlined
def _find_equal(table: Floats, start: int, n: int, value: float) -> int:
    """Return the one of n bins whose bound is the value; n if none is.

    It looks at all bins, several in a step: a search that ends early or that halves the bins takes
    turns that the processor guesses wrongly. The slots after the bins have no bound.
    """
    found = 0
    if n <= _FEW:
        for r in range(_FEW):
            found += r - n if table[BIN_UPPER, _slot(start, r)] == value else 0
        return n + found
    for r in range(whole_steps(n)):
        found += r - n if table[BIN_UPPER, _slot(start, r)] == value else 0
    return n + found


@inlined
def _count_below(table: Floats, start: int, n: int, value: float) -> int:
    """Return how many of n bins have a bound below the value; the slots after them have none."""
    below = 0
    for r in range(whole_steps(n)):
        below += int(table[BIN_UPPER, _slot(start, r)] < value)
    return below


@inlined
def add_value(
    table: Floats, start: int, n: int, max_bins: int, value: float, weight: float, target: float,
    scratch: Floats,
) -> int:  # fmt: skip
    """Add a row to the bin of its value, one of n bins; return how many there are then.

    The run must have room for `whole_steps` of one more bin, up to `max_bins`, and empty slots
    after its bins.
    """
    if n < max_bins:
        place = _find_equal(table, start, n, value)
        if place == n:
            table[BIN_UPPER, _slot(start, place)] = value
            n += 1
        add_to_bin(table, as_index(start + place), weight, target)
        if n == max_bins:
            sort_bins(table, start, n, scratch)
        return n
    place = _count_below(table, start, n, value)
    if (place == 0 and table[BIN_UPPER, start] != value) or place == n:
        place = _free_end_bin(table, start, n, place == 0)
        clear_bins(table, start + place, 1)
        table[BIN_UPPER, start + place] = value
    add_to_bin(table, as_index(start + place), weight, target)
    return n


@inlined
def add_to_bin(table: Floats, slot: int, weight: float, target: float) -> None:
    """Add a row to a bin."""
    table[BIN_WEIGHT, slot] += weight
    table[BIN_SUM, slot] += weight * target
    if table.shape[0] > BIN_SQUARES:
        table[BIN_SQUARES, slot] += weight * target * target


@lean_inner
def sort_bins(table: Floats, start: int, n: int, scratch: Floats) -> None:
    """Sort a run of n bins; the number of lower bounds is the place of a bin."""
    falls = 0
    for r in range(1, n):
        falls += int(table[BIN_UPPER, _slot(start, r)] < table[BIN_UPPER, _slot(start, r - 1)])
    if falls == 0:
        return
    for r in range(n):
        place = as_index(_count_below(table, start, n, table[BIN_UPPER, _slot(start, r)]))
        for quantity in range(table.shape[0]):
            scratch[quantity, place] = table[quantity, _slot(start, r)]
    copy_bins(scratch, 0, n, table, start)


@lean_inner
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


@lean_inner
def reserve_bins(
    bins: TargetBins, used: Longs, max_bins: int, features: Codes, cardinality: Longs, leaf: int
) -> bool:
    """Make room in a leaf's runs for its buffer and one more row; False if the table is full.

    `used[0]` counts the slots in use. A run that grows moves to the end. Nothing is lost on
    failure, so the call can be repeated on a larger table.
    """
    table, start, capacity, n_bins, _, buffered, _ = bins
    for i in range(n_bins.shape[1]):
        values, n = cardinality[features[leaf, i]], n_bins[leaf, i]
        most = values if values else max_bins
        needed = values if is_dense(values) else whole_steps(min(most, n + buffered[leaf] + 1))
        if capacity[leaf, i] < needed:
            slots = max(needed, min(whole_steps(most), 2 * capacity[leaf, i]))
            if used[0] + slots > table.shape[1]:
                return False
            old, new = start[leaf, i], used[0]
            copy_bins(table, old, n, table, new)
            empty_bins(table, new, n, slots)
            start[leaf, i] = new
            capacity[leaf, i] = slots
            used[0] += slots
    return True


@lean_inner
def flush_buffer(
    bins: TargetBins, max_bins: int, features: Codes, cardinality: Longs, leaf: int
) -> None:
    """Move a leaf's buffered rows into its bins, which must have room."""
    table, start, capacity, n_bins, buffer, buffered, scratch = bins
    m, leaf = n_bins.shape[1], as_index(leaf)
    for i in range(m):
        if n_bins[leaf, i] == 0:
            values = cardinality[features[leaf, i]]
            if is_dense(values):
                clear_bins(table, start[leaf, i], values)
                n_bins[leaf, i] = values
            else:
                empty_bins(table, start[leaf, i], 0, capacity[leaf, i])
    for r in range(buffered[leaf]):  # features inside: a bin just changed is slow to read again
        weight, target = buffer[leaf, r, m], buffer[leaf, r, m + 1]
        for i in range(m):
            value = buffer[leaf, r, i]
            if np.isnan(value):
                continue
            first, values = as_index(start[leaf, i]), cardinality[as_index(int(features[leaf, i]))]
            if is_dense(values):
                add_to_bin(table, first + int(value), weight, target)
            else:
                most = values if values else max_bins
                n_bins[leaf, i] = add_value(
                    table, first, n_bins[leaf, i], most, value, weight, target, scratch
                )
    buffered[leaf] = 0


@inlined
def is_binned(bins: TargetBins, leaf: int) -> bool:
    """Return whether a leaf has bins; if not, all its rows with a value are in the buffer."""
    n = 0
    for i in range(bins.n_bins.shape[1]):
        n += bins.n_bins[leaf, i]
    return n > 0


@inlined
def bin_buffer(bins: TargetBins, leaf: int, i: int, values: int) -> int:
    """Make a run in the scratch table from the i-th column of a leaf's buffer; return its length.

    `values` is the number of nominal values, 0 if numeric. Unless the run is dense, the number of
    smaller values is the place of a value's bin. After equal values, slots remain empty: cuts that
    they repeat.
    """
    scratch, buffer, n = bins.scratch, bins.buffer, as_index(int(bins.buffered[leaf]))
    m, slots, leaf = bins.n_bins.shape[1], whole_steps(n), as_index(leaf)
    dense = is_dense(values)
    for r in range(values if dense else slots):
        scratch[BIN_WEIGHT, r] = 0.0
        scratch[BIN_SUM, r] = 0.0
    for r in range(n):
        scratch[_VALUES, r] = buffer[leaf, r, i]
    for r in range(n, slots):
        scratch[_VALUES, r] = np.nan
    for r in range(n):
        value = scratch[_VALUES, r]
        if np.isnan(value):
            continue
        place = int(value)
        if not dense:
            place = 0
            for other in range(slots):
                place += int(scratch[_VALUES, other] < value)
            scratch[BIN_UPPER, as_index(place)] = value
        weight = buffer[leaf, r, m]
        scratch[BIN_WEIGHT, as_index(place)] += weight
        scratch[BIN_SUM, as_index(place)] += weight * buffer[leaf, r, m + 1]
    return values if dense else n


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


@lean_inner
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


@lean_inner
def best_value(table: Floats, start: int, n: int, dense: bool, min_weight: float) -> Cut:
    """Return the best of n nominal values to separate from all others; see `is_dense`."""
    weight, total = _totals(table, start, n)
    gain, value, best_weight, best_total = 0.0, np.nan, 0.0, 0.0
    for r in range(n):
        left_weight, left_total = table[BIN_WEIGHT, start + r], table[BIN_SUM, start + r]
        if left_weight >= min_weight and weight - left_weight >= min_weight:
            saved = squares_saved(weight, total, left_weight, left_total)
            if saved > gain:
                gain, value = saved, float(r) if dense else table[BIN_UPPER, start + r]
                best_weight, best_total = left_weight, left_total
    return Cut(gain, value, weight, total, best_weight, best_total)
