"""How a thing with parameters shows itself: the call that makes it, without what is as usual."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any


def call_of(thing: object, given: Mapping[str, Any]) -> str:
    """Parameters without a default come first and unnamed."""
    kind: Callable[..., Any] = type(thing)
    usual = _parameters(kind)
    shown = [
        repr(value) if usual[name].default is inspect.Parameter.empty else f"{name}={value!r}"
        for name, value in given.items()
        if value != usual[name].default
    ]
    return f"{type(thing).__name__}({', '.join(shown)})"


@lru_cache
def _parameters(kind: Callable[..., Any]) -> Mapping[str, inspect.Parameter]:
    return inspect.signature(kind).parameters
