"""Anytime confidence sequences: bounds on the mean loss difference, valid at every row.

Howard, Ramdas, McAuliffe and Sekhon (2021), Theorem 4, with their gamma-exponential mixture; Choe
and Ramdas (2023) compare forecasters with it. For differences d_i in [-B, B] and any guesses g_i
made before d_i is known, with probability 1 - alpha for all t together

    | mean of d_1..d_t - mean of E[d_i | what was known] |  <=  u(V_t) / t,   V_t = Σ (d_i - g_i)²

where m(u, V_t) = 2 / alpha and m is a mixture of exp(λs - ψ(λ)v) over bets λ in [0, 1/c), c = 2B.
The rows need be neither independent nor identically distributed.

**Late labels.** If the label of row i is known only before row i + n is predicted, d_i is unknown
when the next row is predicted, and the argument fails for rows. It holds for sums over blocks of
m = n - 1 rows. Let K_i be what is known when row i is predicted, which grows with i, and
e_i = d_i - E[d_i | K_i]. For a block that starts at row a, E[sum of its e_i | K_a] = 0 by the tower
rule, since K_a is part of every K_i. All its d_i are known when row a + m - 1 + n = a + 2m is
predicted, where the block after next starts. So the sums of every second block are a martingale
difference sequence with values in [-mB, mB]. The even and the odd blocks each get a bound at
alpha / 2, and the two bounds add up. If labels come together, at the end of chunks of n rows, they
are all known when the next chunk starts, and one sequence of chunks is enough. V is then a sum of
squared block sums: the bounds are wide where the differences within a block go together, but not
much wider than those of immediate labels where they do not. (To split the rows into n interleaved
sequences is valid too, but always makes the bounds √n times as wide.) Only whole blocks count: one
that could be stopped half-way would not have mean 0.

**Windows.** "Better now" restarts the bounds every w rows, the j-th time (from 0) at
alpha / ((j + 1)(j + 2)); these sum to alpha, so all bounds of all restarts hold together. At each
row the newest restart that is at least w rows back gives the bounds.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from streamgauge._support.jit import kernel
from streamgauge._support.types import Floats, Longs
from streamgauge.comparison._mixture import boundary, rho_for

_TIGHTEST_AT = 1000.0  # Σ d² at which the bounds are tightest; elsewhere they are nearly so
_LEAST_V = 10.0  # in units of the scale: with less, nothing can be told anyway
_USUAL_SPREAD = 0.3  # Σ d² per row of a window at which its bounds are tightest


@dataclass(frozen=True)
class Anytime:
    """Bounds on the mean loss difference (A minus B) expected before each row.

    At each point the mean is that of the rows from `since` to before `rows`. All `low` and `high`
    hold together with probability `confidence`. Values above 0 favour B.
    """

    confidence: float
    wait: int  # every label is known before this many further rows are predicted
    rows: Longs = field(repr=False)
    since: Longs = field(repr=False)
    mean: Floats = field(repr=False)
    low: Floats = field(repr=False)
    high: Floats = field(repr=False)

    @property
    def sign(self) -> int:
        """At the end: 1 if B is better, -1 if A is, 0 if neither is clearly better."""
        return int(self.low[-1] > 0) - int(self.high[-1] < 0)

    @property
    def first_clear(self) -> int | None:
        """The row count of the first point at which one was clearly better; None if never."""
        clear = (self.low > 0) | (self.high < 0)
        return int(self.rows[np.argmax(clear)]) if clear.any() else None


class _Blocks(NamedTuple):
    """Whole blocks of rows, in order."""

    length: int  # most rows in a block
    sequences: int
    sequence: Longs  # of each block
    sums: Floats
    edges: Longs  # the first row of each block, then the end of the last

    def before(self, rows: Longs) -> Longs:
        """How many whole blocks end within `rows` rows."""
        return np.searchsorted(self.edges[1:], rows, side="right")


def _blocks_of(difference: Floats, ids: Longs, wait: int, together: bool) -> _Blocks:
    length, sequences = (wait, 1) if together else (max(1, wait - 1), min(wait, 2))
    if (np.diff(ids) < 0).any():  # labels overtook each other
        order = np.argsort(ids, kind="stable")
        difference, ids = difference[order], ids[order]
    number = ids // length
    starts = np.flatnonzero(np.r_[True, number[1:] != number[:-1]])
    edges = np.r_[starts, len(ids)]
    if (ids[-1] + 1) % length:  # the last block is not complete
        edges = edges[:-1]
    sums = np.add.reduceat(difference[: edges[-1]], edges[:-1]) if len(edges) > 1 else np.empty(0)
    return _Blocks(length, sequences, number[edges[:-1]] % sequences, sums, edges)


@kernel
def _add_up(
    sums: Floats, edges: Longs, sequence: Longs, first: int, cuts: Longs, totals: Floats,
    spreads: Floats,
) -> None:  # fmt: skip
    """Σ d, and Σ (sum − guess)² of each sequence, from block `first` to before each of `cuts`.

    A guess is the sequence's mean so far, started with one row of 0.
    """
    count, total, spread = np.zeros((3, spreads.shape[1]))
    overall = 0.0
    block = first
    for cut in range(len(cuts)):
        for i in range(block, cuts[cut]):
            place, rows = sequence[i], edges[i + 1] - edges[i]
            guess = rows * total[place] / (count[place] + 1.0)
            spread[place] += (sums[i] - guess) ** 2
            count[place] += rows
            total[place] += sums[i]
            overall += sums[i]
        block = cuts[cut]
        totals[cut] = overall
        spreads[cut] = spread


def confidence_sequence(
    difference: Floats,
    ids: Longs,
    points: Longs,
    bound: float,
    wait: int = 1,
    confidence: float = 0.99,
    *,
    together: bool = False,
    window: int | None = None,
) -> Anytime:
    """The bounds after each of `points` rows, or after the last whole block before.

    `ids`: row numbers, which define the blocks. `together`: labels come at the end of chunks of
    `wait` rows. `window`: only the newest rows, at least that number.
    """
    blocks = _blocks_of(difference, ids, wait, together)
    cuts = np.unique(blocks.before(points))
    cuts = cuts[cuts > 0]
    rows = blocks.edges[cuts]
    restarts = np.zeros_like(rows) if window is None else np.maximum(rows // window - 1, 0)
    first = np.searchsorted(blocks.edges, restarts * (window or 0))
    totals, spreads = np.empty(len(cuts)), np.empty((len(cuts), blocks.sequences))
    starts, at = np.unique(first, return_index=True)
    for start, (begin, end) in zip(starts, pairwise([*at, len(cuts)]), strict=True):
        part = slice(begin, end)
        _add_up(
            blocks.sums, blocks.edges, blocks.sequence, start, cuts[part], totals[part],
            spreads[part],
        )  # fmt: skip
    level = math.log(2 * blocks.sequences / (1 - confidence))
    levels = np.full(len(cuts), level)
    if window is not None:
        levels += np.log((restarts + 1) * (restarts + 2))
    scale = 2 * bound * blocks.length
    rho = rho_of(blocks.length, blocks.sequences, level, window)
    reach = boundary(spreads / scale**2, rho, levels[:, np.newaxis]).sum(axis=1) * scale
    since = blocks.edges[first]
    mean, reach = totals / (rows - since), reach / (rows - since)
    low, high = np.maximum(mean - reach, -bound), np.minimum(mean + reach, bound)
    return Anytime(confidence, wait, rows, since, mean, low, high)


def rho_of(length: int, sequences: int, level: float, window: int | None) -> float:
    """The parameter of the mixture, for blocks of `length` rows."""
    tightest = _TIGHTEST_AT if window is None else min(_TIGHTEST_AT, _USUAL_SPREAD * window)
    v = tightest / 4 / sequences / length
    return rho_for(v if length == 1 else max(v, _LEAST_V), level)
