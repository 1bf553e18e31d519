"""Simulated loss differences (A minus B) of two learners, in runs of several kinds."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from scipy.signal import lfilter

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


def latent_ar(random: Random, rows: int, run: int, mean: float = 0.0) -> Floats:
    """Differences that a slow normal process of correlation .99 between rows decides."""
    noise = random.normal(0, math.sqrt(1 - 0.99**2), rows)
    noise[0] = random.normal()
    return _modulated(random, lfilter([1.0], [1.0, -0.99], noise), mean, 0.08)


def weak_slow(random: Random, rows: int, run: int, mean: float = 0.0) -> Floats:
    """Almost independent rows with a weak component that changes only every `run` rows or so."""
    lengths = _lengths(random, rows, run)
    return _modulated(
        random, np.repeat(random.normal(size=len(lengths)), lengths)[:rows], mean, 0.03
    )


def rare(random: Random, rows: int, run: int, mean: float = 0.0) -> Floats:
    """The two disagree on 1 % of the rows, in runs of mean `run`."""
    lengths = _lengths(random, rows, run)
    draws = random.random(len(lengths))
    lower, upper = (0.01 - mean) / 2, (0.01 + mean) / 2
    return np.repeat((draws > 1 - upper).astype(float) - (draws < lower), lengths)[:rows]


def _modulated(random: Random, slow: Floats, mean: float, strength: float) -> Floats:
    """Differences -1, 0 and 1 whose mean follows a slow process."""
    means = np.clip(mean + strength * slow, -DISAGREE, DISAGREE)
    draws = random.random(len(slow))
    better, worse = (DISAGREE + means) / 2, (DISAGREE - means) / 2
    return np.asarray((draws > 1 - better).astype(float) - (draws < worse))


KINDS: dict[str, Callable[[Random, int, int, float], Floats]] = {
    "independent rows": independent,
    "geometric runs": geometric_runs,
    "fixed runs": fixed_runs,
    "sign regimes": sign_regimes,
    "AR .99": latent_ar,
    "weak slow part": weak_slow,
    "1 % disagreement": rare,
}
