"""The `kernel` decorators: numba's njit with an on-disk cache that cannot go stale.

numba checks only the file that defines a kernel, so it would miss an edit in another file that the
kernel calls or takes a constant from. The cache directory is therefore named after a hash of that
file and of all files of the package that it imports, directly or not.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, ParamSpec, TypeVar, cast

import numba

from streamgauge._support import compile_message as _listening  # noqa: F401 - to numba
from streamgauge._support import numba_hooks
from streamgauge._support.cache_dir import cache_dir, is_writable
from streamgauge._support.checked_cache import check_cache
from streamgauge._support.inside import Inside, LinkError

P = ParamSpec("P")
R = TypeVar("R")

_KEPT_VERSIONS = 4
_PACKAGE = Path(__file__).parents[1]
_IMPORT = re.compile(
    rf"^[ \t]*(?:from|import)[ \t]+{_PACKAGE.name}\b([\w.]*)"
    r"(?:[ \t]+import[ \t]+(\([^)]*\)|[^\n]*))?",
    re.MULTILINE,
)


@cache
def _imported(source: Path) -> frozenset[Path]:
    """The package's files that a file imports, and those that an ambiguous import may refer to."""
    found = set()
    for module, names in _IMPORT.findall(source.read_text(encoding="utf-8")):
        path = _PACKAGE.joinpath(*module.strip(".").split("."))
        candidates = [path, *(path / name for name in re.findall(r"\w+", names))]
        found |= {each.with_suffix(".py") for each in candidates}
        found.add(path / "__init__.py")
    return frozenset(each for each in found if each.is_file())


def sources_of(source: Path) -> list[Path]:
    """A file and all files of the package that it imports, directly or not."""
    found, new = set(), {source}
    while new:
        found |= new
        new = {each for known in new for each in _imported(known)} - found
    return sorted(found)


@cache
def kernel_cache(source: Path, hooked: bool = True) -> Path:
    """The cache directory of exactly these kernels; older versions are removed."""
    digest = hashlib.sha256(b"" if hooked else b"without numba's private hooks")
    for path in sources_of(source):
        digest.update(str(path.relative_to(_PACKAGE)).encode() + b"\0" + path.read_bytes())
    # The package's location is part of the name: two checkouts must not share one index.
    location = hashlib.sha256(str(_PACKAGE).encode()).hexdigest()[:8]
    name = ".".join(source.relative_to(_PACKAGE).with_suffix("").parts)
    home = Inside(cache_dir(), "kernels", location, name)
    folder = home / digest.hexdigest()[:16]
    try:
        os.utime(folder.make().path)
        versions = sorted(home.path.iterdir(), key=lambda path: path.stat().st_mtime, reverse=True)
        for old in versions[_KEPT_VERSIONS:]:
            (home / old.name).remove()
    except LinkError:
        raise
    except OSError:
        pass  # a read-only home: numba then compiles in every process
    return folder.path


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a top-level function of arrays. Division by zero follows IEEE 754, not Python.

    Kernels release the GIL, so several may run in threads, each on its own arrays.
    """
    return _compiled(function)


def lean_kernel(function: Callable[P, R]) -> Callable[P, R]:
    """A kernel that neither makes arrays nor takes slices of them.

    It needs no reference counting, which takes longer than the work itself where many arrays are
    passed on for every row.
    """
    return _compiled(function, numba_hooks.LEAN)


def inner(function: Callable[P, R]) -> Callable[P, R]:
    """A kernel that only kernels call.

    It is optimised only as part of its callers, and has no wrapper for calls from Python, which
    would take longer to compile than the kernel itself.
    """
    return _compiled(function, is_inner=True)


def lean_inner(function: Callable[P, R]) -> Callable[P, R]:
    """A kernel that is both lean and inner."""
    return _compiled(function, numba_hooks.LEAN, is_inner=True)


def inlined(function: Callable[P, R]) -> Callable[P, R]:
    """A lean inner kernel that is inlined into each kernel that calls it."""
    return _compiled(function, {**numba_hooks.LEAN, **numba_hooks.INLINED}, is_inner=True)


def _compiled(
    function: Callable[P, R], options: Mapping[str, Any] | None = None, is_inner: bool = False
) -> Callable[P, R]:
    hooked = not numba.config.DISABLE_JIT and numba_hooks.available()
    private: dict[str, Any] = {}
    if hooked:
        private = {**numba_hooks.PLAIN, **(options or {})}
        private |= numba_hooks.inner_options() if is_inner else numba_hooks.kernel_options()
    folder = kernel_cache(Path(function.__code__.co_filename), hooked)
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(folder)  # read at decoration; other packages keep theirs
    try:
        cached = is_writable(folder)
        compiled: Any = numba.njit(cache=cached, error_model="numpy", nogil=True, **private)(
            function
        )
    finally:
        numba.config.CACHE_DIR = before
    check_cache(compiled, folder)
    if hooked:
        compiled = numba_hooks.once_for_constants(compiled)
        compiled = numba_hooks.refuse_python(compiled) if is_inner else compiled
    return cast(Callable[P, R], compiled)
