"""Fewer points of a series, without losing its extremes."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from streamgauge._support.arrow_numbers import arrow_integers, numbers
from streamgauge._support.types import Floats, Longs

POINTS = 1000  # of a series: more than a figure has pixels to show


def thinned(frame: pa.Table, by: tuple[str, ...] = ("series",)) -> tuple[pa.Table, int]:
    """At most about `POINTS` points of each series: the lowest and highest value of each stretch.

    Parameters
    ----------
    frame
        With the columns `value` (null where undefined) and `by`, in the order of the stream.
    by
        The columns that tell the series apart.

    Returns
    -------
    tuple
        The table, and the number of points in the longest stretch: 1 if all points are there.
    """
    keep, widest = np.zeros(len(frame), np.bool_), 1
    value = numbers(frame["value"])
    for places in groups(frame, by):
        step = 2 * -(-len(places) // POINTS)
        if len(places) <= POINTS:
            keep[places] = True
        else:
            keep[places[_extremes(value[places], step)]] = True
            widest = max(widest, step)
    kept = frame if keep.all() else frame.take(arrow_integers(np.flatnonzero(keep)))
    return kept, widest


def groups(frame: pa.Table, by: tuple[str, ...]) -> list[Longs]:
    """The row numbers of each series, without a Python object for each row."""
    code = np.zeros(len(frame), np.int64)
    for name in by:
        column = frame[name].combine_chunks().dictionary_encode()
        if isinstance(column, pa.ChunkedArray):
            column = column.combine_chunks()
        code = code * max(len(column.dictionary), 1) + numbers(column.indices)
    order = np.argsort(code, kind="stable")
    cuts = np.flatnonzero(np.diff(code[order])) + 1
    return [each for each in np.split(order, cuts) if len(each)]


def _extremes(value: Floats, step: int) -> npt.NDArray[np.int64]:
    """The first point, the last, and of each `step` points the lowest, the highest, and an
    undefined one if there is any: it is a gap."""
    stretches = -(-len(value) // step)
    padded = np.full(stretches * step, np.nan)
    padded[: len(value)] = value
    table = padded.reshape(stretches, step)
    hole = np.isnan(table)
    low = np.where(hole, np.inf, table).argmin(axis=1)
    high = np.where(hole, -np.inf, table).argmax(axis=1)
    starts = np.arange(stretches) * step
    gaps = (starts + hole.argmax(axis=1))[hole.any(axis=1)]
    chosen = np.concatenate([[0, len(value) - 1], starts + low, starts + high, gaps])
    return np.unique(chosen[chosen < len(value)])
