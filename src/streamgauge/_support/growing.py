"""Arrays that grow with the rows seen, so that a huge window costs no memory before it is full."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

FIRST_ROOM = 4096  # entries that an array has at first, if it may have that many


def grown(
    array: npt.NDArray[Any], needed: int, most: int, fill: float = 0, axis: int = 0
) -> npt.NDArray[Any]:
    """The array if it has `needed` entries along an axis, else a longer copy of up to `most`.

    Its length at least doubles, so that a row costs the same however often the array grows.
    """
    have = array.shape[axis]
    if min(needed, most) <= have:
        return array
    length = min(most, max(needed, 2 * have, FIRST_ROOM))
    shape = (*array.shape[:axis], length - have, *array.shape[axis + 1 :])
    more = np.full(shape, fill, array.dtype)
    return np.concatenate([array, more], axis=axis)
