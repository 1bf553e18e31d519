"""Columns of times in memory: numpy, pandas, polars or Arrow, dates with a zone or without."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from datetime import date, datetime
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from streamgauge._support.clock import clock_of
from streamgauge._support.errors import InputError
from streamgauge._support.types import NEVER, Clock, Longs
from streamgauge.streams.blocks import at_row
from streamgauge.streams.formats.arrow_cells import check_same_clock, to_times
from streamgauge.streams.label_codes import is_missing

Times = tuple[Longs | None, Longs | None, Clock]


def times_of(
    arrives: npt.ArrayLike | Sequence[object] | None,
    revealed: npt.ArrayLike | Sequence[object] | None,
    rows: int,
    source: str,
) -> Times:
    """Convert arrival and reveal times to int64, and say what they count.

    Times with a zone become UTC, timestamps nanoseconds; a missing reveal time is NEVER.
    """
    kinds: dict[str, pa.DataType] = {}
    found = [
        None if given is None else _column(given, name, rows, kinds)
        for name, given in (("arrives", arrives), ("revealed", revealed))
    ]
    check_same_clock(kinds, source)
    if found[0] is not None and (found[0] == NEVER).any():
        raise InputError(
            f"{at_row(int(np.argmax(found[0] == NEVER)))}: no arrival time; expected one in every "
            "row: fill it in or remove the row"
        )
    return found[0], found[1], clock_of(next(iter(kinds.values()), None))


def first_clock(column: pa.Array) -> Clock:
    """The clock of a column, by its first cell; a bad cell is found when the rows are read."""
    kinds: dict[str, pa.DataType] = {}
    with suppress(InputError):
        to_times(column[:1], "", at_row, 0, kinds)
    return clock_of(kinds.get(""))


def _column(given: Any, name: str, rows: int, kinds: dict[str, pa.DataType]) -> Longs:
    column = _to_arrow(given, name)
    if column is None or len(column) != rows:
        array = np.asarray(given)
        raise InputError(
            f"{name}: got {array.dtype} of shape {array.shape}; expected {rows:,} integers, "
            "datetime64 times or ISO 8601 texts"
        )
    return to_times(column, name, at_row, 0, kinds)


def _to_arrow(given: Any, name: str) -> pa.Array | None:
    """An Arrow column; None if it is no column of times."""
    if hasattr(given, "__arrow_c_stream__"):  # polars, whose arrays would lose the time zone
        given = pa.chunked_array(given)
    if isinstance(given, pa.ChunkedArray):
        return given.combine_chunks()
    if isinstance(given, list | tuple):
        _check_kinds(given, name)
    elif not isinstance(given, pa.Array) and not hasattr(given, "dtype"):
        given = np.asarray(given)
    if isinstance(given, np.ndarray):
        given = given.astype(given.dtype.newbyteorder("="), copy=False)
        if given.dtype.kind == "M":
            given = _to_nanoseconds(given, name)
    try:
        return pa.array(given, from_pandas=True)
    except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError, OverflowError):
        return None


def _to_nanoseconds(times: npt.NDArray[Any], name: str) -> npt.NDArray[Any]:
    """Convert to nanoseconds, because Arrow knows no minutes or hours; NumPy checks no overflow."""
    converted = times.astype("datetime64[ns]")
    wrong = np.flatnonzero((converted.astype(times.dtype) != times) & ~np.isnat(times))
    if len(wrong):
        raise InputError(
            f"{at_row(int(wrong[0]))}: {name} is {times[wrong[0]]}; expected a time between 1678 "
            "and 2261"
        )
    return converted


def _check_kinds(given: Sequence[object], name: str) -> None:
    """Raise an error for a list of several kinds of times, which Arrow would merge silently."""
    known = [each for each in given if not is_missing(each)]
    dates = [each for each in known if isinstance(each, date)]
    zones = {isinstance(each, datetime) and each.tzinfo is not None for each in dates}
    if len(zones) > 1 or len(dates) not in (0, len(known)):
        raise InputError(
            f"{name} mixes numbers, times with a time zone or times without; expected the same "
            "kind in every row"
        )
