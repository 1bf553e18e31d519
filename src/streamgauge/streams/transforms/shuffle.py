"""Shuffle a stream's rows, to remove concept drift or temporal dependence.

Rows are held in memory. Arrival and reveal times are dropped: they belong to the old order.
"""

from __future__ import annotations

import numpy as np

from streamgauge._support.errors import UsageError, check_seed
from streamgauge._support.types import Block
from streamgauge.streams.base import Stream, check_streams
from streamgauge.streams.blocks import concatenate
from streamgauge.streams.frames import ArrayStream

_ROWS = 1 << 16


def shuffled(stream: Stream, seed: int = 0) -> Stream:
    """Return the rows in random order, without drift and without temporal dependence.

    Parameters
    ----------
    stream
        The stream; its rows are read into memory.
    seed
        Random seed.

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
    check_streams("shuffled", stream)
    check_seed("shuffled", seed)
    whole = concatenate(list(stream.blocks(_ROWS)))
    order = np.random.default_rng(seed).permutation(len(whole))
    block = Block(0, whole.X[order], whole.y[order])
    return ArrayStream(f"shuffled({stream.name}, seed={seed})", stream.schema.untimed(), block)


def shuffled_within_class(stream: Stream, seed: int = 0) -> Stream:
    """Return the labels in their order, with features shuffled among the rows of each class.

    This keeps the temporal dependence of the labels and removes class-conditional drift.

    Parameters
    ----------
    stream
        The stream; its rows are read into memory.
    seed
        Random seed.

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
    check_seed("shuffled_within_class", seed)
    if stream.schema.regression:
        raise UsageError(
            f"shuffled_within_class: {stream.name} is a regression stream; expected a stream with "
            "classes: use shuffled instead"
        )
    whole = concatenate(list(stream.blocks(_ROWS)))
    rng = np.random.default_rng(seed)
    order = np.arange(len(whole))
    for label in np.unique(whole.y):  # unlabelled rows are treated as one more class
        rows = np.flatnonzero(whole.y == label)
        order[rows] = rng.permutation(rows)
    block = Block(0, whole.X[order], whole.y)
    name = f"shuffled_within_class({stream.name}, seed={seed})"
    return ArrayStream(name, stream.schema.untimed(), block)
