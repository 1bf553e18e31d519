"""k-means with k-means++ seeds, of weighted rows that may have missing values."""

from __future__ import annotations

import numpy as np

from streamgauge._support.jit import inner, kernel, lean_inner
from streamgauge._support.rng import Rng, next_uniform
from streamgauge._support.types import Flags, Floats, Longs
from streamgauge.learners._distances import CHUNK, TILE, any_within
from streamgauge.learners._partial_distances import Query, ask, measure, new_query
from streamgauge.learners._rows import clear_row

_MOST_ROUNDS = 300  # it converges much earlier; infinite values may never converge


@kernel
def k_means(points: Floats, weight: Floats, k: int, gappy: Flags, rng: Rng) -> tuple[Floats, int]:
    """Return up to k centres of the points, both in columns padded to whole chunks.

    There are fewer than k if fewer points are distinct. A point whose distance from every centre is
    undefined, as that of two infinite values is, joins none.
    """
    d, n = len(points), len(weight)
    query = new_query(d)
    centres = np.zeros((d, (k + CHUNK - 1) // CHUNK * CHUNK))
    found = _seed(points, weight, k, gappy, rng, query, centres)
    owner, distance = np.zeros(n, np.int64), np.empty(n)
    which, every = np.empty(found, np.int64), np.arange(found)
    moved = np.ones(found + 1, np.uint8)  # the last one is of points that no centre owns
    active, x = np.zeros_like(centres), np.empty(d)
    total, mass = np.empty((found, d)), np.empty((found, d))
    for _ in range(_MOST_ROUNDS):
        # A centre that stayed where it was is as far as before: most do after a few rounds.
        count = 0
        for c in range(found):
            if moved[c]:
                for j in range(d):
                    active[j, count] = centres[j, c]
                which[count] = c
                count += 1
        if count == 0:
            break
        for c in range(found):
            clear_row(total, c)
            clear_row(mass, c)
        for i in range(n):
            for j in range(d):
                x[j] = points[j, i]
            ask(x, gappy, query)
            if moved[owner[i]]:
                owner[i], distance[i] = found, np.inf
                _join(centres, found, every, query, i, owner, distance)
            else:
                _join(active, count, which, query, i, owner, distance)
            if owner[i] == found:
                continue
            for j in range(d):
                if not np.isnan(x[j]):
                    total[owner[i], j] += weight[i] * x[j]
                    mass[owner[i], j] += weight[i]
        for c in range(found):
            moved[c] = 0
            for j in range(d):
                mean = total[c, j] / mass[c, j]
                if not np.isnan(mean):  # NaN: no value is known, or they are infinite both ways
                    moved[c] |= mean != centres[j, c]
                    centres[j, c] = mean
    return centres, found


@inner
def _seed(
    points: Floats, weight: Floats, k: int, gappy: Flags, rng: Rng, query: Query, centres: Floats
) -> int:
    """Choose points as the first centres, each by its distance from those before it."""
    d, n, padded = len(points), len(weight), points.shape[1]
    nearest, x = np.empty(n), np.empty(d)
    for i in range(n):
        nearest[i] = np.inf
    chosen = int(next_uniform(rng) * n)
    for found in range(1, k + 1):
        for j in range(d):
            x[j] = centres[j, found - 1] = points[j, chosen]
        if found == k:
            break
        ask(x, gappy, query)
        total = 0.0
        for start in range(0, padded, TILE):
            rows = min(TILE, padded - start)
            for i in range(rows):
                query.sums[i] = 0.0
            measure(points, start, rows, np.inf, query)
            for i in range(start, min(start + rows, n)):
                square = weight[i] * query.sums[i - start]
                nearest[i] = square if square < nearest[i] else nearest[i]
                total += nearest[i]
        if not total > 0:
            return found
        at = total * next_uniform(rng)
        chosen, reached = 0, nearest[0]
        while not (at < reached or reached == np.inf) and chosen < n - 1:
            chosen += 1
            reached += nearest[chosen]
    return k


@lean_inner
def _join(
    centres: Floats,
    count: int,
    number: Longs,
    query: Query,
    i: int,
    owner: Longs,
    distance: Floats,
) -> None:
    """Give point i to a centre that is nearer than its own, or as near with a lower number."""
    for start in range(0, count, TILE):
        n = min(TILE, (count - start + CHUNK - 1) // CHUNK * CHUNK)
        for p in range(n):
            query.sums[p] = 0.0 if start + p < count else np.nan
        if not measure(centres, start, n, distance[i], query):
            continue
        for first in range(0, n, CHUNK):
            if not any_within(query.sums, first, CHUNK, distance[i]):
                continue
            for p in range(first, min(first + CHUNK, count - start)):
                far, c = query.sums[p], number[start + p]
                if far < distance[i] or (far == distance[i] and c < owner[i]):
                    owner[i], distance[i] = c, far
