"""The kernels that parse plain CSV: they find the ends of cells by 64 bytes at once, then read one
column of some rows after the other, by eight bytes at once.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from streamgauge._support.jit import inlined, kernel, lean_inner, lean_kernel
from streamgauge._support.types import Codes, Flags, Floats, Longs
from streamgauge.streams.formats.csv.simd import WIDTH, count_bits, equal_bytes, lowest_bit

Words = npt.NDArray[np.uint64]  # [i]: the eight bytes from byte i on, the first one lowest

SKIP: Final = 0
TEXT: Final = 1
NUMBER: Final = 2

DONE: Final = 0
FULL: Final = 1  # a column has more different texts than there is room for

PADDING: Final = WIDTH  # bytes behind the last row: so many are looked at from any byte of it on
_MOST_ROWS: Final = 64  # read column by column: so few that their bytes stay at hand

_NEWLINE: Final = 10
_RETURN: Final = 13
_COMMA: Final = 44
_MINUS: Final = 45
_POINT: Final = 46
_PLUS: Final = 43
_LARGE_E: Final = 69
_SMALL_E: Final = 101
_ZERO: Final = 48
_NINE: Final = 57
_MOST_DIGITS: Final = 15  # a whole number of these is a double, and so is 10 to the 22nd
_POWERS: Floats = np.power(10.0, np.arange(23))

# Eight bytes at once, each in its own part of a word
_HIGH: Final = np.uint64(0x8080808080808080)
_LOW: Final = np.uint64(0x7F7F7F7F7F7F7F7F)
_ZEROS: Final = np.uint64(0x3030303030303030)
_ABOVE_NINE: Final = np.uint64(0x7676767676767676)  # lifts 10 and more, not 9, to the high bit
_EVEN: Final = np.uint64(0x00FF00FF00FF00FF)
_PAIRS: Final = np.uint64(0x0000FFFF0000FFFF)
_QUADS: Final = np.uint64(0x00000000FFFFFFFF)
_POINT_APART: Final = np.uint64(_POINT ^ _ZERO)
_LONG: Final = np.uint64(1 << 63)  # of a text's key: longer than seven bytes
_MIXER: Final = np.uint64(0x9E3779B97F4A7C15)
_ALL: Final = np.uint64(0xFFFFFFFFFFFFFFFF)
_U0: Final = np.uint64(0)
_U1: Final = np.uint64(1)
_U7: Final = np.uint64(7)
_U8: Final = np.uint64(8)
_U10: Final = np.uint64(10)
_U16: Final = np.uint64(16)
_U32: Final = np.uint64(32)
_U56: Final = np.uint64(56)
_BYTE: Final = np.uint64(255)
_U64: Final = np.uint64(64)
_U100: Final = np.uint64(100)
_U10000: Final = np.uint64(10000)


def words_of(piece: bytearray) -> Words:
    """The eight bytes from each byte on: overlapping, so that no cell need begin at a word's."""
    one = np.frombuffer(piece, np.uint64, 1)
    return np.lib.stride_tricks.as_strided(one, (len(piece) - 7,), (1,), writeable=False)


class Texts(NamedTuple):
    """The different texts of each text column: where their bytes lie, and a hash table of them."""

    slots: Codes  # [column, hash]: the number of the text there, -1 = free
    keys: Words  # [column, text]: a short text itself, of a long one its ends mixed
    starts: Longs  # [column, text]
    lengths: Longs
    counts: Longs  # [column]
    memory: Flags
    used: Longs


@kernel
def cell_ends(data: Flags, start: int, stop: int, ends: Codes) -> tuple[int, int]:
    """Where cells end, by comma or newline, from ends[1] on; how many there are, ends[0] included,
    and how many newlines.

    Known beforehand, so that the processor can work at several cells at once.
    """
    ends[0] = start - 1
    cells, lines = 1, 0
    for i in range(start, stop, WIDTH):
        newlines = equal_bytes(data, i, _NEWLINE)
        marks = equal_bytes(data, i, _COMMA) | newlines
        if stop - i < WIDTH:
            inside = (_U1 << np.uint64(stop - i)) - _U1
            newlines &= inside
            marks &= inside
        lines += count_bits(newlines)
        while marks:
            ends[cells] = i + lowest_bit(marks)
            cells += 1
            marks &= marks - _U1
    return cells, lines


@inlined
def _not_digits(apart: np.uint64) -> np.uint64:
    """The high bit of each byte that is more than 9."""
    return (((apart & _LOW) + _ABOVE_NINE) | apart) & _HIGH


