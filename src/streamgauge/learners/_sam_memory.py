"""The memories of SAMkNN: rows in columns, searched from the newest to the oldest."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from streamgauge._support.jit import inlined, inner, lean_inner
from streamgauge._support.rng import Rng
from streamgauge._support.types import Codes, Flags, Floats, Longs
from streamgauge.learners._distances import CHUNK, TILE, any_within
from streamgauge.learners._k_means import k_means
from streamgauge.learners._partial_distances import Query, measure

_SMALLEST = 1e-9  # a vote is 1 / distance, and no distance is smaller, as in MOA


class Memory(NamedTuple):
    """Labelled rows in order of arrival. Row number i is at place i modulo the number of places."""

    values: Floats  # [feature, place]; the number of places is a multiple of CHUNK
    label: Codes
    weight: Floats
    gone: Floats  # [place]: 0 where a row is, else NaN, from which its distance starts
    ends: Longs  # number of the first row, and one more than that of the last
    size: Longs  # [0]: number of rows; those that were removed in between leave gaps


class Near(NamedTuple):
    """The nearest rows, in order; of equally near ones the oldest come first."""

    distance: Floats  # squared
    place: Longs
    label: Longs
    vote: Floats
    found: Longs  # [0]: how many


class Trail(NamedTuple):
    """All rows that were among the nearest at some time during a search, in its order."""

    number: Longs
    distance: Floats
    length: Longs  # [0]


@inner
def new_near(k: int) -> Near:
    """Room for k neighbours."""
    integers = np.empty((2, k), np.int64)
    return Near(np.empty(k), integers[0], integers[1], np.empty(k), np.zeros(1, np.int64))


@inner
def new_trail(most: int) -> Trail:
    """Room for a trail of a search, or for none."""
    return Trail(np.empty(most, np.int64), np.empty(most), np.zeros(1, np.int64))


@lean_inner
def add_row(memory: Memory, x: Floats, label: int, weight: float) -> int:
    """Add a row as the newest; return its place."""
    place = memory.ends[1] % len(memory.gone)
    for j in range(len(x)):
        memory.values[j, place] = x[j]
    memory.label[place], memory.weight[place], memory.gone[place] = label, weight, 0.0
    memory.ends[1] += 1
    memory.size[0] += 1
    return int(place)


@lean_inner
def search(memory: Memory, query: Query, near: Near, trail: Trail) -> None:
    """Find the nearest rows to the one in question."""
    near.found[0], trail.length[0] = 0, 0
    first, end = memory.ends[0], memory.ends[1]
    if first == end:
        return
    room = len(memory.gone)
    turn = (end - 1) // room * room  # the number of the row at place 0
    _search_part(memory, max(first, turn), end, query, near, trail)
    if first < turn:
        _search_part(memory, first, turn, query, near, trail)


@lean_inner
def _search_part(
    memory: Memory, first: int, end: int, query: Query, near: Near, trail: Trail
) -> None:
    """Search rows at places that follow each other, a tile at a time, from the newest back.

    In a stream near rows are often recent: once k are near, most tiles are given up early.
    """
    k, sums = len(near.distance), query.sums
    turn = first // len(memory.gone) * len(memory.gone)
    low, high = first - turn, end - turn
    floor, stop = low // CHUNK * CHUNK, (high + CHUNK - 1) // CHUNK * CHUNK
    reach = near.distance[k - 1] if near.found[0] == k else np.inf
    while stop > floor:
        start = max(floor, stop - TILE)
        n = stop - start
        for i in range(n):
            sums[i] = memory.gone[start + i]
        stop = start
        if not measure(memory.values, start, n, reach, query):
            continue
        for chunk in range(n - CHUNK, -1, -CHUNK):
            if not any_within(sums, chunk, CHUNK, reach):
                continue
            newest = min(chunk + CHUNK, high - start) - 1
            for i in range(newest, max(chunk, low - start) - 1, -1):
                if sums[i] <= reach:
                    insert(memory, start + i, sums[i], near)
                    reach = near.distance[k - 1] if near.found[0] == k else np.inf
                    if len(trail.number):
                        trail.number[trail.length[0]] = turn + start + i
                        trail.distance[trail.length[0]] = sums[i]
                        trail.length[0] += 1


@inlined
def insert(memory: Memory, place: int, distance: float, near: Near) -> None:
    """Add an older row to the nearest; the last one leaves if there were k."""
    if near.found[0] < len(near.distance):
        near.found[0] += 1
    p = near.found[0] - 1
    while p > 0 and near.distance[p - 1] >= distance:
        near.distance[p], near.place[p] = near.distance[p - 1], near.place[p - 1]
        near.label[p], near.vote[p] = near.label[p - 1], near.vote[p - 1]
        p -= 1
    near.distance[p], near.place[p], near.label[p] = distance, place, memory.label[place]
    near.vote[p] = memory.weight[place] / max(np.sqrt(distance), _SMALLEST)


@lean_inner
def combine(short: Near, long: Near, both: Near) -> None:
    """Write the nearest of two memories; of equally near rows those of the first."""
    i, j, p = 0, 0, 0
    while p < len(both.distance) and (i < short.found[0] or j < long.found[0]):
        if j == long.found[0] or (i < short.found[0] and short.distance[i] <= long.distance[j]):
            both.label[p], both.vote[p] = short.label[i], short.vote[i]
            i += 1
        else:
            both.label[p], both.vote[p] = long.label[j], long.vote[j]
            j += 1
        p += 1
    both.found[0] = p


@inlined
def winner(near: Near, votes: Floats) -> int:
    """Add up the votes of the nearest rows; the class with the most, -1 if there are no rows.

    Votes of other classes stay as they are, so that many classes cost nothing.
    """
    best = -1
    for i in range(near.found[0]):
        votes[near.label[i]] = 0.0
    for i in range(near.found[0]):
        votes[near.label[i]] += near.vote[i]
    for i in range(near.found[0]):
        c = near.label[i]
        if best < 0 or votes[c] > votes[best] or (votes[c] == votes[best] and c < best):
            best = c
    return best if best < 0 or votes[best] > 0 else 0  # all are infinitely far: a tie of all


@lean_inner
def radius(near: Near, label: int) -> float:
    """The squared distance of the farthest neighbour of this class; 0 if there is none."""
    far = 0.0
    for i in range(near.found[0]):
        if near.label[i] == label:
            far = near.distance[i]
    return far


@lean_inner
def remove_contradicting(memory: Memory, near: Near, label: int, reach: float) -> None:
    """Remove those of the nearest rows that are within reach and of another class."""
    for i in range(near.found[0]):
        if near.label[i] != label and near.distance[i] <= reach:
            memory.gone[near.place[i]] = np.nan
            memory.size[0] -= 1


@inner
def close_gaps(memory: Memory) -> None:
    """Close the gaps if they would make up much of a search. Its rows begin at place 0."""
    gaps = memory.ends[1] - memory.size[0]
    if gaps > CHUNK + memory.size[0] // 4:
        make_compact(memory, 0)


@lean_inner
def _fill(memory: Memory, rows: int) -> None:
    """Declare that the rows are at places 0, 1, …"""
    for place in range(len(memory.gone)):
        memory.gone[place] = 0.0 if place < rows else np.nan
    memory.ends[1] = memory.size[0] = rows


@inner
def make_compact(memory: Memory, dropped: int) -> None:
    """Close the gaps, and drop this number of the oldest rows. Its rows begin at place 0."""
    end, kept, skipped = memory.ends[1], 0, 0
    for place in range(end):
        if np.isnan(memory.gone[place]):
            continue
        if skipped < dropped:
            skipped += 1
            continue
        for j in range(len(memory.values)):
            memory.values[j, kept] = memory.values[j, place]
        memory.label[kept], memory.weight[kept] = memory.label[place], memory.weight[place]
        kept += 1
    _fill(memory, kept)


@inner
def compress(memory: Memory, classes: int, gappy: Flags, rng: Rng) -> None:
    """Replace the rows of each class by half as many means, which begin at place 0."""
    d, room = memory.values.shape
    places = np.empty(room, np.int64)
    means, labels, weights = np.empty((d, room)), np.empty(room, np.int32), np.empty(room)
    kept = 0
    for c in range(classes):
        n = 0
        for place in range(memory.ends[1]):
            if memory.label[place] == c and memory.gone[place] == 0.0:
                places[n] = place
                n += 1
        if n == 0:
            continue
        points, weight = np.zeros((d, (n + CHUNK - 1) // CHUNK * CHUNK)), np.empty(n)
        for i in range(n):
            weight[i] = memory.weight[places[i]]
            for j in range(d):
                points[j, i] = memory.values[j, places[i]]
        centres, found = k_means(points, weight, max(n // 2, 1), gappy, rng)
        for i in range(kept, kept + found):
            for j in range(d):
                means[j, i] = centres[j, i - kept]
            labels[i], weights[i] = c, weight.mean()
        kept += found
    for i in range(kept):
        for j in range(d):
            memory.values[j, i] = means[j, i]
        memory.label[i], memory.weight[i] = labels[i], weights[i]
    _fill(memory, kept)
