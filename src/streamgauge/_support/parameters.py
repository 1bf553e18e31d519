"""The base of objects with parameters: attributes, `get_params()` and `repr`."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

_UNNAMED = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)


class Parametrized:
    """The base of learners, detectors and generators.

    A subclass stores each parameter of its constructor in an attribute of the same name; the rest
    follows from the constructor's signature.
    """

    def get_params(self) -> dict[str, Any]:
        """The constructor's parameters and their values."""
        return {name: getattr(self, name) for name in self._defaults()}

    def _defaults(self) -> Mapping[str, Any]:
        kind: Callable[..., object] = type(self)
        return _parameters(kind)

    def __repr__(self) -> str:
        """The call that makes this object; parameters at their default are left out."""
        shown = [
            self._show(value)
            if default is inspect.Parameter.empty
            else f"{name}={self._show(value)}"
            for (name, value), default in zip(
                self.get_params().items(), self._defaults().values(), strict=True
            )
            if not _same(value, default)
        ]
        return f"{type(self).__name__}({', '.join(shown)})"

    def _show(self, value: object) -> str:
        """A parameter's value as `repr` shows it."""
        return repr(value)


@lru_cache
def _parameters(kind: Callable[..., object]) -> Mapping[str, Any]:
    """The constructor's parameters and their defaults."""
    given = inspect.signature(kind).parameters.values()
    return {each.name: each.default for each in given if each.kind not in _UNNAMED}


def _same(value: object, default: object) -> bool:
    """Whether two values are equal; arrays never are."""
    same = value is default or value == default
    return same if isinstance(same, bool) else False
