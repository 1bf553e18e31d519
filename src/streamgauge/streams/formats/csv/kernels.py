"""Kernels that parse the cells of simple CSV, whose ends are known.

They parse strips of rows column by column, eight bytes at a time.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from streamgauge._support.index import as_index
from streamgauge._support.jit import inlined, lean_inner, lean_kernel
from streamgauge._support.simd import lowest_bit, word_at
from streamgauge._support.types import Codes, Flags, Floats, Longs

Words = npt.NDArray[np.uint64]

SKIP: Final = 0
TEXT: Final = 1
NUMERIC: Final = 2

DONE: Final = 0
DICTIONARY_FULL: Final = 1  # enlarge the text dictionary and call again

_MANY_COLUMNS: Final = 1 << 10
_STRIP_ROWS: Final = 64  # parsed column by column: few enough to stay in the cache

_RETURN: Final = 13
_MINUS: Final = 45
_POINT: Final = 46
_PLUS: Final = 43
_LARGE_E: Final = 69
_SMALL_E: Final = 101
_ZERO: Final = 48
_NINE: Final = 57
_QUESTION: Final = 63
_MAX_DIGITS: Final = 15  # such integers, and powers of 10 up to 22, are exact doubles
_POWERS: Floats = np.power(10.0, np.arange(23))

# Masks for eight bytes in a word
_HIGH_BITS: Final = np.uint64(0x8080808080808080)
_LOW_BITS: Final = np.uint64(0x7F7F7F7F7F7F7F7F)
_ZEROS: Final = np.uint64(0x3030303030303030)
_ABOVE_NINE: Final = np.uint64(0x7676767676767676)  # added to 10 or more, sets the high bit
_EVEN_BYTES: Final = np.uint64(0x00FF00FF00FF00FF)
_PAIRS: Final = np.uint64(0x0000FFFF0000FFFF)
_QUADS: Final = np.uint64(0x00000000FFFFFFFF)
_POINT_XOR_ZERO: Final = np.uint64(_POINT ^ _ZERO)
_LONG_TEXT: Final = np.uint64(1 << 63)  # key flag: the text is longer than seven bytes
_HASH_FACTOR: Final = np.uint64(0x9E3779B97F4A7C15)
_ALL_BITS: Final = np.uint64(0xFFFFFFFFFFFFFFFF)
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


class Dictionary(NamedTuple):
    """The distinct texts of each text column, with a hash table to find them."""

    slots: Codes  # [column, hash]: code of the text in the slot, -1 = free
    keys: Words  # [column, code]: a short text itself, or a hash of a long one
    starts: Longs  # [column, code]: where the text starts in `memory`
    lengths: Longs  # [column, code]
    counts: Longs  # [column]: number of texts
    memory: Flags  # the bytes of all texts
    used: Longs  # [0]: bytes used in `memory`


@inlined
def _mark_non_digits(digits: np.uint64) -> np.uint64:
    """Set the high bit of each byte that is more than 9."""
    return (((digits & _LOW_BITS) + _ABOVE_NINE) | digits) & _HIGH_BITS


@inlined
def _join_digits(digits: np.uint64) -> np.int64:
    """Combine eight bytes of 0..9 into a number."""
    digits = (digits * _U10 + (digits >> _U8)) & _EVEN_BYTES
    digits = (digits * _U100 + (digits >> _U16)) & _PAIRS
    return np.int64((digits * _U10000 + (digits >> _U32)) & _QUADS)


@inlined
def _hash_slot(key: np.uint64, size: int) -> np.int64:
    mixed = key * _HASH_FACTOR
    return np.int64((mixed ^ (mixed >> _U32)) & np.uint64(size - 1))


@lean_inner
def _parse_long_number(data: Flags, i: int, end: int) -> float:
    """Parse an unsigned number of many digits or with an exponent.

    NaN if it is not a number or has too many digits for an exact result.
    """
    mantissa, digits, power, decimals = 0, 0, 0, 0
    while i < end and digits <= _MAX_DIGITS:
        c = data[i]
        if _ZERO <= c <= _NINE:
            mantissa = 10 * mantissa + (int(c) - _ZERO)
            digits += 1
            power -= decimals
        elif c == _POINT and decimals == 0:
            decimals = 1
        else:
            break
        i += 1
    if i < end and digits > 0 and (data[i] == _SMALL_E or data[i] == _LARGE_E):
        i += 1
        negative = data[i] == _MINUS
        if negative or data[i] == _PLUS:
            i += 1
        exponent, first = 0, i
        while i < end and i - first < 4 and _ZERO <= data[i] <= _NINE:
            exponent = 10 * exponent + (int(data[i]) - _ZERO)
            i += 1
        if i == first:
            return np.nan
        power += -exponent if negative else exponent
    if i < end or not 0 < digits <= _MAX_DIGITS or abs(power) >= len(_POWERS):
        return np.nan
    return float(mantissa / _POWERS[-power] if power < 0 else mantissa * _POWERS[power])


@inlined
def _cell_bounds(data: Flags, ends: Codes, cell: int, last: bool) -> tuple[int, int]:
    """Return a cell's first byte and the byte after it; a row may end with a carriage return."""
    begin, end = as_index(int(ends[as_index(cell - 1)]) + 1), as_index(int(ends[as_index(cell)]))
    if last and end > begin and data[as_index(end - 1)] == _RETURN:
        end -= 1
    return begin, end


