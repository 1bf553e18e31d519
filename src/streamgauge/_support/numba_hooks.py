"""numba's private hooks: kernels compile faster, and inner kernels run optimised. All are optional.

Without them numba compiles all kernels correctly, only more slowly: each inner kernel gets its own
entry point for Python and is optimised on its own. Where a hook is missing or has changed,
`available()` is false and kernels compile the plain way, with the same results.
"""

from __future__ import annotations

import gc
import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any

from streamgauge._support.cache_dir import cache_dir
from streamgauge._support.inside import Inside
from streamgauge._support.whole_file import whole_file

# What kernels would otherwise inherit from their first caller, and no entry point for C.
PLAIN = {"_nrt": True, "forceinline": False, "no_cfunc_wrapper": True}
_ENTRY_POINT = "_ZN7cpython"  # how numba names the function that Python calls
LEAN = {"_nrt": False}  # no reference counting of arrays
INLINED = {"forceinline": True}


@cache
def available() -> bool:
    """Whether this numba has every hook and they work.

    Tested once per version of numba and of this file; the result is stored in the cache folder.
    """
    import numba

    source = hashlib.sha256(Path(__file__).read_bytes()).hexdigest()[:12]
    answer = Inside(cache_dir(), "kernels", f"hooks-{numba.__version__}-{source}")
    with suppress(OSError, ValueError):  # none yet, or damaged
        if (known := answer.path.read_text()) in ("yes", "no"):
            return known == "yes"
    works = _work()
    with suppress(OSError):  # a read-only home
        answer.parent.make()
        with whole_file(answer) as file:
            file.write(b"yes" if works else b"no")
    return works


def _work() -> bool:
    """Compile a small kernel and its caller with all hooks, and run them."""
    try:
        import numba

        def twice(x: int) -> int:
            return x + x

        options = {**PLAIN, **LEAN, **INLINED, **inner_options()}
        part = refuse_python(once_for_constants(numba.njit(**options)(twice)))

        def add(x: int) -> int:
            return int(part(x) + part(1))

        whole = numba.njit(**PLAIN, **kernel_options())(add)
        return bool(once_for_constants(whole)(3) == 8) and _refuses(part)
    except Exception:  # a private interface may change in any way
        return False


def _refuses(part: Any) -> bool:
    try:
        part(1)
    except TypeError:
        return True
    return False


@cache
def kernel_options() -> Mapping[str, Any]:
    """Options of a kernel that Python calls: the inner kernels linked into it are its own.

    Otherwise a call that is not inlined goes to the first code of that name in the process, which
    is the unoptimised one if the inner kernel was compiled or loaded there.
    """

    class KernelLibrary(_quick_library()):  # type: ignore[misc]
        """Code that shares no function with other code."""

        def _optimize_final_module(self) -> None:
            for function in self._final_module.functions:
                if function.linkage.name == "linkonce_odr":
                    function.linkage = "internal"
            super()._optimize_final_module()

    return {"pipeline_class": _compiler_with(KernelLibrary)}


@cache
def inner_options() -> Mapping[str, Any]:
    """Options of a kernel that only kernels call: no wrapper for Python, optimised by callers."""

    class PartLibrary(_quick_library()):  # type: ignore[misc]
        """Code that its callers optimise together with their own. No machine code is made of it."""

        def _optimize_final_module(self) -> None:
            pass

        def _finalize_final_module(self) -> None:
            self._finalize_dynamic_globals()
            self._finalized = True

        def get_pointer_to_function(self, _: str) -> int:
            return 0

        @property
        def codegen(self) -> Any:
            return _WithoutEnvironments(self._codegen)

        def serialize_using_object_code(self) -> Any:
            return self.serialize_using_bitcode()

    return {"no_cpython_wrapper": True, "pipeline_class": _compiler_with(PartLibrary)}


@cache
def _quick_library() -> Any:
    """numba's code library, which optimises entry points for Python once.

    numba optimises each function before it is linked and again after. An entry point is as long as
    its kernel where that takes many arrays, and takes nothing of the time of a run.
    """
    from numba.core.codegen import JITCodeLibrary

    class QuickLibrary(JITCodeLibrary):  # type: ignore[misc]  # numba has no types
        def _optimize_functions(self, module: Any) -> None:
            try:
                module.data_layout = self._codegen._data_layout
                for function in module.functions:
                    if not function.is_declaration and not function.name.startswith(_ENTRY_POINT):
                        passes, builder = self._codegen._function_pass_manager()
                        passes.run(function, builder)
            except (AttributeError, TypeError):  # an older numba
                super()._optimize_functions(module)

    return QuickLibrary


class _WithoutEnvironments:
    """numba's code generator, but for the environment, which only code in memory has."""

    def __init__(self, codegen: Any) -> None:
        self._codegen = codegen

    def set_env(self, *_: object) -> None:
        pass

    def __getattr__(self, name: str) -> Any:
        return getattr(self._codegen, name)


def _compiler_with(library: type) -> type:
    """numba's compiler with another library for its output.

    It looks for closures and arithmetic on whole arrays only where arrays can be made, and Python
    does not look for garbage in the meantime: there is little in very many new objects.
    """
    from numba.core.compiler import Compiler
    from numba.core.typed_passes import NopythonRewrites
    from numba.core.untyped_passes import InlineClosureLikes

    unused = (InlineClosureLikes, NopythonRewrites)

    class KernelCompiler(Compiler):  # type: ignore[misc]
        def compile_extra(self, function: Any) -> Any:
            with _garbage_left():
                return super().compile_extra(function)

        def define_pipelines(self) -> Any:
            state = self.state
            state.library = library(state.targetctx.codegen(), state.func_id.func_qualname)
            state.library.enable_object_caching()
            pipelines = super().define_pipelines()
            if not state.flags.nrt:
                for each in pipelines:
                    each.passes = [step for step in each.passes if step[0] not in unused]
                    each.finalize()
            return pipelines

    return KernelCompiler


@contextmanager
def _garbage_left() -> Iterator[None]:
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


def refuse_python(compiled: Any) -> Any:
    """Raise when Python calls an inner kernel: numba would jump to a missing entry point."""
    name = compiled.py_func.__name__

    def refuse(*_: object, **__: object) -> None:
        raise TypeError(f"{name} is an inner kernel: only kernels can call it")

    vars(compiled).update(_insert=lambda *_: None, _compile_for_args=refuse)
    return compiled


def once_for_constants(compiled: Any) -> Any:
    """Compile a kernel once for all constants that other kernels pass to it.

    numba would compile it again for each constant. That takes twice the time and gains nothing:
    constants are propagated where the kernel is inlined.
    """
    from numba.core.types.misc import unliteral

    of_types: Callable[..., Any] = compiled.get_call_template

    def get_call_template(args: Sequence[Any], kws: Mapping[str, Any]) -> Any:
        return of_types(
            tuple(map(unliteral, args)), {name: unliteral(kind) for name, kind in kws.items()}
        )

    vars(compiled)["get_call_template"] = get_call_template
    return compiled
