"""Features that give the label away: one alone, of this row or the one before, predicts it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from streamgauge._support.jit import kernel
from streamgauge._support.types import Block, Codes, Floats, Longs, Schema
from streamgauge.measures.verdict import score_text

_FIRST_ROWS = 1000  # they give the bins, and are learned but not predicted
_MOST_BINS = 256  # of a feature, the one of missing values not counted
_FEWEST_BINS = 8
_MOST_CELLS = 4_000_000  # counts of all features
_FIRST_CHECK = 500  # predicted rows; then after twice as many, and so on
_HOPEFUL = 0.95  # a feature with a lower accuracy at a check is given up
_ACCURACY = 0.99
_MARGIN = 0.10  # above the best reference

Counts = npt.NDArray[np.int32]


class Leak(NamedTuple):
    """A feature that alone predicts nearly all labels."""

    feature: str
    lag: int  # 0: its value in the same row; 1: in the row before
    accuracy: float  # of the rows after the first 1000
    above: float  # that minus the accuracy of the best reference
    reference: str

    @property
    def text(self) -> str:
        """The hint as a sentence."""
        where = " of the row before" if self.lag else ""
        return (
            f"Feature {self.feature}{where} alone predicts {score_text(self.accuracy, False)} of "
            f"the labels, {100 * self.above:.0f} points more than {self.reference}: it may be "
            "known only together with the label."
        )


class _LeakState(NamedTuple):
    edges: Floats  # [feature, bin]: between the bins; the rest is infinite
    counts: Counts  # [lag, feature, bin, class]; the last bin: missing
    top: Codes  # [lag, feature, bin]: the most frequent class; -1 = none
    hits: Longs  # [lag, feature]
    alive: npt.NDArray[np.bool_]  # [lag, feature]
    before: Codes  # [feature]: bin in the row before; -1 = none
    now: Longs  # [rows predicted, the next check]


class LeakSearch:
    """Predicts each label from each feature alone: the most frequent class of its bin so far."""

    def __init__(self, schema: Schema) -> None:
        self._schema = schema
        self._first: list[Block] = []
        self._state: _LeakState | None = None
        cells = 2 * len(schema.features) * len(schema.classes)
        self._bins = min(_MOST_BINS, _MOST_CELLS // cells - 1) if cells else 0
        self._done = self._bins < _FEWEST_BINS

    def add(self, block: Block) -> None:
        """Predict and learn the next rows."""
        while not self._done and len(block):
            if self._state is not None:
                _search(block.X, block.y, True, self._state)
                self._done = not self._state.alive.any()
                return
            room = _FIRST_ROWS - sum(map(len, self._first))
            self._first.append(block.cut(0, min(room, len(block))))
            if len(block) < room:
                return
            self._begin(np.concatenate([part.X for part in self._first]))
            block = block.cut(room, len(block))

    def _begin(self, X: Floats) -> None:
        features, k = len(self._schema.features), len(self._schema.classes)
        edges = np.full((features, self._bins - 1), np.inf)
        for j in range(features):
            own = _edges(X[:, j], self._bins)
            edges[j, : len(own)] = own
        shape = (2, features, self._bins + 1)
        self._state = _LeakState(
            edges,
            np.zeros((*shape, k), np.int32),
            np.full(shape, -1, np.int32),
            np.zeros((2, features), np.int64),
            np.ones((2, features), np.bool_),
            np.full(features, -1, np.int32),
            np.array([0, _FIRST_CHECK]),
        )
        for part in self._first:
            _search(part.X, part.y, False, self._state)
        self._first = []

    def finish(self, references: dict[str, float]) -> tuple[Leak, ...]:
        """The leaks, the most accurate first; of a feature its value in the same row, if equal."""
        if self._done or self._state is None or self._state.now[0] < _FIRST_CHECK:
            return ()
        best = max(references, key=lambda name: references[name])
        accuracy = self._state.hits / self._state.now[0]
        above = accuracy - references[best]
        clear = self._state.alive & (accuracy >= _ACCURACY) & (above >= _MARGIN)
        found = [
            Leak(self._schema.features[j], lag, float(accuracy[lag, j]), float(above[lag, j]), best)
            for j in np.flatnonzero(clear.any(axis=0)).tolist()
            for lag in [int(np.where(clear[:, j], accuracy[:, j], 0).argmax())]
        ]
        return tuple(sorted(found, key=lambda leak: -leak.accuracy))


def _edges(values: Floats, bins: int) -> Floats:
    """Between the values, if they are few, else between quantiles."""
    values = np.unique(values[np.isfinite(values)])
    if len(values) > bins:
        values = values[np.arange(bins) * (len(values) - 1) // (bins - 1)]
    return np.asarray(values[:-1] / 2 + values[1:] / 2)


@kernel
def _search(X: Floats, y: Codes, score: bool, state: _LeakState) -> None:
    edges, counts, top, hits, alive, before, now = state
    missing = counts.shape[2] - 1
    for t in range(len(y)):
        label = y[t]
        for j in range(X.shape[1]):
            if not (alive[0, j] or alive[1, j]):
                continue
            value = X[t, j]
            here = missing
            if value == value:
                low, high = 0, edges.shape[1]
                while low < high:
                    middle = (low + high) // 2
                    if edges[j, middle] < value:
                        low = middle + 1
                    else:
                        high = middle
                here = low
            if label >= 0:
                for lag in range(2):
                    b = here if lag == 0 else before[j]
                    if b < 0 or not alive[lag, j]:
                        continue
                    guess = top[lag, j, b]
                    if score:
                        hits[lag, j] += guess == label
                    counts[lag, j, b, label] += 1
                    if guess < 0 or counts[lag, j, b, label] > counts[lag, j, b, guess]:
                        top[lag, j, b] = label
            before[j] = here
        if score and label >= 0:
            now[0] += 1
            if now[0] == now[1]:
                now[1] *= 2
                for lag in range(2):
                    for j in range(X.shape[1]):
                        alive[lag, j] = alive[lag, j] and hits[lag, j] >= _HOPEFUL * now[0]
