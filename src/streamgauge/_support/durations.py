"""Durations: a number in a stream's unit of time, a timedelta, or a text such as "36h"."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import TypeAlias

import numpy as np

from streamgauge._support.errors import UsageError, check_integer

Duration: TypeAlias = int | timedelta | np.timedelta64 | str

_UNITS = {"ns": 1, "us": 10**3, "ms": 10**6, "s": 10**9, "min": 60 * 10**9, "h": 3600 * 10**9}
_UNITS |= {"d": 24 * _UNITS["h"]}
_PART = re.compile(rf"\s*(\d+) ?({'|'.join(_UNITS)})(?![a-z])")


def duration(what: str, given: Duration) -> int:
    """The length of a duration above 0: numbers unchanged, all others in nanoseconds.

    >>> duration("timeout", 15), duration("timeout", "2min"), duration("timeout", "1min 60s")
    (15, 120000000000, 120000000000)
    """
    if isinstance(given, str):
        length = _parse(what, given)
    elif isinstance(given, timedelta | np.timedelta64):
        length = int(np.timedelta64(given).astype("timedelta64[ns]").astype(np.int64))
    else:
        length = given
    check_integer(what, length)
    if length < 1:
        raise UsageError(f"{what}: expected a duration above 0, got {given!r}")
    return int(length)


def _parse(what: str, text: str) -> int:
    length, end = 0, 0
    while found := _PART.match(text, end):
        length += int(found[1]) * _UNITS[found[2]]
        end = found.end()
    if not end or text[end:].strip():
        raise UsageError(
            f"{what}: {text!r} is not a duration; expected a number and a unit such as '24h', "
            f"'30min', '7d' or '1d12h'; the units are {', '.join(_UNITS)}"
        )
    return length


def duration_text(given: Duration) -> str:
    """A duration as the source of an equal one; a day is '24h', two are '2d'.

    >>> duration_text(15), duration_text(timedelta(hours=36)), duration_text("7d")
    ('15', "'36h'", "'7d'")
    """
    if isinstance(given, int):
        return repr(given)
    length = duration("duration", given)
    units = (u for u in _UNITS if length % _UNITS[u] == 0 and (u != "d" or length > _UNITS[u]))
    unit = max(units, key=lambda u: _UNITS[u])
    return repr(f"{length // _UNITS[unit]}{unit}")
