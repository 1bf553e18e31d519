"""Files that must stay the same while they are read: regular ones, and what tells a change."""

from __future__ import annotations

import errno
import os
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedReader
from pathlib import Path

from streamgauge._support.errors import InputError

_KINDS = (
    (stat.S_ISFIFO, "a named pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)
_COARSEST_NS = 2_000_000_000  # the coarsest modification time of a file system


def check_regular_file(path: Path, expected: str) -> os.stat_result:
    """Raise an error unless the path is a file that can be read repeatedly.

    Opening a named pipe would block until another process writes to it.

    Parameters
    ----------
    path
        The path.
    expected
        What kind of file is expected, for error messages.
    """
    try:
        found = os.stat(path)
    except (FileNotFoundError, NotADirectoryError):
        raise InputError(f"no such file: {path}; expected {expected}") from None
    except (OSError, ValueError) as error:  # e.g. no permission, a null byte, a name too long
        raise InputError(f"{str(path)!r}: cannot be read: {error}; expected {expected}") from None
    if stat.S_ISDIR(found.st_mode):
        raise InputError(f"{path} is a folder; expected a file in it: {expected}")
    if not stat.S_ISREG(found.st_mode):
        kind = next((name for is_kind, name in _KINDS if is_kind(found.st_mode)), "special")
        raise InputError(
            f"{path} is {kind}; expected a file, which can be read more than once: save the data "
            "to a file first"
        )
    return found


@contextmanager
def open_regular(path: Path) -> Iterator[BufferedReader]:
    """Open a file of a store for reading; OSError if it is a pipe or a device, which may not end.

    >>> with open_regular(Path("/dev/null")) as file:
    ...     pass
    Traceback (most recent call last):
    ...
    OSError: [Errno 22] not a regular file: '/dev/null'
    """
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise OSError(errno.EINVAL, "not a regular file", str(path))
    with os.fdopen(handle, "rb") as file:
        yield file


def read_regular(path: Path) -> bytes:
    """The content of a file of a store; see `open_regular`."""
    with open_regular(path) as file:
        return file.read()


class FileStamp:
    """A file as of the time it was opened; `check` raises an error if it has changed since.

    Parameters
    ----------
    path
        The file.
    expected
        What kind of file is expected, for error messages.
    """

    def __init__(self, path: Path, expected: str = "a file") -> None:
        self.path = path
        self.file = path.absolute()  # stays valid if the working directory changes
        self._stamp = _stamp(check_regular_file(path, expected))

    def check(self) -> None:
        """Raise an error if the file was written, replaced or removed."""
        try:
            now = _stamp(os.stat(self.file))
        except OSError as error:
            raise InputError(
                f"{self.path}: the file is gone: {error.strerror}; expected it to stay as it was "
                "when it was opened: put it back and read it again"
            ) from None
        if now != self._stamp:
            before, after = self._stamp[1], now[1]
            size = f" from {before:,} to {after:,} bytes" if before != after else ""
            raise InputError(
                f"{self.path}: the file has changed{size} since it was opened; expected the same "
                "rows in every pass: read it again once it is complete"
            )

    @property
    def is_recent(self) -> bool:
        """Whether the file could change again without a new modification time."""
        return time.time_ns() - max(self._stamp[2:]) <= _COARSEST_NS


def _stamp(found: os.stat_result) -> tuple[int, int, int, int]:
    """Return what changes when a file is written; the second is its size."""
    return found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns
