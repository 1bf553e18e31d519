"""KNN: k-nearest neighbours in a sliding window, digit for digit as in MOA (semantics §13)."""

from __future__ import annotations

import operator
from typing import NamedTuple

import numpy as np

from streamgauge._support.errors import UsageError
from streamgauge._support.growing import grown
from streamgauge._support.jit import kernel
from streamgauge._support.types import LEARN, Codes, Flags, Floats, Longs, Schema
from streamgauge.learners._distances import (
    CHUNK,
    GAPPY,
    MISSING_IN_QUERY,
    NOMINAL,
    PATIENCE,
    PLAIN,
    TILE,
    UNIFORM,
    add_terms,
    any_within,
)  # fmt: skip
from streamgauge.learners._probabilities import normalise_votes
from streamgauge.learners.base import CompiledLearner, Events, state_bytes

_MANY = 32  # more neighbours than this are not kept sorted during the search


class _KNNState(NamedTuple):
    raw: Floats  # [feature, place]: the window, a ring of rows that grows until it is full
    scaled: Floats  # the same, numeric values scaled from base..top, in whole chunks
    label: Codes  # [place]
    weight: Floats
    low: Floats  # [feature]: a lower bound of the values in the window
    high: Floats  # [feature]: an upper bound
    at_low: Longs  # [feature]: how many values equal `low`; 0 = recompute it before use
    at_high: Longs  # [feature]: how many values equal `high`
    base: Floats  # [feature]: the `low` that `scaled` was computed with
    top: Floats  # [feature]: the `high` that `scaled` was computed with
    missing: Longs  # number of missing values in the window
    nominal: Flags
    seen: Longs  # [0]: rows learned