@inlined
def _number_of(digits: np.uint64) -> np.int64:
    """The number that eight bytes of 0..9 spell."""
    digits = (digits * _U10 + (digits >> _U8)) & _EVEN
    digits = (digits * _U100 + (digits >> _U16)) & _PAIRS
    return np.int64((digits * _U10000 + (digits >> _U32)) & _QUADS)


@inlined
def _place_of(key: np.uint64, size: int) -> np.int64:
    mixed = key * _MIXER
    return np.int64((mixed ^ (mixed >> _U32)) & np.uint64(size - 1))


@lean_inner
def _spelled(data: Flags, i: int, end: int) -> float:
    """A number of many digits or with an exponent, its sign aside; NaN if it is none, or too long
    to be computed exactly."""
    mantissa, digits, power, after = 0, 0, 0, 0
    while i < end and digits <= _MOST_DIGITS:
        c = data[i]
        if _ZERO <= c <= _NINE:
            mantissa = 10 * mantissa + (int(c) - _ZERO)
            digits += 1
            power -= after
        elif c == _POINT and after == 0:
            after = 1
        else:
            break
        i += 1
    if i < end and digits > 0 and (data[i] == _SMALL_E or data[i] == _LARGE_E):
        i += 1
        down = data[i] == _MINUS
        if down or data[i] == _PLUS:
            i += 1
        exponent, first = 0, i
        while i < end and i - first < 4 and _ZERO <= data[i] <= _NINE:
            exponent = 10 * exponent + (int(data[i]) - _ZERO)
            i += 1
        if i == first:
            return np.nan
        power += -exponent if down else exponent
    if i < end or not 0 < digits <= _MOST_DIGITS or abs(power) >= len(_POWERS):
        return np.nan
    return float(mantissa / _POWERS[-power] if power < 0 else mantissa * _POWERS[power])


@inlined
def _cell(data: Flags, ends: Codes, cell: int, last: bool) -> tuple[int, int]:
    """A cell's first byte and the one behind it; the last of a row may end with a return."""
    begin, end = int(ends[cell - 1]) + 1, int(ends[cell])
    if last and end > begin and data[end - 1] == _RETURN:
        end -= 1
    return begin, end


@inlined
def _number(data: Flags, words: Words, begin: int, end: int) -> float:
    """What a cell spells; NaN if it is no number, or empty, or for others to read."""
    if end == begin + 1:
        digit = int(data[begin]) - _ZERO
        return float(digit) if 0 <= digit <= 9 else np.nan
    negative = data[begin] == _MINUS
    first = begin + 1 if negative else begin
    length = end - first
    if not 0 < length <= 8:
        value = _spelled(data, first, end)
        return -value if negative else value
    apart = (words[first] ^ _ZEROS) << (_U64 - _U8 * np.uint64(length))
    marks = _not_digits(apart)
    if marks == _U0:
        value = float(_number_of(apart))
        return -value if negative else value
    mark = (marks & (~marks + _U1)) >> _U7  # the lowest bit of that byte
    if marks >> _U7 == mark and apart & (mark * _BYTE) == mark * _POINT_APART and length > 1:
        below = mark - _U1
        whole = (apart & below) << _U8  # moves up to the digits behind it
        digits = whole | (apart & ~(below | (mark * _BYTE)))
        value = _number_of(digits) / _POWERS[7 - (lowest_bit(marks) >> 3)]
    else:
        value = _spelled(data, first, end)
    return -value if negative else value


@lean_inner
def _read_numbers(
    data: Flags, words: Words, ends: Codes, columns: int, column: int, row: int, stop: int,
    numbers: Floats, place: int, odd: Longs, oddities: int
) -> int:  # fmt: skip
    """A column of some rows; returns how many odd cells there are now."""
    last = column == columns - 1
    for r in range(row, stop):
        begin, end = _cell(data, ends, r * columns + column + 1, last)
        value = _number(data, words, begin, end)
        numbers[r, place] = value
        if value != value and end > begin:
            odd[oddities, 0] = r
            odd[oddities, 1] = place
            odd[oddities, 2] = begin
            odd[oddities, 3] = end
            oddities += 1
    return oddities


@inlined
def _same(texts: Texts, text: int, known: int, data: Flags, begin: int, length: int) -> bool:
    """Is this the known text whose key it has? A short one is its key."""
    if length < 8:
        return True
    if texts.lengths[text, known] != length:
        return False
    at, k = texts.starts[text, known], 0
    while k < length and texts.memory[at + k] == data[begin + k]:
        k += 1
    return bool(k == length)


