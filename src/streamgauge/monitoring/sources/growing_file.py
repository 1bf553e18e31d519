"""A text file that another program appends to; the last line waits until it is complete."""

from __future__ import annotations

import hashlib
import os
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from streamgauge._support.errors import UsageError
from streamgauge._support.file_stamp import open_regular
from streamgauge.monitoring.sources.base import Source
from streamgauge.streams.formats.file_format import (
    endings_of,
    format_named,
    format_of,
    line_parser,
)
from streamgauge.streams.formats.pieces import LineParser, Piece, no_rows

PIECE_BYTES = 1 << 22  # read at a time
_CHECKED = 4096  # bytes before the position, by which a file is known again
LONGEST_LINE = 1 << 26  # bytes; a longer one is not kept in memory


class LineFile:
    """The lines of one file, as they are appended.

    The file stays open, so that what was appended before it was renamed is read, too. At every read
    the bytes before the position have to be those that were read: otherwise it is another file,
    which is read from its start.

    Parameters
    ----------
    path
        The file; it may not exist yet.
    parser
        How lines become columns.
    whole
        Whether the file is complete: then its last line needs no line break, and OSError is raised
        if it cannot be read.
    """

    def __init__(self, path: Path, parser: LineParser, whole: bool = False) -> None:
        self.name = str(path)
        self._path, self._parser, self._whole = path, parser, whole
        self._file: int | None = None  # a handle
        self._close: Callable[[], object] | None = None
        self._identity: list[int] | None = None  # of the file that was opened last
        self._sought: dict[str, Any] | None = None  # a position that has not been found again yet
        self._at = 0  # bytes given so far
        self._lines = 0
        self._tail = b""  # the last of these bytes
        self._too_long = False  # whether they end within a line that is left out
        self._changes: list[str] = []  # how the file became another one, since the last piece
        self._left_out: list[str] = []  # lines that no parser gets, since then
        self._trouble = ""
        self.ended = False

    @property
    def position(self) -> dict[str, Any]:
        """The bytes and lines given so far, and what tells the file from others."""
        if self._sought is not None:
            return self._sought
        return {
            "bytes": self._at,
            "lines": self._lines,
            "header": self._parser.header,
            "file": self._identity,
            "tail": _digest(self._tail),
            "too_long": self._too_long,
        }

    def seek(self, position: Mapping[str, Any]) -> None:
        """Go on from an earlier position, once the file is found again."""
        self._sought = dict(position)
        if position["header"] is not None:
            self._parser.start(position["header"])

    def read(self) -> Piece | None:
        """The next whole lines; None if there are none now."""
        trouble, self._trouble = self._trouble, ""
        try:
            return self._read()
        except FileNotFoundError:
            if self._whole:
                raise
            if self._sought is None or not self._sought["bytes"]:
                return None
            self._trouble = f"{self.name}: the file is gone, after a part of it was read"
            piece = no_rows(self.name, self._parser.columns, remark=self._trouble)
        except OSError as error:
            if self._whole:
                raise
            self._trouble = f"{self.name}: cannot be read: {error.strerror or error}"
            piece = no_rows(self.name, self._parser.columns, trouble=self._trouble)
        return None if self._trouble == trouble else piece

    def _read(self) -> Piece | None:
        if self._file is None:
            self._open()
        data = self._next_lines()
        if not data and self._has_moved():
            data = self._next_lines()
        if not data and self._whole and self._too_long:
            self._end_long_line()
        if not (data or self._changes or self._left_out):
            self.ended = self._whole
            return None
        piece = no_rows(self.name, self._parser.columns)
        if data:
            piece = self._parser.parse(data, self._lines + 1)
        self._lines += data.count(b"\n") + (bool(data) and not data.endswith(b"\n"))
        self._pass(data)
        changes, self._changes = self._changes, []
        left_out, self._left_out = self._left_out, []
        return replace(
            piece,
            lines=piece.lines + len(left_out),
            unreadable=piece.unreadable + len(left_out),
            examples=left_out + piece.examples,
            replaced=len(changes),
            remarks=changes,
        )

    def _pass(self, data: bytes) -> None:
        self._at += len(data)
        self._tail = (self._tail + data[-_CHECKED:])[-_CHECKED:]

    def _open(self) -> None:
        """Open the file at the position that is sought; FileNotFoundError if there is none."""
        sought = self._sought
        if sought is None or sought["file"] is None:
            self._use(self._path)
        elif not any(self._resume(path, sought) for path in self._candidates(sought["file"])):
            self._use(self._path)
            self._at = sought["bytes"]
            self._begin_again()
        self._sought = None

    def _candidates(self, identity: list[int]) -> Iterator[Path]:
        """Where the file may be: under its name, or under another one beside it."""
        with os.scandir(self._path.parent) as entries:
            beside = [Path(each.path) for each in entries if identity == _identity(_stat(each))]
        yield from beside
        if self._path not in beside:
            yield self._path

    def _resume(self, path: Path, sought: Mapping[str, Any]) -> bool:
        """Go on in a file, if it has the bytes that were read."""
        at = sought["bytes"]
        try:
            self._use(path)
        except OSError:
            return False
        tail = self._bytes(max(0, at - _CHECKED), min(at, _CHECKED))
        if _digest(tail) != sought["tail"]:
            return False
        self._at, self._lines, self._tail = at, sought["lines"], tail
        self._too_long = sought["too_long"]
        return True

    def _use(self, path: Path) -> None:
        self.close()
        with open_regular(path) as file:
            self._file = os.dup(file.fileno())
        self._close = weakref.finalize(self, os.close, self._file)
        self._identity = _identity(os.fstat(self._file))

    def _bytes(self, start: int, size: int) -> bytes:
        """Some bytes of the file as it is now; those in a buffer would be older."""
        assert self._file is not None
        os.lseek(self._file, start, os.SEEK_SET)
        return os.read(self._file, size)

    def _after(self, size: int) -> bytes | None:
        """Bytes after the position; None if those before it are not the ones that were read."""
        data = self._bytes(self._at - len(self._tail), len(self._tail) + size)
        return data[len(self._tail) :] if data.startswith(self._tail) else None

    def _next_lines(self) -> bytes:
        size = PIECE_BYTES
        while True:
            data = self._after(size)
            if data is None:
                self._begin_again()
                continue
            if self._too_long and data:
                end = data.find(b"\n") + 1
                self._pass(data[:end] if end else data)
                if end:
                    self._end_long_line()
                continue
            end = data.rfind(b"\n") + 1
            if not end and len(data) < size and self._whole:
                end = len(data)
            if end or len(data) < size:
                return data[:end]
            self._too_long = size >= LONGEST_LINE
            size *= 2  # a line longer than the piece

    def _end_long_line(self) -> None:
        self._lines += 1
        self._left_out.append(
            f"{self.name}, line {self._lines:,}: longer than {LONGEST_LINE >> 20} MB"
        )
        self._too_long = False

    def _has_moved(self) -> bool:
        """Whether another file has the name by now, and something in it; that one is then read."""
        try:
            now = os.stat(self._path)
        except FileNotFoundError:
            return False
        if not now.st_size or _identity(now) == self._identity:
            return False
        rest = self._after(PIECE_BYTES)
        self._use(self._path)
        if self._after(0) is None:
            if rest:
                self._left_out.append(
                    f"{self.name}, line {self._lines + 1:,}: no end before the file was replaced"
                )
            self._begin_again()
        return True

    def _begin_again(self) -> None:
        self._changes.append(
            f"{self.name}: the file was cut or replaced after {self._at:,} bytes of it were read; "
            "the new one is read from its start"
        )
        self._at, self._lines, self._tail, self._too_long = 0, 0, b"", False

    def close(self) -> None:
        """Close the file."""
        if self._close is not None:
            self._close()
        self._file = self._close = None


class GrowingFile(LineFile, Source):
    """The lines of a file as they are appended, in any format that has lines.

    Parameters
    ----------
    columns
        The columns to read.
    home
        The folder that the path is relative to.
    path
        The file; it may not exist yet.
    format
        Its format, by default by the ending of its name.
    """

    movable = ("path",)

    def __init__(
        self, columns: Sequence[str], home: Path, *, path: str, format: str | None = None
    ) -> None:
        place = home / path
        found = format_of(place) if format is None else format_named(format)
        if found is None:
            raise UsageError(
                f"{path}: expected a file that grows line by line "
                f"({', '.join(endings_of('lines'))}), a folder, or '-' for standard input; say "
                "format = 'csv'"
            )
        if place.exists() and not place.is_file():
            raise UsageError(
                f"{path}: expected a file or a folder, found a pipe or a device; name '-' and send "
                "the lines to standard input"
            )
        super().__init__(place, line_parser(found, columns, str(place)))


def _stat(entry: os.DirEntry[str]) -> os.stat_result | None:
    try:
        return entry.stat()
    except OSError:
        return None


def _identity(found: os.stat_result | None) -> list[int] | None:
    return None if found is None else [found.st_dev, found.st_ino]


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:16]
