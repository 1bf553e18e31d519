"""A stream's rows in another order: what is left when drift or label order is taken away.

Rows are held in memory. Arrival and reveal times are dropped: they belonged to the old order.
"""

from __future__ import annotations

import numpy as np

from streamgauge._support.errors import UsageError, check_seed
from streamgauge._support.types import Block
from streamgauge.streams.base import Stream, check_streams, join
from streamgauge.streams.frames import ArrayStream

_ROWS = 1 << 16


def shuffled(stream: Stream, seed: int = 0) -> Stream:
    """The rows in random order: neither drift nor temporal dependence is left."""
    check_streams("shuffled", stream)
    check_seed("shuffled", seed)
    whole = join(list(stream.blocks(_ROWS)))
    order = np.random.default_rng(seed).permutation(len(whole))
    block = Block(0, whole.X[order], whole.y[order])
    return ArrayStream(f"shuffled({stream.name}, seed={seed})", stream.schema.untimed(), block)


def shuffled_within_class(stream: Stream, seed: int = 0) -> Stream:
    """The labels in their order, each class's features dealt out anew among its rows: temporal
    dependence is kept, class-conditional drift is not."""
    check_streams("shuffled_within_class", stream)
    check_seed("shuffled_within_class", seed)
    if stream.schema.regression:
        raise UsageError("shuffled_within_class: a regression has no classes; use shuffled")
    whole = join(list(stream.blocks(_ROWS)))
    random = np.random.default_rng(seed)
    order = np.arange(len(whole))
    for label in np.unique(whole.y):  # rows without a label are a class of their own
        places = np.flatnonzero(whole.y == label)
        order[places] = random.permutation(places)
    block = Block(0, whole.X[order], whole.y)
    name = f"shuffled_within_class({stream.name}, seed={seed})"
    return ArrayStream(name, stream.schema.untimed(), block)