@inlined
def _parse_number(data: Flags, begin: int, end: int) -> float:
    """Parse a cell; NaN if it is empty, not a number, or must be parsed by Arrow."""
    if end == begin + 1:
        digit = int(data[begin]) - _ZERO
        return float(digit) if 0 <= digit <= 9 else np.nan
    negative = data[begin] == _MINUS
    first = begin + 1 if negative else begin
    length = end - first
    if not 0 < length <= 8:
        value = _parse_long_number(data, first, end)
        return -value if negative else value
    digits = (word_at(data, first) ^ _ZEROS) << (_U64 - _U8 * np.uint64(length))
    marks = _mark_non_digits(digits)
    if marks == _U0:
        value = float(_join_digits(digits))
        return -value if negative else value
    mark = (marks & (~marks + _U1)) >> _U7  # the lowest bit of the marked byte
    if marks >> _U7 == mark and digits & (mark * _BYTE) == mark * _POINT_XOR_ZERO and length > 1:
        below = mark - _U1
        whole = (digits & below) << _U8  # closes the gap of the decimal point
        joined = whole | (digits & ~(below | (mark * _BYTE)))
        value = _join_digits(joined) / _POWERS[7 - (lowest_bit(marks) >> 3)]
    else:
        value = _parse_long_number(data, first, end)
    return -value if negative else value


@lean_inner
def _parse_numeric_column(
    data: Flags, ends: Codes, columns: int, column: int, row: int, stop: int,
    numeric: Floats, target: int, unparsed: Longs, n_unparsed: int
) -> tuple[int, bool]:  # fmt: skip
    """Parse a numeric column of a strip of rows.

    Returns the number of unparsed cells so far, and whether every cell of the column is a number.
    """
    last, complete = column == columns - 1, True
    at = as_index(target)
    for r in range(row, stop):
        begin, end = _cell_bounds(data, ends, r * columns + column + 1, last)
        value = _parse_number(data, begin, end)
        numeric[as_index(r), at] = value
        if value != value:
            complete = False
            if end > begin and (end > begin + 1 or data[begin] != _QUESTION):
                unparsed[n_unparsed, 0] = r
                unparsed[n_unparsed, 1] = target
                unparsed[n_unparsed, 2] = begin
                unparsed[n_unparsed, 3] = end
                n_unparsed += 1
    return n_unparsed, complete


@inlined
def _same_text(
    dictionary: Dictionary, column: int, code: int, data: Flags, begin: int, length: int
) -> bool:
    """Compare a cell with a text of the same key; a short text is its key."""
    if length < 8:
        return True
    if dictionary.lengths[column, code] != length:
        return False
    at, k = dictionary.starts[column, code], 0
    while k < length and dictionary.memory[at + k] == data[begin + k]:
        k += 1
    return bool(k == length)


@inlined
def _add_text(
    dictionary: Dictionary, column: int, slot: int, key: np.uint64, data: Flags, begin: int,
    length: int
) -> int:  # fmt: skip
    """Add a text and return its code; -1 if the dictionary is full."""
    code, used = int(dictionary.counts[column]), int(dictionary.used[0])
    if code >= dictionary.starts.shape[1] or used + length > len(dictionary.memory):
        return -1
    dictionary.starts[column, code] = used
    dictionary.lengths[column, code] = length
    dictionary.keys[column, code] = key
    for k in range(length):
        dictionary.memory[used + k] = data[begin + k]
    dictionary.used[0] = used + length
    dictionary.counts[column] = code + 1
    dictionary.slots[column, slot] = code
    return code


@lean_inner
def _parse_text_column(
    data: Flags, ends: Codes, columns: int, column: int, row: int, stop: int,
    dictionary: Dictionary, text: int, codes: Codes, numeric: Floats, target: int
) -> bool:  # fmt: skip
    """Parse a text column of a strip of rows; False if the dictionary is full.

    `text` is its number among text columns, `target` its column of the matrix, or -1.
    """
    last = column == columns - 1
    slots, keys, text = dictionary.slots, dictionary.keys, as_index(text)
    size = slots.shape[1]
    for r in range(row, stop):
        begin, end = _cell_bounds(data, ends, r * columns + column + 1, last)
        length = end - begin
        if length < 8:
            key = word_at(data, begin) & ~(_ALL_BITS << (_U8 * np.uint64(length)))
            key |= np.uint64(length) << _U56
        else:
            key = word_at(data, begin) ^ (word_at(data, end - 8) * _HASH_FACTOR)
            key += np.uint64(length)
            key |= _LONG_TEXT
        slot, found = as_index(int(_hash_slot(key, size))), -1
        while found < 0 and slots[text, slot] >= 0:
            known = as_index(int(slots[text, slot]))
            if keys[text, known] == key and _same_text(
                dictionary, text, known, data, begin, length
            ):
                found = known
            slot = as_index((slot + 1) & (size - 1))
        if found < 0:
            found = _add_text(dictionary, text, slot, key, data, begin, length)
            if found < 0:
                return False
        codes[text, as_index(r)] = found
        if target >= 0:
            numeric[as_index(r), as_index(target)] = 0.0
    return True


