"""Arrays that others may read and not change."""

from __future__ import annotations

from functools import cached_property
from typing import Any, TypeVar

import numpy as np

T = TypeVar("T")


def freeze(*values: Any) -> None:
    """Make those of the values that are arrays read-only.

    >>> sums = np.zeros(2)
    >>> freeze(sums, None)
    >>> sums[0] = 1
    Traceback (most recent call last):
    ...
    ValueError: assignment destination is read-only
    """
    for value in values:
        if isinstance(value, np.ndarray):
            value.flags.writeable = False


class frozen_property(cached_property[T]):  # noqa: N801 - named as cached_property is
    """A cached property whose array is read-only."""

    def __get__(self, instance: object, owner: type[Any] | None = None) -> Any:
        value = super().__get__(instance, owner)
        freeze(value)
        return value
