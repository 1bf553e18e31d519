"""Batch means: a test of a mean difference that allows for autocorrelated rows (semantics §4).

Rows are cut into non-overlapping batches of length ⌊√n⌋; the spread of the batch means gives the
standard error. Errors on streams are autocorrelated, so a standard error that treats rows as
independent would be far too small.
"""

from __future__ import annotations

import math

import numpy as np

from streamgauge._support.types import Floats

CLEAR = 2.58  # |z| beyond this is clear: 99 %, two-sided
MIN_BATCHES = 10


def batch_means_of(differences: Floats, length: int | None = None) -> Floats:
    """The mean of each complete batch; the remaining rows are not used."""
    length = max(1, math.isqrt(len(differences)) if length is None else length)
    whole = len(differences) // length * length
    return np.asarray(differences[:whole].reshape(-1, length).mean(axis=1))


def z_of(means: Floats) -> float:
    """The mean of the batch means divided by its standard error; NaN for fewer than two."""
    if len(means) < 2:
        return math.nan
    mean = float(means.mean())
    if (means == means[0]).all():
        return math.nan if mean == 0 else math.copysign(math.inf, mean)
    return mean / (float(means.std(ddof=1)) / math.sqrt(len(means)))


def word_of(z: float, batches: int, clear: float = CLEAR) -> str:
    """The result in words: better (z > 0), worse, no clear difference, too few rows to say."""
    if batches < MIN_BATCHES:
        return "too few rows to say"
    if abs(z) > clear:
        return "better" if z > 0 else "worse"
    return "no clear difference"
