"""Holm's correction of p-values for multiple tests."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from streamgauge._support.types import Floats


def holm(p: Sequence[float]) -> Floats:
    """p-values adjusted to bound the chance of at least one false finding among all.

    >>> holm([0.01, 0.04, 0.03]).tolist()
    [0.03, 0.06, 0.06]
    """
    order = np.argsort(p, kind="stable")
    left = np.arange(len(p), 0, -1)
    adjusted = np.empty(len(p))
    adjusted[order] = np.minimum(1.0, np.maximum.accumulate(np.asarray(p)[order] * left))
    return adjusted
