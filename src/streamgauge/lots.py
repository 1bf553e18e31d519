"""Random numbers: by row and seed alone, or one after the other; never by how blocks are cut."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from streamgauge.compiled import inlined
from streamgauge.types import Floats, Longs

Dice: TypeAlias = npt.NDArray[np.uint64]  # one word: the state of a generator inside a kernel


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


def new_dice(*seeds: int) -> Dice:
    """To throw inside a kernel; other seeds, other numbers."""
    return np.random.SeedSequence(seeds).generate_state(1, np.uint64) | np.uint64(1)  # never 0


@inlined
def throw(dice: Dice) -> float:
    """The next number in [0, 1): xorshift64, which plain Python can follow without an overflow."""
    x = dice[0]
    x ^= x << np.uint64(13)
    x ^= x >> np.uint64(7)
    x ^= x << np.uint64(17)
    dice[0] = x
    return float(x >> np.uint64(11)) * 2.0**-53


def poisson_steps(mean: float) -> Floats:
    """P(a Poisson number is at most i), for `poisson`."""
    from scipy.stats import poisson as law

    return np.asarray(law.cdf(np.arange(int(mean + 12 * mean**0.5 + 20)), mean), np.float64)


@inlined
def poisson(dice: Dice, steps: Floats) -> float:
    """The next Poisson number."""
    at, count = throw(dice), 0
    while count < len(steps) - 1 and at >= steps[count]:
        count += 1
    return float(count)
