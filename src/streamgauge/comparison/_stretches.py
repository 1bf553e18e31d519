"""Stretches of the stream where A, B or neither is better.

The stream is cut beforehand into segments of equal length. The batch-means test is made in each, at
the given confidence for all segments together. Where differences depend on each other within most
segments, these are longer. Neighbouring segments with the same answer form a stretch. What it says
is about these rows: a regime as long as a segment is a fact of it, not a promise.
"""

from __future__ import annotations

import itertools
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from streamgauge._support.errors import UsageError, check_integer
from streamgauge._support.types import Floats
from streamgauge.measures.batch_means import FEWEST_ROWS, BatchMeansTest, batch_means_test
from streamgauge.measures.verdict import holm_words

_SEGMENTS = 20
_SEGMENT_ROWS = 1000
_DEPENDENCES = 20  # of the rows that depend on each other, in a segment


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


def segment_rows(n: int, asked: int | None, dependence: int = 0) -> int:
    """Rows per segment: as asked, else a twentieth of the stream, at least 1000.

    Differences that depend on each other over `dependence` rows within segments need twenty times
    as many.
    """
    if asked is None:
        asked = max(_SEGMENT_ROWS, n // _SEGMENTS, _DEPENDENCES * dependence)
    return min(n, asked)


@np.errstate(over="ignore", invalid="ignore")  # infinite losses are data, too
def find_stretches(
    losses: Floats, rows: int | None, confidence: float, bound: float | None = None
) -> tuple[Stretch, ...]:
    """The stretches in two participants' losses (2 × rows), from segments of `rows` rows.

    The last segment also takes the remaining rows.
    """
    n = losses.shape[1]
    difference = losses[0] - losses[1]
    bounds, tests = _segments(difference, segment_rows(n, rows), bound)
    if rows is None:
        within = np.median([test.dependence if test.dependent else 0 for test in tests])
        length = segment_rows(n, None, int(within))
        if length > segment_rows(n, None):
            bounds, tests = _segments(difference, length, bound)
    words = holm_words(tests, confidence)
    found: list[tuple[int, int, str | None]] = []
    for (start, stop), (word, _) in zip(bounds, words, strict=True):
        better = {"better": "B", "worse": "A"}.get(word)
        if found and found[-1][2] == better:
            found[-1] = (found[-1][0], stop, better)
        else:
            found.append((start, stop, better))
    return tuple(
        Stretch(start, stop, better, *losses[:, start:stop].mean(axis=1).tolist())
        for start, stop, better in found
    )


def _segments(
    difference: Floats, length: int, bound: float | None
) -> tuple[list[tuple[int, int]], list[BatchMeansTest]]:
    """Segments of this length, and the test of each."""
    n = len(difference)
    edges = [i * length for i in range(n // length)] + [n]
    bounds = list(itertools.pairwise(edges))
    tests = [
        batch_means_test(difference[i:j], min_rows=FEWEST_ROWS, bound=bound) for i, j in bounds
    ]
    return bounds, tests


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
