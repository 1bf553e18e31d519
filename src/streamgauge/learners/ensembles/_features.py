"""How many features a leaf or a tree of an ensemble observes."""

from __future__ import annotations

import math
from typing import Literal, TypeAlias

from streamgauge._support.errors import UsageError

MaxFeatures: TypeAlias = float | Literal["sqrt"]


def check_max_features(name: str, max_features: object) -> None:
    """Raise an error unless it is a number above 0 or "sqrt"."""
    if max_features != "sqrt" and not (
        isinstance(max_features, int | float) and 0 < max_features < math.inf
    ):
        raise UsageError(f"{name}: expected max_features above 0, or 'sqrt'")


def count_features(max_features: MaxFeatures, d: int) -> int:
    """Return the number of features, at least 1 and at most all d."""
    if isinstance(max_features, str):
        m = math.floor(math.sqrt(d) + 0.5) + 1
    elif isinstance(max_features, float) and max_features <= 1:
        m = math.floor(d * max_features + 0.5)
    else:
        m = int(max_features)
    return min(max(1, m), d)
