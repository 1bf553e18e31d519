"""Convert Arrow columns to text, floats or times.

The same rules hold for every source: surrounding blanks are not part of a cell, and a text in
`MISSING` is a missing cell unless the caller declares it as a value.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from streamgauge._support.arrow_numbers import arrow_texts
from streamgauge._support.clock import clock_of, clock_words
from streamgauge._support.errors import InputError, shown
from streamgauge._support.types import NEVER, Floats, Longs

MISSING = ["", "?", "NA", "N/A", "n/a", "#N/A", "<NA>", "NULL", "null", "None"]
MISSING += ["NaN", "nan", "NAN", "Nan", "-nan", "-NaN"]
_WORDS = frozenset(MISSING)
_FEW = 32  # cells
EXACT = 2.0**53  # float64 holds every integer up to this
_LONGEST = 2.0**64
INTEGER = re.compile(r"[+-]?[0-9]+")  # a number without point and exponent
_MAX_DIGITS = 400  # digits; a longer one is infinite as a float
TIME_KINDS = (pa.int64(), pa.timestamp("ns"), pa.timestamp("ns", "UTC"))  # that a text may spell


def as_text(column: pa.Array, keep: Collection[str] = ()) -> pa.Array:
    """Convert to text without surrounding blanks; NaN and the texts in `MISSING` become null.

    Integers of up to 64 bits are their digits in any type: 1e17 reads as 10**17 does.

    Parameters
    ----------
    keep
        Texts that are values although they are in `MISSING`, such as a class "None".
    """
    if pa.types.is_dictionary(column.type):  # Arrow cannot decode polars' categories
        return pc.take(as_text(column.dictionary, keep), column.indices)
    if is_text(column.type):
        return _known_text(column, keep)
    if pa.types.is_decimal(column.type):
        return pa.array([_decimal_text(cell) for cell in column.to_pylist()], pa.string())
    if not pa.types.is_floating(column.type):
        return pc.cast(column, pa.string())
    if pa.types.is_float16(column.type):  # Arrow lacks most functions for float16
        column = pc.cast(column, pa.float32())
    column = pc.if_else(pc.is_nan(column), pa.scalar(None, column.type), column)
    integral = pc.and_(pc.equal(column, pc.floor(column)), pc.less(pc.abs(column), EXACT))
    digits = pc.cast(pc.if_else(integral, column, pa.scalar(0.0, column.type)), pa.int64())
    texts = pc.if_else(integral, pc.cast(digits, pa.string()), pc.cast(column, pa.string()))
    size = pc.abs(column)
    large = pc.and_(pc.greater_equal(size, EXACT), pc.less(size, _LONGEST))
    if not pc.any(large).as_py():
        return texts
    whole = [str(int(number)) for number in column.filter(large).to_pylist()]
    return pc.replace_with_mask(texts, pc.fill_null(large, False), pa.array(whole, pa.string()))


def _known_text(column: pa.Array, keep: Collection[str]) -> pa.Array:
    kept = _WORDS.intersection(keep)
    if len(column) <= _FEW:  # Arrow's functions take longer to call than this
        missing = _WORDS - kept if kept else _WORDS
        texts = [None if text is None else text.strip() for text in column.to_pylist()]
        return arrow_texts(None if text in missing else text for text in texts)
    bare = pc.utf8_trim_whitespace(pc.cast(column, pa.string()))
    words = pa.array(sorted(_WORDS - kept), pa.string())
    is_missing = pc.is_in(bare, value_set=words)
    return pc.if_else(is_missing, pa.scalar(None, pa.string()), bare)


def is_text(kind: pa.DataType) -> bool:
    """Return whether a type is one of Arrow's types of text."""
    checks = (pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view)
    return any(check(kind) for check in checks)


def _decimal_text(cell: Any) -> str | None:
    """Return a decimal as every other number reads: 1.00 is 1, 1.50 is 1.5."""
    if cell is None:
        return None
    text = format(cell, "f")
    return (text.rstrip("0").rstrip(".") if "." in text else text) or "0"


def to_floats(column: pa.Array) -> Floats:
    """Convert to float64; missing cells are NaN. pa.ArrowInvalid if a cell is not numeric.

    Integers beyond 2^53 are rounded; `first_inexact` finds them.
    """
    if pa.types.is_dictionary(column.type) and is_text(column.type.value_type):
        return _dictionary_to_floats(column)
    if is_text(column.type):
        column = as_text(column)
    safe = not pa.types.is_integer(column.type)
    floats = column
    if not pa.types.is_float64(column.type):
        floats = pc.cast(column, pa.float64(), safe=safe)
    return np.asarray(floats.to_numpy(zero_copy_only=False), np.float64)


def first_inexact(column: pa.Array, floats: Floats) -> int | None:
    """Return the first cell with an integer that float64 cannot hold; None if there is none.

    `floats` is the column as `to_floats` returns it.
    """
    if pa.types.is_floating(column.type):
        return None
    with np.errstate(invalid="ignore"):
        large = np.flatnonzero(np.abs(floats) >= EXACT)
    return next((int(i) for i in large if not is_exact(column[int(i)].as_py())), None)


