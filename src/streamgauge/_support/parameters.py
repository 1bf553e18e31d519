"""The base of objects with parameters: attributes, `get_params()` and `repr`."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import lru_cache, wraps
from typing import Any

from streamgauge._support.argument_types import check_arguments, hints_of
from streamgauge._support.declared import declared_in, with_descriptions
from streamgauge._support.errors import UsageError, did_you_mean

_UNNAMED = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)


class Parametrized:
    """The base of learners, detectors and generators.

    A subclass stores each parameter of its constructor in an attribute of the same name; the rest
    follows from the constructor's signature: arguments that are not of the annotated type are
    refused. Parameters that several classes share are declared once (`_support/declared.py`).
    """

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if "__init__" in vars(cls):
            type.__setattr__(cls, "__init__", _checking(vars(cls)["__init__"]))
        if cls.__doc__ and (declared := declared_in(cls.__init__)):
            cls.__doc__ = with_descriptions(cls.__doc__, _parameters_of(cls.__init__), declared)

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


def _checking(init: Callable[..., None]) -> Callable[..., None]:
    """The constructor, which refuses arguments of a wrong type even if its own checks do not."""
    declared = declared_in(init)

    @wraps(init)
    def checking(self: object, *given: Any, **named: Any) -> None:
        known = _parameters_of(init)
        names = list(known)[1 : 1 + len(given)]
        for name in named:
            if name not in known and not any(each.kind in _UNNAMED for each in known.values()):
                close = did_you_mean(name, known)  # Python would name the class that defines init
                raise TypeError(f"{type(self).__name__} has no parameter {name!r}{close}")
        values = dict(zip(names, given, strict=False)) | named
        for name in declared.keys() & values.keys():
            hint, parameter = declared[name]
            parameter.check(type(self).__name__, name, hint, values[name])
        try:
            init(self, *given, **named)  # first: its own messages say more
        except UsageError:
            raise
        except (ArithmeticError, TypeError, ValueError):
            check_arguments(type(self).__name__, hints_of(init), values)
            raise
        check_arguments(type(self).__name__, hints_of(init), values)

    return checking


@lru_cache
def _parameters_of(function: Callable[..., object]) -> Mapping[str, inspect.Parameter]:
    return inspect.signature(function).parameters


@lru_cache
def _parameters(kind: Callable[..., object]) -> Mapping[str, Any]:
    """The constructor's parameters and their defaults."""
    given = inspect.signature(kind).parameters.values()
    return {each.name: each.default for each in given if each.kind not in _UNNAMED}


def _same(value: object, default: object) -> bool:
    """Whether two values are equal; arrays never are."""
    same = value is default or value == default
    return same if isinstance(same, bool) else False
