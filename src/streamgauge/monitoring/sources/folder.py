"""A folder to which complete files are added; each file is read once, in the order of the names."""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from streamgauge._support.errors import InputError, StreamgaugeError
from streamgauge.monitoring.sources.base import Source
from streamgauge.monitoring.sources.growing_file import LineFile
from streamgauge.streams.formats.file_format import RowFile, endings_of, format_of, line_parser
from streamgauge.streams.formats.pieces import Piece, no_rows

_NO_FILE = -1  # the size of a folder, a pipe, a link to nothing
_LONG_LOOK = 0.01  # seconds; a folder of many files, whose sizes take
_SHARE = 20  # at most a twentieth of the time


class Folder(Source):
    """The lines of all files in a folder.

    Files appear under their name when they are complete: write them aside and rename them. Names
    that begin with "." or "_" or end in .tmp or .part are not read. A file that grows after it was
    read is read on; one that has another size and other bytes is another file. A file that cannot
    be read counts as a line, once, and is tried again when its size has changed.

    Parameters
    ----------
    columns
        The columns to read.
    home
        The folder that the path is relative to.
    path
        The folder; files of all formats that a monitor reads are read from it.
    """

    movable = ("path",)

    def __init__(self, columns: Sequence[str], home: Path, *, path: str) -> None:
        self._path, self._columns = home / path, columns
        self.name = str(self._path)
        self._endings = frozenset(endings_of("lines") + endings_of("rows"))
        # By name: the size, where reading ended (None: it could not be read), whether in the middle
        self._files: dict[str, dict[str, Any]] = {}
        self._queue: list[str] = []  # names of files to read, the next one last
        self._current: RowFile | None = None
        self._current_name, self._size = "", 0
        self._replaced = 0
        self._look_after = 0.0

    @property
    def position(self) -> dict[str, Any]:
        """How far each file has been read."""
        if self._current is None:
            return dict(self._files)
        now = {"size": self._size, "position": self._current.position, "partly": True}
        return self._files | {self._current_name: now}

    def seek(self, position: Mapping[str, Any]) -> None:
        """Go on from an earlier position."""
        self._files = dict(position)
        self._queue = [name for name, each in self._files.items() if each["partly"]]

    def read(self) -> Piece | None:
        """The next lines; None if there is no new file."""
        while self._current is not None or self._open_next():
            try:
                if self._current is None:
                    self._open()
                assert self._current is not None
                piece = self._current.read()
                if piece is None:
                    self._finish(self._current.position)
            except (StreamgaugeError, OSError) as error:
                piece = self._give_up(error)
            if piece is not None:
                replaced, self._replaced = self._replaced, 0
                return replace(piece, replaced=piece.replaced + replaced)
        return None

    def _open_next(self) -> bool:
        """Whether there is a file to open."""
        self._queue = self._queue or sorted(self._changed(), reverse=True)
        if self._queue:
            self._current_name = self._queue.pop()
            return True
        return False

    def _changed(self) -> Iterator[str]:
        """Files that have not been read as they are now."""
        began = time.monotonic()
        look = began >= self._look_after  # at the sizes of files that have been read
        try:
            names = os.listdir(self._path)
        except OSError:  # it may appear later
            return
        for name in names:
            if (
                os.path.splitext(name)[1].lower() in self._endings
                and not name.startswith((".", "_"))
                and (
                    name not in self._files
                    or (look and self._files[name]["size"] != self._size_of(name))
                )
            ):
                yield name
        took = time.monotonic() - began
        if look and took > _LONG_LOOK:
            self._look_after = began + _SHARE * took

    def _size_of(self, name: str) -> int:
        try:
            found = os.stat(f"{self._path}/{name}")
        except OSError:
            return _NO_FILE
        return found.st_size if stat.S_ISREG(found.st_mode) else _NO_FILE

    def _open(self) -> None:
        name, path = self._current_name, self._path / self._current_name
        before = self._files.get(name, {"position": None, "partly": False})
        self._size = self._size_of(name)
        if self._size == _NO_FILE:
            raise InputError(f"{path}: a folder, a pipe or a link to nothing; expected a file")
        form = format_of(path)
        assert form is not None
        if form.rows is None:
            parser = line_parser(form, self._columns, str(path))
            self._current = LineFile(path, parser, whole=True)
        else:
            self._current = form.rows(path, self._columns)
            if before["position"] and not (before["partly"] and before["size"] == self._size):
                self._replaced, before = 1, {"position": None}
        if before["position"] is not None:
            self._current.seek(before["position"])

    def _finish(self, position: dict[str, Any] | None) -> None:
        """Note how far the current file has been read."""
        size = self._size if position is None else position.get("bytes", self._size)
        self._files[self._current_name] = {"size": size, "position": position, "partly": False}
        self.close()

    def _give_up(self, error: Exception) -> Piece | None:
        """Leave a file out; None if that was said before, or the file has only just gone."""
        before, path = self._files.get(self._current_name), self._path / self._current_name
        if not os.path.lexists(path) and not (before and before["partly"]):
            self.close()
            return None
        self._finish(None)
        known = before is not None and before["position"] is None
        text = error.strerror if isinstance(error, OSError) else str(error)
        return None if known else no_rows(str(path), self._columns, f"{path}: {text}")

    def close(self) -> None:
        """Close the current file."""
        if self._current is not None:
            self._current.close()
            self._current = None
