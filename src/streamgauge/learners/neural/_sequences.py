"""Chains of consecutive rows, recovered from rows that each come with their context.

A learner with a `context` gets row t as the sequence t-c, ..., t-1, t. Consecutive rows share
nearly all of it: joined into chains they are c times fewer rows to process.
"""

from __future__ import annotations

import numpy as np

from streamgauge._support.types import Floats, Longs


class Chains:
    """Chains of rows: a chain is the context of its first row, then rows in order of arrival.

    `rows` holds the distinct rows, chain after chain.
    """

    def __init__(self, X: Floats) -> None:
        """X is rows × context × features; NaN before the start of the stream."""
        self._window = X.shape[1]
        follows = ((X[1:, :-1] == X[:-1, 1:]) | (np.isnan(X[1:, :-1]) & np.isnan(X[:-1, 1:]))).all(
            axis=(1, 2)
        )
        firsts = np.concatenate([[0], np.flatnonzero(~follows) + 1])
        self._lengths = np.diff([*firsts, len(X)])
        before = [_present(X[first, :-1]) for first in firsts]
        parts = [
            part
            for first, length, rows in zip(firsts, self._lengths, before, strict=True)
            for part in (rows, X[first : first + length, -1])
        ]
        self.rows: Floats = np.concatenate(parts)
        sizes = np.array([len(rows) for rows in before]) + self._lengths
        ends = np.cumsum(sizes)
        self._begins = ends - sizes  # [chain]: its first row, context included
        self._last = np.repeat(ends, sizes) - 1  # [row]: the last row of its chain
        self._row = np.concatenate(  # [given row]: its index in `rows`
            [np.arange(end - n, end) for end, n in zip(ends, self._lengths, strict=True)]
        )

    def from_each_row(self) -> Longs:
        """Sequences from each row on, as indices in `rows`; a chain's last row repeats."""
        steps = np.arange(len(self.rows))[:, None] + np.arange(self._window)
        return np.asarray(np.minimum(steps, self._last[:, None]))

    def averaged(self, probabilities: Floats) -> Floats:
        """Per given row, the mean of the probabilities from all sequences that contain it.

        `probabilities`: sequences of `from_each_row` × steps × classes.
        """
        begins = np.repeat(self._begins, self._lengths)
        total, count = np.zeros((len(self._row), probabilities.shape[2])), np.zeros(len(self._row))
        for step in range(self._window):
            inside = self._row - step >= begins
            total[inside] += probabilities[self._row[inside] - step, step]
            count += inside
        return np.asarray(total / count[:, None])

    def sliding(self) -> tuple[Longs, Longs]:
        """Sequences to learn from, and the given row of each step, -1 = a row of the context.

        For a chain of n rows they are its n - window + 1 sliding windows; for a shorter chain, the
        sequence that ends with its last row.
        """
        given = np.full(len(self.rows), -1)
        given[self._row] = np.arange(len(self._row))
        firsts = []
        for begin, row, n in zip(self._begins, self._ends_of_context(), self._lengths, strict=True):
            last = row + n - self._window
            firsts.append(np.arange(row, last + 1) if last >= row else [max(begin, last)])
        steps = np.concatenate(firsts)[:, None] + np.arange(self._window)
        inside = steps <= self._last[steps[:, :1]]
        steps = np.minimum(steps, self._last[steps[:, :1]])
        return steps, np.where(inside, given[steps], -1)

    def _ends_of_context(self) -> Longs:
        """Per chain, the index of its first given row."""
        return np.asarray(self._row[np.cumsum(self._lengths) - self._lengths])


def _present(rows: Floats) -> Floats:
    """The rows since the start of the stream."""
    present = np.flatnonzero(~np.isnan(rows).all(axis=1))
    return rows[present[0] :] if len(present) else rows[:0]


def sequences(X: Floats) -> Floats:
    """Rows × window × features; a learner with a window of one row gets rows × features."""
    return X[:, None] if X.ndim == 2 else X
