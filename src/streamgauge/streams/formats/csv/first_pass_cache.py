"""Cache of the rows parsed while a file was opened, so that the first pass need not parse again.

Its size is bounded.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

import pyarrow as pa

from streamgauge._support.file_stamp import FileStamp
from streamgauge.streams.formats.csv.chunk import Chunk

MAX_BYTES = 1 << 25  # of cells


class FirstPassCache:
    """The first chunks of a file, as of the time it was opened."""

    def __init__(self, stamp: FileStamp) -> None:
        self._stamp = stamp
        self._chunks: list[Chunk] = []
        self._free = 0 if stamp.is_recent else MAX_BYTES
        self._rows = 0

    def add(self, chunk: Chunk | pa.RecordBatch) -> None:
        """Keep the next chunk if it fits and no earlier chunk was left out."""
        if isinstance(chunk, Chunk) and chunk.nbytes <= self._free:
            self._chunks.append(chunk)
            self._free -= chunk.nbytes
            self._rows += chunk.num_rows
        else:
            self._free = 0

    def spares_reading(self, rows: int) -> bool:
        """Return whether chunks are left, or it held the whole file, of `rows` rows."""
        return bool(self._chunks) or self._rows == rows

    def take(self, columns: Collection[str]) -> Iterator[Chunk]:
        """Yield the chunks and forget them; none if the columns have changed."""
        chunks = self._chunks
        if any(chunk.columns != columns for chunk in chunks):
            chunks.clear()
            self._rows = 0
            return
        chunks.reverse()
        while chunks:
            self._stamp.check()
            yield chunks.pop()
        self._stamp.check()
