"""Counts of nominal values at leaves, in memory that grows with the values that a leaf has seen.

A run has the counts of one feature's values in one class at one leaf. While few of many values have
been seen it is a hash table: keys, then their counts. Later, and for features of few values, it is
dense: a count for each value. Runs follow each other; one that grows moves to the end and leaves a
gap, as does a leaf that is released. When the table is full, the runs move to a new one.

A tree with a memory limit reserves a dense run for each feature in each class at each leaf instead,
so that a leaf that fits never needs more.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from streamgauge._support.index import as_index
from streamgauge._support.jit import inlined, lean_inner, lean_kernel
from streamgauge._support.types import Codes, Floats, Longs, Schema
from streamgauge.learners.trees._tables import padded

# Columns of Leaves.stats where the feature is nominal.
_HELD: Final = 1  # keys of a hash table
_PLACE: Final = 2  # first place of the run
_ROOM: Final = 4  # for keys, a power of 2; the number of nominal values if dense; 0 without a run

# Entries of ValueCounts.counters.
_USED: Final = 0  # places
_PER_ROW: Final = 1  # places that learning a row takes at most
_WANTED: Final = 2  # places that were asked for and lacking
_N_COUNTERS: Final = 3

_FIRST_ROOM: Final = 2
_FIRST_ROWS: Final = 4  # that fit into an empty table


class ValueCounts(NamedTuple):
    """The runs of all leaves."""

    table: Floats  # [0, place]; [leaf, place] if places are reserved
    cardinality: Longs  # [feature]: number of nominal values, 0 if numeric; empty if reserved
    counters: Longs  # empty if reserved


def new_counts(schema: Schema, reserves: bool) -> ValueCounts:
    """Return room without runs."""
    values = sum(schema.cardinality)
    if reserves or values == 0:
        none = np.empty(0, np.int64)
        return ValueCounts(np.empty((0, len(schema.classes) * values)), none, none)
    counters = np.zeros(_N_COUNTERS, np.int64)
    counters[_PER_ROW] = values  # a run has at most as many places as values, and one class learns
    table = padded(np.empty((0, _FIRST_ROWS * values)), 1)
    return ValueCounts(table, np.array(schema.cardinality, np.int64), counters)


@inlined
def is_reserved(counts: ValueCounts) -> bool:
    """Return whether each leaf has places for all values."""
    return len(counts.counters) == 0


@inlined
def has_places_for(counts: ValueCounts, rows: int) -> bool:
    """Return whether there are places for the values of `rows` rows; if not, note how many."""
    if is_reserved(counts):
        return True
    counters = counts.counters
    needed = rows * counters[_PER_ROW]
    fits = needed <= counts.table.shape[1] - counters[_USED]
    counters[_WANTED] = 0 if fits else needed
    return bool(fits)


def places_per_leaf(counts: ValueCounts) -> int:
    """Return how many places each leaf has, if they are reserved; else 0."""
    return 0 if len(counts.counters) else int(counts.table.shape[1])


def of_leaves(counts: ValueCounts, kept: Longs | slice, more: int) -> ValueCounts:
    """Return the counts where only these rows of Leaves are kept, and `more` follow."""
    if len(counts.counters):
        return counts  # runs are not at the row of their leaf
    return counts._replace(table=padded(counts.table[kept], more))


def lacks_places(counts: ValueCounts) -> bool:
    """Return whether the last question for places was answered with no."""
    return len(counts.counters) > 0 and bool(counts.counters[_WANTED] > 0)


@inlined
def _row_of(counts: ValueCounts, leaf: int) -> int:
    """Return the row of the table that has a leaf's runs."""
    return as_index(leaf) if is_reserved(counts) else 0


@inlined
def _slot_of(table: Floats, place: int, room: int, value: int) -> int:
    """Return the slot of a hash table that has a value's key, or is free for it.

    A key is the value plus 1. At least one slot is free.
    """
    slot = value & (room - 1)
    key = table[0, as_index(place + slot)]
    while key != 0 and key != value + 1:
        slot = (slot + 1) & (room - 1)
        key = table[0, as_index(place + slot)]
    return slot


@inlined
def count_of(
    counts: ValueCounts, stats: Floats, leaf: int, c: int, i: int, cardinality: int, value: int
) -> float:
    """Return the weight of a value of the i-th feature that a leaf observes, in class c."""
    place, room = int(stats[leaf, c, i, _PLACE]), int(stats[leaf, c, i, _ROOM])
    if room == cardinality:
        return float(counts.table[_row_of(counts, leaf), as_index(place + value)])
    if room == 0:
        return 0.0
    slot = _slot_of(counts.table, place, room, value)
    return float(counts.table[0, as_index(place + room + slot)])


