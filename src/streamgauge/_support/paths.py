"""Paths that come from texts, and may be none."""

from __future__ import annotations

from pathlib import Path


def exists(path: Path) -> bool:
    """Whether there is such a file or folder; no file has a name that is too long or holds NUL."""
    try:
        return path.exists()
    except (OSError, ValueError):
        return False
