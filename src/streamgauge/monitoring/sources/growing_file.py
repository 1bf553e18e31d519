"""A text file that another program appends to; the last line waits until it is complete."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, BinaryIO

from streamgauge._support.errors import InputError
from streamgauge.monitoring.sources.base import PIECE_BYTES, Piece
from streamgauge.monitoring.sources.lines import Parser, header_of, resume_header

_CHECKED = 4096  # bytes at the start and before the position, by which a file is known again


class GrowingFile:
    """The lines of one file, as they are appended.

    Parameters
    ----------
    path
        The file; it may not exist yet.
    parser
        How lines become columns.
    whole
        Whether the file is complete: then its last line needs no line break.
    """

    def __init__(self, path: Path, parser: Parser, whole: bool = False) -> None:
        self.name = str(path)
        self._path, self._parser, self._whole = path, parser, whole
        self._at = 0  # bytes given so far
        self._lines = 0
        self._head, self._tail = b"", b""
        self.ended = False

    @property
    def position(self) -> dict[str, Any]:
        """The bytes and lines given so far, and hashes of their beginning and end."""
        return {
            "bytes": self._at,
            "lines": self._lines,
            "header": header_of(self._parser),
            "head": hashlib.sha256(self._head).hexdigest(),
            "tail": hashlib.sha256(self._tail).hexdigest(),
        }

    def seek(self, position: Mapping[str, Any]) -> None:
        """Go on from an earlier position, if the file still has the same bytes before it."""
        self._at, self._lines = position["bytes"], position["lines"]
        resume_header(self._parser, position["header"])
        if not self._at:
            return
        if not self._path.exists():
            raise InputError(
                f"{self.name}: the file is gone, after {self._at:,} bytes of it were read; put it "
                "back, or start again with an empty state folder"
            )
        self._check_size()
        with self._path.open("rb") as file:
            self._head = file.read(min(_CHECKED, self._at))
            file.seek(max(0, self._at - _CHECKED))
            self._tail = file.read(min(_CHECKED, self._at))
        found = self.position
        if found["head"] != position["head"] or found["tail"] != position["tail"]:
            raise InputError(
                f"{self.name}: the file was replaced: its first {self._at:,} bytes are not those "
                "that were read before; put the old file back, or start again with an empty state "
                "folder. For logs that are rotated, name their folder instead of one file"
            )

    def read(self) -> Piece | None:
        """The next whole lines; None if there are none now."""
        if not self._path.exists():
            return None
        self._check_size()
        with self._path.open("rb") as file:
            data, end = self._next_lines(file)
        if not end and self._whole:
            end = len(data)
        if self._whole and end == 0:
            self.ended = True
        if not end:
            return None
        text = data[:end]
        piece = self._parser.parse(text, self._lines + 1)
        self._at += end
        self._lines += piece.lines + (self._lines == 0 and header_of(self._parser) is not None)
        if len(self._head) < _CHECKED:
            self._head = (self._head + text)[:_CHECKED]
        self._tail = (self._tail + text[-_CHECKED:])[-_CHECKED:]
        return piece

    def _next_lines(self, file: BinaryIO) -> tuple[bytes, int]:
        """The bytes after the position, and where the last whole line in them ends."""
        size = PIECE_BYTES
        while True:
            file.seek(self._at)
            data = file.read(size)
            end = data.rfind(b"\n") + 1
            if end or len(data) < size:
                return data, end
            size *= 2  # a line longer than the piece

    def _check_size(self) -> None:
        size = os.stat(self._path).st_size
        if size < self._at:
            raise InputError(
                f"{self.name}: the file shrank to {size:,} bytes, but {self._at:,} were read; it "
                "was cut or replaced. Put the old file back, or start again with an empty state "
                "folder. For logs that are rotated, name their folder instead of one file"
            )

    def close(self) -> None:
        """Nothing is open between two reads."""
