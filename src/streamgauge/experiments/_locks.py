"""Claims: files that a living program holds, and that its death sets free at once.

The operating system's lock on an open file, which ends with the process, however it ends. Where
there is none (Windows, some network disks) every claim is granted, and work may be done twice.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]


class Claim:
    """A claimed file; released, it is gone."""

    def __init__(self, path: Path, handle: int) -> None:
        self._path, self._handle = path, handle

    def write(self, text: bytes) -> None:
        """Say something in it."""
        os.write(self._handle, text)

    def release(self) -> None:
        """Let others have it."""
        self._path.unlink(missing_ok=True)  # before the lock ends: whoever waits for it looks again
        os.close(self._handle)


def take(path: Path) -> Claim | None:
    """Claim a file; None if somebody alive holds it."""
    while True:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o644)
        if fcntl is not None:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                os.close(handle)
                return None
            except OSError:  # a disk that knows no locks
                return Claim(path, handle)
        with contextlib.suppress(FileNotFoundError):
            if os.stat(path).st_ino == os.fstat(handle).st_ino:
                return Claim(path, handle)
        os.close(handle)  # it was released, and gone, between opening and locking


def is_held(path: Path) -> bool:
    """Does somebody alive hold it? Only looks."""
    try:
        handle = os.open(path, os.O_RDONLY)
    except OSError:
        return False
    try:
        if fcntl is not None:
            fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return True  # no way to tell: as the file says
    finally:
        os.close(handle)
    return fcntl is None
