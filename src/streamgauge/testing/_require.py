"""Requirements of the checks; unlike `assert` they hold under `python -O` too."""

from __future__ import annotations

from typing import Any

import numpy as np


def require(condition: object, message: str) -> None:
    """Raise an AssertionError with this message unless the condition is true."""
    if not condition:
        raise AssertionError(message)


def require_equal(found: Any, expected: Any, message: str) -> None:
    """Raise an AssertionError with this message unless two arrays are equal, NaN to NaN."""
    require(np.array_equal(found, expected, equal_nan=True), message)
