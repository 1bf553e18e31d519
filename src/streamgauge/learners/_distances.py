"""Squared distances of one row from many, a tile of rows at a time: shared by KNN and SAMkNN."""

from __future__ import annotations

import numpy as np

from streamgauge._support.jit import kernel, lean_inner
from streamgauge._support.types import Floats, Longs

TILE = 512  # rows whose distances are summed together, to stay in the L1 cache
CHUNK = 64  # rows searched together for near ones; columns are padded to whole chunks
PATIENCE = 8  # features between two checks whether a whole tile is too far already

# How a feature separates the queried row from the others.
PLAIN = 0  # numeric, none missing
GAPPY = 1  # numeric, some missing among the others
MISSING_IN_QUERY = 2  # numeric, missing in the queried row
NOMINAL = 3
UNIFORM = 4  # the same distance from all rows


@lean_inner
def any_within(sums: Floats, first: int, count: int, reach: float) -> bool:
    """Whether any of the sums from `first` on is within reach.

    Counting is vectorised; a branch is not.
    """
    hits = 0
    for i in range(count):
        hits += sums[np.uint64(first + i)] <= reach
    return hits > 0


@kernel
def add_terms(
    scaled: Floats,
    start: int,
    n: int,
    a: int,
    m: int,
    kind: Longs,
    feature: Longs,
    query: Floats,
    far: Floats,
    sums: Floats,
) -> int:
    """Add the squares of one of m features, or of two or four plain ones; return the next one."""
    q = query[a]
    column = scaled[feature[a], start : start + n]
    if kind[a] == PLAIN:
        plain = 1
        while plain < 4 and a + plain < m and kind[a + plain] == PLAIN:
            plain += 1
        if plain == 1:
            for i in range(n):
                sums[i] += (q - column[i]) * (q - column[i])
            return a + 1
        q1, column1 = query[a + 1], scaled[feature[a + 1], start : start + n]
        if plain < 4:
            for i in range(n):
                total = sums[i] + (q - column[i]) * (q - column[i])
                sums[i] = total + (q1 - column1[i]) * (q1 - column1[i])
            return a + 2
        q2, column2 = query[a + 2], scaled[feature[a + 2], start : start + n]
        q3, column3 = query[a + 3], scaled[feature[a + 3], start : start + n]
        for i in range(n):
            total = sums[i] + (q - column[i]) * (q - column[i])
            total += (q1 - column1[i]) * (q1 - column1[i])
            total += (q2 - column2[i]) * (q2 - column2[i])
            sums[i] = total + (q3 - column3[i]) * (q3 - column3[i])
        return a + 4
    if kind[a] == NOMINAL:
        for i in range(n):
            sums[i] += 1.0 if q != column[i] else 0.0
    elif kind[a] == UNIFORM:
        for i in range(n):
            sums[i] += 1.0
    elif kind[a] == GAPPY:
        square = far[a] * far[a]
        for i in range(n):
            off = q - column[i]
            sums[i] += square if np.isnan(off) else off * off
    else:
        for i in range(n):
            off = column[i]
            off = off if off >= 0.5 else 1.0 - off
            sums[i] += 1.0 if np.isnan(off) else off * off
    return a + 1
