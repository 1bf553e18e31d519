"""Rows that follow each other, found again among rows that each come with the rows before them.

A learner with a `context` gets row t as the sequence t-c, ..., t-1, t. Consecutive rows share
nearly all of it: put together again they are c times fewer rows to go through.
"""

from __future__ import annotations

import numpy as np

from streamgauge._support.types import Floats, Longs


class Chains:
    """`rows`: the distinct rows, chain after chain. A chain is rows given one after another just as
    they arrived, after the context of the first of them."""

    def __init__(self, X: Floats) -> None:
        """X is rows × context × features; NaN throughout before the stream began."""
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
        self._begins = ends - sizes  # of each chain: its first row, context included
        self._last = np.repeat(ends, sizes) - 1  # of each row: the last one of its chain
        self._row = np.concatenate(  # of each row given: its place in `rows`
            [np.arange(end - n, end) for end, n in zip(ends, self._lengths, strict=True)]
        )

    def from_each_row(self) -> Longs:
        """Sequences that begin at each row: places in `rows`. At the end of a chain they stay."""
        steps = np.arange(len(self.rows))[:, None] + np.arange(self._window)
        return np.asarray(np.minimum(steps, self._last[:, None]))

    def averaged(self, shares: Floats) -> Floats:
        """Of each row given the mean of what the sequences it is in say of it.

        `shares`: of each sequence of `from_each_row`, of each step, of each class.
        """
        begins = np.repeat(self._begins, self._lengths)
        total, count = np.zeros((len(self._row), shares.shape[2])), np.zeros(len(self._row))
        for step in range(self._window):
            there = self._row - step >= begins
            total[there] += shares[self._row[there] - step, step]
            count += there
        return np.asarray(total / count[:, None])

    def sliding(self) -> tuple[Longs, Longs]:
        """Sequences to learn from, and of each step which row given it is, -1 = a row before them.

        Of a chain of n rows the windows that lie among them, n - window + 1; if there is not one,
        the sequence that ends with its last row.
        """
        lesson = np.full(len(self.rows), -1)
        lesson[self._row] = np.arange(len(self._row))
        firsts = []
        for begin, row, n in zip(self._begins, self._ends_of_context(), self._lengths, strict=True):
            last = row + n - self._window
            firsts.append(np.arange(row, last + 1) if last >= row else [max(begin, last)])
        steps = np.concatenate(firsts)[:, None] + np.arange(self._window)
        inside = steps <= self._last[steps[:, :1]]
        steps = np.minimum(steps, self._last[steps[:, :1]])
        return steps, np.where(inside, lesson[steps], -1)

    def _ends_of_context(self) -> Longs:
        """Of each chain the place of its first row given."""
        return np.asarray(self._row[np.cumsum(self._lengths) - self._lengths])


def _present(rows: Floats) -> Floats:
    """Those since the stream began."""
    there = np.flatnonzero(~np.isnan(rows).all(axis=1))
    return rows[there[0] :] if len(there) else rows[:0]