@inlined
def _remember(
    texts: Texts, text: int, place: int, key: np.uint64, data: Flags, begin: int, length: int
) -> int:
    """A new text's number; -1 if there is no room for it."""
    number, used = int(texts.counts[text]), int(texts.used[0])
    if number >= texts.starts.shape[1] or used + length > len(texts.memory):
        return -1
    texts.starts[text, number] = used
    texts.lengths[text, number] = length
    texts.keys[text, number] = key
    for k in range(length):
        texts.memory[used + k] = data[begin + k]
    texts.used[0] = used + length
    texts.counts[text] = number + 1
    texts.slots[text, place] = number
    return number


@lean_inner
def _read_texts(
    data: Flags, words: Words, ends: Codes, columns: int, column: int, row: int, stop: int,
    texts: Texts, text: int, codes: Codes, numbers: Floats, place: int
) -> bool:  # fmt: skip
    """A column of some rows; was there room for all its texts?"""
    last = column == columns - 1
    slots, keys = texts.slots, texts.keys
    size = slots.shape[1]
    for r in range(row, stop):
        begin, end = _cell(data, ends, r * columns + column + 1, last)
        length = end - begin
        if length < 8:
            key = words[begin] & ~(_ALL << (_U8 * np.uint64(length)))
            key |= np.uint64(length) << _U56
        else:
            key = ((words[begin] ^ (words[end - 8] * _MIXER)) + np.uint64(length)) | _LONG
        slot, found = int(_place_of(key, size)), -1
        while found < 0 and slots[text, slot] >= 0:
            known = int(slots[text, slot])
            if keys[text, known] == key and _same(texts, text, known, data, begin, length):
                found = known
            slot = (slot + 1) & (size - 1)
        if found < 0:
            found = _remember(texts, text, slot, key, data, begin, length)
            if found < 0:
                return False
        codes[text, r] = found
        if place >= 0:
            numbers[r, place] = 0.0
    return True


@lean_kernel
def parse(
    data: Flags, words: Words, ends: Codes, row: int, rows: int, kinds: Flags, into: Longs,
    texts: Texts, numbers: Floats, codes: Codes, odd: Longs
) -> tuple[int, int, int]:  # fmt: skip
    """Rows from `row` to `rows`, while there is room; the row where it stopped, how many odd cells
    there are, and why it stopped.

    `into`: each column's place among the numbers, where a text leaves 0, or -1. An odd cell is a
    number that is not spelled plainly: its row, place among the numbers, first and last byte.
    """
    columns, oddities = len(kinds), 0
    at_once = max(1, min(_MOST_ROWS, len(odd) // columns))
    while row < rows and oddities + at_once * columns <= len(odd):
        stop, before, text = min(rows, row + at_once), oddities, 0
        for column in range(columns):
            if kinds[column] == NUMBER:
                oddities = _read_numbers(
                    data, words, ends, columns, column, row, stop, numbers, into[column], odd,
                    oddities
                )  # fmt: skip
            elif kinds[column] == TEXT:
                if not _read_texts(
                    data, words, ends, columns, column, row, stop, texts, text, codes, numbers,
                    into[column]
                ):  # fmt: skip
                    return row, before, FULL
                text += 1
        row = stop
    return row, oddities, DONE


@lean_kernel
def spread(meaning: Floats, codes: Codes, X: Floats, column: int) -> None:
    """What each text means, into a column."""
    for row in range(len(codes)):
        X[row, column] = meaning[codes[row]]


def new_texts(columns: int, most: int = 256, memory: int = 1 << 16) -> Texts:
    """Room for `most` texts a column, a power of two: places wrap by their bits."""
    return Texts(
        np.full((columns, 4 * most), -1, np.int32),
        np.zeros((columns, most), np.uint64),
        np.zeros((columns, most), np.int64),
        np.zeros((columns, most), np.int64),
        np.zeros(columns, np.int64),
        np.zeros(memory, np.uint8),
        np.zeros(1, np.int64),
    )


def larger(texts: Texts) -> Texts:
    """Twice the room, with the same texts under the same numbers."""
    columns, most = texts.starts.shape
    twice = new_texts(columns, 2 * most, 2 * len(texts.memory))
    for new, old in zip(twice[1:4], texts[1:4], strict=True):
        new[:, :most] = old
    twice.counts[:] = texts.counts
    twice.memory[: len(texts.memory)] = texts.memory
    twice.used[:] = texts.used
    _place(twice.slots, twice.keys, twice.counts)
    return twice


@kernel
def _place(slots: Codes, keys: Words, counts: Longs) -> None:
    """Find every text its slot."""
    last = slots.shape[1] - 1
    for column in range(len(counts)):
        for number in range(counts[column]):
            place = _place_of(keys[column, number], last + 1)
            while slots[column, place] >= 0:
                place = (place + 1) & last
            slots[column, place] = number