@inlined
def add_to_count(
    counts: ValueCounts, stats: Floats, leaf: int, c: int, i: int, cardinality: int, offset: int,
    value: int, w: float,
) -> None:  # fmt: skip
    """Add to the weight of a value; there must be places for a row.

    `offset`: the number of values of the features before.
    """
    if stats[leaf, c, i, _ROOM] == cardinality:
        place = int(stats[leaf, c, i, _PLACE]) + value
    elif is_reserved(counts):
        first = c * (counts.table.shape[1] // stats.shape[1]) + offset
        stats[leaf, c, i, _PLACE] = first
        stats[leaf, c, i, _ROOM] = cardinality
        place = first + value
    else:
        place = _place_for(counts, stats, leaf, c, i, cardinality, value)
    counts.table[_row_of(counts, leaf), as_index(place)] += w


@lean_inner
def _place_for(
    counts: ValueCounts, stats: Floats, leaf: int, c: int, i: int, cardinality: int, value: int
) -> int:
    """Return the place of a value's count in a run that is not dense yet."""
    table, held = counts.table, int(stats[leaf, c, i, _HELD])
    place, room = int(stats[leaf, c, i, _PLACE]), int(stats[leaf, c, i, _ROOM])
    if room > 0:
        slot = _slot_of(table, place, room, value)
        if table[0, place + slot] != 0:
            return place + room + slot
    if 4 * (held + 1) > 3 * room:
        _grow(counts, stats, leaf, c, i, cardinality)
        place, room = int(stats[leaf, c, i, _PLACE]), int(stats[leaf, c, i, _ROOM])
        if room == cardinality:
            return place + value
    slot = _slot_of(table, place, room, value)
    table[0, place + slot] = value + 1
    stats[leaf, c, i, _HELD] = held + 1
    return place + room + slot


@inlined
def _places_of(room: int, cardinality: int) -> int:
    """Return the size of a run."""
    return room if room == cardinality else 2 * room


@lean_inner
def _grow(counts: ValueCounts, stats: Floats, leaf: int, c: int, i: int, cardinality: int) -> None:
    """Move a run that is not dense to the end of the table, with twice the room or dense."""
    table, counters = counts.table, counts.counters
    was, had = int(stats[leaf, c, i, _PLACE]), int(stats[leaf, c, i, _ROOM])
    room = max(_FIRST_ROOM, 2 * had)
    if 4 * room >= cardinality:  # dense takes at most twice the places, and less time
        room = cardinality
    place = counters[_USED]
    counters[_USED] += _places_of(room, cardinality)
    stats[leaf, c, i, _PLACE] = place
    stats[leaf, c, i, _ROOM] = room
    for old in range(had):
        key = table[0, was + old]
        if key == 0:
            continue
        value = int(key) - 1
        to = place + value
        if room != cardinality:
            slot = _slot_of(table, place, room, value)
            table[0, place + slot] = key
            to = place + room + slot
        table[0, to] = table[0, was + had + old]


@inlined
def release_runs(counts: ValueCounts, stats: Floats, leaf: int) -> None:
    """Leave a gap where a leaf had its runs."""
    if not is_reserved(counts):
        for c in range(stats.shape[1]):
            for i in range(stats.shape[2]):
                stats[leaf, c, i, _ROOM] = 0.0


def without_gaps(counts: ValueCounts, stats: Floats, features: Codes) -> ValueCounts:
    """Return the same runs with twice the room that they need, and what was asked for."""
    live = _live_places(counts, stats, features)
    # Places in proportion to the leaves, too: all are looked at here, so this must be rare.
    size = 2 * live + int(counts.counters[_WANTED]) + features.size
    new = counts._replace(table=padded(np.empty((0, size)), 1), counters=counts.counters.copy())
    _move_runs(counts, stats, features, new)
    return new


@lean_kernel
def _live_places(counts: ValueCounts, stats: Floats, features: Codes) -> int:
    """Return how many places all runs have."""
    live = 0
    for leaf in range(stats.shape[0]):
        for i in range(stats.shape[2]):
            cardinality = counts.cardinality[features[leaf, i]]
            for c in range(stats.shape[1] if cardinality else 0):
                live += _places_of(int(stats[leaf, c, i, _ROOM]), cardinality)
    return live


@lean_kernel
def _move_runs(counts: ValueCounts, stats: Floats, features: Codes, new: ValueCounts) -> None:
    """Move all runs to an empty table, one after another."""
    place = 0
    for leaf in range(stats.shape[0]):
        for i in range(stats.shape[2]):
            cardinality = counts.cardinality[features[leaf, i]]
            for c in range(stats.shape[1] if cardinality else 0):
                was = int(stats[leaf, c, i, _PLACE])
                size = _places_of(int(stats[leaf, c, i, _ROOM]), cardinality)
                stats[leaf, c, i, _PLACE] = place
                for r in range(size):
                    new.table[0, place + r] = counts.table[0, was + r]
                place += size
    new.counters[_USED] = place
    new.counters[_WANTED] = 0
