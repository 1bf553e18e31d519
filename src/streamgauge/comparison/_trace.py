"""A detector over a sequence of errors: its alarms, and its statistic along the way."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from streamgauge._support.errors import UsageError
from streamgauge._support.types import Floats, Longs
from streamgauge.detectors.base import Detector, Statistic, feed

_POINTS = 500  # of a curve
_WINDOW = 1000  # errors averaged, or a twentieth of all
_CHUNK = 8192  # errors fed at a time


@dataclass(frozen=True)
class Trace:
    """What a detector did: alarms by position in the errors; rows, values, thresholds, inputs."""

    alarms: Longs
    rows: Longs
    values: Floats
    thresholds: Floats
    signals: Floats
    alarms_below: bool


def watched(detector: Detector, errors: Floats, at: Longs, seed: int) -> Trace:
    """Start a detector and feed it all errors; `at` is the newest row at each of them.

    A detector resets at an alarm, so its statistic is read just before each one too.
    """
    detector.start(seed)
    if not hasattr(detector, "statistic") or getattr(detector, "blind", False):
        alarms = [
            alarm
            for start in range(0, len(errors), _CHUNK)
            for alarm in feed(detector, errors[start : start + _CHUNK], start)
        ]
        none = np.empty(0)
        return Trace(np.array(alarms, np.int64), none.astype(np.int64), none, none, none, False)
    found: list[int] = []
    places: list[int] = []
    read: list[Statistic] = []
    start = 0
    for stop in _stops(len(errors)):
        before = copy.deepcopy(detector)
        new = feed(detector, errors[start:stop], start)
        done = start
        for alarm in new:
            if alarm > done:
                feed(before, errors[done:alarm], done)
                places.append(alarm - 1)
                read.append(_read(before))
            feed(before, errors[alarm : alarm + 1], alarm)
            done = alarm + 1
        if done < stop:
            places.append(stop - 1)
            read.append(_read(detector))
        found += new
        start = stop
    values = np.array(read, np.float64).reshape(-1, 3).T
    rows = at[np.array(places, np.int64)] if places else np.empty(0, np.int64)
    below = bool(getattr(detector, "alarms_below", False))
    return Trace(np.array(found, np.int64), rows, *values, below)


def _read(detector: Any) -> Statistic:
    found = detector.statistic
    try:
        return Statistic(*map(float, found))  # of a user's detector perhaps a plain pair
    except TypeError:
        raise UsageError(
            f"{detector!r}: got {found!r} as its statistic; expected a pair of numbers: what it "
            "compares after the last error, and its alarm level"
        ) from None


def _stops(n: int) -> list[int]:
    step = min(_CHUNK, max(1, -(-n // _POINTS)))
    return [min(start + step, n) for start in range(0, n, step)]


def statistic_table(traces: Mapping[str, Trace]) -> pa.Table:
    """A row per detector and place; null where a detector does not test."""
    names = [name for name, trace in traces.items() for _ in trace.rows]
    below = [trace.alarms_below for trace in traces.values() for _ in trace.rows]

    def column(name: str, kind: pa.DataType) -> pa.Array:
        parts = [getattr(trace, name) for trace in traces.values()]
        values = np.concatenate([np.empty(0), *parts])
        return pa.array(values, mask=~np.isfinite(values)).cast(kind)

    return pa.table(
        {
            "detector": pa.array(names, pa.string()),
            "row": column("rows", pa.int64()),
            "value": column("values", pa.float64()),
            "threshold": column("thresholds", pa.float64()),
            "signal": column("signals", pa.float64()),
            "alarms_below": pa.array(below, pa.bool_()),
        }
    )


def error_curve(errors: Floats, at: Longs) -> pa.Table:
    """The mean of the last errors, at about 500 places."""
    n = len(errors)
    window = min(_WINDOW, max(1, n // 20))
    stops = np.array(_stops(n), np.int64)
    sums = np.r_[0.0, np.cumsum(errors)]
    starts = np.maximum(stops - window, 0)
    means = (sums[stops] - sums[starts]) / np.maximum(stops - starts, 1)
    rows = at[stops - 1] if n else at
    return pa.table({"row": rows, "error": means, "window": np.full(len(stops), window)})
