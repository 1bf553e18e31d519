"""Locked files: the operating system releases the lock when the process ends.

Where file locks do not exist (Windows, some network disks), every lock is granted, so two programs
may run the same cell.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from streamgauge._support.inside import Inside

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]


class Lock:
    """A locked file; releasing the lock removes the file."""

    def __init__(self, place: Inside, handle: int) -> None:
        self._place, self._handle = place, handle

    def write(self, text: bytes) -> None:
        """Write into the locked file."""
        os.write(self._handle, text)

    def release(self) -> None:
        """Remove the file and release the lock."""
        self._place.unlink()  # before unlocking: a waiting process looks again
        os.close(self._handle)


def acquire(place: Inside) -> Lock | None:
    """Lock a file; None if a running process holds it."""
    while True:
        handle = place.descriptor(os.O_RDWR | os.O_CREAT)
        if fcntl is not None:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                os.close(handle)
                return None
            except OSError:  # the disk does not support locks
                return Lock(place, handle)
        with contextlib.suppress(FileNotFoundError):
            if place.stat().st_ino == os.fstat(handle).st_ino:
                return Lock(place, handle)
        os.close(handle)  # released and removed between opening and locking


def is_locked(path: Path) -> bool:
    """Check whether a running process holds the lock, without acquiring it."""
    try:
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))  # may be a pipe
    except OSError:
        return False
    try:
        if fcntl is not None:
            fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return True  # locks are not supported: trust that the file exists
    finally:
        os.close(handle)
    return fcntl is None
