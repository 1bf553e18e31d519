"""Random numbers that never depend on how a stream is cut into blocks."""

from __future__ import annotations

from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from streamgauge._support.jit import inlined
from streamgauge._support.types import Floats, Longs

_COUNTED: Final = 16  # steps, of the at least 20 that `poisson_steps` returns

Rng: TypeAlias = npt.NDArray[np.uint64]  # the state of a generator inside a kernel: one word


def uniform(rows: Longs, *seed: int) -> Floats:
    """A random number in [0, 1) for each row number, from that number and the seeds alone.

    It uses splitmix64, a counter-based generator: row i does not need the numbers before it.
    """
    start = np.random.SeedSequence(seed).generate_state(1, np.uint64)[0]
    with np.errstate(over="ignore"):
        z = start + rows.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        z = z ^ (z >> np.uint64(31))
    return np.asarray((z >> np.uint64(11)) * 2.0**-53, np.float64)


def new_rng(*seeds: int) -> Rng:
    """The state of a generator for kernels, from one or more seeds."""
    return np.random.SeedSequence(seeds).generate_state(1, np.uint64) | np.uint64(1)  # never 0


@inlined
def next_uniform(rng: Rng) -> float:
    """The next number in [0, 1), by xorshift64, which plain Python computes without overflow."""
    x = rng[0]
    x ^= x << np.uint64(13)
    x ^= x >> np.uint64(7)
    x ^= x << np.uint64(17)
    rng[0] = x
    return float(x >> np.uint64(11)) * 2.0**-53


def poisson_steps(mean: float) -> Floats:
    """The cumulative distribution function of the Poisson distribution, for `poisson`."""
    from scipy.special import pdtr  # scipy.stats has it too, but takes a second to import

    return np.asarray(pdtr(np.arange(int(mean + 12 * mean**0.5 + 20)), mean), np.float64)


@inlined
def poisson(rng: Rng, steps: Floats) -> float:
    """The next Poisson-distributed number; `steps` is from `poisson_steps`."""
    at, count = next_uniform(rng), 0
    for place in range(_COUNTED):  # without a branch: the number is random
        count += at >= steps[place]
    while count >= _COUNTED and count < len(steps) - 1 and at >= steps[count]:
        count += 1
    return float(count)
