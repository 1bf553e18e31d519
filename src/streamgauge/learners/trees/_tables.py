"""Tables of trees, and whether there is memory for them."""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from streamgauge._support.errors import UsageError
from streamgauge._support.free_memory import free_memory

_LARGE: Final = 1 << 30  # bytes; only for larger tables is the free memory looked up


def padded(column: npt.NDArray[Any], more: int) -> Any:
    """Return the column followed by `more` zeros, which take no memory before they are used.

    A table that could not be filled is refused before: the system would end the process in the
    middle of its work.
    """
    shape = len(column) + more, *column.shape[1:]
    try:
        n_bytes = math.prod(shape) * column.itemsize
        if n_bytes > _LARGE and n_bytes > free_memory():
            raise MemoryError
        longer = np.zeros(shape, column.dtype)
    except (MemoryError, ValueError):  # more bytes than there are, or than an array can have
        sizes = " × ".join(f"{size:,}" for size in shape)
        raise UsageError(
            f"this stream needs too much memory for a tree: a table of {sizes} numbers (leaves × "
            "classes × nominal values or features); expected fewer classes, nominal values or "
            "features"
        ) from None
    longer[: len(column)] = column
    return longer
