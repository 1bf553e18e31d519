"""The `kernel` decorator: numba's njit with an on-disk cache that cannot go stale.

numba looks only at the file a kernel stands in, so an edit in another file that the kernel calls
or takes a constant from would go unnoticed. The cache directory is therefore named after a hash of
that file and of all files of the package that it imports, directly or not.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, ParamSpec, TypeVar, cast

import numba
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.dispatcher import Dispatcher
from numba.core.types.misc import unliteral

P = ParamSpec("P")
R = TypeVar("R")

_KEPT_VERSIONS = 4
_PACKAGE = Path(__file__).parents[1]
_IMPORT = re.compile(
    rf"^[ \t]*(?:from|import)[ \t]+{_PACKAGE.name}\b([\w.]*)"
    r"(?:[ \t]+import[ \t]+(\([^)]*\)|[^\n]*))?",
    re.MULTILINE,
)


def cache_home() -> Path:
    """Where streamgauge keeps what it can make or fetch again (STREAMGAUGE_CACHE overrides)."""
    if chosen := os.environ.get("STREAMGAUGE_CACHE"):
        return Path(chosen)
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "streamgauge"


@cache
def _imported(source: Path) -> frozenset[Path]:
    """The files of the package that a file imports; also those that only might be meant."""
    found = set()
    for module, names in _IMPORT.findall(source.read_text()):
        path = _PACKAGE.joinpath(*module.strip(".").split("."))
        candidates = [path, *(path / name for name in re.findall(r"\w+", names))]
        found |= {each.with_suffix(".py") for each in candidates}
        found.add(path / "__init__.py")
    return frozenset(each for each in found if each.is_file())


def sources_of(source: Path) -> list[Path]:
    """A file and all that it imports of the package, directly or not."""
    found, new = set(), {source}
    while new:
        found |= new
        new = {each for known in new for each in _imported(known)} - found
    return sorted(found)


@cache
def kernel_cache(source: Path) -> Path:
    """The cache directory of exactly these kernels; older versions are swept away."""
    digest = hashlib.sha256()
    for path in sources_of(source):
        digest.update(str(path.relative_to(_PACKAGE)).encode() + b"\0" + path.read_bytes())
    # The package's place is part of the name: two checkouts must not fight over one index.
    place = hashlib.sha256(str(_PACKAGE).encode()).hexdigest()[:8]
    name = ".".join(source.relative_to(_PACKAGE).with_suffix("").parts)
    home = cache_home() / "kernels" / place / name
    mine = home / digest.hexdigest()[:16]
    try:
        mine.mkdir(parents=True, exist_ok=True)
        os.utime(mine)
        versions = sorted(home.iterdir(), key=lambda path: path.stat().st_mtime, reverse=True)
        for old in versions[_KEPT_VERSIONS:]:
            shutil.rmtree(old, ignore_errors=True)
    except OSError:
        pass  # a read-only home: numba then compiles anew in every process
    return mine


class _Part(JITCodeLibrary):  # type: ignore[misc]  # numba has no types
    """Code for other kernels: they optimise it together with their own, so that to do it before
    would be for nothing, at every level anew."""

    def _optimize_final_module(self) -> None:
        pass


class _PartCompiler(Compiler):  # type: ignore[misc]
    """numba's, but for that."""

    def define_pipelines(self) -> Any:
        state = self.state
        state.library = _Part(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        return super().define_pipelines()


_PLAIN = {"_nrt": True, "forceinline": False}  # else as in the kernel that happens to call first
_LEAN = {"_nrt": False}
_INNER = {
    "no_cpython_wrapper": True, "no_cfunc_wrapper": True, "pipeline_class": _PartCompiler,
}  # fmt: skip


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a top-level function of arrays; division follows IEEE, not Python. Several may run at
    once, on arrays of their own, in threads."""
    return _compiled(function)


def lean_kernel(function: Callable[P, R]) -> Callable[P, R]:
    """A kernel that neither makes arrays nor takes slices of them, and so need not count who uses
    which: where many arrays are handed on for every row, counting takes longer than the work."""
    return _compiled(function, **_LEAN)


def inner(function: Callable[P, R]) -> Callable[P, R]:
    """A kernel that only kernels call: not optimised on its own, and without the code that takes
    Python's arguments apart, which takes longer to compile than the kernel itself."""
    return _refusing_python(_compiled(function, **_INNER))


def lean_inner(function: Callable[P, R]) -> Callable[P, R]:
    """Lean and inner."""
    return _refusing_python(_compiled(function, **_LEAN, **_INNER))


def inlined(function: Callable[P, R]) -> Callable[P, R]:
    """Lean and inner, and part of the kernels that call it, as if written there."""
    return _refusing_python(_compiled(function, **_LEAN, **_INNER, forceinline=True))


def _compiled(function: Callable[P, R], **options: Any) -> Callable[P, R]:
    place = kernel_cache(Path(function.__code__.co_filename))
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(place)  # read at decoration; other packages keep theirs
    try:
        cached = os.access(place, os.W_OK)
        make = numba.njit(cache=cached, error_model="numpy", nogil=True, **{**_PLAIN, **options})
        return cast(Callable[P, R], _once_for_constants(make(function)))
    finally:
        numba.config.CACHE_DIR = before


def _refusing_python(compiled: Callable[P, R]) -> Callable[P, R]:
    """numba would jump to the entry for Python that an inner kernel does not have."""
    if not isinstance(compiled, Dispatcher):  # without the compiler it is the function itself
        return compiled
    name = compiled.py_func.__name__

    def refuse(*_: object, **__: object) -> None:
        raise TypeError(f"{name} is an inner kernel: only kernels can call it")

    vars(compiled).update(_insert=lambda *_: None, _compile_for_args=refuse)
    return compiled


def _once_for_constants(compiled: Any) -> Any:
    """numba would compile a kernel anew for every constant that another kernel hands it. Once for
    all of them takes half the time; what a constant decides is found out where it is inlined."""
    if not isinstance(compiled, Dispatcher):  # without the compiler it is the function itself
        return compiled
    of_types = compiled.get_call_template

    def get_call_template(args: Sequence[Any], kws: Mapping[str, Any]) -> Any:
        return of_types(
            tuple(map(unliteral, args)), {name: unliteral(kind) for name, kind in kws.items()}
        )

    vars(compiled)["get_call_template"] = get_call_template
    return compiled
