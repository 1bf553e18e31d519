"""A linear readout of classes: ridge regression on the rows learned so far, which fade.

The linear algebra is in loops: that of NumPy uses several threads, which for matrices this small
cost more than they save, and rounds otherwise on another machine. The innermost loops run over
independent sums, so that the processor computes several at once.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from streamgauge._support.free_memory import check_memory
from streamgauge._support.jit import kernel
from streamgauge._support.types import Codes, Floats, Longs

_TINY: Final = 1e-300


class Readout:
    """Class probabilities from `units` dense inputs, sparse ones among `width`, and a constant.

    A nominal value that no learned row had has the weight 0: only the columns seen take part.
    """

    def __init__(self, units: int, width: int, numeric: Longs, k: int, ridge: float) -> None:
        self._units, self._k, self._ridge = units, k, ridge
        self._seen = np.empty(0, np.int64)  # columns of sparse inputs, sorted
        self._places = np.full(width + 1, -1, np.int32)  # [column]; the last one is of column -1
        self._products, self._wanted = np.zeros((units + 1, units + 1)), np.zeros((units + 1, k))
        self._see(numeric)
        self._weights = np.empty((0, k))  # none before the first batch

    @property
    def nbytes(self) -> int:
        """Size in bytes."""
        parts = (self._places, self._seen, self._products, self._wanted, self._weights)
        return sum(each.nbytes for each in parts)

    @property
    def is_fitted(self) -> bool:
        """Whether a batch has been learned."""
        return len(self._weights) > 0

    def learn(
        self,
        states: Floats,
        sparse: tuple[Codes, Floats],
        labels: Codes,
        weight: Floats,
        faded: float,
    ) -> None:
        """Add rows, oldest first, to what is kept of earlier ones; then solve."""
        columns, values = sparse
        self._see(columns)
        places = self._places[columns]
        _accumulate(states, places, values, labels, weight, faded, self._products, self._wanted)
        self._weights = self._wanted.copy()
        _solve(self._products, self._ridge, self._weights)

    def predict(self, states: Floats, sparse: tuple[Codes, Floats]) -> Floats:
        """Class probabilities, from a readout that is fitted."""
        columns, values = sparse
        out = np.empty((len(states), self._k))
        _read_out(states, self._places[columns], values, self._weights, out)
        return out

    def _see(self, columns: Longs | Codes) -> None:
        """Make room for columns that no row had before."""
        used = columns[columns >= 0]
        new = np.unique(used[self._places[used] < 0])
        if not len(new):
            return
        seen = np.union1d(self._seen, new)
        size = self._units + len(seen) + 1
        check_memory(
            2 * size * size * np.dtype(np.float64).itemsize,  # the products and their factor
            f"ESN(hidden_size={self._units}): {size:,} × {size:,} numbers (units and nominal "
            "values), twice,",
            "fewer nominal values or a smaller hidden_size",
        )
        units = np.arange(self._units)
        kept = np.concatenate([units, self._units + np.searchsorted(seen, self._seen), [size - 1]])
        products, wanted = np.zeros((size, size)), np.zeros((size, self._k))
        products[kept[:, None], kept], wanted[kept] = self._products, self._wanted
        self._products, self._wanted, self._seen = products, wanted, seen
        self._places[seen] = self._units + np.arange(len(seen))


@kernel
def _accumulate(
    states: Floats,
    places: Codes,
    values: Floats,
    y: Codes,
    weight: Floats,
    faded: float,
    products: Floats,
    wanted: Floats,
) -> None:
    """Fade the sums, then add the products of the inputs, and those with the classes.

    Of `products` only the upper half is used.
    """
    n, units = states.shape
    size, k = wanted.shape
    for a in range(size):
        for b in range(a, size):
            products[a, b] *= faded
        for c in range(k):
            wanted[a, c] *= faded
    inputs, weighted = np.zeros(size), np.zeros(size)
    for i in range(n):
        for a in range(size):
            inputs[a] = states[i, a] if a < units else 0.0
        for j in range(places.shape[1]):
            if places[i, j] >= 0:
                inputs[places[i, j]] = values[i, j]
        inputs[size - 1] = 1.0
        for a in range(size):
            weighted[a] = weight[i] * inputs[a]
            wanted[a, y[i]] += weighted[a]
        for a in range(size):
            if inputs[a] != 0:
                for b in range(a, size):
                    products[a, b] += weighted[b] * inputs[a]


@kernel
def _solve(products: Floats, ridge: float, solution: Floats) -> None:
    """Solve (products + ridge) x = solution in place, by Cholesky; only the upper half is read."""
    size, k = solution.shape
    factor = np.zeros((size, size))
    for a in range(size):
        for b in range(a, size):
            factor[a, b] = products[a, b]
        factor[a, a] += ridge
        for j in range(a):
            times = factor[j, a]
            for b in range(a, size):
                factor[a, b] -= factor[j, b] * times
        factor[a, a] = np.sqrt(max(factor[a, a], _TINY))
        for b in range(a + 1, size):
            factor[a, b] /= factor[a, a]
    for j in range(size):
        for c in range(k):
            solution[j, c] /= factor[j, j]
        for a in range(j + 1, size):
            for c in range(k):
                solution[a, c] -= factor[j, a] * solution[j, c]
    for a in range(size - 1, -1, -1):
        for j in range(a + 1, size):
            for c in range(k):
                solution[a, c] -= factor[a, j] * solution[j, c]
        for c in range(k):
            solution[a, c] /= factor[a, a]


@kernel
def _read_out(states: Floats, places: Codes, values: Floats, weights: Floats, out: Floats) -> None:
    """Class probabilities: the outputs, cut off at 0 and divided by their sum."""
    size, k = weights.shape
    for i in range(len(states)):
        total = 0.0
        for c in range(k):
            value = 0.0
            for a in range(states.shape[1]):
                value += states[i, a] * weights[a, c]
            for j in range(places.shape[1]):
                if places[i, j] >= 0:
                    value += values[i, j] * weights[places[i, j], c]
            out[i, c] = max(value + weights[size - 1, c], 0.0)
            total += out[i, c]
        for c in range(k):
            out[i, c] = out[i, c] / total if total > 0 else 1.0 / k