@lean_kernel
def parse_rows(
    data: Flags, ends: Codes, row: int, rows: int, kinds: Flags, targets: Longs,
    dictionary: Dictionary, numeric: Floats, codes: Codes, unparsed: Longs
) -> tuple[int, int, bool, int]:  # fmt: skip
    """Parse rows from `row` to `rows`, as long as the output arrays have room.

    Parameters
    ----------
    kinds
        SKIP, TEXT or NUMERIC for each column of the file.
    targets
        Column of `numeric` for each column of the file, or -1; a text cell writes 0 there.
    codes
        Receives the codes of text cells.
    unparsed
        Receives the numeric cells left to Arrow: row, column of `numeric`, start and end byte.

    Returns
    -------
    The row where it stopped, the number of unparsed cells, whether every numeric cell is a number,
    and DONE or DICTIONARY_FULL.
    """
    columns, n_unparsed, complete = len(kinds), 0, True
    strip = max(1, min(_STRIP_ROWS, len(unparsed) // columns))
    while row < rows and n_unparsed + strip * columns <= len(unparsed):
        stop, before, text = min(rows, row + strip), n_unparsed, 0
        for column in range(columns):
            if kinds[column] == NUMERIC:
                n_unparsed, all_numbers = _parse_numeric_column(
                    data, ends, columns, column, row, stop, numeric, targets[column],
                    unparsed, n_unparsed
                )  # fmt: skip
                complete = complete and all_numbers
            elif kinds[column] == TEXT:
                if not _parse_text_column(
                    data, ends, columns, column, row, stop, dictionary, text, codes,
                    numeric, targets[column]
                ):  # fmt: skip
                    return row, before, complete, DICTIONARY_FULL
                text += 1
        row = stop
    return row, n_unparsed, complete, DONE


@lean_kernel
def write_encoded(
    values: Floats, starts: Longs, codes: Codes, texts: Longs, columns: Longs, X: Floats
) -> None:
    """Write the values of text cells into columns of X.

    The codes of columns[i] are codes[texts[i]], and the values of its codes begin at starts[i].
    """
    for row in range(0, len(X), _STRIP_ROWS):
        stop = min(len(X), row + _STRIP_ROWS)
        for i in range(len(columns)):
            start, text, column = starts[i], as_index(texts[i]), as_index(columns[i])
            for r in range(row, stop):
                X[as_index(r), column] = values[as_index(start + codes[text, as_index(r)])]


def new_dictionary(columns: int, size: int | None = None, memory: int | None = None) -> Dictionary:
    """Make an empty dictionary for `size` texts a column, a power of two, and `memory` bytes.

    By default it has little room a column if there are many.
    """
    if size is None:
        size = 256 if columns <= _MANY_COLUMNS else 16
    return Dictionary(
        np.full((columns, 4 * size), -1, np.int32),
        np.zeros((columns, size), np.uint64),
        np.zeros((columns, size), np.int64),
        np.zeros((columns, size), np.int64),
        np.zeros(columns, np.int64),
        np.zeros(max(1 << 16, 64 * columns) if memory is None else memory, np.uint8),
        np.zeros(1, np.int64),
    )


def enlarge(dictionary: Dictionary) -> Dictionary:
    """Return a copy with twice the room where it is short; texts keep their codes."""
    columns, size = dictionary.starts.shape
    memory = len(dictionary.memory)
    full = int(dictionary.counts.max(initial=0)) >= size
    larger = new_dictionary(columns, 2 * size if full else size, memory if full else 2 * memory)
    for new, old in zip(larger[1:4], dictionary[1:4], strict=True):
        new[:, :size] = old
    larger.counts[:] = dictionary.counts
    larger.memory[:memory] = dictionary.memory
    larger.used[:] = dictionary.used
    _fill_slots(larger.slots, larger.keys, larger.counts)
    return larger


@lean_kernel
def _fill_slots(slots: Codes, keys: Words, counts: Longs) -> None:
    """Build the hash table."""
    last = slots.shape[1] - 1
    for column in range(len(counts)):
        for code in range(counts[column]):
            slot = _hash_slot(keys[column, code], last + 1)
            while slots[column, slot] >= 0:
                slot = (slot + 1) & last
            slots[column, slot] = code
