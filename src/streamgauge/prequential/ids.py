"""Ids as numbers: integers as they are, any other text as a hash of 128 bits."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from streamgauge._support.jit import kernel
from streamgauge._support.types import Flags, Longs
from streamgauge.streams.formats.arrow_cells import as_text

_PRIME: Final = np.uint64(0x9E3779B97F4A7C15)
_OTHER: Final = np.uint64(0xC2B2AE3D27D4EB4F)
_MOST_DIGITS: Final = 18  # of an integer that surely fits in 64 bits
_ZERO, _NINE, _MINUS = ord("0"), ord("9"), ord("-")


def keys_of(column: pa.Array) -> tuple[Longs, Longs, npt.NDArray[np.bool_]]:
    """Two numbers for each id, and which cells have none.

    The second number is 0 for an integer of up to 18 digits, and never for other texts: 7 and "7"
    are the same id, "07" is another one.
    """
    if pa.types.is_int64(column.type) and not column.null_count:
        numbers = np.array(column.to_numpy(zero_copy_only=False))
        most = 10**_MOST_DIGITS
        if numbers.min(initial=0) > -most and numbers.max(initial=0) < most:
            return numbers, np.zeros(len(numbers), np.int64), np.zeros(len(numbers), np.bool_)
    texts = as_text(column).cast(pa.large_string())
    missing = np.asarray(texts.is_null().to_numpy(zero_copy_only=False), np.bool_)
    _, offsets, data = texts.buffers()
    n = len(texts)
    starts = np.frombuffer(offsets, np.int64)[texts.offset : texts.offset + n + 1].copy()
    letters = np.zeros(1, np.uint8) if data is None else np.frombuffer(data, np.uint8)
    first, second = np.zeros(n, np.int64), np.zeros(n, np.int64)
    if n:
        _hash(letters if letters.flags.writeable else letters.copy(), starts, first, second)
    return first, second, missing


@kernel
def _hash(letters: Flags, starts: Longs, first: Longs, second: Longs) -> None:
    for i in range(len(first)):
        start, stop = starts[i], starts[i + 1]
        sign = 1
        at = start
        if stop > start and letters[at] == _MINUS:
            sign = -1
            at += 1
        digits = stop - at
        integer = 0 < digits <= _MOST_DIGITS
        if integer and letters[at] == _ZERO and (digits > 1 or sign < 0):
            integer = False
        number = 0
        if integer:
            for place in range(at, stop):
                letter = letters[place]
                if letter < _ZERO or letter > _NINE:
                    integer = False
                    break
                number = number * 10 + (int(letter) - _ZERO)
        if integer:
            first[i] = sign * number
            second[i] = 0
            continue
        a, b = np.uint64(stop - start), _OTHER
        for place in range(start, stop):
            letter = np.uint64(letters[place])
            a = (a ^ letter) * _PRIME
            a ^= a >> np.uint64(29)
            b = (b + letter + np.uint64(1)) * _OTHER
            b ^= b >> np.uint64(31)
        first[i] = np.int64(a)
        second[i] = np.int64(b | np.uint64(1))
