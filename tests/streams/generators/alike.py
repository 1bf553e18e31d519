"""Do two samples come from one distribution? With a bound that chance passes once in 100,000."""

from __future__ import annotations

import math
from itertools import islice
from typing import Any

import numpy as np

from streamgauge._support.types import Codes, Floats, Targets

_SIGMAS = 4.5
_GAP = 2.5  # Kolmogorov and Smirnov's limit of about the same probability


def of_river(pairs: Any, n: int) -> tuple[Floats, Codes]:
    """The first n rows of a River stream, features in its order."""
    rows = list(islice(pairs, n))
    X = np.array([list(x.values()) for x, _ in rows], np.float64)
    return X, np.array([int(y) for _, y in rows], np.int32)


def assert_share(hits: Any, share: float) -> None:
    """As often as `share` says."""
    error = math.sqrt(share * (1 - share) / len(hits))
    assert abs(np.mean(hits) - share) <= _SIGMAS * error, (np.mean(hits), share)


def assert_same_mean(ours: Any, theirs: Any) -> None:
    """Two independent samples, each with the spread it shows."""
    error = math.sqrt(np.var(ours) / len(ours) + np.var(theirs) / len(theirs))
    assert abs(np.mean(ours) - np.mean(theirs)) <= _SIGMAS * error, (np.mean(ours), np.mean(theirs))


def assert_same_numbers(ours: Floats, theirs: Floats) -> None:
    """Mean, spread and distribution function."""
    assert_same_mean(ours, theirs)
    middle = np.mean(theirs)
    assert_same_mean((ours - middle) ** 2, (theirs - middle) ** 2)
    grid = np.unique(theirs)
    one, other = (np.searchsorted(np.sort(v), grid, side="right") / len(v) for v in (ours, theirs))
    assert np.abs(one - other).max() < _GAP * math.sqrt(1 / len(ours) + 1 / len(theirs))


def assert_alike(ours: tuple[Floats, Targets], theirs: tuple[Floats, Targets]) -> None:
    """Labels are as frequent, features as spread, over all and within each class."""
    (X, y), (other_X, other_y) = ours, theirs
    assert X.shape[1] == other_X.shape[1]
    labels = np.union1d(y, other_y)
    for label in labels:
        assert_same_mean(y == label, other_y == label)
    for j in range(X.shape[1]):
        assert_same_numbers(X[:, j], other_X[:, j])
        for label in labels:
            assert_same_numbers(X[y == label, j], other_X[other_y == label, j])
