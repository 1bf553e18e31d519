"""False positives of the comparison tests: `python -m bench.tests_under_h0`

Two equally good learners on 2,000 streams of 20,000 rows; on a fifth of the rows exactly one of the
two is wrong. A test that keeps its level calls them different on at most a fraction alpha of the
streams.
"""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtri

from streamgauge._support.types import Floats
from streamgauge.comparison._anytime import (
    confidence_sequence,
    log_mixture,
    rho_for,
    sums_along,
)
from streamgauge.comparison._pairs import mcnemar_statistic, mcnemar_threshold
from streamgauge.comparison._stretches import find_stretches
from streamgauge.measures.batch_means import batch_means_of, z_of

STREAMS, ROWS, DISAGREE, RUN = 2000, 20_000, 0.2, 20


@dataclass(frozen=True)
class Level:
    """Fraction of streams on which each test called equal learners different."""

    alpha: float
    run: int  # length of runs of equal differences
    mcnemar_ever: float  # checked on every row
    mcnemar_end: float  # checked once, after the last row
    anytime_ever: float
    anytime_end: float
    batch_means: float
    stretches: float  # a stretch was found although neither is better


def differences(seed: int, rows: int, run: int) -> Floats:
    """Loss of A minus loss of B, neither better; the first run starts at a random place."""
    random = np.random.default_rng(seed)
    draws = random.choice(
        [-1.0, 0.0, 1.0],
        p=[DISAGREE / 2, 1 - DISAGREE, DISAGREE / 2],
        size=rows // run + 2,
    )
    start = int(random.integers(run))
    return np.repeat(draws, run)[start : start + rows]


def ever_outside(difference: Floats, alpha: float) -> tuple[bool, bool]:
    """Whether 0 is outside the anytime bounds after any row, and after the last.

    0 is outside when the mixture at the sum of differences exceeds 2 / alpha, which it cannot
    unless s² > 2·v·ln(2 / alpha), so the mixture is computed on those rows only.
    """
    total, spread = sums_along(difference)
    level = math.log(2 / alpha)
    rho = rho_for(1, level)
    s, v = np.abs(total) / 2, spread / 4
    near = s * s > 2 * v * level
    outside = np.zeros(len(difference), bool)
    outside[near] = log_mixture(s[near], v[near], rho) > level
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
    found = np.zeros((streams, 6))
    clear = float(ndtri(1 - alpha / 2))
    for seed in range(streams):
        d = differences(seed, rows, run)
        losses = np.stack([np.maximum(d, 0), np.maximum(-d, 0)])
        found_stretch = any(s.better for s in find_stretches(losses, None, 1 - alpha))
        batches = abs(z_of(batch_means_of(d))) > clear
        found[seed] = [*ever_significant(d, alpha), *ever_outside(d, alpha), batches, found_stretch]
    return Level(alpha, run, *found.mean(axis=0).tolist())


def late(alpha: float, streams: int = 500, rows: int = ROWS) -> tuple[float, float]:
    """Labels arrive in chunks of 20 and so do the differences: before a chunk, neither learner can
    be predicted to be better. Returns the fraction of streams with 0 ever outside the anytime
    bounds, if labels are treated as known at once and with 20 interleaved subsequences."""
    cuts = np.arange(RUN, rows + 1, RUN)
    found = np.zeros((streams, 2))
    for seed in range(streams):
        draws = differences(seed, rows // RUN, 1)
        for place, wait in enumerate((1, RUN)):
            bounds = confidence_sequence(
                np.repeat(draws, RUN), np.arange(rows), cuts, 1.0, wait, 1 - alpha
            )
            found[seed, place] = ((bounds.low > 0) | (bounds.high < 0)).any()
    at_once, interleaved = found.mean(axis=0).tolist()
    return at_once, interleaved


def main() -> int:
    """The table of docs/compare.md."""
    print(f"{STREAMS:,} streams of {ROWS:,} rows; equal learners called different in % of them\n")
    print("| alpha | differences | McNemar, every row | McNemar, at the end | anytime, every row "
          "| anytime, at the end | batch means | a stretch found |")  # fmt: skip
    print("|---|---|---|---|---|---|---|---|")
    for alpha in (0.05, 0.01):
        for run in (1, RUN):
            level = measure(alpha, run)
            kind = "independent" if run == 1 else f"in runs of {run}"
            rates = [
                level.mcnemar_ever, level.mcnemar_end, level.anytime_ever, level.anytime_end,
                level.batch_means, level.stretches,
            ]  # fmt: skip
            cells = " | ".join(f"{100 * rate:.1f}" for rate in rates)
            print(f"| {alpha:g} | {kind} | {cells} |", flush=True)
    at_once, interleaved = late(0.05)
    print(
        f"\nalpha 0.05, labels in chunks of {RUN}, 500 streams: anytime bounds that treat labels "
        f"as known at once err in {100 * at_once:.1f} %, with {RUN} subsequences in "
        f"{100 * interleaved:.1f} %"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
