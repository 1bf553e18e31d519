"""Shuffle a stream's rows, to remove concept drift or temporal dependence.

Rows are held in memory. Arrival and reveal times are dropped: they belong to the old order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property

import numpy as np

from streamgauge._support.errors import UsageError, check_seed
from streamgauge._support.types import Block
from streamgauge.streams.base import DEFAULT_SEED, Stream, check_streams, default_seeds
from streamgauge.streams.blocks import concatenate
from streamgauge.streams.frames import ArrayStream
from streamgauge.streams.origin import Origin

Order = Callable[[Block, np.random.Generator], Block]

_ROWS = 1 << 16


def shuffled(stream: Stream, seed: int | None = None) -> Stream:
    """Return the rows in random order, without drift and without temporal dependence.

    Parameters
    ----------
    stream
        The stream; its rows are read into memory when they are first asked for.
    seed
        Random seed; by default the run's.

    Returns
    -------
    Stream
        The same rows in another order, without times.

    References
    ----------
    zliobaite2015 (docs/bibliography.md)

    Examples
    --------
    >>> import streamgauge as sg
    >>> stream = sg.from_arrays([[0], [1], [2], [3], [4], [5]], list("aaabbb"))
    >>> block = next(sg.shuffled(stream, seed=2).blocks(6))
    >>> block.X[:, 0].tolist()
    [3.0, 5.0, 2.0, 4.0, 0.0, 1.0]
    >>> block.y.tolist()
    [1, 1, 0, 1, 0, 0]
    """
    return _Shuffled("shuffled", _rows_shuffled, stream, seed)


def shuffled_within_class(stream: Stream, seed: int | None = None) -> Stream:
    """Return the labels in their order, with features shuffled among the rows of each class.

    This keeps the temporal dependence of the labels and removes class-conditional drift.

    Parameters
    ----------
    stream
        The stream; its rows are read into memory when they are first asked for.
    seed
        Random seed; by default the run's.

    Returns
    -------
    Stream
        The same labels with other rows of their class, without times.

    References
    ----------
    zliobaite2015 (docs/bibliography.md)

    Examples
    --------
    >>> import streamgauge as sg
    >>> stream = sg.from_arrays([[0], [1], [2], [3], [4], [5]], list("aaabbb"))
    >>> block = next(sg.shuffled_within_class(stream, seed=2).blocks(6))
    >>> block.X[:, 0].tolist()
    [2.0, 0.0, 1.0, 5.0, 4.0, 3.0]
    >>> block.y.tolist()
    [0, 0, 0, 1, 1, 1]
    """
    check_streams("shuffled_within_class", stream)
    if stream.schema.regression:
        raise UsageError(
            f"shuffled_within_class: {stream.name} is a regression stream; expected a stream with "
            "classes: use shuffled instead"
        )
    return _Shuffled("shuffled_within_class", _features_shuffled, stream, seed)


def _rows_shuffled(whole: Block, random: np.random.Generator) -> Block:
    order = random.permutation(len(whole))
    return Block(0, whole.X[order], whole.y[order])


def _features_shuffled(whole: Block, random: np.random.Generator) -> Block:
    order = np.arange(len(whole))
    for label in np.unique(whole.y):  # unlabelled rows are treated as one more class
        rows = np.flatnonzero(whole.y == label)
        order[rows] = random.permutation(rows)
    return Block(0, whole.X[order], whole.y)


class _Shuffled(Stream):
    """A stream whose rows are read into memory and shuffled when they are first asked for."""

    def __init__(self, verb: str, order: Order, source: Stream, seed: int | None) -> None:
        check_streams(verb, source)
        check_seed(verb, DEFAULT_SEED if seed is None else seed)
        self._verb, self._order, self._given = verb, order, (source, seed)
        (self._source,), self._seed = default_seeds([source], seed)
        drawn = "" if seed is None else f", seed={seed}"
        self.name = f"{verb}({source.name}{drawn})"
        self.schema, self.rows = source.schema.untimed(), source.rows
        arguments = {} if seed is None else {"seed": seed}
        self._origin = Origin(verb, arguments, (source.origin,), same_rows=True)

    def _with_seeds(self, seeds: Iterator[int]) -> Stream:
        source, seed = self._given
        bound = source._with_seeds(seeds)
        if seed is not None and bound is source:
            return self
        drawn = next(seeds) if seed is None else seed
        return _Shuffled(self._verb, self._order, bound, drawn)

    @cached_property
    def _rows(self) -> ArrayStream:
        whole = concatenate(list(self._source.blocks(_ROWS)))
        block = self._order(whole, np.random.default_rng(self._seed))
        return ArrayStream(self.name, self.schema, block)

    def blocks(self, size: int) -> Iterator[Block]:
        return self._rows.blocks(size)
