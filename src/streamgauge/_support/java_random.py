"""java.util.Random, which draws MOA's models and rows: the same numbers to the last digit.

Kernels take its state as arrays: `state` has one word of 48 bits, `spare` the normal number that
was made together with the last one. `JavaRandom` draws single numbers from Python.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from streamgauge._support.jit import inlined, kernel, lean_inner
from streamgauge._support.types import Floats, Longs

MOST_SEED: Final = 2**31 - 1  # MOA reads seeds as 32-bit integers

_FACTOR: Final = 0x5DEECE66D
_LN2_HIGH: Final = 6.93147180369123816490e-01
_LN2_LOW: Final = 1.90821492927058770002e-10
_SERIES: Final = (
    6.666666666666735130e-01,
    3.999999999940941908e-01,
    2.857142874366239149e-01,
    2.222219843214978396e-01,
    1.818357216161805012e-01,
    1.531383769920937332e-01,
    1.479819860511658591e-01,
)


class JavaRandom:
    """Single draws, named as NumPy's; kernels go on from `state` and `spare`."""

    def __init__(self, seed: int) -> None:
        self.state: Longs = np.array([java_state(seed)], np.int64)
        self.spare: Floats = np.array([np.nan])

    def random(self) -> float:
        """A number in [0, 1): nextDouble()."""
        return float(_draw_uniform(self.state))

    def integers(self, bound: int) -> int:
        """An integer below `bound`: nextInt(bound)."""
        return int(_draw_below(self.state, bound))


def java_state(seed: int) -> int:
    """The initial state of java.util.Random."""
    return seed ^ _FACTOR


@inlined
def java_bits(state: Longs, count: int) -> int:
    """The next `count` bits, at most 31."""
    # A kernel keeps 64 bits of the product, of which 48 are needed; plain Python keeps all.
    state[0] = (int(state[0]) * _FACTOR + 0xB) & 0xFFFFFFFFFFFF
    return int(state[0]) >> (48 - count)


@inlined
def java_below(state: Longs, bound: int) -> int:
    """The next integer below `bound`."""
    while True:
        bits = java_bits(state, 31)
        if bound & (bound - 1) == 0:
            return (bound * bits) >> 31
        value = bits % bound
        if bits - value + bound <= 1 << 31:  # otherwise some numbers would be more likely
            return value


@inlined
def java_uniform(state: Longs) -> float:
    """The next number in [0, 1)."""
    high = java_bits(state, 26)
    return float((high << 27) + java_bits(state, 27)) * 2.0**-53


@lean_inner
def java_normals(state: Longs, spare: Floats, count: int, out: Floats, factors: Floats) -> None:
    """The next `count` normal numbers, by the polar method, which makes two at a time.

    `out` has room for one more, and `factors` for half as many. Three loops, because the last two
    are compiled to vector instructions.
    """
    first = 0 if np.isnan(spare[0]) else 1
    out[0] = spare[0]
    spare[0] = np.nan
    pairs = (count - first + 1) // 2
    k = 0
    while k < pairs:
        x = 2 * java_uniform(state) - 1
        y = 2 * java_uniform(state) - 1
        square = x * x + y * y
        out[first + 2 * k], out[first + 2 * k + 1] = x, y
        factors[k] = square
        k += 1 if 0 < square < 1 else 0  # if not, the next pair replaces this one
    for k in range(pairs):
        factors[k] = np.sqrt(-2 * _strict_log(factors[k]) / factors[k])
    for k in range(pairs):
        out[first + 2 * k] *= factors[k]
        out[first + 2 * k + 1] *= factors[k]
    if first + 2 * pairs > count:
        spare[0] = out[count]


@inlined
def _strict_log(x: float) -> float:
    """The logarithm of a number in (0, 1) as Java's StrictMath defines it.

    The C library's logarithm may differ in the last digit. This is fdlibm's algorithm: x is
    2^k (1 + f), where 1 + f lies between sqrt(2)/2 and sqrt(2), and the series is in f / (2 + f).
    Of fdlibm: Copyright (C) 1993 by Sun Microsystems, Inc. All rights reserved. Permission to use,
    copy, modify, and distribute this software is freely granted, provided that this notice is
    preserved.
    """
    word = np.float64(x).view(np.int64)
    k = (word >> 52) - 1023
    fraction = word & 0xFFFFFFFFFFFFF
    high = fraction >> 32
    f = float(fraction) * 2.0**-52
    if high >= 0x6A09C:
        k += 1
        f = (f - 1) / 2
    if high == 0 or high >= 0xFFFFE:
        tail = f * f * (0.5 - 0.33333333333333333 * f)
        return float(k * _LN2_HIGH - ((tail - k * _LN2_LOW) - f))
    s = f / (2 + f)
    z = s * s
    w = z * z
    a = _SERIES
    tail = w * (a[1] + w * (a[3] + w * a[5])) + z * (a[0] + w * (a[2] + w * (a[4] + w * a[6])))
    if 0x6147A <= high <= 0x6B851:
        half = 0.5 * f * f
        return float(k * _LN2_HIGH - ((half - (s * (half + tail) + k * _LN2_LOW)) - f))
    return float(k * _LN2_HIGH - ((s * (f - tail) - k * _LN2_LOW) - f))


@kernel
def _draw_uniform(state: Longs) -> float:
    return java_uniform(state)


@kernel
def _draw_below(state: Longs, bound: int) -> int:
    return java_below(state, bound)
