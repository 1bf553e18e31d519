"""Arrow cells as text, numbers or times."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from streamgauge._support.errors import InputError
from streamgauge._support.types import NEVER, Floats, Longs


def as_text(column: pa.Array) -> pa.Array:
    """Cells as text, NaN as missing; whole numbers without a fraction, whatever their type."""
    if pa.types.is_dictionary(column.type):  # by hand: Arrow cannot decode polars' categories
        return pc.take(as_text(column.dictionary), column.indices)
    if not pa.types.is_floating(column.type):
        return pc.cast(column, pa.string())
    if pa.types.is_float16(column.type):  # which Arrow can do little with
        column = pc.cast(column, pa.float32())
    column = pc.if_else(pc.is_nan(column), pa.scalar(None, column.type), column)
    whole = pc.and_(pc.equal(column, pc.floor(column)), pc.less(pc.abs(column), 2.0**53))
    digits = pc.cast(pc.if_else(whole, column, pa.scalar(0.0, column.type)), pa.int64())
    return pc.if_else(whole, pc.cast(digits, pa.string()), pc.cast(column, pa.string()))


def to_floats(column: pa.Array) -> Floats:
    """Cells as numbers, missing ones NaN; pa.ArrowInvalid if one is no number."""
    if pa.types.is_dictionary(column.type) and pa.types.is_string(column.type.value_type):
        return _spelled_floats(column)
    try:
        floats = column if pa.types.is_float64(column.type) else pc.cast(column, pa.float64())
    except pa.ArrowInvalid:
        if not pa.types.is_string(column.type):
            raise
        floats = pc.cast(pc.utf8_trim_whitespace(column), pa.float64())  # "1.5, 2.5"
    return np.asarray(floats.to_numpy(zero_copy_only=False), np.float64)


def _spelled_floats(column: pa.DictionaryArray) -> Floats:
    """Each different text looked at once; the last place is that of a missing cell."""
    used = pc.drop_null(pc.unique(column.indices))
    values = np.full(len(column.dictionary) + 1, np.nan)
    values[used.to_numpy()] = to_floats(pc.take(column.dictionary, used))
    places = pc.fill_null(column.indices, len(values) - 1)
    return np.asarray(values[places.to_numpy()], np.float64)


def to_times(
    column: pa.Array,
    name: str,
    where: Callable[[int], str],
    start: int,
    kinds: dict[str, pa.DataType] | None = None,
) -> Longs:
    """Cells as int64 times: whole numbers as they are, dates and timestamps as nanoseconds.

    A missing reveal time is NEVER. `kinds` remembers what a column's earlier pieces were.
    """
    if pa.types.is_string_view(column.type):  # polars' text, which Arrow cannot cast to times
        column = pc.cast(column, pa.string())
    kinds = {} if kinds is None else kinds
    expected = [kinds[name]] if name in kinds else _time_kinds(column.type)
    for kind in expected:
        times = _as_times(column, kind)
        if times is not None:
            if column.null_count < len(column):
                kinds[name] = kind
            return np.asarray(pc.fill_null(times, NEVER).to_numpy(), np.int64)
    for i in range(len(column)):  # find the culprit; the common way never comes here
        if all(_as_times(column[i : i + 1], kind) is None for kind in expected):
            raise InputError(
                f"{where(start + i)}: column {name!r} is {str(column[i])!r}; expected a whole "
                "number or an ISO time such as 2013-01-01T11:00Z, of one kind in the whole column"
            )
    raise InputError(
        f"{where(start)}: column {name!r} mixes whole numbers, times with and without a time "
        "zone; expected one kind in the whole column"
    )


def _time_kinds(given: pa.DataType) -> list[pa.DataType]:
    if pa.types.is_date(given):
        return [pa.timestamp("ns")]
    if pa.types.is_timestamp(given):  # of any unit
        return [pa.timestamp("ns", given.tz)]
    return [pa.int64(), pa.timestamp("ns"), pa.timestamp("ns", "UTC")]


def _as_times(column: pa.Array, kind: pa.DataType) -> pa.Array | None:
    try:
        return pc.cast(pc.cast(column, kind), pa.int64())
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        return None
