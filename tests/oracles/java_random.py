"""java.util.Random in Python integers, from its specification, with fdlibm's logarithm."""

from __future__ import annotations

import math
import struct

_LN2_HIGH, _LN2_LOW = 6.93147180369123816490e-01, 1.90821492927058770002e-10
_SERIES = (
    6.666666666666735130e-01,
    3.999999999940941908e-01,
    2.857142874366239149e-01,
    2.222219843214978396e-01,
    1.818357216161805012e-01,
    1.531383769920937332e-01,
    1.479819860511658591e-01,
)


class JavaRandom:
    """The draws that MOA's generators use."""

    def __init__(self, seed: int) -> None:
        self.state = (seed ^ 0x5DEECE66D) % 2**48
        self.spare: float | None = None

    def bits(self, count: int) -> int:
        """The next `count` bits, as an unsigned number."""
        self.state = (self.state * 0x5DEECE66D + 11) % 2**48
        return self.state >> (48 - count)

    def below(self, bound: int) -> int:
        """Java's nextInt(bound)."""
        if bound & (bound - 1) == 0:
            return bound * self.bits(31) >> 31
        while True:
            drawn = self.bits(31)
            if drawn - drawn % bound + bound <= 2**31:  # the last, incomplete, run is refused
                return drawn % bound

    def double(self) -> float:
        """Java's nextDouble()."""
        high = self.bits(26)
        return float((high << 27) + self.bits(27)) / 2**53

    def gaussian(self) -> float:
        """Java's nextGaussian(): Marsaglia's polar method makes two, the second is kept."""
        if self.spare is not None:
            kept, self.spare = self.spare, None
            return kept
        while True:
            one, other = 2 * self.double() - 1, 2 * self.double() - 1
            square = one * one + other * other
            if 0 < square < 1:
                factor = math.sqrt(-2 * fdlibm_log(square) / square)
                self.spare = other * factor
                return one * factor


def fdlibm_log(x: float) -> float:
    """The natural logarithm of a normal positive number, to the digits of Java's StrictMath."""
    word: int = struct.unpack(">q", struct.pack(">d", x))[0]
    exponent, fraction = (word >> 52) - 1023, word & (2**52 - 1)
    high = fraction >> 32
    halved = high >= 0x6A09C  # x lies between sqrt(2)/2 and sqrt(2) after this
    exponent += halved
    word = fraction | (1022 if halved else 1023) << 52
    f: float = struct.unpack(">d", struct.pack(">q", word))[0] - 1
    if high in (0, 0xFFFFE, 0xFFFFF):  # close to 1
        if f == 0:
            return exponent * _LN2_HIGH + exponent * _LN2_LOW
        r = f * f * (0.5 - 0.33333333333333333 * f)
        return exponent * _LN2_HIGH - ((r - exponent * _LN2_LOW) - f)
    s = f / (2 + f)
    z = s * s
    w = z * z
    a, b, c, d, e, g, h = _SERIES
    r = z * (a + w * (c + w * (e + w * h))) + w * (b + w * (d + w * g))
    if 0x6147A <= high <= 0x6B851:
        half = 0.5 * f * f
        if exponent == 0:
            return f - (half - s * (half + r))
        return exponent * _LN2_HIGH - ((half - (s * (half + r) + exponent * _LN2_LOW)) - f)
    if exponent == 0:
        return f - s * (f - r)
    return exponent * _LN2_HIGH - ((s * (f - r) - exponent * _LN2_LOW) - f)
