"""The cache folder, for files that streamgauge can make or download again."""

from __future__ import annotations

import os
from pathlib import Path


def cache_dir() -> Path:
    """The cache folder; the environment variable STREAMGAUGE_CACHE overrides the default."""
    if chosen := os.environ.get("STREAMGAUGE_CACHE"):
        return Path(chosen)
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "streamgauge"
