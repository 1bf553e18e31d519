"""Squared Euclidean distances of one row from many, over the features that are known in both."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from streamgauge._support.jit import inner, lean_inner
from streamgauge._support.types import Flags, Floats, Longs
from streamgauge.learners._distances import GAPPY, PATIENCE, PLAIN, TILE, add_terms, any_within


class Query(NamedTuple):
    """The row whose distances are asked for, and room for those of a tile."""

    kind: Longs  # PLAIN or GAPPY, of each feature that the row has
    feature: Longs
    value: Floats
    sums: Floats  # [row of the tile]: where they start is up to the caller; NaN is never near
    shared: Floats  # [row of the tile]: number of features known in both rows
    size: Longs  # [0]: number of features that the row has, [1]: whether any may be missing


@inner
def new_query(d: int) -> Query:
    """Room for rows of d features."""
    return Query(
        np.empty(d, np.int64),
        np.empty(d, np.int64),
        np.empty(d),
        np.empty(TILE),
        np.empty(TILE),
        np.zeros(2, np.int64),
    )


@lean_inner
def ask(x: Floats, gappy: Flags, query: Query) -> None:
    """Make x the row in question; `gappy` tells which features may be missing in other rows."""
    m, gaps = 0, 0
    for j in range(len(x)):
        if np.isnan(x[j]):
            gaps = 1
            continue
        gaps |= gappy[j]
        query.kind[m] = GAPPY if gappy[j] else PLAIN
        query.feature[m], query.value[m] = j, x[j]
        m += 1
    query.size[0], query.size[1] = m, gaps


@lean_inner
def measure(values: Floats, start: int, n: int, reach: float, query: Query) -> bool:
    """Add the squares of columns start to start + n; False if all turn out to be beyond reach.

    Squares of missing values are left out and the others scaled up, as if the missing features
    differed as much as the known ones do on average. Without a common feature the distance is inf.
    That of two infinite values is undefined, NaN.
    """
    kind, feature, value, sums, shared, size = query
    m = size[0]
    if size[1]:
        for i in range(n):
            shared[i] = m
    a, looked = 0, 0
    while a < m:
        if kind[a] == GAPPY:
            for i in range(n):
                other = values[feature[a], start + i]
                off, known = value[a] - other, other == other
                sums[i] += off * off if known else 0.0
                shared[i] -= 0.0 if known else 1.0
            a += 1
        else:
            a = add_terms(values, start, n, a, m, kind, feature, value, value, sums)
        if a - looked >= PATIENCE and a < m:
            looked = a
            if not any_within(sums, 0, n, reach):
                return False
    if size[1]:
        for i in range(n):
            sums[i] = sums[i] * (len(values) / shared[i]) if shared[i] > 0 else sums[i] + np.inf
    return True
