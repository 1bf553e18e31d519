"""Stretches of the stream where A, B or neither is better.

The stream is cut beforehand into segments of equal length. In each, 24 batch means test the mean
difference, at the given confidence for all segments together. Neighbouring segments with the same
answer form a stretch.
"""

from __future__ import annotations

import itertools
import math
from typing import NamedTuple

import numpy as np
from scipy.special import stdtr

from streamgauge._support.errors import UsageError, check_integer
from streamgauge._support.types import Floats
from streamgauge.comparison._holm import holm
from streamgauge.measures.batch_means import batch_means_of, z_of

_SEGMENTS = 20
_SEGMENT_ROWS = 1000
_BATCHES = 24  # per segment: batches longer than ⌊√n⌋, since runs do not shrink with the segment
_MIN_ROWS = 5 * _BATCHES


class Stretch(NamedTuple):
    """Scored rows from `start` to before `stop`; `better` is "A", "B" or None for neither."""

    start: int
    stop: int
    better: str | None
    loss_a: float
    loss_b: float


def check_segment(rows: int | None) -> None:
    """Check that a segment has enough rows for its batches."""
    if rows is None:
        return
    check_integer("stretch", rows)
    if rows < _MIN_ROWS:
        raise UsageError(f"stretch={rows}: expected segments of {_MIN_ROWS} rows or more")


def segment_rows(n: int, asked: int | None) -> int:
    """Rows per segment: as asked, else a twentieth of the stream, at least 1000."""
    return min(n, max(_SEGMENT_ROWS, n // _SEGMENTS) if asked is None else asked)


def find_stretches(losses: Floats, rows: int | None, confidence: float) -> tuple[Stretch, ...]:
    """The stretches in two participants' losses (2 × rows), from segments of `rows` rows.

    The last segment also takes the remaining rows.
    """
    n = losses.shape[1]
    length = segment_rows(n, rows)
    edges = [i * length for i in range(n // length)] + [n]
    bounds = list(itertools.pairwise(edges))
    difference = losses[0] - losses[1]
    tests = [_test(difference[start:stop]) for start, stop in bounds]
    clear = holm([p for _, p in tests]) <= 1 - confidence
    found: list[tuple[int, int, str | None]] = []
    for (start, stop), (z, _), sure in zip(bounds, tests, clear.tolist(), strict=True):
        better = ("B" if z > 0 else "A") if sure else None
        if found and found[-1][2] == better:
            found[-1] = (found[-1][0], stop, better)
        else:
            found.append((start, stop, better))
    return tuple(
        Stretch(start, stop, better, *losses[:, start:stop].mean(axis=1).tolist())
        for start, stop, better in found
    )


def _test(difference: Floats) -> tuple[float, float]:
    """z of a segment, and its p-value by Student's t, since a segment has few batches."""
    if len(difference) < _MIN_ROWS:
        return math.nan, 1.0
    z = z_of(batch_means_of(difference, len(difference) // _BATCHES))
    return z, 1.0 if math.isnan(z) else float(2 * stdtr(_BATCHES - 1, -abs(z)))


def shares(stretches: tuple[Stretch, ...]) -> dict[str | None, float]:
    """The fraction of rows where A, B or neither (None) is better."""
    rows = np.array([s.stop - s.start for s in stretches], np.float64)
    return {
        who: float(rows[[s.better == who for s in stretches]].sum() / rows.sum())
        for who in ("A", "B", None)
    }
