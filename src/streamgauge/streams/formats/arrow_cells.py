"""Convert Arrow columns to text, floats or times."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from streamgauge._support.clock import clock_of, clock_words
from streamgauge._support.errors import InputError
from streamgauge._support.types import NEVER, Floats, Longs


def as_text(column: pa.Array) -> pa.Array:
    """Convert to text; NaN is missing, and integral numbers have no fraction in any type."""
    if pa.types.is_dictionary(column.type):  # Arrow cannot decode polars' categories
        return pc.take(as_text(column.dictionary), column.indices)
    if not pa.types.is_floating(column.type):
        return pc.cast(column, pa.string())
    if pa.types.is_float16(column.type):  # Arrow lacks most functions for float16
        column = pc.cast(column, pa.float32())
    column = pc.if_else(pc.is_nan(column), pa.scalar(None, column.type), column)
    integral = pc.and_(pc.equal(column, pc.floor(column)), pc.less(pc.abs(column), 2.0**53))
    digits = pc.cast(pc.if_else(integral, column, pa.scalar(0.0, column.type)), pa.int64())
    return pc.if_else(integral, pc.cast(digits, pa.string()), pc.cast(column, pa.string()))


def to_floats(column: pa.Array) -> Floats:
    """Convert to float64; missing cells are NaN. pa.ArrowInvalid if a cell is not numeric."""
    if pa.types.is_dictionary(column.type) and pa.types.is_string(column.type.value_type):
        return _dictionary_to_floats(column)
    try:
        floats = column if pa.types.is_float64(column.type) else pc.cast(column, pa.float64())
    except pa.ArrowInvalid:
        if not pa.types.is_string(column.type):
            raise
        floats = pc.cast(pc.utf8_trim_whitespace(column), pa.float64())  # "1.5, 2.5"
    return np.asarray(floats.to_numpy(zero_copy_only=False), np.float64)


def _dictionary_to_floats(column: pa.DictionaryArray) -> Floats:
    """Convert each distinct text once; the last value is that of missing cells."""
    used = pc.drop_null(pc.unique(column.indices))
    values = np.full(len(column.dictionary) + 1, np.nan)
    values[used.to_numpy()] = to_floats(pc.take(column.dictionary, used))
    codes = pc.fill_null(column.indices, len(values) - 1)
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
    if pa.types.is_string_view(column.type):  # text from polars, which Arrow cannot cast to times
        column = pc.cast(column, pa.string())
    kinds = {} if kinds is None else kinds
    expected = [kinds[name]] if name in kinds else _possible_kinds(column.type)
    for kind in expected:
        times = _cast_times(column, kind)
        if times is not None:
            if column.null_count < len(column):
                kinds[name] = kind
            return np.asarray(pc.fill_null(times, NEVER).to_numpy(), np.int64)
    for i in range(len(column)):  # an error is certain: find its row
        if all(_cast_times(column[i : i + 1], kind) is None for kind in expected):
            raise InputError(
                f"{where(start + i)}: column {name!r} is {str(column[i])!r}; expected an integer "
                "or an ISO 8601 time such as 2013-01-01T11:00Z, of the same kind in every row"
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


def _possible_kinds(given: pa.DataType) -> list[pa.DataType]:
    if pa.types.is_date(given):
        return [pa.timestamp("ns")]
    if pa.types.is_timestamp(given):
        return [pa.timestamp("ns", given.tz)]
    return [pa.int64(), pa.timestamp("ns"), pa.timestamp("ns", "UTC")]


def _cast_times(column: pa.Array, kind: pa.DataType) -> pa.Array | None:
    try:
        return pc.cast(pc.cast(column, kind), pa.int64())
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        return None
