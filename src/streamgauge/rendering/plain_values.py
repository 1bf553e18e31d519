"""Nested values as JSON can hold them, and the same values read back from it."""

from __future__ import annotations

import math
from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING, Any, get_origin

import numpy as np

if TYPE_CHECKING:
    Number = float
else:

    class _Float(type):
        __instancecheck__ = float.__instancecheck__  # as fast as isinstance(value, float)

    class Number(metaclass=_Float):
        """A float of a record that is kept as JSON: there it may be null or "inf"."""


def plain(value: Any) -> Any:
    """Nested values for JSON: NaN becomes None, infinity "inf" or "-inf".

    >>> plain({"z": (1.5, math.nan, -math.inf), "counts": np.eye(2, dtype=int)})
    {'z': [1.5, None, '-inf'], 'counts': [[1, 0], [0, 1]]}
    """
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else str(float(value))
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if is_dataclass(value) and not isinstance(value, type):
        return {each.name: plain(getattr(value, each.name)) for each in fields(value)}
    return value.item() if isinstance(value, np.generic) else value


def restored(kind: Any, value: Any) -> Any:
    """What `plain` wrote, of a kind that JSON lacks: the hook of msgspec's decoder.

    >>> restored(Number, None), restored(Number, "-inf"), restored(Number, 2)
    (nan, -inf, 2.0)
    """
    if type(value) is float:
        return value
    if kind is Number:
        if value is None:
            return math.nan
        if type(value) is int or value in ("inf", "-inf"):
            return float(value)
        raise ValueError(f'expected a number, null, "inf" or "-inf", got {value!r}')
    if get_origin(kind) is not np.ndarray:
        raise NotImplementedError(f"{kind} is not kept as JSON")
    counts = np.array(value)
    if counts.size and (counts.dtype != np.int64 or counts.ndim != 2):
        raise ValueError("expected a table of whole numbers")
    return counts.astype(np.int64)
