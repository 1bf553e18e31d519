"""How much memory is available, and the error where a stream needs more."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from streamgauge._support.errors import UsageError

_UNKNOWN = 1 << 62
_MEMINFO = Path("/proc/meminfo")  # Linux only
_LARGE = 1 << 26  # bytes that are had without asking


def free_memory() -> int:
    """Bytes available without ending other programs; a huge number if that is unknown.

    >>> free_memory() > 0
    True
    """
    with suppress(OSError, ValueError, IndexError):
        for line in _MEMINFO.read_text(encoding="ascii").splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    return _UNKNOWN


def check_memory(n_bytes: int, what: str, expected: str) -> None:
    """Raise UsageError if a table does not fit: the system would kill the process while it works.

    >>> check_memory(10**18, "ESN(): 9 × 9 numbers", "fewer features")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    streamgauge._support.errors.UsageError: ESN(): 9 × 9 numbers take 1,000,000,000.0 GB of ...
    """
    if n_bytes > _LARGE and n_bytes > (free := free_memory()):
        raise UsageError(
            f"{what} take {n_bytes / 1e9:,.1f} GB of memory, of which {free / 1e9:,.1f} GB are "
            f"free; expected {expected}"
        )
