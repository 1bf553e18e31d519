"""The kernel that parses plain CSV: finds the ends of cells, then reads eight bytes at once."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from streamgauge.compiled import kernel
from streamgauge.types import Codes, Flags, Floats, Longs

Words = npt.NDArray[np.uint64]  # [i]: the eight bytes from byte i on, the first one lowest

SKIP: Final = 0
TEXT: Final = 1
NUMBER: Final = 2
NUMBERS: Final = 3  # as the next three columns are, none of them the last

DONE: Final = 0
FULL: Final = 1  # a column has more different texts than there is room for
RAGGED: Final = 2

PADDING: Final = 8  # bytes behind the last row: eight are looked at from any byte of it on

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
_EACH: Final = np.uint64(0x0101010101010101)
_HIGH: Final = np.uint64(0x8080808080808080)
_LOW: Final = np.uint64(0x7F7F7F7F7F7F7F7F)
_ZEROS: Final = np.uint64(0x3030303030303030)
_ABOVE_NINE: Final = np.uint64(0x7676767676767676)  # lifts 10 and more, not 9, to the high bit
_EVEN: Final = np.uint64(0x00FF00FF00FF00FF)
_PAIRS: Final = np.uint64(0x0000FFFF0000FFFF)
_QUADS: Final = np.uint64(0x00000000FFFFFFFF)
_FOUR_CELLS: Final = np.uint64(0x2C002C002C002C00)
_FOUR_ZEROS: Final = np.uint64(0x0030003000300030)
_FOUR_ABOVE: Final = np.uint64(0x0076007600760076)
_FOUR_OTHERS: Final = np.uint64(0xFF80FF80FF80FF80)
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
_U48: Final = np.uint64(48)
_U56: Final = np.uint64(56)
_BYTE: Final = np.uint64(255)
_U64: Final = np.uint64(64)
_U100: Final = np.uint64(100)
_U10000: Final = np.uint64(10000)


def words_of(piece: bytearray) -> Words:
    """The eight bytes from each byte on: overlapping, so that no cell need begin at a word's."""
    one = np.frombuffer(piece, np.uint64, 1)
    return np.lib.stride_tricks.as_strided(one, (len(piece) - 7,), (1,), writeable=False)


def with_runs(kinds: Flags) -> Flags:
    """Columns' kinds where the first of four columns of numbers says so."""
    runs = kinds.copy()
    for column in range(len(kinds) - 4):
        if (kinds[column : column + 4] == NUMBER).all():
            runs[column] = NUMBERS
    return runs


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
def cell_ends(data: Flags, start: int, stop: int, ends: Codes) -> int:
    """Where cells end, by comma or newline, from ends[1] on; returns how many there are.

    Known beforehand, so that the processor can work at several cells at once.
    """
    ends[0] = start - 1
    cells = 1
    for i in range(start, stop):
        ends[cells] = i  # kept if it is one; without a jump
        cells += (data[i] == _COMMA) | (data[i] == _NEWLINE)
    return cells


@kernel
def _first(marks: np.uint64) -> np.int64:
    """The lowest byte whose high bit is set; one must be."""
    below = (marks & (~marks + _U1)) - _U1
    return np.int64(((below & _EACH) * _EACH) >> _U56) - 1


@kernel
def _not_digits(apart: np.uint64) -> np.uint64:
    """The high bit of each byte that is more than 9."""
    return (((apart & _LOW) + _ABOVE_NINE) | apart) & _HIGH


@kernel
def _number_of(digits: np.uint64) -> np.int64:
    """The number that eight bytes of 0..9 spell."""
    digits = (digits * _U10 + (digits >> _U8)) & _EVEN
    digits = (digits * _U100 + (digits >> _U16)) & _PAIRS
    return np.int64((digits * _U10000 + (digits >> _U32)) & _QUADS)


@kernel
def _place_of(key: np.uint64, size: int) -> np.int64:
    mixed = key * _MIXER
    return np.int64((mixed ^ (mixed >> _U32)) & np.uint64(size - 1))


@kernel
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


