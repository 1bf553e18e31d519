"""Makes malloc reuse the memory of large arrays."""

from __future__ import annotations

import numpy as np

_LARGER_THAN_A_BLOCK = 1 << 24  # bytes; above 32 MiB, an array does not raise malloc's threshold


def reuse_freed_memory() -> None:
    """Make malloc reuse the memory of one block's arrays for the next block.

    By default glibc returns arrays this large to the system and maps them again page by page, which
    takes more than a tenth of the time of a fast evaluation, and a third of that of reading a file.
    Freeing one larger array raises the size from which it does so.
    """
    np.empty(_LARGER_THAN_A_BLOCK, np.uint8)
