"""Levels of all comparison tests at the end of a stream, and of some at every row."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial

import numpy as np

from bench.tests_under_h0.streams import DISAGREE, fixed_runs, values
from streamgauge._support.types import Floats
from streamgauge.comparison._anytime import confidence_sequence, rho_of
from streamgauge.comparison._mixture import log_mixture
from streamgauge.comparison._pairs import mcnemar_statistic, mcnemar_threshold
from streamgauge.comparison._stretches import find_stretches
from streamgauge.measures.batch_means import batch_means_test

STREAMS, ROWS, RUN, WINDOW = 2000, 20_000, 20, 1000


@dataclass(frozen=True)
class Level:
    """Fraction of streams on which each test called equal learners different."""

    alpha: float
    run: int  # length of runs of equal differences
    mcnemar_ever: float  # checked on every row
    mcnemar_end: float  # checked once, after the last row
    anytime_ever: float
    anytime_end: float
    now_ever: float  # the anytime bounds of windows
    batch_means: float
    stretches: float  # a stretch was found although neither is better


def differences(seed: int, rows: int, run: int) -> Floats:
    """Loss of A minus loss of B, neither better."""
    return fixed_runs(np.random.default_rng(seed), rows, run)


def ever_outside(difference: Floats, alpha: float, window: int | None = None) -> tuple[bool, bool]:
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


def ever_significant(difference: Floats, alpha: float) -> tuple[bool, bool]:
    """Whether McNemar's test is significant after any row, and after the last."""
    only_a, only_b = np.cumsum(difference > 0), np.cumsum(difference < 0)
    counts = np.stack([only_a, only_b, only_a + only_b]).astype(np.float64)
    statistic = mcnemar_statistic(*counts)
    beyond = np.abs(statistic) > mcnemar_threshold(1 - alpha)
    return bool(beyond.any()), bool(beyond[-1])


def measure(alpha: float, run: int, streams: int = STREAMS, rows: int = ROWS) -> Level:
    """Run all tests on all streams."""
    found = np.zeros((streams, 7))
    for seed in range(streams):
        d = differences(seed, rows, run)
        losses = np.stack([np.maximum(d, 0), np.maximum(-d, 0)])
        found[seed] = [
            *ever_significant(d, alpha),
            *ever_outside(d, alpha),
            ever_outside(d, alpha, WINDOW)[0],
            batch_means_test(d, 1 - alpha).word in ("better", "worse"),
            any(s.better for s in find_stretches(losses, None, 1 - alpha)),
        ]
    return Level(alpha, run, *found.mean(axis=0).tolist())


@dataclass(frozen=True)
class Late:
    """Fraction of streams with late labels on which 0 was ever outside the anytime bounds."""

    at_once: float  # by bounds that treat the labels as known at once
    chunks: float  # labels in chunks of RUN rows, equal differences within each
    delay: float  # labels RUN rows late, each difference the sign of the last RUN draws


def late(alpha: float, streams: int = 500, rows: int = ROWS) -> Late:
    """Before a row whose label comes late, neither learner can be predicted to be better."""
    ids = np.arange(rows)
    found = np.zeros((streams, 3))
    for seed in range(streams):
        random = np.random.default_rng(seed)
        in_chunks = np.repeat(values(random, rows // RUN), RUN)
        sums = np.cumsum(np.r_[0, random.choice([-1.0, 1.0], rows + RUN - 1)])
        sliding = np.sign(sums[RUN:] - sums[:rows]) * (random.random(rows) < DISAGREE)
        bounds = partial(confidence_sequence, ids=ids, bound=1.0, confidence=1 - alpha)
        cuts = np.arange(RUN, rows + 1, RUN)
        for place, each in enumerate(
            (
                bounds(in_chunks, points=cuts),
                bounds(in_chunks, points=cuts, wait=RUN, together=True),
                bounds(sliding, points=ids + 1, wait=RUN),
            )
        ):
            found[seed, place] = ((each.low > 0) | (each.high < 0)).any()
    return Late(*found.mean(axis=0).tolist())
