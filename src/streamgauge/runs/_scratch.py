"""A hidden scratch directory, removed with the object that made it."""

from __future__ import annotations

import shutil
import tempfile
import weakref
from pathlib import Path

from streamgauge._support.inside import Inside
from streamgauge._support.paths import check_path


class ScratchDirectory:
    """A directory on the target's file system, so that moving a file out of it is one rename.

    Unlike a TemporaryDirectory it gives no warning if it is dropped, e.g. after a failed save.
    """

    def __init__(self, folder: str | Path) -> None:
        place = Inside(check_path(folder, utf8=True)).make()
        self.path = Path(tempfile.mkdtemp(prefix=".writing-", dir=place.path))
        self.clear = weakref.finalize(self, shutil.rmtree, self.path, ignore_errors=True)
