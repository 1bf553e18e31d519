"""The anytime bounds of `compare`, looked at after every row; labels at once, and late."""

from __future__ import annotations

import math
from functools import partial

import numpy as np

from bench.calibration.case import Case, Random
from bench.calibration.streams import DISAGREE, values
from streamgauge._support.types import Floats, Longs
from streamgauge.comparison._anytime import confidence_sequence, rho_of
from streamgauge.comparison._mixture import log_mixture

RUN, WINDOW = 20, 1000
_ALPHA = 0.01


def ever_outside(
    difference: Floats, alpha: float = _ALPHA, window: int | None = None
) -> tuple[bool, bool]:
    """Whether 0 is outside the anytime bounds after any row, and after the last.

    0 is outside when the mixture at the sum of differences exceeds 2 / alpha, which it cannot
    unless s² > 2·v·ln(2 / alpha), so the mixture is computed on those rows only.
    """
    rows = len(difference)
    base = math.log(2 / alpha)
    rho = rho_of(1, 1, base, window)
    outside = np.zeros(rows, bool)
    for restart in range(1 if window is None else max(1, rows // window)):
        start = restart * (window or 0)
        d = difference[start : None if window is None else start + 2 * window - 1]
        total = np.cumsum(d)
        guess = (total - d) / np.arange(1, len(d) + 1)
        s, v = np.abs(total) / 2, np.cumsum((d - guess) ** 2) / 4
        level = base + (0 if window is None else math.log((restart + 1) * (restart + 2)))
        near = s * s > 2 * v * level
        if restart:  # the rows before are bounded by the restart before
            near[: (window or 0) - 1] = False
        outside[np.flatnonzero(near) + start] = log_mixture(s[near], v[near], rho) > level
    return bool(outside.any()), bool(outside[-1])


def _at_once(random: Random, rows: int, mean: float, window: int | None) -> bool:
    return ever_outside(values(random, rows, mean), window=window)[0]


def in_chunks(random: Random, rows: int, aware: bool = True, mean: float = 0.0) -> bool:
    """Labels in chunks of RUN rows, equal differences within each."""
    d = np.repeat(values(random, rows // RUN, mean), RUN)
    cuts = np.arange(RUN, rows + 1, RUN)
    return _outside(d, cuts, wait=RUN if aware else 1, together=aware)


def delayed(random: Random, rows: int) -> bool:
    """Labels RUN rows late, each difference the sign of the last RUN draws."""
    sums = np.cumsum(np.r_[0, random.choice([-1.0, 1.0], rows + RUN - 1)])
    d = np.sign(sums[RUN:] - sums[:rows]) * (random.random(rows) < DISAGREE)
    return _outside(d, np.arange(rows) + 1, wait=RUN)


def _outside(d: Floats, points: Longs, wait: int = 1, together: bool = False) -> bool:
    bounds = confidence_sequence(
        d, np.arange(len(d)), points, 1.0, wait, 1 - _ALPHA, together=together
    )
    return bool(((bounds.low > 0) | (bounds.high < 0)).any())


def cases() -> list[Case]:
    """Independent rows, and labels that come late."""
    found = []
    for rows in (2_500, 20_000):
        for window in (None, WINDOW):
            none, some = (partial(_at_once, rows=rows, mean=m, window=window) for m in (0.0, 0.05))
            kind = "" if window is None else f", the last {window:,} to {2 * window:,}"
            found.append(Case("compare.anytime", f"{rows:,} rows{kind}", none, some, most=1.0))
    chunks, some = (partial(in_chunks, rows=20_000, mean=mean) for mean in (0.0, 0.1))
    name = f"labels in chunks of {RUN}, 20,000 rows"
    found.append(Case("compare.anytime", name, chunks, some, trials=500, most=1.0))
    late = partial(delayed, rows=20_000)
    name = f"labels {RUN} rows late, 20,000 rows"
    found.append(Case("compare.anytime", name, late, trials=500, most=1.0))
    return found
