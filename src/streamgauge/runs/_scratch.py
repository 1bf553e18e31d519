"""A hidden directory to write in, beside the later place; it goes with whoever made it."""

from __future__ import annotations

import shutil
import tempfile
import weakref
from pathlib import Path


class Scratch:
    """So that moving what is in it is one rename. Unlike tempfile's, silent when it is forgotten:
    an evaluation that fails to save its runs drops them as they are."""

    def __init__(self, folder: str | Path) -> None:
        Path(folder).mkdir(parents=True, exist_ok=True)
        self.path = Path(tempfile.mkdtemp(prefix=".writing-", dir=folder))
        self.clear = weakref.finalize(self, shutil.rmtree, self.path, ignore_errors=True)
