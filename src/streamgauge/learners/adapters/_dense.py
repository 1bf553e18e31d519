"""Dense numeric rows and mini-batches: nominal values one-hot, missing numbers 0 or NaN."""

from __future__ import annotations

import numpy as np

from streamgauge._support.types import Floats, Schema, Targets


class Dense:
    """Encodes rows of a schema as rows of `width` numbers.

    Missing numbers become 0, unless it `keeps_missing` ones; a missing nominal value has no 1.
    """

    def __init__(self, schema: Schema, keeps_missing: bool = False) -> None:
        self._keeps_missing = keeps_missing
        sizes = [max(1, size) for size in schema.cardinality]
        self.width = sum(sizes)
        starts = np.cumsum([0, *sizes])[:-1]
        nominal = np.array([size > 0 for size in schema.cardinality], np.bool_)
        self._numbers = np.flatnonzero(~nominal), starts[~nominal]
        self._nominal = list(zip(np.flatnonzero(nominal), starts[nominal], strict=True))

    def __call__(self, X: Floats) -> Floats:
        numbers = X if self._keeps_missing else np.nan_to_num(X)
        if not self._nominal:
            return numbers
        out = np.zeros((len(X), self.width))
        columns, places = self._numbers
        out[:, places] = numbers[:, columns]
        for column, start in self._nominal:
            present = np.flatnonzero(~np.isnan(X[:, column]))
            out[present, start + X[present, column].astype(np.int64)] = 1.0
        return out


class DenseBatch:
    """Learned rows that wait until they fill a mini-batch."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._held: list[tuple[Floats, Targets, Floats]] = []
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def add(self, X: Floats, y: Targets, w: Floats) -> list[tuple[Floats, Targets, Floats]]:
        """Add rows; return the mini-batches that are now full."""
        self._held.append((X, y, w))
        self._count += len(y)
        if self._count < self._size:
            return []
        columns = [np.concatenate(column) for column in zip(*self._held, strict=True)]
        full = self._count // self._size * self._size
        self._held = [tuple(column[full:] for column in columns)]  # type: ignore[list-item]
        self._count -= full
        return [
            tuple(column[start : start + self._size] for column in columns)  # type: ignore[misc]
            for start in range(0, full, self._size)
        ]