def all_integers(column: pa.Array, floats: Floats) -> bool:
    """Return whether all numbers are integers; beyond 2^53 only if they are written as integers.

    `floats` is the column as `to_floats` returns it.
    """
    known = floats[~np.isnan(floats)]
    if not (known == np.floor(known)).all():
        return False
    large = np.flatnonzero(np.abs(floats) >= EXACT)
    if not len(large) or pa.types.is_integer(column.type):
        return True
    if pa.types.is_floating(column.type):
        return False
    texts = as_text(column.take(pa.array(large))).to_pylist()
    return all(INTEGER.fullmatch(text) for text in texts)


def is_exact(cell: Any) -> bool:
    """Return whether float64 holds a number exactly; only integers can be inexact.

    Parameters
    ----------
    cell
        A number, or a text that spells one. A text with a point or an exponent is no integer.
    """
    if isinstance(cell, str):
        text = cell.strip()
        if not INTEGER.fullmatch(text) or len(text) > _MAX_DIGITS:
            return True
        cell = int(text)
    try:
        return cell != int(cell) or int(float(cell)) == int(cell)
    except (OverflowError, ValueError):  # infinite or NaN
        return True


def _dictionary_to_floats(column: pa.DictionaryArray) -> Floats:
    """Convert each distinct text once; the last value is that of missing cells."""
    used = pc.drop_null(pc.unique(column.indices))
    values = np.full(len(column.dictionary) + 1, np.nan)
    values[used.to_numpy()] = to_floats(pc.take(column.dictionary, used))
    codes = pc.fill_null(column.indices.cast(pa.int64()), len(values) - 1)
    return np.asarray(values[codes.to_numpy()], np.float64)


def to_times(
    column: pa.Array,
    name: str,
    where: Callable[[int], str],
    start: int,
    kinds: dict[str, pa.DataType] | None = None,
) -> Longs:
    """Convert to int64 times: integers unchanged, dates and timestamps to nanoseconds.

    A missing time is NEVER.

    Parameters
    ----------
    name, where, start
        The column, the place of a row, and the first row, for error messages.
    kinds
        The kind of time in earlier chunks, by column; updated.
    """
    if pa.types.is_dictionary(column.type) and not is_text(column.type.value_type):
        column = column.dictionary_decode()
    if pa.types.is_dictionary(column.type) or is_text(column.type):
        column = as_text(column)
    elif not _may_be_times(column.type):
        raise InputError(
            f"{where(start)}: column {name!r} has type {column.type}; expected integers, dates, "
            "timestamps or ISO 8601 texts: convert it"
        )
    kinds = {} if kinds is None else kinds
    expected = [kinds[name]] if name in kinds else _possible_kinds(column.type)
    for kind in expected:
        times = cast_times(column, kind)
        if times is not None:
            if column.null_count < len(column):
                kinds[name] = kind
            return np.asarray(pc.fill_null(times, NEVER).to_numpy(), np.int64)
    for i in range(len(column)):  # an error is certain: find its row
        if all(cast_times(column[i : i + 1], kind) is None for kind in expected):
            raise InputError(
                f"{where(start + i)}: column {name!r} is {cell_text(column, i)}; expected an "
                "integer or an ISO 8601 time such as 2013-01-01T11:00Z, between 1678 and 2261, of "
                "the same kind in every row"
            )
    raise InputError(
        f"{where(start)}: column {name!r} mixes integers, times with a time zone and times "
        "without; expected the same kind in every row"
    )


def check_same_clock(kinds: dict[str, pa.DataType], source: str) -> None:
    """Raise an error unless all columns hold the same kind of time; the keys say which they are."""
    clocks = {name: clock_of(kind) for name, kind in kinds.items()}
    if len(set(clocks.values())) > 1:
        (one, first), (other, second) = list(clocks.items())[:2]
        raise InputError(
            f"{source}: {one} holds {clock_words(first)}, but {other} holds "
            f"{clock_words(second)}; expected the same kind in both"
        )


def _may_be_times(kind: pa.DataType) -> bool:
    """Return whether a type can hold times; a duration or a time of day has no date."""
    checks = (pa.types.is_integer, pa.types.is_floating, pa.types.is_decimal, pa.types.is_null)
    return any(check(kind) for check in (*checks, pa.types.is_date, pa.types.is_timestamp))


def _possible_kinds(given: pa.DataType) -> list[pa.DataType]:
    if pa.types.is_date(given):
        return [pa.timestamp("ns")]
    if pa.types.is_timestamp(given):
        return [pa.timestamp("ns", given.tz)]
    return list(TIME_KINDS)


def cell_text(column: pa.Array, row: int) -> str:
    """A cell for a message, whatever it holds; Python has no years after 9999."""
    try:
        return shown(str(column[row]))
    except (ValueError, OverflowError, LookupError, pa.ArrowException):  # no such zone, no year
        return f"a {column.type} that has no text"


def cast_times(column: pa.Array, kind: pa.DataType) -> pa.Array | None:
    """The times as int64; None if a cell is not a time of this kind."""
    try:
        return pc.cast(pc.cast(column, kind), pa.int64())
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        return None
