"""The random generator of the kernels in Python integers; only the seeding is the package's."""

from __future__ import annotations

import math

from streamgauge._support.rng import new_rng

MASK = 2**64 - 1


class Rng:
    """xorshift64, with uniform and Poisson draws."""

    def __init__(self, *seeds: int) -> None:
        self.x = int(new_rng(*seeds)[0])

    def next_uniform(self) -> float:
        self.x ^= self.x << 13 & MASK
        self.x ^= self.x >> 7
        self.x ^= self.x << 17 & MASK
        return (self.x >> 11) / 2**53

    def poisson(self, mean: float) -> int:
        at, below, count = self.next_uniform(), math.exp(-mean), 0
        chance = below
        while at >= below:
            count += 1
            chance *= mean / count
            below += chance
        return count
