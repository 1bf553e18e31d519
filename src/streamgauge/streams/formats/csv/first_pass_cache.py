"""Rows parsed when a file was opened, kept for its first pass: never stale, never many."""

from __future__ import annotations

import os
import time
from collections.abc import Collection, Iterator
from pathlib import Path

import pyarrow as pa

from streamgauge._support.errors import InputError
from streamgauge.streams.formats.csv.chunk import Piece

ROOM = 1 << 25  # bytes of cells
_SETTLED = 2_000_000_000  # ns: the coarsest clock by which a file system tells that a file changed


class Held:
    """The first pieces of a file, as it was when this was made."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._stamp = _stamp(path)
        self._pieces: list[Piece] = []
        self._room = ROOM if time.time_ns() - max(self._stamp[2:]) > _SETTLED else 0

    def offer(self, piece: Piece | pa.RecordBatch) -> None:
        """The next piece: kept if there is room for it and were all before it."""
        if isinstance(piece, Piece) and piece.nbytes <= self._room:
            self._pieces.append(piece)
            self._room -= piece.nbytes
        else:
            self._room = 0

    def pieces(self, columns: Collection[str]) -> Iterator[Piece]:
        """Once, if they have these columns and the file has not changed."""
        pieces, self._pieces = self._pieces[::-1], []
        if _stamp(self._path) != self._stamp or any(piece.columns != columns for piece in pieces):
            return
        while pieces:
            yield pieces.pop()
        if _stamp(self._path) != self._stamp:
            raise InputError(f"{self._path}: changed while it was read; read it again")


def _stamp(path: Path) -> tuple[int, int, int, int]:
    """What changes with a file."""
    found = os.stat(path)
    return found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns
