"""Compile a test's function that calls kernels of the package, as the package compiles its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar, cast

import numba

from streamgauge._support import numba_hooks

P = ParamSpec("P")
R = TypeVar("R")


def compiled(function: Callable[P, R]) -> Callable[P, R]:
    """A kernel of the tests, without a cache.

    Inner kernels have no machine code of their own: plain numba would jump to nothing where it
    does not inline them.
    """
    options: dict[str, Any] = {"error_model": "numpy"}
    if not numba.config.DISABLE_JIT and numba_hooks.available():
        options |= {**numba_hooks.PLAIN, **numba_hooks.kernel_options()}
    return cast(Callable[P, R], numba.njit(**options)(function))
