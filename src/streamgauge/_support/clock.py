"""What a stream's int64 times count, and how they read."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from streamgauge._support.types import Clock, Longs


def clock_of(kind: pa.DataType | None) -> Clock:
    """The clock of a column of times of this kind; None for a column without times."""
    if kind is None or not pa.types.is_timestamp(kind):
        return "integers"
    return "local" if kind.tz is None else "UTC"


def clock_words(clock: Clock) -> str:
    """The kind of the times, for error messages."""
    if clock == "integers":
        return clock
    return f"times {'with' if clock == 'UTC' else 'without'} a time zone"


def time_text(time: int, clock: Clock) -> str:
    """A time as it reads in a message.

    >>> time_text(1357038000 * 10**9, "UTC"), time_text(1356998400 * 10**9, "local")
    ('2013-01-01T11:00Z', '2013-01-01T00:00')
    >>> time_text(17, "integers")
    '17'
    """
    if clock == "integers":
        return str(time)
    text = str(np.datetime_as_string(np.datetime64(int(time), "ns"), unit="auto"))
    day_only = "T" not in text
    return text + ("T00:00" if day_only else "") + ("Z" if clock == "UTC" else "")


def as_datetimes(times: Longs, clock: Clock) -> npt.NDArray[Any]:
    """Timestamps as datetime64[ns], in UTC if they have a time zone; integers unchanged."""
    return times if clock == "integers" else times.astype("datetime64[ns]")
