"""Nested values as JSON can hold them, and numbers read back from it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np


def plain(value: Any) -> Any:
    """Nested values for JSON: NaN becomes None, infinity "inf" or "-inf".

    >>> plain({"z": (1.5, math.nan, -math.inf)})
    {'z': [1.5, None, '-inf']}
    """
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else str(float(value))
    return value.item() if isinstance(value, np.generic) else value


def number(value: float | str | None) -> float:
    """A number as `plain` wrote it; None becomes NaN.

    >>> number(None), number("-inf"), number(2)
    (nan, -inf, 2.0)
    """
    return math.nan if value is None else float(value)
