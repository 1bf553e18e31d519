"""The `kernel` decorator: numba's njit with an on-disk cache that cannot go stale.

numba looks only at the file a kernel stands in, so an edit in another file that the kernel calls
or takes a constant from would go unnoticed. The cache directory is therefore named after a hash of
all sources of the package.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import ParamSpec, TypeVar, cast

import numba

P = ParamSpec("P")
R = TypeVar("R")

_KEPT_VERSIONS = 4


def cache_home() -> Path:
    """Where streamgauge keeps what it can make or fetch again (STREAMGAUGE_CACHE overrides)."""
    if chosen := os.environ.get("STREAMGAUGE_CACHE"):
        return Path(chosen)
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "streamgauge"


def source_hash(package: Path) -> str:
    """A hash of every source file below `package`."""
    digest = hashlib.sha256()
    for path in sorted(package.rglob("*.py")):
        digest.update(str(path.relative_to(package)).encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


@cache
def kernel_cache() -> Path:
    """The cache directory of exactly these kernels; older versions are swept away."""
    package = Path(__file__).parent
    # The package's place is part of the name: two checkouts must not fight over one index.
    place = hashlib.sha256(str(package).encode()).hexdigest()[:8]
    home = cache_home() / "kernels" / place
    mine = home / source_hash(package)
    try:
        mine.mkdir(parents=True, exist_ok=True)
        os.utime(mine)
        versions = sorted(home.iterdir(), key=lambda path: path.stat().st_mtime, reverse=True)
        for old in versions[_KEPT_VERSIONS:]:
            shutil.rmtree(old, ignore_errors=True)
    except OSError:
        pass  # a read-only home: numba then compiles anew in every process
    return mine


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a top-level function of arrays; division follows IEEE, not Python."""
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(kernel_cache())  # read at decoration; other packages keep theirs
    try:
        return cast(Callable[P, R], numba.njit(cache=_cacheable(), error_model="numpy")(function))
    finally:
        numba.config.CACHE_DIR = before


@cache
def _cacheable() -> bool:
    return os.access(kernel_cache(), os.W_OK)
