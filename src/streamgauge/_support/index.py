"""Indices that are never negative."""

from __future__ import annotations

from typing import Final

from streamgauge._support.jit import inlined

_NOT_NEGATIVE: Final = (1 << 62) - 1


@inlined
def as_index(i: int) -> int:
    """Return an index that is not negative, so that the compiler knows that it is not.

    numba would add the length to a negative one: a few instructions wherever it is used.
    """
    return i & _NOT_NEGATIVE
