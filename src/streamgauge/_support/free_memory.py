"""How much memory can still be had."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

_UNKNOWN = 1 << 62
_MEMINFO = Path("/proc/meminfo")  # Linux only


def free_memory() -> int:
    """Bytes that can be had without ending other programs; a huge number if that is not known.

    >>> free_memory() > 0
    True
    """
    with suppress(OSError, ValueError, IndexError):
        for line in _MEMINFO.read_text(encoding="ascii").splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    return _UNKNOWN
