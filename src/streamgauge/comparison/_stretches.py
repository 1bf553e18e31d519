"""Stretches of the stream where A, B or neither is better.

The stream is cut beforehand into segments of equal length. The batch-means test is made in each, at
the given confidence for all segments together; p = 1 where it leaves a segment open. Neighbouring
segments with the same answer form a stretch.
"""

from __future__ import annotations

import itertools
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from streamgauge._support.errors import UsageError, check_integer
from streamgauge._support.types import Floats
from streamgauge.measures.batch_means import FEWEST_ROWS, batch_means_test
from streamgauge.measures.holm import holm

_SEGMENTS = 20
_SEGMENT_ROWS = 1000


class Stretch(NamedTuple):
    """Scored rows from `start` to before `stop`; `better` is "A", "B" or None for neither."""

    start: int
    stop: int
    better: str | None
    loss_a: float
    loss_b: float


def check_segment(rows: int | None) -> None:
    """Check that a segment has enough rows to be tested."""
    if rows is None:
        return
    check_integer("stretch", rows)
    if rows < FEWEST_ROWS:
        raise UsageError(f"stretch={rows}: expected segments of {FEWEST_ROWS} rows or more")


def segment_rows(n: int, asked: int | None) -> int:
    """Rows per segment: as asked, else a twentieth of the stream, at least 1000."""
    return min(n, max(_SEGMENT_ROWS, n // _SEGMENTS) if asked is None else asked)


@np.errstate(over="ignore", invalid="ignore")  # infinite losses are data, too
def find_stretches(losses: Floats, rows: int | None, confidence: float) -> tuple[Stretch, ...]:
    """The stretches in two participants' losses (2 × rows), from segments of `rows` rows.

    The last segment also takes the remaining rows.
    """
    n = losses.shape[1]
    length = segment_rows(n, rows)
    edges = [i * length for i in range(n // length)] + [n]
    bounds = list(itertools.pairwise(edges))
    difference = losses[0] - losses[1]
    tests = [batch_means_test(difference[i:j], min_rows=FEWEST_ROWS) for i, j in bounds]
    clear = holm([test.p for test in tests]) <= 1 - confidence
    found: list[tuple[int, int, str | None]] = []
    for (start, stop), test, sure in zip(bounds, tests, clear.tolist(), strict=True):
        better = ("B" if test.t > 0 else "A") if sure else None
        if found and found[-1][2] == better:
            found[-1] = (found[-1][0], stop, better)
        else:
            found.append((start, stop, better))
    return tuple(
        Stretch(start, stop, better, *losses[:, start:stop].mean(axis=1).tolist())
        for start, stop, better in found
    )


def shares(stretches: tuple[Stretch, ...]) -> dict[str | None, float]:
    """The fraction of rows where A, B or neither (None) is better."""
    rows = np.array([s.stop - s.start for s in stretches], np.float64)
    return {
        who: float(rows[[s.better == who for s in stretches]].sum() / rows.sum())
        for who in ("A", "B", None)
    }


def stretches_table(stretches: tuple[Stretch, ...]) -> pa.Table:
    """A row per stretch."""
    columns = zip(*stretches, strict=True)
    return pa.table([pa.array(list(column)) for column in columns], names=list(Stretch._fields))
