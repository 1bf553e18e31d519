"""The size of an object as `pickle` writes it."""

from __future__ import annotations

import pickle
from typing import Any


class _Counter:
    """A file that only counts what is written."""

    def __init__(self) -> None:
        self.bytes = 0

    def write(self, data: Any) -> int:
        """Count these bytes."""
        count = memoryview(data).nbytes
        self.bytes += count
        return count


def pickled_bytes(thing: object) -> int | None:
    """The pickled size of an object; None if it cannot be pickled.

    >>> pickled_bytes([1, 2]) == len(pickle.dumps([1, 2], pickle.HIGHEST_PROTOCOL))
    True
    """
    file = _Counter()
    try:
        pickle.Pickler(file, pickle.HIGHEST_PROTOCOL).dump(thing)
    except Exception:  # a foreign object may raise anything
        return None
    return file.bytes
