"""Stretches of the stream where A, B or neither is better.

The stream is cut into pieces of equal length beforehand; in each the mean difference is tested by
24 batch means, all pieces together at the confidence asked for. Neighbours with the same
answer make a stretch.
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

_PIECES = 20
_PIECE_ROWS = 1000
_BATCHES = 24  # of a piece: longer batches than ⌊√n⌋, for runs are not shorter in short pieces
_FEWEST_ROWS = 5 * _BATCHES


class Stretch(NamedTuple):
    """Scored rows start..stop (counted from 0, stop excluded). `better`: "A", "B" or neither."""

    start: int
    stop: int
    better: str | None
    loss_a: float
    loss_b: float


def check_piece(rows: int | None) -> None:
    """Pieces have rows enough for their batches."""
    if rows is None:
        return
    check_integer("stretch", rows)
    if rows < _FEWEST_ROWS:
        raise UsageError(f"stretch={rows}: expected pieces of {_FEWEST_ROWS} rows or more")


def piece_rows(n: int, asked: int | None) -> int:
    """Rows of a piece: as asked for, else a twentieth of the stream, but no fewer than 1000."""
    return min(n, max(_PIECE_ROWS, n // _PIECES) if asked is None else asked)


def find_stretches(losses: Floats, rows: int | None, confidence: float) -> tuple[Stretch, ...]:
    """The stretches of two learners' losses (2 × rows), from pieces of so many rows each.

    What is left over at the end belongs to the last piece.
    """
    n = losses.shape[1]
    length = piece_rows(n, rows)
    pieces = n // length
    edges = [i * length for i in range(pieces)] + [n]
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
    """z of a piece, and its p by Student's t, for the batches of a piece are few."""
    if len(difference) < _FEWEST_ROWS:
        return math.nan, 1.0
    z = z_of(batch_means_of(difference, len(difference) // _BATCHES))
    return z, 1.0 if math.isnan(z) else float(2 * stdtr(_BATCHES - 1, -abs(z)))


def shares(stretches: tuple[Stretch, ...]) -> dict[str | None, float]:
    """Of A, B and neither: the share of the rows."""
    rows = np.array([s.stop - s.start for s in stretches], np.float64)
    return {
        who: float(rows[[s.better == who for s in stretches]].sum() / rows.sum())
        for who in ("A", "B", None)
    }
