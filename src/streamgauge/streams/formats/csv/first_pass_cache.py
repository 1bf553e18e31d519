"""Cache of the rows parsed while a file was opened, so that the first pass need not parse again.

Its size is bounded, and it is not used if the file has changed.
"""

from __future__ import annotations

import os
import time
from collections.abc import Collection, Iterator
from pathlib import Path

import pyarrow as pa

from streamgauge._support.errors import InputError
from streamgauge.streams.formats.csv.chunk import Chunk

MAX_BYTES = 1 << 25  # of cells
_MIN_AGE_NS = 2_000_000_000  # the coarsest modification time of a file system


class FirstPassCache:
    """The first chunks of a file, as of the time the cache was made."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._stamp = _stamp(path)
        self._chunks: list[Chunk] = []
        # A file changed just now could change again without a new modification time.
        self._free = MAX_BYTES if time.time_ns() - max(self._stamp[2:]) > _MIN_AGE_NS else 0

    def add(self, chunk: Chunk | pa.RecordBatch) -> None:
        """Keep the next chunk if it fits and no earlier chunk was left out."""
        if isinstance(chunk, Chunk) and chunk.nbytes <= self._free:
            self._chunks.append(chunk)
            self._free -= chunk.nbytes
        else:
            self._free = 0

    def take(self, columns: Collection[str]) -> Iterator[Chunk]:
        """Yield the chunks and forget them; none if the file or the columns have changed."""
        chunks, self._chunks = self._chunks[::-1], []
        if _stamp(self._path) != self._stamp or any(chunk.columns != columns for chunk in chunks):
            return
        while chunks:
            yield chunks.pop()
        if _stamp(self._path) != self._stamp:
            raise InputError(f"{self._path}: the file changed during the pass; read it again")


def _stamp(path: Path) -> tuple[int, int, int, int]:
    """Return what changes when a file is written."""
    found = os.stat(path)
    return found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns
