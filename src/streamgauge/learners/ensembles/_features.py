"""How many features a leaf or a tree of an ensemble observes."""

from __future__ import annotations

import math
from typing import Literal, TypeAlias

import numpy as np

from streamgauge._support.errors import UsageError

MaxFeatures: TypeAlias = float | Literal["sqrt"]


def check_max_features(name: str, max_features: object) -> None:
    """Raise an error unless it is a number of features, a fraction of them, or "sqrt"."""
    is_count = isinstance(max_features, int | np.integer) and max_features >= 1
    is_fraction = isinstance(max_features, float) and 0 < max_features <= 1
    if isinstance(max_features, bool) or not (is_count or is_fraction or max_features == "sqrt"):
        raise UsageError(
            f"{name}: expected max_features as a fraction (0.6; 1.0 for all features), as a number "
            "of features (an integer), or 'sqrt'"
        )


def count_features(max_features: MaxFeatures, d: int) -> int:
    """Return the number of features, at least 1 and at most all d."""
    if isinstance(max_features, str):
        m = math.floor(math.sqrt(d) + 0.5) + 1
    elif isinstance(max_features, float):
        m = math.floor(d * max_features + 0.5)
    else:
        m = int(max_features)
    return min(max(1, m), d)
