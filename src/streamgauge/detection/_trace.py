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
    """The statistic of a detector along the errors: rows, values, thresholds, inputs."""

    rows: Longs
    values: Floats
    thresholds: Floats
    signals: Floats
    alarms_below: bool


@dataclass(frozen=True)
class DetectorLog:
    """Detectors, the errors they were fed, and their alarms: all that their traces follow from."""

    detectors: Mapping[str, Detector]
    alarms: Mapping[str, Longs]  # per detector, positions in the errors
    errors: Floats
    at: Longs  # the newest row at each error
    seed: int

    def statistic(self, start: int, stop: int | None) -> pa.Table:
        """A row per detector and place between two rows; null where a detector does not test."""
        ends = np.searchsorted(self.at, [start, np.iinfo(np.int64).max if stop is None else stop])
        first, last = ends.tolist()
        return _table(
            {
                name: traced(
                    detector, self.alarms[name], self.errors, self.at, self.seed, (first, last)
                )
                for name, detector in self.detectors.items()
                if hasattr(detector, "statistic") and not getattr(detector, "blind", False)
            }
        )


def traced(
    detector: Any,
    alarms: Longs,
    errors: Floats,
    at: Longs,
    seed: int,
    span: tuple[int, int],
) -> Trace:
    """Feed a detector the errors again, and read its statistic at about 500 places of a span.

    It resets at an alarm, so its statistic is read just before each one too.
    """
    first, last = span
    detector = copy.deepcopy(detector)
    detector.start(seed)
    places: list[int] = []
    read: list[Statistic] = []
    rung = set(alarms.tolist())
    feed(detector, errors[:first], 0)
    start = first
    inside = alarms[(alarms > first) & (alarms < last)]
    for stop in sorted({*_stops(first, last), *inside.tolist()}):
        feed(detector, errors[start:stop], start)
        if stop - 1 not in rung:
            places.append(stop - 1)
            read.append(_read(detector))
        start = stop
    rows = at[np.array(places, np.int64)] if places else np.empty(0, np.int64)
    below = bool(getattr(detector, "alarms_below", False))
    values, thresholds, signals = np.array(read, np.float64).reshape(-1, 3).T
    return Trace(rows, values, thresholds, signals, below)


def _read(detector: Any) -> Statistic:
    found = detector.statistic
    try:
        return Statistic(*map(float, found))  # of a user's detector perhaps a plain pair
    except TypeError:
        raise UsageError(
            f"{detector!r}: got {found!r} as its statistic; expected a pair of numbers: what it "
            "compares after the last error, and its alarm level"
        ) from None


def _stops(first: int, last: int) -> list[int]:
    step = min(_CHUNK, max(1, -(-(last - first) // _POINTS)))
    return [min(start + step, last) for start in range(first, last, step)]


def _table(traces: Mapping[str, Trace]) -> pa.Table:
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
    stops = np.array(_stops(0, n), np.int64)
    sums = np.r_[0.0, np.cumsum(errors)]
    starts = np.maximum(stops - window, 0)
    means = (sums[stops] - sums[starts]) / np.maximum(stops - starts, 1)
    rows = at[stops - 1] if n else at
    return pa.table({"row": rows, "error": means, "window": np.full(len(stops), window)})
