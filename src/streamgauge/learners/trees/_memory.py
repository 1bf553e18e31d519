"""A tree within so many bytes: when they run out, the least promising leaves stop watching rows."""

from __future__ import annotations

from typing import Final, Literal, get_args

import numpy as np

from streamgauge._support.errors import UsageError, check_integer
from streamgauge._support.types import Longs
from streamgauge.learners.base import state_bytes
from streamgauge.learners.trees._nodes import (
    EMPTY,
    INACTIVE,
    LEAF,
    Leaves,
    Nodes,
    Pools,
    longer,
    make_leaf,
    release,
    room_for,
    twice,
)

Memory = Literal["sensor", "handheld", "server"]

_BYTES: Final = {"sensor": 100_000, "handheld": 32_000_000, "server": 400_000_000}  # Kirkby 2007
_SPARE: Final = 10  # one in so many places for leaves is kept for splits to come


def budget(name: str, max_byte_size: int | None, memory: Memory | None) -> int | None:
    """How many bytes a tree may take; None = as many as it likes."""
    if memory is not None:
        if memory not in _BYTES or max_byte_size is not None:
            raise UsageError(
                f"{name}: expected max_byte_size or memory, one of {', '.join(get_args(Memory))}"
            )
        return _BYTES[memory]
    if max_byte_size is not None:
        check_integer("max_byte_size", max_byte_size)
    return max_byte_size


def size_of(pools: Pools) -> int:
    """In bytes."""
    return sum(map(state_bytes, pools))


def within(pools: Pools, most: int | None, name: str) -> Pools:
    """The same tree with room for another split, in at most so many bytes."""
    if most is None or 2 * size_of(pools) <= most:
        return twice(pools)
    nodes, leaves, room, scratch = pools
    used, width = int(room.used[0]), len(room.vacant)
    per_node = (state_bytes(nodes) + scratch.queue.nbytes) // max(1, len(nodes.kind))
    per_leaf = state_bytes(leaves) // max(1, len(leaves.tally)) + room.free.itemsize
    fixed = size_of(pools) - per_node * len(nodes.kind) - per_leaf * len(leaves.tally)
    capacity = used + used // _SPARE + 2 * width
    places = (most - fixed - capacity * per_node) // per_leaf
    if places <= 2 * width:  # it can grow no more
        if used <= 1:
            least = fixed + capacity * per_node + (2 * width + 1) * per_leaf
            raise UsageError(
                f"{name}: expected at least {least:,} bytes for a tree with a single split on this "
                "stream; give it more, or fewer features"
            )
        capacity, places = used, 0
    _keep_promising(pools, max(0, places - max(2 * width, places // _SPARE)))
    return _repacked(pools, capacity, places)


def _keep_promising(pools: Pools, active: int) -> None:
    """So many leaves stop watching that no more than `active` do: those with most to gain."""
    kind = pools.nodes.kind[: pools.room.used[0]]
    if not active:
        kind[kind == EMPTY] = INACTIVE
    ends = np.flatnonzero((kind == LEAF) | (kind == INACTIVE))
    counts = pools.nodes.counts[ends]
    promise = counts.sum(axis=1) - counts.max(axis=1)
    ranked = ends[np.argsort(-promise, kind="stable")]
    for node in ranked[active:]:
        if kind[node] == LEAF:
            release(pools, int(node))
            kind[node] = INACTIVE
    for node in ranked[:active]:
        if kind[node] == INACTIVE and room_for(pools, 1):
            make_leaf(pools, int(node))


def _repacked(pools: Pools, capacity: int, places: int) -> Pools:
    """Active leaves moved together; room for so many nodes and leaves in all."""
    nodes, leaves, room, scratch = pools
    used = room.used.copy()
    there = np.flatnonzero(nodes.kind[: used[0]] == LEAF)
    kept: Longs = nodes.leaf[there]
    nodes.leaf[there] = np.arange(len(kept))
    used[1] = places - len(kept)
    free = np.zeros(places, np.int64)
    free[: used[1]] = np.arange(places - 1, len(kept) - 1, -1)
    return Pools(
        Nodes(*(longer(column[: used[0]], capacity - used[0]) for column in nodes)),
        Leaves(*(longer(column[kept], places - len(kept)) for column in leaves)),
        room._replace(free=free, used=used),
        scratch._replace(queue=np.empty(capacity, np.int64)),
    )
