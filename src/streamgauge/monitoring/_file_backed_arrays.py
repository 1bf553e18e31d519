"""Arrays in memory or, beyond a bound, in files: the system keeps what is in use in memory."""

from __future__ import annotations

import mmap
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True)
class FileBackedArrays:
    """Makes arrays of a row per waiting prediction.

    Parameters
    ----------
    folder
        Where the files are. They have no name, and are gone with the process.
    rows
        The most rows of an array in memory.
    """

    folder: Path
    rows: int

    def empty(self, shape: tuple[int, ...], kind: npt.DTypeLike) -> npt.NDArray[Any]:
        """An array of any content."""
        size = int(np.prod(shape, dtype=np.int64)) * np.dtype(kind).itemsize
        if shape[0] <= self.rows or not size:
            return np.empty(shape, kind)
        with tempfile.TemporaryFile(dir=self.folder) as file:
            file.truncate(size)
            return np.ndarray(shape, kind, mmap.mmap(file.fileno(), size))

    def copy(self, array: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """The array itself if it is small enough, else a copy in a file."""
        if len(array) <= self.rows:
            return array
        copied = self.empty(array.shape, array.dtype)
        copied[:] = array
        return copied
