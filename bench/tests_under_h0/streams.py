"""Simulated loss differences (A minus B) of two learners, in runs of several kinds."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from streamgauge._support.types import Floats, Longs

DISAGREE = 0.2  # fraction of rows on which exactly one of the two is wrong
_AHEAD = 0.75  # fraction of these that the one ahead in a sign regime wins

Random = np.random.Generator


def values(random: Random, count: int, mean: float = 0.0) -> Floats:
    """Differences -1, 0 and 1 with this mean."""
    draws = random.random(count)
    worse, better = (DISAGREE - mean) / 2, (DISAGREE + mean) / 2
    return np.asarray((draws > 1 - better).astype(float) - (draws < worse))


def independent(random: Random, rows: int, run: int, mean: float = 0.0) -> Floats:
    """Rows that do not depend on each other."""
    return values(random, rows, mean)


def geometric_runs(random: Random, rows: int, run: int, mean: float = 0.0) -> Floats:
    """Runs of equal differences, their lengths geometric with mean `run`."""
    lengths = _lengths(random, rows, run)
    return np.repeat(values(random, len(lengths), mean), lengths)[:rows]


def fixed_runs(random: Random, rows: int, run: int, mean: float = 0.0) -> Floats:
    """Runs of equal differences of exactly `run` rows; the first starts at a random place."""
    start = int(random.integers(run))
    return np.repeat(values(random, rows // run + 2, mean), run)[start : start + rows]


def sign_regimes(random: Random, rows: int, run: int, mean: float = 0.0) -> Floats:
    """Rows that do not depend on each other, except that the one ahead changes.

    A regime's length is geometric with mean `run`; in it, one learner wins three quarters of the
    disagreements.
    """
    lengths = _lengths(random, rows, run)
    signs = np.where(np.arange(len(lengths)) % 2 == random.integers(2), 1.0, -1.0)
    means = mean + np.repeat(signs, lengths)[:rows] * DISAGREE * (2 * _AHEAD - 1)
    draws = random.random(rows)
    return np.asarray(
        (draws > 1 - (DISAGREE + means) / 2).astype(float) - (draws < (DISAGREE - means) / 2)
    )


def _lengths(random: Random, rows: int, run: int) -> Longs:
    """Geometric lengths, more than enough for all rows."""
    mean = rows / run
    return random.geometric(1 / run, int(mean + 8 * np.sqrt(mean)) + 20)


KINDS: dict[str, Callable[[Random, int, int, float], Floats]] = {
    "independent rows": independent,
    "geometric runs": geometric_runs,
    "fixed runs": fixed_runs,
    "sign regimes": sign_regimes,
}
