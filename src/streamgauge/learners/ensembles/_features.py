"""How many features a leaf or a tree of an ensemble observes."""

from __future__ import annotations

import math
from typing import Annotated, Any, Literal, TypeAlias

import numpy as np

from streamgauge._support.declared import Declared
from streamgauge._support.errors import UsageError

MaxFeatures: TypeAlias = float | Literal["sqrt"]


class _Features(Declared):
    """A parameter that is a number of features, a fraction of them, or "sqrt"."""

    def check(self, owner: str, name: str, hint: Any, value: Any) -> None:
        is_count = isinstance(value, int | np.integer) and value >= 1
        is_fraction = isinstance(value, float) and 0 < value <= 1
        is_root = isinstance(value, str) and value == "sqrt"
        if isinstance(value, bool) or not (is_count or is_fraction or is_root):
            raise UsageError(
                f"{owner}({name}={value!r}): expected {name} as a fraction (0.6; 1.0 for all "
                "features), as a number of features (an integer), or 'sqrt'"
            )


_NUMBER = (
    "a fraction of all d features (a float up to 1), a number of features, or "
    '"sqrt" for √d + 1, rounded.'
)
LeafFeatures = Annotated[MaxFeatures, _Features(f"Features a leaf observes: {_NUMBER}")]
TreeFeatures = Annotated[
    MaxFeatures, _Features(f"Features a tree observes: {_NUMBER} It observes at least 2.")
]
StepFeatures = Annotated[
    MaxFeatures, _Features(f"Features that a step observes: {_NUMBER} It observes at least 2.")
]


def count_features(max_features: MaxFeatures, d: int) -> int:
    """Return the number of features, at least 1 and at most all d."""
    if isinstance(max_features, str):
        m = math.floor(math.sqrt(d) + 0.5) + 1
    elif isinstance(max_features, float):
        m = math.floor(d * max_features + 0.5)
    else:
        m = int(max_features)
    return min(max(1, m), d)
