"""The targets seen beside a feature's values, in bins: where to cut is read off them.

The first values seen become cuts, each once; when there are as many as there may be, others fall
between them. Only values beyond the ends still become cuts, for which the two lightest neighbours
are put together: a feature that rises with time stays divided throughout. Up to the limit this is
what an extended binary search tree (E-BST) knows, and what every bin holds is always exact.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from streamgauge._support.jit import inlined, inner
from streamgauge._support.types import Codes, Floats, Longs
from streamgauge.learners._rows import clear_row, copy_row

# Columns of a record: a bin of the values above the cut before and up to its own.
CUT: Final = 0
WEIGHT: Final = 1
MASS: Final = 2  # weight times target
SQUARES: Final = 3  # weight times the target's square; not in all tables of records


class Bins(NamedTuple):
    """Of each leaf and feature a run of records; rows wait until some can be sorted in together."""

    record: Floats  # [place, column], all runs one behind the other
    start: Longs  # [leaf, feature of the leaf's]: where its records begin
    room: Codes  # how many fit there
    filled: Codes  # how many there are
    waiting: Floats  # [leaf, row, feature of the leaf's and two more]: values, weight, target
    waits: Codes  # [leaf]: rows that wait


@inlined
def _find(record: Floats, begin: int, n: int, value: float) -> int:
    """The first of n records whose cut is not below the value; `begin` + n if there is none."""
    place, left = begin, n
    while left > 1:
        half = left // 2
        if record[place + half - 1, CUT] < value:
            place += half
        left -= half
    return place + int(left == 1 and record[place, CUT] < value)


@inner
def note(
    record: Floats, begin: int, n: int, most: int, rows: Floats, column: int, news: Floats
) -> int:
    """Sort values in, of rows that end in their weight and target; how many bins there are now.

    There is room for as many more records, up to `most`, and for as many as rows in `news`, where
    values wait that are to become cuts.
    """
    last, squares = rows.shape[1] - 1, record.shape[1] > SQUARES
    place, fresh = begin, 0
    for r in range(len(rows)):
        value, weight, target = rows[r, column], rows[r, last - 1], rows[r, last]
        if np.isnan(value):
            continue
        if n == 0 or record[place, CUT] != value:  # often it is the value of the row before
            place = _find(record, begin, n, value)
            if n + fresh == most and fresh > 0 and _is_new(record, begin, n, place, value):
                n = _merge(record, begin, n, news[:fresh])
                fresh, place = 0, _find(record, begin, n, value)
            if _is_new(record, begin, n, place, value):
                if n < most:
                    fresh, place = _put_aside(news, fresh, value, weight, target), begin
                    continue
                if place == begin or place == begin + n:
                    place = _squeeze_in(record, begin, n, place == begin)
                    record[place, CUT] = value
        record[place, WEIGHT] += weight
        record[place, MASS] += weight * target
        if squares:
            record[place, SQUARES] += weight * target * target
    return _merge(record, begin, n, news[:fresh]) if fresh else n


@inlined
def _is_new(record: Floats, begin: int, n: int, place: int, value: float) -> bool:
    return place == begin + n or record[place, CUT] != value


@inner
def _squeeze_in(record: Floats, begin: int, n: int, in_front: bool) -> int:
    """An empty bin at one end: the two lightest neighbours become one. Where it is."""
    gone = begin
    for r in range(begin, begin + n - 1):
        both = record[r, WEIGHT] + record[r + 1, WEIGHT]
        if both < record[gone, WEIGHT] + record[gone + 1, WEIGHT]:
            gone = r
    for column in range(WEIGHT, record.shape[1]):
        record[gone + 1, column] += record[gone, column]
    for column in range(record.shape[1]):
        if in_front:
            for r in range(gone, begin, -1):
                record[r, column] = record[r - 1, column]
        else:
            for r in range(gone, begin + n - 1):
                record[r, column] = record[r + 1, column]
    place = begin if in_front else begin + n - 1
    clear_row(record, place)
    return place


@inlined
def _put_aside(news: Floats, n: int, value: float, weight: float, target: float) -> int:
    """A value that is to become a cut, in its place among others; how many there are then."""
    place = n
    while place > 0 and news[place - 1, CUT] > value:
        place -= 1
    if place > 0 and news[place - 1, CUT] == value:
        place -= 1
    else:
        for r in range(n, place, -1):
            copy_row(news, r - 1, news, r)
        clear_row(news, place)
        news[place, CUT] = value
        n += 1
    news[place, WEIGHT] += weight
    news[place, MASS] += weight * target
    if news.shape[1] > SQUARES:
        news[place, SQUARES] += weight * target * target
    return n


@inner
def _merge(record: Floats, begin: int, n: int, news: Floats) -> int:
    """Put new records among the others; how many there are then."""
    a, b = begin + n - 1, len(news) - 1
    for place in range(begin + n + b, begin - 1, -1):  # from the back, where there is room
        if b < 0:
            break
        if a >= begin and record[a, CUT] > news[b, CUT]:
            copy_row(record, a, record, place)
            a -= 1
        else:
            copy_row(news, b, record, place)
            b -= 1
    return n + len(news)


@inner
def note_nominal(record: Floats, begin: int, rows: Floats, column: int) -> None:
    """The same of a nominal feature, which has a record for each value."""
    last, squares = rows.shape[1] - 1, record.shape[1] > SQUARES
    for r in range(len(rows)):
        if np.isnan(rows[r, column]):
            continue
        place, weight, target = begin + int(rows[r, column]), rows[r, last - 1], rows[r, last]
        record[place, WEIGHT] += weight
        record[place, MASS] += weight * target
        if squares:
            record[place, SQUARES] += weight * target * target


@inner
def make_room(bins: Bins, used: Longs, most: int, features: Codes, sizes: Longs, leaf: int) -> bool:
    """Let a leaf's runs have room for the rows that wait and one more; false if the pool has none.

    Nothing is forgotten on the way, so that it may be called again.
    """
    record, start, room, filled, _, waits = bins
    for i in range(filled.shape[1]):
        values = sizes[features[leaf, i]]
        want = values if values else min(most, filled[leaf, i] + waits[leaf] + 1)
        if room[leaf, i] < want:
            more = values if values else min(most, max(2 * room[leaf, i], want))
            if used[0] + more > len(record):
                return False
            old, new = start[leaf, i], used[0]
            for r in range(filled[leaf, i]):
                copy_row(record, old + r, record, new + r)
            start[leaf, i] = new
            room[leaf, i] = more
            used[0] += more
    return True


@inner
def sort_in(bins: Bins, most: int, features: Codes, sizes: Longs, leaf: int) -> None:
    """The rows that wait get into the bins, for which there is room."""
    record, start, _, filled, waiting, waits = bins
    rows = waiting[leaf, : waits[leaf]]
    news = np.empty((len(rows), record.shape[1]))
    for i in range(filled.shape[1]):
        begin, values = start[leaf, i], sizes[features[leaf, i]]
        if values:
            if filled[leaf, i] == 0:
                for r in range(begin, begin + values):
                    clear_row(record, r)
                filled[leaf, i] = values
            note_nominal(record, begin, rows, i)
        else:
            filled[leaf, i] = note(record, begin, filled[leaf, i], most, rows, i, news)
    waits[leaf] = 0


@inlined
def between(weight: float, mass: float, left: float, left_mass: float) -> float:
    """By how much the squares of the targets' deviations shrink when this part is told apart."""
    off = left_mass - left * (mass / weight)
    return weight * off * off / (left * (weight - left))


