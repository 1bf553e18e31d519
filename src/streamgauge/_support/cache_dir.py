"""The cache folder, for files that streamgauge can make or download again."""

from __future__ import annotations

import os
import tempfile
from functools import cache
from pathlib import Path


def cache_dir() -> Path:
    """The cache folder; the environment variable STREAMGAUGE_CACHE overrides the default."""
    if chosen := os.environ.get("STREAMGAUGE_CACHE"):
        return Path(chosen)
    if base := os.environ.get("XDG_CACHE_HOME"):
        return Path(base) / "streamgauge"
    try:
        return Path.home() / ".cache" / "streamgauge"
    except RuntimeError:  # a user without a home; a shared folder could hold another user's code
        return Path(os.devnull) / "streamgauge"


@cache
def is_writable(folder: Path) -> bool:
    """Whether files can be made in a folder, which is made if it is missing.

    Tried, not asked: the disk may be full, and root may write anywhere.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
    except OSError:
        return False
    return True
