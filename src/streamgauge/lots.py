"""Random numbers that depend on the row and a seed alone, so on no block's cut."""

from __future__ import annotations

import numpy as np

from streamgauge.types import Floats, Longs


def uniform(rows: Longs, seed: int) -> Floats:
    """A number in [0, 1) for each row.

    splitmix64, a counter-based generator: row i's number needs none of its predecessors'.
    """
    start = np.random.SeedSequence(seed).generate_state(1, np.uint64)[0]
    with np.errstate(over="ignore"):
        z = start + rows.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        z = z ^ (z >> np.uint64(31))
    return np.asarray((z >> np.uint64(11)) * 2.0**-53, np.float64)