class KNN(CompiledLearner):
    """k-nearest neighbours in a sliding window of labelled rows.

    Squared Euclidean distance. Numeric features are scaled by their range in the window (the
    queried row may lie outside and does not widen it); a feature that is constant there counts 0.
    Nominal values differ by 0 or 1. A missing value has the largest possible distance: 1 from a
    nominal or missing value, and from a numeric value the distance to the farther end of the scale.
    All rows as near as the k-th neighbour vote, so there may be more than k votes; with fewer than
    k rows, all vote. Ties go to the lowest class. Abstains before any label.

    Matches MOA's kNN, with two exceptions: a vote has the weight of its row (always 1 in MOA), and
    a feature that is missing in the whole window is at distance 1 from everything, where MOA
    computes NaN and lets the oldest rows vote.

    Parameters
    ----------
    n_neighbors
        Number of neighbours, k.
    window_size
        Number of labelled rows kept, the most recent ones.

    References
    ----------
    cover1967 (docs/bibliography.md)

    Examples
    --------
    >>> import streamgauge as sg
    >>> run = sg.evaluate(sg.SEA(1000, seed=1), sg.KNN(n_neighbors=5))
    >>> print(f"accuracy {run.summary['accuracy']:.3f}")
    accuracy 0.955
    """

    random = False
    moa_never_abstains = True

    def __init__(self, n_neighbors: int = 10, window_size: int = 1000) -> None:
        self.n_neighbors = _count("n_neighbors", n_neighbors)
        self.window_size = _count("window_size", window_size)
        if n_neighbors > window_size:
            raise UsageError(
                f"KNN(n_neighbors={n_neighbors}, window_size={window_size}): expected n_neighbors "
                f"<= window_size; if all rows vote, it is Majority(forget=Window({window_size}))"
            )

    def start(self, schema: Schema, seed: int) -> None:
        self._schema = schema
        d = len(schema.features)
        self._state = _KNNState(
            raw=np.empty((d, 0)),
            scaled=np.empty((d, 0)),
            label=np.empty(0, np.int32),
            weight=np.empty(0),
            low=np.full(d, np.inf),
            high=np.full(d, -np.inf),
            at_low=np.zeros(d, np.int64),
            at_high=np.zeros(d, np.int64),
            base=np.full(d, np.inf),
            top=np.full(d, -np.inf),
            missing=np.zeros(d, np.int64),
            nominal=(np.array(schema.cardinality) > 0).astype(np.uint8),
            seen=np.zeros(1, np.int64),
        )

    @property
    def nbytes(self) -> int:
        return state_bytes(self._state)

    def play(self, events: Events) -> None:
        self._make_room(int(np.count_nonzero(events.ops == LEARN)))
        _play(events, self._state, self.n_neighbors, self.window_size, len(self._schema.classes))

    def _make_room(self, more: int) -> None:
        """Room for more rows, up to the size of the window."""
        state, most = self._state, self.window_size
        if len(state.label) == most:
            return
        needed = int(state.seen[0]) + more
        raw = grown(state.raw, needed, most, np.nan, axis=1)
        whole_chunks = -(-raw.shape[1] // CHUNK) * CHUNK
        self._state = state._replace(
            raw=raw,
            scaled=grown(state.scaled, whole_chunks, whole_chunks, np.nan, axis=1),
            label=grown(state.label, needed, most),
            weight=grown(state.weight, needed, most),
        )


def _count(name: str, value: int) -> int:
    try:
        number = operator.index(value)
    except TypeError:
        number = 0
    if number < 1:
        raise UsageError(f"KNN({name}={value!r}): expected an integer, 1 or more")
    return number


@kernel
def _play(events: Events, state: _KNNState, k: int, size: int, classes: int) -> None:
    X, y, ops, slots, _, weight, label, proba = events
    d, room = state.raw.shape
    votes = np.zeros(classes)
    kind, feature = np.empty(d, np.int64), np.empty(d, np.int64)
    query, far = np.empty(d), np.empty(d)
    sums, best = np.empty(TILE), np.empty(min(k, max(1, room)))
    near, distance, spare = np.empty(room + 1, np.int64), np.empty(room + 1), np.empty(room + 1)
    for e in range(len(ops)):
        row = slots[e]
        if ops[e] == LEARN:
            if weight[e] > 0:
                _learn(X[row], y[row], weight[e], size, state)
            continue
        count = min(state.seen[0], size)
        if count == 0:
            label[e] = -1
            if len(proba):
                proba[e] = np.nan
            continue
        active = _compare(X[row], count, state, kind, feature, query, far)
        kinds, features = kind[:active], feature[:active]
        newest = (state.seen[0] - 1) % size
        found, reach = _search(
            state.scaled, count, newest, kinds, features, query, far, sums, best, near, distance,
            spare,
        )  # fmt: skip
        votes[:] = 0.0
        for i in range(found):
            if distance[i] <= reach:
                votes[state.label[near[i]]] += state.weight[near[i]]
        winner = 0
        for c in range(1, classes):
            if votes[c] > votes[winner]:
                winner = c
        label[e] = winner
        if len(proba):
            normalise_votes(votes, False, proba, e)


@kernel
def _learn(x: Floats, c: int, w: float, size: int, state: _KNNState) -> None:
    """Replace the oldest row of the window."""
    raw, scaled, labels, weights, low, high, at_low, at_high, base, top, missing, nominal, seen = (
        state
    )
    d = len(raw)
    place = seen[0] % size
    full = seen[0] >= size
    for j in range(d):
        old, value = raw[j, place], x[j]
        if full:
            missing[j] -= np.isnan(old)
            at_low[j] -= old == low[j]
            at_high[j] -= old == high[j]
        raw[j, place] = value
        if np.isnan(value):
            missing[j] += 1
            scaled[j, place] = value
            continue
        if value <= low[j]:
            at_low[j] = at_low[j] + 1 if value == low[j] else 1
            low[j] = value
        if value >= high[j]:
            at_high[j] = at_high[j] + 1 if value == high[j] else 1
            high[j] = value
        # Valid only while base and top stay; else the next prediction rescales the column.
        scaled[j, place] = value if nominal[j] else _normal(value, base[j], top[j])
    labels[place] = c
    weights[place] = w
    seen[0] += 1


@kernel
def _normal(value: float, low: float, high: float) -> float:
    """Return a value on the scale, with MOA's operations, since ties depend on the last digit."""
    if low >= high:
        return 0.0
    if high - low == np.inf:
        return (value / 2 - low / 2) / (high / 2 - low / 2)
    return (value - low) / (high - low)


@kernel
def _compare(
    x: Floats, count: int, state: _KNNState, kind: Longs, feature: Longs, query: Floats, far: Floats
) -> int:
    """Update ranges and scaled columns; list the features that matter for this row."""
    raw, scaled, _, _, low, high, at_low, at_high, base, top, missing, nominal, _ = state
    active = 0
    for j in range(len(x)):
        if at_low[j] == 0 or at_high[j] == 0:
            _find_range(j, raw[j, :count], low, high, at_low, at_high)
        if (low[j] != base[j] or high[j] != top[j]) and not nominal[j]:
            base[j], top[j] = low[j], high[j]
            _rescale(raw[j, :count], scaled[j, :count], low[j], high[j])
        value, constant = x[j], low[j] == high[j] and missing[j] == 0
        query[active], far[active], feature[active] = value, 1.0, j
        if missing[j] == count:
            kind[active] = UNIFORM
        elif nominal[j]:
            if constant and value == low[j]:
                continue
            kind[active] = UNIFORM if constant or np.isnan(value) else NOMINAL
        elif np.isnan(value):
            kind[active] = MISSING_IN_QUERY
        elif constant:
            continue
        else:
            value = _normal(value, low[j], high[j])
            query[active], far[active] = value, 1.0 - value if value < 0.5 else value
            kind[active] = GAPPY if missing[j] else PLAIN
        active += 1
    return active


@kernel
def _find_range(
    j: int, column: Floats, low: Floats, high: Floats, at_low: Longs, at_high: Longs
) -> None:
    """Find the extremes of a column, and how often each occurs."""
    lanes = 16  # searched side by side, to avoid a chain of dependent minima
    leasts, mosts = np.full(lanes, np.inf), np.full(lanes, -np.inf)
    whole = len(column) // lanes * lanes
    for start in range(0, whole, lanes):
        part = column[start : start + lanes]
        for i in range(lanes):
            leasts[i] = part[i] if part[i] < leasts[i] else leasts[i]
            mosts[i] = part[i] if part[i] > mosts[i] else mosts[i]
    least, most = leasts.min(), mosts.max()
    for value in column[whole:]:
        least = value if value < least else least
        most = value if value > most else most
    lows, highs = 0, 0
    for value in column:
        lows += value == least
        highs += value == most
    low[j], high[j], at_low[j], at_high[j] = least, most, lows, highs


@kernel
def _rescale(column: Floats, out: Floats, low: float, high: float) -> None:
    """Put a column on a new scale; missing values stay missing."""
    width = high - low
    if 0 < width < np.inf:
        for i in range(len(column)):
            out[i] = (column[i] - low) / width
    else:
        for i in range(len(column)):
            value = column[i]
            out[i] = value if np.isnan(value) else _normal(value, low, high)


@kernel
def _search(
    scaled: Floats,
    count: int,
    newest: int,
    kind: Longs,
    feature: Longs,
    query: Floats,
    far: Floats,
    sums: Floats,
    best: Floats,
    near: Longs,
    distance: Floats,
    spare: Floats,
) -> tuple[int, float]:
    """Write candidates for the nearest rows to `near` and `distance`; return count, k-th distance.

    Tile by tile from the newest back: in a stream near rows are often recent, and once k are near
    most tiles are skipped early. Terms are added in the order of the features, as in MOA.
    """
    k, m = min(len(best), count), len(kind)
    best[:] = np.inf
    reach, found = np.inf, 0
    tiles = (count + TILE - 1) // TILE
    for t in range(tiles):
        start = (newest // TILE - t) % tiles * TILE
        n = min(TILE, (count - start + CHUNK - 1) // CHUNK * CHUNK)
        for i in range(n):
            sums[i] = 0.0 if start + i < count else np.nan  # never within reach
        a, looked = 0, 0
        while a < m:
            a = add_terms(scaled, start, n, a, m, kind, feature, query, far, sums)
            if a - looked >= PATIENCE and a < m and t > 0:
                looked = a
                if not any_within(sums, 0, n, reach):
                    break
        if a < m:
            continue
        for first in range(0, n, CHUNK):
            chunk = sums[first : first + CHUNK]
            if found >= k and not any_within(sums, first, CHUNK, reach):
                continue
            before = found
            for i in range(CHUNK):  # no branch: it could not be predicted
                near[found], distance[found] = start + first + i, chunk[i]
                found += chunk[i] <= reach
            if k > _MANY:
                continue
            for i in range(before, found):
                far_off = distance[i]
                for p in range(k - 1, 0, -1):
                    least = far_off if far_off < best[p] else best[p]
                    best[p] = least if least > best[p - 1] else best[p - 1]
                best[0] = far_off if far_off < best[0] else best[0]
            reach = best[k - 1]
        if k > _MANY and found >= k:
            reach = _smallest(distance, found, k, spare)
    return found, reach


@kernel
def _smallest(values: Floats, n: int, k: int, spare: Floats) -> float:
    """Return the k-th smallest of the first n values, by Hoare's selection in a spare array.

    Compiling numpy's partition would take as long as everything else here.
    """
    for i in range(n):
        spare[i] = values[i]
    low, high = 0, n - 1
    while low < high:
        pivot, i, j = spare[(low + high) // 2], low, high
        while i <= j:
            while spare[i] < pivot:
                i += 1
            while spare[j] > pivot:
                j -= 1
            if i <= j:
                spare[i], spare[j] = spare[j], spare[i]
                i += 1
                j -= 1
        if k - 1 <= j:
            high = j
        elif k - 1 >= i:
            low = i
        else:
            break
    return float(spare[k - 1])
