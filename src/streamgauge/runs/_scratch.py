"""A hidden scratch directory, removed with the object that made it."""

from __future__ import annotations

import shutil
import tempfile
import weakref
from pathlib import Path


class Scratch:
    """A directory on the target's file system, so that moving a file out of it is one rename.

    Unlike a TemporaryDirectory it gives no warning if it is dropped, e.g. after a failed save.
    """

    def __init__(self, folder: str | Path) -> None:
        Path(folder).mkdir(parents=True, exist_ok=True)
        self.path = Path(tempfile.mkdtemp(prefix=".writing-", dir=folder))
        self.clear = weakref.finalize(self, shutil.rmtree, self.path, ignore_errors=True)
