"""The state of objects as plain values and arrays, and back into objects of the same making.

A class declares the fields that outlive the process: `state_fields`, besides those of its bases,
and `state_version`, incremented when a field gets another meaning. The state of something with
parameters is everything but them. A snapshot names no class and runs no code: a monitor is first
made from its configuration, and the state is then put into what was made, field by field. A state
with other fields than those declared is refused.

Two hooks replace reading and setting the fields: `dump_state` and `load_state` for plain values,
`load_parts` for objects that must be made first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from streamgauge._support.errors import InputError, UsageError
from streamgauge._support.parameters import Parametrized

Array = npt.NDArray[Any]
Arrays = list[Array]
_PLAIN = (bool, int, float, str, type(None))


class Dump:
    """Takes the state of objects; an array that is reached a second time is kept once."""

    def __init__(self) -> None:
        self.arrays: Arrays = []
        self._places: dict[int, int] = {}

    def tree(self, value: Any) -> Any:
        """A value as JSON; arrays are named by their place in `arrays`."""
        if isinstance(value, np.ndarray):
            return self._array(value)
        if isinstance(value, (np.generic, *_PLAIN)):
            return value.item() if isinstance(value, np.generic) else value
        if hasattr(value, "_asdict"):
            return {"named": self._trees(value._asdict())}
        if isinstance(value, list | tuple):
            kind = "tuple" if isinstance(value, tuple) else "list"
            return {kind: [self.tree(each) for each in value]}
        if isinstance(value, dict):
            return {"pairs": [[self.tree(key), self.tree(each)] for key, each in value.items()]}
        return self._object(value)

    def _object(self, value: Any) -> Any:
        if _is_constant(value):
            return {"constant": True}
        names = _fields_of(value)
        own = getattr(value, "dump_state", None)
        fields = {name: getattr(value, name) for name in names} if own is None else own()
        return {"fields": self._trees(fields), "version": _version_of(value)}

    def _trees(self, values: dict[str, Any]) -> dict[str, Any]:
        return {name: self.tree(each) for name, each in values.items()}

    def _array(self, array: Array) -> dict[str, Any]:
        if id(array) not in self._places:
            self._places[id(array)] = len(self.arrays)
            self.arrays.append(array)
        return {"array": self._places[id(array)]}


@dataclass(frozen=True)
class StatePart:
    """A part of a state that was read, to be put into an object.

    Attributes
    ----------
    copy
        Where an array is kept from now on.
    """

    tree: Any
    arrays: Arrays
    copy: Callable[[Array], Array] = np.asarray

    def of(self, tree: Any) -> StatePart:
        """Another part of the same state."""
        return StatePart(tree, self.arrays, self.copy)

    @property
    def plain(self) -> Any:
        """The value of a part without objects."""
        return self.into(None)

    def pairs(self) -> list[tuple[Any, StatePart]]:
        """The keys and parts of a dict."""
        return [(self.of(key).plain, self.of(each)) for key, each in self.tree["pairs"]]

    def into(self, template: Any) -> Any:
        """The value; an object of the template takes the state and is returned."""
        if not isinstance(self.tree, dict):
            return self.tree
        (kind, given), *_ = self.tree.items()
        if kind == "array":
            return self.copy(self.arrays[given])
        if kind == "named":
            return self._into_named(template, given)
        if kind in ("list", "tuple"):
            return self._into_items(template, kind, given)
        if kind == "pairs":
            return self._into_pairs(template)
        if kind == "fields":
            self._into_object(template, given)
        return template

    def _into_items(self, template: Any, kind: str, given: list[Any]) -> Any:
        like = list(template) if isinstance(template, list | tuple) else []
        like = like if len(like) == len(given) else [None] * len(given)
        items = [self.of(each).into(one) for one, each in zip(like, given, strict=True)]
        return tuple(items) if kind == "tuple" else items

    def _into_named(self, template: Any, given: dict[str, Any]) -> Any:
        _check_names(template, getattr(template, "_fields", ()), given)
        found = {n: self.of(each).into(getattr(template, n)) for n, each in given.items()}
        return template._replace(**found)

    def _into_pairs(self, template: Any) -> Any:
        known = template if isinstance(template, dict) else {}
        found = {key: part.into(known.get(key)) for key, part in self.pairs()}
        known.clear()
        known.update(found)  # it may be a Counter
        return known

    def _into_object(self, template: Any, given: dict[str, Any]) -> None:
        names = _fields_of(template)
        _check_names(template, names, given)
        version = _version_of(template)
        if self.tree["version"] != version:
            raise InputError(
                f"the state of {_kind_of(template)} is of version {self.tree['version']}, this one "
                f"reads version {version}; {REMEDY}"
            )
        parts = {name: self.of(given[name]) for name in names}
        if hasattr(template, "load_state"):
            template.load_state({name: part.plain for name, part in parts.items()})
        elif hasattr(template, "load_parts"):
            template.load_parts(parts)
        else:
            load_fields(template, parts)


REMEDY = (
    "go on with the version that wrote it, or start again with an empty state folder: the whole "
    "log is then read again"
)


def load_fields(template: Any, parts: dict[str, StatePart]) -> None:
    """Put parts into the fields of their names."""
    for name, part in parts.items():
        setattr(template, name, part.into(getattr(template, name)))


def check_savable(thing: Any) -> None:
    """Raise an error for a started reference or detector whose state cannot be saved."""
    try:
        Dump().tree(thing)
    except UsageError as error:
        raise UsageError(
            f"{thing!r}: a monitor keeps the state of references and detectors that declare it, "
            f"but {error}; expected one of streamgauge's own, or `state_fields` (docs/extending.md)"
        ) from None


def _fields_of(thing: Any) -> tuple[str, ...]:
    """The names that a class and its bases declare; what else has parameters keeps all others."""
    kind = type(thing)
    declared = [vars(each)["state_fields"] for each in kind.__mro__ if "state_fields" in vars(each)]
    if declared:
        return tuple(name for names in reversed(declared) for name in names)
    if isinstance(thing, Parametrized):
        return tuple(sorted(vars(thing).keys() - thing.get_params().keys()))
    raise UsageError(f"{_kind_of(thing)} declares no state_fields")


def _check_names(template: Any, expected: Iterable[str], given: Iterable[str]) -> None:
    expected, given = set(expected), set(given)
    wrong = [f"lacks the field {name!r}" for name in sorted(expected - given)]
    wrong += [f"has an unknown field {name!r}" for name in sorted(given - expected)]
    if wrong:
        raise InputError(f"the state of {_kind_of(template)} {' and '.join(wrong)}; {REMEDY}")


def _kind_of(thing: Any) -> str:
    return type(thing).__qualname__


def _version_of(thing: Any) -> int:
    return int(getattr(type(thing), "state_version", 1))


def _is_constant(value: Any) -> bool:
    """Whether it cannot change: then what was made from the configuration has it."""
    parameters = getattr(type(value), "__dataclass_params__", None)
    return parameters is not None and bool(parameters.frozen)