class Cut(NamedTuple):
    """The best place to tell targets apart."""

    gain: float  # by how much the squares shrink, 0 if there is no such place
    at: float
    weight: float  # in all
    mass: float
    left: float  # weight and mass of the part up to there
    left_mass: float


@inlined
def _in_all(record: Floats, begin: int, n: int) -> tuple[float, float]:
    """The weight and the mass of n records."""
    weight, mass = 0.0, 0.0
    for r in range(begin, begin + n):
        weight += record[r, WEIGHT]
        mass += record[r, MASS]
    return weight, mass


@inner
def best_cut(record: Floats, begin: int, n: int, least: float) -> Cut:
    """The cut that tells the targets apart best, with so much weight at least on both sides."""
    weight, mass = _in_all(record, begin, n)
    best, cut, best_left, best_mass = 0.0, np.nan, 0.0, 0.0
    left, left_mass = 0.0, 0.0
    for r in range(begin, begin + n - 1):
        left += record[r, WEIGHT]
        left_mass += record[r, MASS]
        if left >= least and weight - left >= least:
            gain = between(weight, mass, left, left_mass)
            if gain > best:
                best, cut, best_left, best_mass = gain, record[r, CUT], left, left_mass
    return Cut(best, cut, weight, mass, best_left, best_mass)


@inner
def best_value(record: Floats, begin: int, n: int, least: float) -> Cut:
    """The one of n nominal values (records in their order) to tell from all others."""
    weight, mass = _in_all(record, begin, n)
    best, value, best_left, best_mass = 0.0, np.nan, 0.0, 0.0
    for r in range(begin, begin + n):
        left = record[r, WEIGHT]
        if left >= least and weight - left >= least:
            gain = between(weight, mass, left, record[r, MASS])
            if gain > best:
                best, value, best_left, best_mass = gain, float(r - begin), left, record[r, MASS]
    return Cut(best, value, weight, mass, best_left, best_mass)