@kernel
def parse(
    data: Flags,
    words: Words,
    ends: Codes,
    cell: int,
    cells: int,
    kinds: Flags,
    texts: Texts,
    numbers: Floats,
    codes: Codes,
    odd: Longs,
) -> tuple[int, int, int, int]:
    """Rows from `cell` to `cells`, while there is room; how many rows, the cell where it stopped,
    how many odd cells there are, and why it stopped. An odd cell is a number that is not spelled
    as digits with perhaps a point: its row, place among the numbers, first and last byte.
    """
    slots, keys, starts, lengths, counts, memory, used_ = texts
    used = used_[0]
    size, most = slots.shape[1], starts.shape[1]
    rows, oddities = 0, 0
    columns, rows_room = len(kinds), numbers.shape[0]
    last = columns - 1
    odd_room = len(odd) - columns
    why = DONE
    while cell < cells and rows < rows_room and oddities <= odd_room:
        begin, end = int(ends[cell - 1]) + 1, int(ends[cell])
        if data[end] == _NEWLINE and (
            begin == end or (begin + 1 == end and data[begin] == _RETURN)
        ):
            cell += 1  # an empty line is no row
            continue
        row_start, odd_before = cell, oddities
        number, text, column = 0, 0, 0
        while column < columns:
            kind, end = kinds[column], int(ends[cell])
            if kind == NUMBERS:  # of one digit: most cells of wide tables
                word = words[begin]
                four = (word & _EVEN) ^ _FOUR_ZEROS  # not minus: that would borrow next door
                if (word & ~_EVEN) == _FOUR_CELLS and (four + _FOUR_ABOVE) & _FOUR_OTHERS == _U0:
                    numbers[rows, number] = np.int64(four & _BYTE)
                    numbers[rows, number + 1] = np.int64((four >> _U16) & _BYTE)
                    numbers[rows, number + 2] = np.int64((four >> _U32) & _BYTE)
                    numbers[rows, number + 3] = np.int64(four >> _U48)
                    number += 4
                    column += 4
                    cell += 4
                    begin += 8
                    continue
            if (data[end] == _NEWLINE) != (column == last):
                why = RAGGED
                break
            next_begin = end + 1
            if column == last and end > begin and data[end - 1] == _RETURN:
                end -= 1
            if kind >= NUMBER:
                negative = data[begin] == _MINUS
                first = begin + 1 if negative else begin
                length = end - first
                value = np.nan
                if 0 < length <= 8:
                    apart = (words[first] ^ _ZEROS) << (_U64 - _U8 * np.uint64(length))
                    marks = _not_digits(apart)
                    if marks == _U0:
                        value = float(_number_of(apart))
                    else:
                        mark = (marks & (~marks + _U1)) >> _U7  # the lowest bit of that byte
                        if marks >> _U7 == mark and apart & (mark * _BYTE) == mark * _POINT_APART:
                            below = mark - _U1
                            whole = (apart & below) << _U8  # moves up to the digits behind it
                            digits = whole | (apart & ~(below | (mark * _BYTE)))
                            if length > 1:
                                value = _number_of(digits) / _POWERS[7 - _first(marks)]
                        else:
                            value = _spelled(data, first, end)
                else:
                    value = _spelled(data, first, end)
                numbers[rows, number] = -value if negative else value
                if value != value and end > begin:
                    odd[oddities, 0] = rows
                    odd[oddities, 1] = number
                    odd[oddities, 2] = begin
                    odd[oddities, 3] = end
                    oddities += 1
                number += 1
            elif kind == TEXT:
                length = end - begin
                if length < 8:
                    key = words[begin] & ~(_ALL << (_U8 * np.uint64(length)))
                    key |= np.uint64(length) << _U56
                else:
                    key = ((words[begin] ^ (words[end - 8] * _MIXER)) + np.uint64(length)) | _LONG
                place, found = _place_of(key, size), -1
                while slots[text, place] >= 0:
                    candidate = slots[text, place]
                    if keys[text, candidate] == key:
                        same = bool(length < 8)
                        if not same and lengths[text, candidate] == length:
                            at, k = starts[text, candidate], 0
                            while k < length and memory[at + k] == data[begin + k]:
                                k += 1
                            same = bool(k == length)
                        if same:
                            found = candidate
                            break
                    place = (place + 1) & (size - 1)
                if found < 0:
                    found = counts[text]
                    if found >= most or used + length > len(memory):
                        why = FULL
                        break
                    starts[text, found] = used
                    lengths[text, found] = length
                    keys[text, found] = key
                    for k in range(length):
                        memory[used + k] = data[begin + k]
                    used += length
                    counts[text] += 1
                    slots[text, place] = found
                codes[text, rows] = found
                text += 1
            cell += 1
            column += 1
            begin = next_begin
        if why != DONE:
            cell, oddities = row_start, odd_before
            break
        rows += 1
    used_[0] = used
    return rows, cell, oddities, why


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
