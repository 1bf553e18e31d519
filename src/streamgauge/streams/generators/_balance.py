"""Balanced classes: two classes alternate, drawn from an unbalanced source."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from streamgauge._support.types import Floats
from streamgauge.streams.generators._base import Random, Rows


def alternate_classes(draw: Callable[[Random, int], Rows], random: Random, n: int) -> Rows:
    """Return n rows with labels 1, 0, 1, 0 …; surplus rows of a class are dropped."""
    labels = 1 - np.arange(n, dtype=np.int32) % 2
    missing = np.bincount(labels)
    found: tuple[list[Floats], list[Floats]] = ([], [])
    while missing.any():
        X, y = draw(random, n)
        for label in (0, 1):
            found[label].append(X[y == label][: missing[label]])
            missing[label] -= len(found[label][-1])
    rows = np.empty_like(X)
    for label in (0, 1):
        rows[labels == label] = np.concatenate(found[label])
    return rows, labels
