"""How long blocks of losses must be, so that they hardly depend on each other."""

from __future__ import annotations

from streamgauge._support.errors import InputError
from streamgauge._support.types import Floats
from streamgauge.measures.batch_means import uncorrelated_length

SHORTEST_BLOCK = 100


def block_of(losses: Floats) -> int:
    """The shortest blocks, of 100, 200, 400, … rows, whose means do not look correlated."""
    length = uncorrelated_length(losses, SHORTEST_BLOCK)
    if length is None:
        raise InputError(
            f"{len(losses):,} losses are too few to see how far they depend on each other: there "
            f"are fewer than 16 blocks of {SHORTEST_BLOCK} rows, or their means look correlated "
            "however long they are; expected a longer baseline without a change, or a given block"
        )
    return length
