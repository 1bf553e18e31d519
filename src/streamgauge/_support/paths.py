"""Paths that come from texts, and may be none."""

from __future__ import annotations

import os
from pathlib import Path

from streamgauge._support.errors import UsageError


def exists(path: Path) -> bool:
    """Whether there is such a file or folder; no file has a name that is too long or holds NUL."""
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def check_path(path: str | Path, utf8: bool = False) -> Path:
    """The path; an error in words if no file can have it, or Arrow, which needs UTF-8, cannot."""
    try:
        possible = b"\0" not in (str(path).encode() if utf8 else os.fsencode(path))
    except UnicodeEncodeError:
        possible = False
    if not possible:
        raise UsageError(
            f"{str(path)!r} cannot be a path: it has a null character, or one that is not valid "
            "Unicode; expected the path of a file or folder"
        )
    return Path(path)
